/* Which lists over the same ranks depend on the same thing? See codec_compose.h. */
#ifndef REFRAIN_CODEC_CLASSES_H
#define REFRAIN_CODEC_CLASSES_H

#include "array.h"
#include "series.h"

#define COMPOSITION_COST 2 /* bytes of K and V in the table of compositions */

struct class_list {
    const struct series *series; /* borrowed */
    size_t cost;                 /* bytes */
    int64_t *values;             /* expanded; owned */
    uint32_t distinct;           /* how many different values */
    bool done;                   /* set by the caller: leave it out from now on */
    struct series *of_class;     /* found: V; NULL if it does not pay for this list. Owned until taken */
};

struct class_lists {
    struct class_list *items;
    size_t n, cap;
    uint32_t n_ranks;       /* length of each list */
    struct series *classes; /* found: K; NULL if nothing pays. Owned until taken */
    int64_t saved;          /* bytes, by what was found */
};

void classes_free(struct class_lists *c);
enum refrain_status classes_add(struct class_lists *c, const struct series *list);
/* Look for the classes that save the most. What was found before has been taken or is freed. Tried are joins
 * of the lists with the fewest values, as long as a class has two ranks on average: at most n_ranks / 2
 * candidates, mostly a handful. O(candidates × all values). */
enum refrain_status classes_find(struct class_lists *c);

#endif
