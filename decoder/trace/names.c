/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Among entries for the same value, the first one comes first. */
static int compare(const void *a, const void *b)
{
    const struct constant *x = *(const struct constant *const *)a, *y = *(const struct constant *const *)b;
    const int sets = strcmp(x->set, y->set);
    if (sets != 0)
        return sets;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x < y ? -1 : x > y;
}

enum refrain_status names_create(struct names *n, const struct functable *table)
{
    const struct constant **items = malloc((table->constants.n + 1) * sizeof *items);
    size_t kept = 0;
    if (!items) {
        log_error("out of memory: %zu constants", table->constants.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < table->constants.n; i++)
        items[i] = &table->constants.items[i];
    qsort(items, table->constants.n, sizeof *items, compare);
    for (size_t i = 0; i < table->constants.n; i++) {
        const struct constant *last = kept > 0 ? items[kept - 1] : NULL;
        if (!last || last->value != items[i]->value || strcmp(last->set, items[i]->set) != 0)
            items[kept++] = items[i];
    }
    *n = (struct names){items, kept};
    return REFRAIN_OK;
}

void names_free(struct names *n)
{
    free(n->items);
    *n = (struct names){0};
}

struct names_set names_of(const struct names *n, const char *set)
{
    if (set[0] == '\0' || n->n == 0)
        return (struct names_set){0};
    const size_t first = BISECT(i, n->n, strcmp(n->items[i]->set, set) < 0),
                 end = BISECT(i, n->n, strcmp(n->items[i]->set, set) <= 0);
    return (struct names_set){n->items + first, end - first};
}

const char *names_find(const struct names_set *set, int64_t value)
{
    if (set->n == 0 || value < set->items[0]->value || value > set->items[set->n - 1]->value)
        return NULL;
    const size_t at = BISECT(i, set->n, set->items[i]->value < value);
    return set->items[at]->value == value ? set->items[at]->name : NULL;
}
