/* SPDX-License-Identifier: BSD-3-Clause */
#include "removals.h"

#include "spans.h"
#include "src/core/base/log.h"

#include <stdlib.h>

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

/* Windows of delays, and when each counts; the spans are of `all`. */
struct windows {
    ARRAY(const struct delay_window *) all;
    struct spans spans;
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

/* Adds the windows of the delays of a lane at a place, or of all late lanes there. */
static bool add_windows(struct windows *out, const struct delays *d, const struct delays_wanted *of,
                        uint32_t place, const bool *lanes)
{
    bool ok = true;
    for (size_t i = 0; i < d->items.n && ok; i++) {
        const struct delay *this = &d->items.items[i];
        if (this->key >> 32 != place || !lanes[critical_lane(this->key)] || !delays_are_wanted(of, this))
            continue;
        for (size_t k = 0; k < this->windows.n && ok; k++) {
            const struct delay_window *w = &this->windows.items[k];
            const double length = w->from < w->to ? (double)(w->to - w->from) : 0;
            const struct span span = {w->from, w->to, w->waiting / length, out->all.n};
            ok = length == 0 || (array_push(&out->all, w) && array_push(&out->spans, span));
        }
    }
    return ok && spans_separate(&out->spans);
}

static void free_windows(struct windows *w)
{
    array_free(&w->all);
    array_free(&w->spans);
}

/* Windows overlap if others wait in another way, or if several lanes are late. Then those count that cost most for
 * their length. */
static bool find_stretches(struct resim_stretches *out, const struct windows *w)
{
    bool ok = true;
    for (size_t i = 0; i < w->spans.n && ok; i++) {
        const struct span *s = &w->spans.items[i];
        ok =
            array_push(out, ((struct resim_stretch){s->from, s->to, delay_window_left(w->all.items[s->of])}));
    }
    return ok;
}

static bool find_limits(struct resim_limits *out, const struct windows *w)
{
    bool ok = true;
    for (size_t i = 0; i < w->spans.n && ok; i++) {
        const struct span *s = &w->spans.items[i];
        const struct delay_window *this = w->all.items[s->of];
        const uint64_t usual = delay_window_usual(this),
                       least =
                           usual + (delay_window_taken(this) - usual) / 2; /* nearly as late as that one */
        ok = array_push(out, ((struct resim_limit){s->from, s->to, least, usual}));
    }
    return ok;
}

static bool find_removed(struct resim_place *p, const struct change *c, size_t n_lanes,
                         const struct delays *d, const struct delays_wanted *of)
{
    bool *one = calloc(n_lanes + 1, sizeof *one), ok = one;
    for (size_t lane = 0; lane < n_lanes && ok; lane++) {
        struct windows w = {0};
        one[lane] = true;
        ok = add_windows(&w, d, of, p->place, one) && find_stretches(&p->of_lane[lane], &w);
        one[lane] = false;
        free_windows(&w);
    }
    struct windows w = {0};
    ok = ok && add_windows(&w, d, of, p->place, c->is.is_late) && find_limits(&p->limits, &w);
    free_windows(&w);
    free(one);
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

static bool add_ideal(struct simulation *s, uint32_t site, uint64_t *result)
{
    const struct resim_case is = {.change = RESIM_IDEAL, .site = site};
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
    for (size_t i = 0; ok && i < s->n_lanes; i++)
        c.is.is_late[i] = reason->lanes.are[i];
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
        if (ok && this->kind == REASON_TRANSFER)
            ok = add_ideal(s, critical_site(this->places->lanes.items[0].key), &out->instant[i]);
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
