/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast look-up of the names of values: the constants of a function table, ordered by set and value. For many
 * look-ups, find the set once. */
#ifndef REFRAIN_NAMES_H
#define REFRAIN_NAMES_H

#include "src/core/trace/functable.h"

struct names {
    const struct constant **items; /* ascending by set, then value; each value once */
    size_t n;
};

/* The part of `items` that is one set; maybe empty. */
struct names_set {
    const struct constant *const *items;
    size_t n;
};

/* The table must stay valid. */
enum refrain_status names_create(struct names *n, const struct functable *table);
void names_free(struct names *n);
struct names_set names_of(const struct names *n, const char *set);
/* As functable_constant: NULL if the value has no name in the set, the first one if it has several. */
const char *names_find(const struct names_set *set, int64_t value);

#endif
