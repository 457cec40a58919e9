/* SPDX-License-Identifier: BSD-3-Clause */
#include "rules_build.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

void rules_builder_free(struct rules_builder *b)
{
    array_free(&b->first);
    array_free(&b->items);
    map_free(&b->bodies);
    array_free(&b->visit);
}

uint32_t rules_builder_count(const struct rules_builder *b)
{
    return b->first.n > 0 ? (uint32_t)b->first.n - 1 : 0;
}

/* Is the rule's body the n items from number `start` on? */
static bool same_body(const struct rules_builder *b, uint32_t rule, uint32_t start, size_t n)
{
    if (b->first.items[rule + 1] - b->first.items[rule] != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct rules_item *item = &b->items.items[start + i],
                                *other = &b->items.items[b->first.items[rule] + i];
        if (other->symbol != item->symbol || other->count != item->count)
            return false;
    }
    return true;
}

/* The items after the end of the last rule are a body: find an equal rule, or make it a new rule. */
static enum refrain_status intern_body(struct rules_builder *b, uint32_t *number)
{
    uint32_t start = b->first.items[b->first.n - 1], count = rules_builder_count(b);
    size_t n = b->items.n - start, at;
    uint64_t hash = n;

    if (b->items.n >= RULES_REF) {
        log_error("more than 2^31 items in one list of rules");
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        hash = mix(mix(hash, b->items.items[start + i].symbol), b->items.items[start + i].count);
    for (uint32_t r = map_first(&b->bodies, hash, &at); r != MAP_NONE; r = map_next(&b->bodies, hash, &at)) {
        if (same_body(b, r, start, n)) {
            b->items.n = start;
            *number = r;
            return REFRAIN_OK;
        }
    }
    if (!map_add(&b->bodies, hash, count) || !array_push(&b->first, (uint32_t)b->items.n))
        return REFRAIN_ERR_MEMORY;
    *number = count;
    return REFRAIN_OK;
}

/* Build a rule; all rules that it refers to have been built. */
static enum refrain_status build_rule(struct rules_builder *b, const struct rules_source *s, uint32_t rule,
                                      bool root, enum rules_build how)
{
    uint32_t start = b->first.items[b->first.n - 1], number;
    enum refrain_status status;

    for (uint32_t i = s->first[rule]; i < s->first[rule + 1]; i++) {
        struct rules_item item = s->items[i], *last;

        if (item.symbol & RULES_REF) {
            const struct rules_item *power = &s->built[item.symbol & ~RULES_REF];

            item.symbol = power->symbol;
            item.count *= power->count;
        }
        last = b->items.n > start ? &b->items.items[b->items.n - 1] : NULL;
        if (how == RULES_BUILD_TIDY && last && last->symbol == item.symbol)
            last->count += item.count;
        else if (!array_push(&b->items, item))
            return REFRAIN_ERR_MEMORY;
    }
    if (how == RULES_BUILD_TIDY && !root && b->items.n == start + 1) {
        s->built[rule] = b->items.items[start];
        b->items.n = start;
        return REFRAIN_OK;
    }
    status = intern_body(b, &number);
    if (status == REFRAIN_OK)
        s->built[rule] = (struct rules_item){.symbol = RULES_REF | number, .count = 1};
    return status;
}

enum refrain_status rules_builder_add(struct rules_builder *b, const struct rules_source *s, uint32_t root,
                                      enum rules_build how, uint32_t *number)
{
    enum refrain_status status = REFRAIN_OK;

    if (b->first.n == 0 && !array_push(&b->first, 0))
        return REFRAIN_ERR_MEMORY;
    b->visit.n = 0;
    if (!array_push(&b->visit, ((struct rules_visit){root, s->first[root]})))
        return REFRAIN_ERR_MEMORY;
    while (b->visit.n > 0 && status == REFRAIN_OK) {
        struct rules_visit *v = &b->visit.items[b->visit.n - 1];
        uint32_t symbol, rule = v->rule;

        if (v->item == s->first[rule + 1]) {
            b->visit.n--;
            status = build_rule(b, s, rule, b->visit.n == 0, how);
            continue;
        }
        symbol = s->items[v->item].symbol & ~RULES_REF;
        if ((s->items[v->item++].symbol & RULES_REF) && s->built[symbol].count == 0 &&
            !array_push(&b->visit, ((struct rules_visit){symbol, s->first[symbol]})))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        *number = s->built[root].symbol & ~RULES_REF;
    return status;
}
