/* SPDX-License-Identifier: BSD-3-Clause */
#include "removals.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* A lane is late if it causes at least this share of the waiting. While others wait for another late lane, it is
 * nearly as late as that one if its work takes at least AS_LATE times as long. */
#define LATE_LEAST 0.1
#define AS_LATE    0.9

/* A change of the run, and where the length of the changed run goes. */
struct change {
    struct resim_case is;
    uint64_t *result;
};

/* All changes. A thread simulates several at once, in one pass over the log. */
struct simulation {
    ARRAY(struct change) changes;
    size_t batches;
    size_t n_lanes;
    const struct critical_search *search;
    uint64_t time; /* ns: length of the run */
};

static void free_change(struct change *c, size_t n_lanes)
{
    for (size_t i = 0; i < c->is.n_places; i++) {
        struct resim_place *p = &c->is.places[i];
        for (size_t lane = 0; p->of_lane && lane < n_lanes; lane++)
            array_free(&p->of_lane[lane]);
        free(p->of_lane);
        array_free(&p->limits);
    }
    free(c->is.places);
    free(c->is.is_late);
}

static void free_changes(struct simulation *s)
{
    for (size_t i = 0; i < s->changes.n; i++)
        free_change(&s->changes.items[i], s->n_lanes);
    array_free(&s->changes);
}

/* ---- the removed time ------------------------------------------------------------------------------ */

static bool add_windows(struct resim_stretches *s, const struct delay_windows *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct delay_window *this = &w->items[i];
        if (!array_push(s, ((struct resim_stretch){this->from, this->to, delay_window_left(this)})))
            return false;
    }
    return true;
}

static bool add_limits(struct resim_limits *l, const struct delay_windows *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct delay_window *this = &w->items[i];
        const uint64_t least = (uint64_t)(AS_LATE * (double)delay_window_taken(this));
        if (!array_push(l, ((struct resim_limit){this->from, this->to, least, delay_window_usual(this)})))
            return false;
    }
    return true;
}

static int by_begin(const void *a, const void *b)
{
    const struct resim_stretch *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static int limits_by_begin(const void *a, const void *b)
{
    const struct resim_limit *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->most < y->most ? -1 : x->most > y->most;
}

/* Sorts the items and removes overlaps, which occur if others wait in another way, or if several lanes are late. An
 * earlier item keeps its whole time. */
#define PUT_IN_ORDER(list, compare)                                                                          \
    do {                                                                                                     \
        size_t n_ = 0;                                                                                       \
        if ((list)->n > 0)                                                                                   \
            qsort((list)->items, (list)->n, sizeof *(list)->items, compare);                                 \
        for (size_t i_ = 0; i_ < (list)->n; i_++) {                                                          \
            (list)->items[n_] = (list)->items[i_];                                                           \
            if (n_ > 0 && (list)->items[n_].from < (list)->items[n_ - 1].to)                                 \
                (list)->items[n_].from = (list)->items[n_ - 1].to;                                           \
            n_ += (list)->items[n_].from < (list)->items[n_].to;                                             \
        }                                                                                                    \
        (list)->n = n_;                                                                                      \
    } while (0)

static void find_late(bool *is_late, size_t n_lanes, const struct reason *r)
{
    const struct profile_entries *lanes = &r->places->lanes;
    for (size_t i = 0; r->of.which == DELAYS_OF_LANES && i < n_lanes; i++)
        is_late[i] = r->of.lanes[i];
    for (size_t i = 0; r->of.which != DELAYS_OF_LANES && i < lanes->n; i++)
        is_late[critical_lane(lanes->items[i].key)] =
            (double)lanes->items[i].value >= LATE_LEAST * (double)r->cost;
}

static bool find_removed(struct resim_place *p, const struct change *c, size_t n_lanes,
                         const struct delays *d, const struct delays_wanted *of)
{
    bool ok = true;
    for (size_t i = 0; i < d->items.n && ok; i++) {
        const struct delay *this = &d->items.items[i];
        const uint32_t lane = critical_lane(this->key);
        if (this->key >> 32 == p->place && delays_are_wanted(of, this))
            ok = add_windows(&p->of_lane[lane], &this->windows) &&
                 (!c->is.is_late[lane] || add_limits(&p->limits, &this->windows));
    }
    for (size_t i = 0; i < n_lanes; i++)
        PUT_IN_ORDER(&p->of_lane[i], by_begin);
    PUT_IN_ORDER(&p->limits, limits_by_begin);
    return ok;
}

/* ---- changes --------------------------------------------------------------------------------------- */

/* Returns the site at which most is waited because of the reason. */
static uint32_t worst_site(const struct reason *r)
{
    return (uint32_t)r->places->waits.items[r->places->worst].key;
}

static bool add_apart(struct simulation *s, uint32_t site, uint64_t kinds, uint64_t *result)
{
    const struct resim_case is = {.change = RESIM_APART, .site = site, .kinds = kinds};
    return array_push(&s->changes, ((struct change){.is = is, .result = result}));
}

static bool add_shorter(struct simulation *s, const struct reason *reason, uint64_t *result)
{
    struct change c = {.is = {.change = RESIM_SHORTER,
                              .places = calloc(reason->n_places, sizeof *c.is.places),
                              .is_late = calloc(s->n_lanes + 1, sizeof *c.is.is_late)},
                       .result = result};
    bool ok = c.is.places && c.is.is_late;
    c.is.n_places = ok ? reason->n_places : 0;
    if (ok)
        find_late(c.is.is_late, s->n_lanes, reason);
    for (size_t i = 0; ok && i < reason->n_places; i++) {
        struct resim_place *p = &c.is.places[i];
        p->place = reason_place(&reason->places[i]);
        p->of_lane = calloc(s->n_lanes + 1, sizeof *p->of_lane);
        ok = p->of_lane && find_removed(p, &c, s->n_lanes, &s->search->path.delays, &reason->of);
    }
    if (ok && array_push(&s->changes, c))
        return true;
    free_change(&c, s->n_lanes);
    return false;
}

/* Adds the changes of a finding. */
static enum refrain_status add_changes(struct simulation *s, const struct causes_view *v,
                                       const struct reason_request *r, struct removal *out)
{
    struct reasons reasons;
    const enum refrain_status status = reasons_find(&reasons, &s->search->path.delays, v, r);
    bool ok = true;
    if (status == REFRAIN_OK && reasons.n > 0) {
        out->run = s->time;
        if (r->kinds == EVENTS(EVENT_BARRIER) && reasons.items[0].kind != REASON_SERIALIZED)
            ok = add_apart(s, r->site, r->kinds, &out->without_barrier);
    }
    for (size_t i = 0; status == REFRAIN_OK && ok && i < reasons.n; i++) {
        const struct reason *this = &reasons.items[i];
        if (this->kind == REASON_SERIALIZED)
            ok = add_apart(s, r->joins ? worst_site(this) : r->site, r->kinds, &out->without[i]);
        else
            ok = add_shorter(s, this, &out->without[i]);
    }
    reasons_free(&reasons);
    if (ok)
        return status;
    log_error("out of memory: the delays of %zu threads", s->n_lanes);
    return REFRAIN_ERR_MEMORY;
}

/* ---- simulation ------------------------------------------------------------------------------------ */

/* Simulates the changes number, number + batches, …; case 0 is the unchanged run. */
static enum refrain_status run(void *context, size_t number, unsigned thread)
{
    const struct simulation *s = context;
    struct resim_case cases[RESIM_CASES] = {{.change = RESIM_NOTHING}};
    size_t n = 1;
    struct resimulation r;
    (void)thread;
    for (size_t i = number; i < s->changes.n; i += s->batches)
        cases[n++] = s->changes.items[i].is;
    enum refrain_status status = resimulation_create(&r, s->n_lanes, cases, n);
    const struct causal_sink sink = resimulation_sink(&r);
    r.slack = s->search->path.slack;
    if (status == REFRAIN_OK && n > 1)
        status = causal_log_tell(&s->search->log, &sink);
    n = 1;
    for (size_t i = number; status == REFRAIN_OK && i < s->changes.n; i += s->batches) {
        const uint64_t was = resimulation_end(&r, 0), is = resimulation_end(&r, n++),
                       gain = was > is ? was - is : 0;
        *s->changes.items[i].result = s->time > gain ? s->time - gain : 0;
    }
    resimulation_free(&r);
    return status;
}

/* As few batches as their size permits, but at least one for each thread. */
static enum refrain_status run_all(struct simulation *s, struct thread_pool *pool)
{
    const size_t most = RESIM_CASES - 1, threads = pool ? thread_pool_size(pool) : 1;
    enum refrain_status status = REFRAIN_OK;
    s->batches = (s->changes.n + most - 1) / most;
    s->batches = s->batches > threads ? s->batches : threads;
    if (pool)
        return thread_pool_run(pool, 0, s->batches, run, s);
    for (size_t i = 0; i < s->batches && status == REFRAIN_OK; i++)
        status = run(s, i, 0);
    return status;
}

enum refrain_status removals_find(struct removals *out, struct critical_search *c,
                                  const struct causes_view *v, const struct reason_request *requests,
                                  size_t n)
{
    struct simulation s = {.n_lanes = v->search->lanes.n, .search = c};
    struct efficiency e = {0};
    *out = (struct removals){.items = calloc(n + 1, sizeof *out->items), .n = n};
    enum refrain_status status = out->items ? efficiency_find(&e, v->search) : REFRAIN_ERR_MEMORY;
    s.time = e.time;
    for (size_t i = 0; status == REFRAIN_OK && !c->log.lost && i < n; i++)
        status = add_changes(&s, v, &requests[i], &out->items[i]);
    if (status == REFRAIN_OK && s.changes.n > 0)
        status = run_all(&s, c->pool);
    free_changes(&s);
    if (status != REFRAIN_OK)
        removals_free(out);
    return status;
}

void removals_free(struct removals *r)
{
    free(r->items);
    *r = (struct removals){0};
}
