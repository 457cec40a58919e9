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
    for (size_t i = 0; o->lanes && i < o->n_lanes; i++)
        free(o->lanes[i]);
    free(o->lanes);
    free(o->sites);
    array_free(&o->first);
    array_free(&o->waits);
    array_free(&o->spans);
    *o = (struct wait_overlaps){0};
}

/* Returns the call if its lane still keeps it and has not examined it; NULL otherwise. */
static struct overlap_call *find(struct wait_overlaps *o, uint32_t lane, uint64_t call)
{
    struct overlap_lane *l = o->lanes[lane];
    struct overlap_call *c = l ? &l->calls[call % OVERLAP_CALLS] : NULL;
    return c && call >= l->next && call < l->n && c->call == call ? c : NULL;
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
        c->is_other = true;
}

/* ---- one call and the calls of other threads ------------------------------------------------- */

static struct call_ref reference(const struct wait_lanes *lanes, uint32_t lane, const struct overlap_call *c)
{
    return (struct call_ref){.rank = lanes->items[lane].rank,
                             .thread = lanes->items[lane].thread,
                             .call = c->call,
                             .site = c->site,
                             .timestamp = {c->enter, c->leave}};
}

/* Adds the lane's calls that end in (from, until]; the latest ones come first. */
static bool add_spans(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane, uint64_t from,
                      uint64_t until)
{
    const struct overlap_lane *l = o->lanes[lane];
    const uint64_t kept = l && l->n > OVERLAP_CALLS ? l->n - OVERLAP_CALLS : 0;
    for (uint64_t k = l ? l->n : 0; k > kept; k--) {
        const struct overlap_call *c = &l->calls[(k - 1) % OVERLAP_CALLS];
        if (c->leave <= from)
            break;
        if (c->leave <= until &&
            !array_push(&o->spans, ((struct overlap_span){c->enter > from ? c->enter : from, c->leave,
                                                          reference(lanes, lane, c)})))
            return false;
    }
    return true;
}

static int compare_spans(const void *a, const void *b)
{
    const struct overlap_span *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* Sets how long calls of other threads overlap with the call, and the one of them that ends last. */
static bool overlap(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                    const struct overlap_call *c, uint64_t *length, struct call_ref *cause)
{
    const uint32_t rank = lanes->items[lane].rank - lanes->first_rank;
    uint64_t covered = 0, last = 0;
    o->spans.n = 0;
    for (uint32_t i = lanes->first[rank]; i < lanes->first[rank + 1]; i++) {
        if (i != lane && !add_spans(o, lanes, i, c->from, c->leave))
            return false;
    }
    *length = 0;
    if (o->spans.n > 1)
        qsort(o->spans.items, o->spans.n, sizeof *o->spans.items, compare_spans);
    for (size_t i = 0; i < o->spans.n; i++) {
        const struct overlap_span *s = &o->spans.items[i];
        const uint64_t begin = s->begin > covered ? s->begin : covered;
        *length += s->end > begin ? s->end - begin : 0;
        covered = s->end > covered ? s->end : covered;
        if (s->end > last) {
            last = s->end;
            *cause = s->call;
        }
    }
    return true;
}

static bool tell(struct wait_overlaps *o, struct overlap_wait w)
{
    const uint64_t usual = o->sites[w.call.site].usual, more = w.own > usual ? w.own - usual : 0;
    w.length = w.length < more ? w.length : more;
    return w.length == 0 || array_push(&o->waits, w);
}

static bool examine(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                    const struct overlap_call *c)
{
    struct overlap_site *site = &o->sites[c->site];
    const uint64_t whole = c->leave > c->enter ? c->leave - c->enter : 0;
    struct overlap_wait w = {.begin = c->from, .own = whole > c->explained ? whole - c->explained : 0};
    const bool few = site->n < OVERLAP_FEW;
    site->usual = site->n == 0 || w.own < site->usual ? w.own : site->usual;
    site->n += few;
    if (w.own == 0 || (!few && w.own == site->usual))
        return true;
    if (!overlap(o, lanes, lane, c, &w.length, &w.cause))
        return false;
    w.call = reference(lanes, lane, c);
    if (w.length == 0)
        return true;
    return few ? array_push(&o->first, w) : tell(o, w);
}

/* Examines the lane's calls in their order, up to one of which not all is known; `end`: without such calls. */
static bool examine_lane(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane, bool end)
{
    struct overlap_lane *l = o->lanes[lane];
    bool ok = true;
    while (ok && l->next < l->n && (end || l->calls[l->next % OVERLAP_CALLS].left == 0)) {
        const struct overlap_call *c = &l->calls[l->next++ % OVERLAP_CALLS];
        ok = c->is_other || c->left > 0 || examine(o, lanes, lane, c);
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
    l->n = call->call + 1;
    /* A call that is never completed is given up when its place is needed. */
    if (l->n - l->next > OVERLAP_CALLS)
        l->next = l->n - OVERLAP_CALLS;
    l->calls[call->call % OVERLAP_CALLS] = *call;
    return true;
}

bool wait_overlaps_end(struct wait_overlaps *o, const struct wait_lanes *lanes)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < o->n_lanes; i++)
        ok = !o->lanes[i] || examine_lane(o, lanes, i, true);
    for (size_t i = 0; ok && i < o->first.n; i++)
        ok = tell(o, o->first.items[i]);
    o->first.n = 0;
    return ok;
}
