/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_overlaps.h"

#include "src/core/base/log.h"

#include <assert.h>
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
            array_free(&o->lanes[i]->calls[k].others);
        free(o->lanes[i]);
    }
    free(o->lanes);
    free(o->sites);
    array_free(&o->undecided);
    array_free(&o->waits);
    array_free(&o->spans);
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
        c->is_skipped = c->is_unknown = true;
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

static uint64_t duration(const struct call_ref *c)
{
    return c->timestamp.leave - c->timestamp.enter;
}

/* Adds the other lane's call if it ends in `c`. If `c` has too many, the shortest one goes. */
static bool add_other(struct overlap_call *c, const struct wait_lanes *lanes, uint32_t lane,
                      const struct overlap_call *other)
{
    if (other->leave <= c->enter || other->leave >= c->leave)
        return true;
    const struct overlap_other new = {lane, reference(lanes, lane, other)};
    if (c->others.n < OVERLAP_OTHERS)
        return array_push(&c->others, new);
    struct overlap_other *shortest = c->others.items;
    for (size_t i = 1; i < c->others.n; i++)
        shortest =
            duration(&c->others.items[i].call) < duration(&shortest->call) ? &c->others.items[i] : shortest;
    if (duration(&new.call) > duration(&shortest->call))
        *shortest = new;
    return true;
}

/* Adds the kept calls of another lane to the call. */
static bool add_earlier(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                        struct overlap_call *c)
{
    const struct overlap_lane *l = o->lanes[lane];
    const uint64_t kept = l->n > OVERLAP_CALLS ? l->n - OVERLAP_CALLS : 0;
    bool ok = true;
    for (uint64_t k = l->n; ok && k > kept && l->calls[(k - 1) % OVERLAP_CALLS].leave > c->enter; k--)
        ok = add_other(c, lanes, lane, &l->calls[(k - 1) % OVERLAP_CALLS]);
    return ok;
}

/* Compares a new call with the calls of other lanes that came before it, both ways. Of each lane only the last call can
 * still go on when the new call ends. */
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
            ok = add_other(&l->calls[(l->n - 1) % OVERLAP_CALLS], lanes, lane, c);
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

/* Finds the parts of the other calls that count: after `from`, and after their own waiting for other ranks. */
static bool find_spans(struct wait_overlaps *o, const struct overlap_call *c)
{
    o->spans.n = 0;
    for (size_t i = 0; i < c->others.n; i++) {
        const struct overlap_other *other = &c->others.items[i];
        const struct overlap_call *kept = find(o, other->lane, other->call.call);
        const uint64_t begin = kept ? kept->from : other->call.timestamp.enter;
        const struct overlap_span s = {begin > c->from ? begin : c->from, other->call.timestamp.leave,
                                       other->call};
        if (s.end > s.begin && !(kept && kept->is_unknown) && !array_push(&o->spans, s))
            return false;
    }
    return true;
}

static int compare_spans(const void *a, const void *b)
{
    const struct overlap_span *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

/* Sets how long other calls overlap with the call, until when, and which of them has most of that. */
static bool overlap(struct wait_overlaps *o, const struct overlap_call *c, struct overlap_wait *w)
{
    uint64_t covered = 0, most = 0;
    if (!find_spans(o, c))
        return false;
    if (o->spans.n > 1)
        qsort(o->spans.items, o->spans.n, sizeof *o->spans.items, compare_spans);
    for (size_t i = 0; i < o->spans.n; i++) {
        const struct overlap_span *s = &o->spans.items[i];
        const uint64_t begin = s->begin > covered ? s->begin : covered,
                       part = s->end > begin ? s->end - begin : 0;
        w->length += part;
        w->end = part > 0 ? s->end : w->end;
        w->cause = part > most ? s->call : w->cause;
        most = part > most ? part : most;
        covered = s->end > covered ? s->end : covered;
    }
    return true;
}

static bool examine(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                    const struct overlap_call *c)
{
    struct overlap_site *site = &o->sites[c->site];
    const uint64_t whole = c->leave > c->enter ? c->leave - c->enter : 0;
    struct overlap_wait w = {.call = reference(lanes, lane, c),
                             .own = whole > c->explained ? whole - c->explained : 0};
    const bool few = site->n_calls < OVERLAP_FEW;
    if (w.own == 0 && c->explained > 0) /* how long it takes is not known */
        return true;
    site->usual = site->n_calls == 0 || w.own < site->usual ? w.own : site->usual;
    site->n_calls += few;
    if (!overlap(o, c, &w))
        return false;
    if (w.length == 0)
        return true;
    return few ? array_push(&o->undecided, w) : tell(o, w);
}

/* Is all known of the waiting of the call, and of the calls that overlap with it? */
static bool is_known(const struct wait_overlaps *o, const struct overlap_call *c)
{
    bool known = c->left == 0;
    for (size_t i = 0; known && i < c->others.n; i++) {
        const struct overlap_call *other = find(o, c->others.items[i].lane, c->others.items[i].call.call);
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
        array_free(&c->others);
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
    assert(call->call == l->n);
    struct overlap_call *c = &l->calls[call->call % OVERLAP_CALLS];
    const uint64_t last = l->n > 0 ? l->calls[(l->n - 1) % OVERLAP_CALLS].leave : 0;
    /* A call that is not known by now is given up. */
    if (call->call + 1 - l->next > OVERLAP_CALLS)
        l->next = call->call + 1 - OVERLAP_CALLS;
    array_free(&c->others);
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
