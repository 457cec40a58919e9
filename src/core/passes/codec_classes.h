/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lists over the same ranks depend on the same thing? See codec_compose.h. */
#ifndef REFRAIN_CODEC_CLASSES_H
#define REFRAIN_CODEC_CLASSES_H

#include "src/core/base/array.h"
#include "src/core/base/partition.h"
#include "src/core/series/series.h"

#define COMPOSITION_COST 2 /* bytes of K and V in the table of compositions */

struct class_list {
    const struct series *series; /* borrowed */
    size_t cost;                 /* bytes */
    int64_t *values;             /* expanded; owned */
    uint32_t distinct;           /* how many different values */
    bool done;                   /* set by the caller: leave it out from now on */
    struct series *of_class;     /* found: V; NULL if it does not pay for this list. Owned until taken */
};

/* What was found while the same lists were done: whoever tries ways to write lists asks again. */
struct class_search {
    bool *done;            /* of each list; owned */
    struct partition best; /* without classes if nothing pays; owned */
};

struct class_lists {
    struct class_list *items;
    size_t n, cap;
    uint32_t n_ranks;       /* length of each list */
    struct series *classes; /* found: K; NULL if nothing pays. Owned until taken */
    int64_t saved;          /* bytes, by what was found */
    ARRAY(struct class_search) searches;
};

void classes_free(struct class_lists *c);
/* All lists are added before the first search. */
enum refrain_status classes_add(struct class_lists *c, const struct series *list);
/* Look for the classes that save the most. What was found before has been taken or is freed. Tried are joins
 * of the lists with the fewest values, as long as a class has two ranks on average: at most n_ranks / 2
 * candidates, mostly a handful. O(candidates × all values); the second time for the same lists, only what
 * was found is made anew. */
enum refrain_status classes_find(struct class_lists *c);

#endif
