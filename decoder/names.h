/* The names of values, looked up fast: an index over the constants of a function table. */
#ifndef REFRAIN_NAMES_H
#define REFRAIN_NAMES_H

#include "functable.h"
#include "map.h"

struct names {
    const struct functable *table;
    struct map by_value; /* hash of (set, value) → constant */
};

enum refrain_status names_create(struct names *n, const struct functable *table);
void names_free(struct names *n);
/* As functable_constant. */
const char *names_find(const struct names *n, const char *set, int64_t value);

#endif
