/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the expansion of rules.
 *
 * Each frame of the stack is a body being walked: its next item, its end, and the number of complete
 * repetitions of the item. A terminal's repetitions are counted in its own frame, a rule's in the frame
 * below the one of its body:
 *
 *     rule 0: a^1 b^2     start: R0^5 c^1          about to deliver the second b of the third (a b b):
 *
 *     stack  [0] item R0^5, done 2     [1] item b^2, done 1
 *
 * No path goes through a rule twice, so the stack never needs more frames than there are rules, and a step
 * cannot fail. */
#include "rules.h"

#include <assert.h>
#include <stdlib.h>

#include "rules_impl.h"
#include "src/core/base/log.h"

static void push_body(struct rules_cursor *c, uint32_t rule)
{
    c->stack.items[c->stack.n++] =
        (struct rules_frame){.item = c->rules->first[rule], .end = c->rules->first[rule + 1]};
}

enum refrain_status rules_cursor_start(struct rules_cursor *c, const struct rules *r)
{
    struct rules_cursor fresh = {.rules = r};

    if (!array_reserve(&fresh.stack, r->n_rules))
        return REFRAIN_ERR_MEMORY;
    push_body(&fresh, r->n_rules - 1);
    *c = fresh;
    return REFRAIN_OK;
}

void rules_cursor_stop(struct rules_cursor *c)
{
    array_free(&c->stack);
}

/* `n` more repetitions of the frame's item are done. */
static void complete(const struct rules_cursor *c, struct rules_frame *f, uint64_t n)
{
    f->done += n;
    if (f->done == c->rules->items[f->item].count) {
        f->item++;
        f->done = 0;
    }
}

/* Leave the bodies that are complete. False at the end. */
static bool leave(struct rules_cursor *c)
{
    struct rules_frame *f = &c->stack.items[c->stack.n - 1];
    while (f->item == f->end && c->stack.n > 1) {
        c->stack.n--;
        complete(c, --f, 1);
    }
    return f->item < f->end;
}

bool rules_cursor_next(struct rules_cursor *c, uint32_t *terminal)
{
    const struct rules_item *items = c->rules->items;
    if (!leave(c))
        return false;
    struct rules_frame *f = &c->stack.items[c->stack.n - 1];
    while (items[f->item].symbol & RULES_REF) {
        push_body(c, items[f->item].symbol & ~RULES_REF);
        f = &c->stack.items[c->stack.n - 1];
    }
    *terminal = items[f->item].symbol;
    complete(c, f, 1);
    c->index++;
    return true;
}

/* Count what is before the position: complete repetitions of terminals and of rules. */
static void tally(const struct rules_item *item, uint64_t repetitions, uint64_t *times, uint64_t *skipped,
                  uint32_t n)
{
    if (!times)
        return;
    if (item->symbol & RULES_REF)
        times[item->symbol & ~RULES_REF] += repetitions;
    else if (item->symbol < n)
        skipped[item->symbol] += repetitions;
}

enum refrain_status rules_cursor_seek(struct rules_cursor *c, uint64_t index, uint64_t *skipped, uint32_t n)
{
    const struct rules *r = c->rules;
    uint64_t *times = NULL, left = index;

    if (index > rules_length(r)) {
        log_error("there is no symbol %llu in a sequence of %llu", (unsigned long long)index,
                  (unsigned long long)rules_length(r));
        return REFRAIN_ERR_USAGE;
    }
    if (skipped && !(times = calloc(r->n_rules, sizeof *times))) {
        log_error("no memory to count the symbols of %u rules", r->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    c->stack.n = 0;
    push_body(c, r->n_rules - 1);
    while (left > 0) {
        struct rules_frame *f = &c->stack.items[c->stack.n - 1];
        const struct rules_item *item = &r->items[f->item];
        bool nested = (item->symbol & RULES_REF) != 0;
        uint64_t unit = nested ? r->length[item->symbol & ~RULES_REF] : 1;
        uint64_t whole = left / unit < item->count ? left / unit : item->count;

        tally(item, whole, times, skipped, n);
        left -= whole * unit;
        nested = nested && whole < item->count && left > 0;
        complete(c, f, whole);
        if (nested)
            push_body(c, item->symbol & ~RULES_REF);
    }
    c->index = index;
    if (times)
        rules_add_counts(r, times, skipped, n);
    free(times);
    return REFRAIN_OK;
}

/* Return the first frame from which on all frames are at the beginning of their bodies. */
static size_t first_fresh(const struct rules_cursor *c)
{
    const struct rules *r = c->rules;
    size_t n = c->stack.n;
    for (; n > 1; n--) {
        const struct rules_frame *f = &c->stack.items[n - 1], *around = f - 1;
        if (f->done > 0 || f->item != r->first[r->items[around->item].symbol & ~RULES_REF])
            break;
    }
    return n;
}

/* A repetition that is partly delivered does not count as one that is still to come. */
void rules_cursor_repetitions(struct rules_cursor *c, struct repetitions *out)
{
    const struct rules *r = c->rules;
    out->n = out->at = 0;
    if (!leave(c))
        return;
    const size_t fresh = first_fresh(c);
    for (size_t k = 0; k < c->stack.n && out->n < REPETITIONS_MAX; k++) {
        const struct rules_frame *f = &c->stack.items[k];
        const struct rules_item *item = &r->items[f->item];
        const uint64_t times = item->count - f->done - (k + 1 < fresh);
        if (times >= 2)
            out->items[out->n++] = (struct repetition){
                .period = item->symbol & RULES_REF ? r->length[item->symbol & ~RULES_REF] : 1,
                .times = times,
                .still = true,
                .level = (uint32_t)k};
    }
}

void rules_cursor_repeat(struct rules_cursor *c, const struct repetition *r, uint64_t times)
{
    assert(times < r->times);
    c->stack.items[r->level].done += times;
    c->index += times * r->period;
}
