/* SPDX-License-Identifier: BSD-3-Clause */
#include "lift_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

bool lift_has_loop(const struct lift *l, uint32_t site, size_t level)
{
    for (size_t i = 0; i < level; i++) {
        if (l->eventful[i] && l->shape->loops.items[i].after == site)
            return true;
    }
    return false;
}

/* A loop depends on the loops before it. */
static void find_eventful_loops(struct lift *l)
{
    for (size_t i = 0; i < l->shape->loops.n; i++) {
        const struct loop *loop = &l->shape->loops.items[i];
        for (uint32_t k = 0; k < loop->n; k++)
            l->eventful[i] = l->eventful[i] || !lift_site_of(l, loop->sites[k])->silent ||
                             lift_has_loop(l, loop->sites[k], i);
    }
}

static enum refrain_status describe_site(struct lift *l, uint32_t entry)
{
    const uint32_t site = l->shape->entries.items[entry].site;
    struct lift_symbol *s = &l->of_site[entry];
    s->in_loops = lift_has_loop(l, site, l->shape->loops.n);
    s->active = s->in_loops || !l->sites[entry].silent;
    if (!l->sites[entry].fixed && !array_push(&s->calls, ((struct lift_calls){entry, 1})))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* `sums` has a number for each entry, all 0 before and after. Lengths of rules are below 2^63. */
static enum refrain_status describe_rule(struct lift *l, uint32_t rule, uint64_t *sums)
{
    const struct rules *r = l->shape->skeleton;
    struct lift_symbol *s = &l->of_rule[rule];
    for (uint32_t k = r->first[rule]; k < r->first[rule + 1]; k++) {
        const struct lift_symbol *item = lift_symbol_of(l, r->items[k].symbol);
        s->active = s->active || item->active;
        s->in_loops = s->in_loops || item->in_loops;
        for (size_t i = 0; i < item->calls.n; i++) {
            const struct lift_calls *c = &item->calls.items[i];
            if (sums[c->entry] == 0 && !array_push(&s->calls, ((struct lift_calls){c->entry, 0})))
                return REFRAIN_ERR_MEMORY;
            sums[c->entry] += c->n * r->items[k].count;
        }
    }
    for (size_t i = 0; i < s->calls.n; i++) {
        struct lift_calls *c = &s->calls.items[i];
        c->n = sums[c->entry];
        sums[c->entry] = 0;
    }
    return REFRAIN_OK;
}

enum refrain_status lift_describe_symbols(struct lift *l)
{
    const size_t n = l->shape->entries.n;
    uint64_t *sums = calloc(n + 1, sizeof *sums);
    enum refrain_status status = sums ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!sums)
        log_error("out of memory: %zu sites", n);
    find_eventful_loops(l);
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = describe_site(l, i);
    for (uint32_t i = 0; i < l->shape->skeleton->n_rules && status == REFRAIN_OK; i++)
        status = describe_rule(l, i, sums);
    free(sums);
    return status;
}
