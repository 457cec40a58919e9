/* SPDX-License-Identifier: BSD-3-Clause */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"

static int compare_items(const void *a, const void *b)
{
    const struct rules_item *x = a, *y = b;
    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return x->count < y->count ? -1 : x->count > y->count;
}

enum refrain_status rules_find_varying(const struct rules *r, uint64_t longest, uint32_t *symbol, bool *found)
{
    const uint32_t n = r->first[r->n_rules];
    struct rules_item *items = malloc((n + (size_t)1) * sizeof *items);
    uint32_t most = RULES_VARYING - 1, exponents = 0;
    if (!items) {
        log_error("out of memory: comparing %u exponents", n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(items, r->items, n * sizeof *items);
    qsort(items, n, sizeof *items, compare_items);
    *found = false;
    for (uint32_t i = 0; i < n; i++) {
        const bool same = i > 0 && items[i].symbol == items[i - 1].symbol;
        const bool nested = items[i].symbol & RULES_REF;
        exponents = same ? exponents + (items[i].count != items[i - 1].count) : 1;
        if (exponents > most && (!nested || r->length[items[i].symbol & ~RULES_REF] <= longest)) {
            most = exponents;
            *symbol = items[i].symbol;
            *found = true;
        }
    }
    free(items);
    return REFRAIN_OK;
}
