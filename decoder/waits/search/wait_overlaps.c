/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_overlaps.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status wait_overlaps_create(struct wait_overlaps *o, const struct wait_lanes *lanes,
                                         size_t n_sites)
{
    *o = (struct wait_overlaps){.off = true, .n_lanes = lanes->n, .n_sites = n_sites};
    for (uint32_t i = 0; i < lanes->n_ranks; i++)
        o->off = o->off && lanes->first[i + 1] - lanes->first[i] <= 1;
    o->lanes = calloc(o->n_lanes + 1, sizeof *o->lanes);
    o->sites = calloc(n_sites + 1, sizeof *o->sites);
    if (o->lanes && o->sites)
        return REFRAIN_OK;
    log_error("out of memory: calls that overlap, of %zu threads", o->n_lanes);
    wait_overlaps_free(o);
    return REFRAIN_ERR_MEMORY;
}

void wait_overlaps_free(struct wait_overlaps *o)
{
    for (size_t i = 0; o->lanes && i < o->n_lanes; i++) {
        for (size_t k = 0; o->lanes[i] && k < OVERLAP_CALLS; k++)
            array_free(&o->lanes[i]->calls[k].spans);
        free(o->lanes[i]);
    }
    free(o->lanes);
    free(o->sites);
    array_free(&o->undecided);
    array_free(&o->waits);
    *o = (struct wait_overlaps){0};
}

/* Returns the call if its lane still keeps it; NULL otherwise. */
static struct overlap_call *find(const struct wait_overlaps *o, uint32_t lane, uint64_t call)
{
    struct overlap_lane *l = o->lanes[lane];
    struct overlap_call *c = l ? &l->calls[call % OVERLAP_CALLS] : NULL;
    return c && call < l->n && c->call == call ? c : NULL;
}

void wait_overlaps_expect(struct wait_overlaps *o, uint32_t lane, uint64_t call)
{
    struct overlap_call *c = find(o, lane, call);
    if (c)
        c->left++;
}

void wait_overlaps_settle(struct wait_overlaps *o, uint32_t lane, uint64_t call)
{
    struct overlap_call *c = find(o, lane, call);
    if (c && c->left > 0)
        c->left--;
}

void wait_overlaps_explain(struct wait_overlaps *o, uint32_t lane, uint64_t call, uint64_t begin,
                           uint64_t end)
{
    struct overlap_call *c = find(o, lane, call);
    if (!c)
        return;
    begin = begin > c->enter ? begin : c->enter;
    end = end < c->leave ? end : c->leave;
    c->explained += end > begin ? end - begin : 0;
    c->from = end > c->from ? end : c->from;
}

void wait_overlaps_skip(struct wait_overlaps *o, uint32_t lane, uint64_t call)
{
    struct overlap_call *c = find(o, lane, call);
    if (c)
        c->is_skipped = true;
}

/* ---- what overlaps with a call --------------------------------------------------------------- */

static struct call_ref reference(const struct wait_lanes *lanes, uint32_t lane, const struct overlap_call *c)
{
    return (struct call_ref){.rank = lanes->items[lane].rank,
                             .thread = lanes->items[lane].thread,
                             .call = c->call,
                             .site = c->site,
                             .timestamp = {c->enter, c->leave}};
}

/* Makes one span of each two neighbours. */
static void halve(struct overlap_call *c)
{
    const size_t n = c->spans.n;
    c->spans.n = 0;
    for (size_t i = 0; i < n; i += 2) {
        struct overlap_span s = c->spans.items[i];
        if (i + 1 < n) {
            const struct overlap_span *next = &c->spans.items[i + 1];
            const uint64_t begin = s.begin, length = s.length + next->length;
            s = next->longest > s.longest ? *next : s;
            s.begin = begin;
            s.end = next->end;
            s.length = length;
        }
        c->spans.items[c->spans.n++] = s;
    }
}

/* Adds the other lane's call if it ends in `c`. Such calls come in the order of their times, so only the part after
 * the last span is new. */
static bool add_span(struct overlap_call *c, const struct wait_lanes *lanes, uint32_t lane,
                     const struct overlap_call *other)
{
    uint64_t begin = other->enter > c->enter ? other->enter : c->enter;
    if (other->leave <= c->enter || other->leave > c->leave)
        return true;
    if (c->spans.n > 0 && c->spans.items[c->spans.n - 1].end > begin)
        begin = c->spans.items[c->spans.n - 1].end;
    if (begin >= other->leave)
        return true;
    if (c->spans.n == OVERLAP_SPANS)
        halve(c);
    const uint64_t length = other->leave - begin;
    return array_push(&c->spans, ((struct overlap_span){begin, other->leave, length, length, lane,
                                                        reference(lanes, lane, other)}));
}

/* Adds to the call the kept calls of another lane, the earliest first. */
static bool add_earlier(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                        struct overlap_call *c)
{
    const struct overlap_lane *l = o->lanes[lane];
    const uint64_t kept = l->n > OVERLAP_CALLS ? l->n - OVERLAP_CALLS : 0;
    uint64_t k = l->n;
    bool ok = true;
    while (k > kept && l->calls[(k - 1) % OVERLAP_CALLS].leave > c->enter)
        k--;
    for (; ok && k < l->n; k++)
        ok = add_span(c, lanes, lane, &l->calls[k % OVERLAP_CALLS]);
    return ok;
}

/* Compares a new call with the other lanes of its rank. At its end, each of them is in one call at most: in its last
 * one, since later ones have not come. */
static bool compare(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                    struct overlap_call *c)
{
    const uint32_t rank = lanes->items[lane].rank - lanes->first_rank;
    bool ok = true;
    for (uint32_t i = lanes->first[rank]; ok && i < lanes->first[rank + 1]; i++) {
        struct overlap_lane *l = o->lanes[i];
        if (i == lane || !l)
            continue;
        ok = add_earlier(o, lanes, i, c);
        if (ok && l->next < l->n)
            ok = add_span(&l->calls[(l->n - 1) % OVERLAP_CALLS], lanes, lane, c);
    }
    return ok;
}

/* ---- how long it waited ---------------------------------------------------------------------- */

static bool tell(struct wait_overlaps *o, struct overlap_wait w)
{
    const uint64_t usual = o->sites[w.call.site].usual, more = w.own > usual ? w.own - usual : 0;
    w.length = w.length < more ? w.length : more;
    return w.length == 0 || array_push(&o->waits, w);
}

/* Returns the part of the span after `from`, and after the waiting of its call for other ranks. */
static uint64_t part_of(const struct wait_overlaps *o, const struct overlap_span *s, uint64_t from)
{
    const struct overlap_call *c = find(o, s->lane, s->call.call);
    from = c && c->from > from && s->longest == s->length ? c->from : from;
    if (from <= s->begin)
        return s->length;
    return from >= s->end
               ? 0
               : (uint64_t)((double)s->length * (double)(s->end - from) / (double)(s->end - s->begin));
}

static bool examine(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                    const struct overlap_call *c)
{
    struct overlap_site *site = &o->sites[c->site];
    const uint64_t whole = c->leave > c->enter ? c->leave - c->enter : 0;
    struct overlap_wait w = {.call = reference(lanes, lane, c),
                             .own = whole > c->explained ? whole - c->explained : 0};
    const bool few = site->n_calls < OVERLAP_FEW;
    uint64_t longest = 0;
    site->usual = site->n_calls == 0 || w.own < site->usual ? w.own : site->usual;
    site->n_calls += few;
    for (size_t i = 0; i < c->spans.n; i++) {
        const struct overlap_span *s = &c->spans.items[i];
        const uint64_t part = part_of(o, s, c->from);
        w.length += part;
        w.end = part > 0 ? s->end : w.end;
        if (part > 0 && s->longest > longest) {
            longest = s->longest;
            w.cause = s->call;
        }
    }
    if (w.length == 0)
        return true;
    return few ? array_push(&o->undecided, w) : tell(o, w);
}

/* Is all known of the waiting of the call, and of the calls that overlap with it? */
static bool is_known(const struct wait_overlaps *o, const struct overlap_call *c)
{
    bool known = c->left == 0;
    for (size_t i = 0; known && i < c->spans.n; i++) {
        const struct overlap_call *other = find(o, c->spans.items[i].lane, c->spans.items[i].call.call);
        known = !other || other->left == 0;
    }
    return known;
}

/* Examines the lane's calls in their order, up to one of which not all is known; `all`: up to the last one. */
static bool examine_lane(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane, bool all)
{
    struct overlap_lane *l = o->lanes[lane];
    bool ok = true;
    while (ok && l->next < l->n && (all || is_known(o, &l->calls[l->next % OVERLAP_CALLS]))) {
        struct overlap_call *c = &l->calls[l->next++ % OVERLAP_CALLS];
        ok = c->is_skipped || c->left > 0 || examine(o, lanes, lane, c);
        array_free(&c->spans);
    }
    return ok;
}

bool wait_overlaps_take(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                        const struct overlap_call *call)
{
    if (!o->lanes[lane] && !(o->lanes[lane] = calloc(1, sizeof *o->lanes[lane]))) {
        log_error("out of memory: the calls of a thread");
        return false;
    }
    if (!examine_lane(o, lanes, lane, false))
        return false;
    struct overlap_lane *l = o->lanes[lane];
    struct overlap_call *c = &l->calls[call->call % OVERLAP_CALLS];
    const uint64_t last = l->n > 0 ? l->calls[(l->n - 1) % OVERLAP_CALLS].leave : 0;
    /* A call that is not known by now is given up. */
    if (call->call + 1 - l->next > OVERLAP_CALLS)
        l->next = call->call + 1 - OVERLAP_CALLS;
    array_free(&c->spans);
    *c = *call;
    /* An outer call comes after its inner calls, which have their own time. */
    c->enter = c->enter > last ? c->enter : last;
    c->leave = c->leave > c->enter ? c->leave : c->enter;
    c->from = c->enter;
    l->n = call->call + 1;
    return compare(o, lanes, lane, c);
}

bool wait_overlaps_end(struct wait_overlaps *o, const struct wait_lanes *lanes)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < o->n_lanes; i++)
        ok = !o->lanes[i] || examine_lane(o, lanes, i, true);
    for (size_t i = 0; ok && i < o->undecided.n; i++)
        ok = tell(o, o->undecided.items[i]);
    o->undecided.n = 0;
    return ok;
}
