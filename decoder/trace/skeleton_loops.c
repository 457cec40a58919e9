/* SPDX-License-Identifier: BSD-3-Clause */
#include "skeleton_loops.h"

#include "src/core/base/log.h"

#include <stdlib.h>

struct search {
    const struct rules *rules;
    uint64_t least, longest;
    bool *has_loops; /* by rule */
    struct skeleton_loops *out;
};

static uint64_t length_of(const struct search *s, uint32_t symbol)
{
    return symbol & RULES_REF ? s->rules->length[symbol & ~RULES_REF] : 1;
}

static bool is_loop(const struct search *s, const struct rules_item *item)
{
    return item->count >= s->least && length_of(s, item->symbol) <= s->longest;
}

/* A body refers only to rules before it. */
static void mark_rules(struct search *s)
{
    const struct rules *r = s->rules;
    for (uint32_t rule = 0; rule < r->n_rules; rule++) {
        for (uint32_t i = r->first[rule]; i < r->first[rule + 1]; i++) {
            const struct rules_item *item = &r->items[i];
            if (is_loop(s, item) || (item->symbol & RULES_REF && s->has_loops[item->symbol & ~RULES_REF]))
                s->has_loops[rule] = true;
        }
    }
}

/* Adds the loops of a body that begins with call number `begin`. */
static bool add_body(struct search *s, uint32_t rule, uint64_t begin, unsigned depth)
{
    const struct rules *r = s->rules;
    for (uint32_t i = r->first[rule]; i < r->first[rule + 1]; i++) {
        const struct rules_item *item = &r->items[i];
        const uint64_t length = length_of(s, item->symbol);
        const bool loop = is_loop(s, item), inside = !loop && depth < SKELETON_LOOPS_DEPTH &&
                                                     item->symbol & RULES_REF &&
                                                     s->has_loops[item->symbol & ~RULES_REF];
        if (s->out->n >= SKELETON_LOOPS_MOST)
            return true;
        if (loop && !array_push(s->out, ((struct skeleton_loop){begin, length, item->count})))
            return false;
        size_t before = SIZE_MAX; /* a body that adds nothing, because it is too deep, need not come again */
        for (uint64_t k = 0; inside && k < item->count && s->out->n != before; k++) {
            before = s->out->n;
            if (!add_body(s, item->symbol & ~RULES_REF, begin + k * length, depth + 1))
                return false;
        }
        begin += length * item->count;
    }
    return true;
}

enum refrain_status skeleton_loops_find(const struct rules *skeleton, uint64_t least, uint64_t longest,
                                        struct skeleton_loops *out)
{
    struct search s = {.rules = skeleton,
                       .least = least,
                       .longest = longest,
                       .has_loops = calloc(skeleton->n_rules, sizeof *s.has_loops),
                       .out = out};
    *out = (struct skeleton_loops){0};
    if (!s.has_loops) {
        log_error("out of memory: %u rules", skeleton->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    mark_rules(&s);
    const bool ok = add_body(&s, skeleton->n_rules - 1, 0, 0);
    free(s.has_loops);
    if (ok)
        return REFRAIN_OK;
    array_free(out);
    return REFRAIN_ERR_MEMORY;
}
