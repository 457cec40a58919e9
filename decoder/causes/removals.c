/* SPDX-License-Identifier: BSD-3-Clause */
#include "removals.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Cases that are simulated in one pass over the log; the first one is the unchanged run. */
#define SIDE_BY_SIDE 16

struct batch {
    struct resim_case cases[SIDE_BY_SIDE];
    struct resim_stretches *stretches[SIDE_BY_SIDE]; /* by lane */
    uint64_t *result[SIDE_BY_SIDE]; /* where the length of the run goes; not of the unchanged run */
    size_t n, n_lanes;
};

static void free_batch(struct batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        for (size_t lane = 0; b->stretches[i] && lane < b->n_lanes; lane++)
            array_free(&b->stretches[i][lane]);
        free(b->stretches[i]);
    }
    *b = (struct batch){.n_lanes = b->n_lanes};
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

static int by_begin(const void *a, const void *b)
{
    const struct resim_stretch *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Sorts the stretches and removes overlaps, which occur if others wait in another way. An earlier
 * stretch keeps its whole time. */
static void put_in_order(struct resim_stretches *s)
{
    size_t n = 0;
    if (s->n > 0)
        qsort(s->items, s->n, sizeof *s->items, by_begin);
    for (size_t i = 0; i < s->n; i++) {
        struct resim_stretch this = s->items[i];
        if (n > 0 && this.from < s->items[n - 1].to)
            this.from = s->items[n - 1].to;
        if (this.from < this.to)
            s->items[n++] = this;
    }
    s->n = n;
}

static bool find_stretches(struct resim_stretches *of_lane, size_t n_lanes, const struct delays *d,
                           const struct reason_request *r, const struct removal *what)
{
    bool ok = true;
    for (size_t i = 0; i < d->items.n && ok; i++) {
        const struct delay *this = &d->items.items[i];
        if (this->key >> 32 == what->place && (r->site == DELAYS_ANYWHERE || this->wait_site == r->site) &&
            r->kinds & EVENTS(this->wait_kind))
            ok = add_windows(&of_lane[critical_lane(this->key)], &this->windows);
    }
    for (size_t i = 0; i < n_lanes; i++)
        put_in_order(&of_lane[i]);
    return ok;
}

/* ---- batches --------------------------------------------------------------------------------------- */

static void add_apart(struct batch *b, const struct reason_request *r, uint64_t *result)
{
    b->result[b->n] = result;
    b->cases[b->n++] = (struct resim_case){.change = RESIM_APART, .site = r->site, .kinds = r->kinds};
}

static enum refrain_status add_shorter(struct batch *b, const struct delays *d,
                                       const struct reason_request *r, struct removal *what)
{
    struct resim_stretches *of_lane = calloc(b->n_lanes + 1, sizeof *of_lane);
    b->stretches[b->n] = of_lane;
    b->result[b->n] = &what->without;
    b->cases[b->n++] = (struct resim_case){.change = RESIM_SHORTER, .place = what->place, .of_lane = of_lane};
    if (of_lane && find_stretches(of_lane, b->n_lanes, d, r, what))
        return REFRAIN_OK;
    log_error("out of memory: %zu threads", b->n_lanes);
    return REFRAIN_ERR_MEMORY;
}

/* Adds at most CASES cases. */
#define CASES 2
static enum refrain_status add_cases(struct batch *b, const struct delays *d, const struct reason_request *r,
                                     struct removal *what)
{
    if (what->kind != REASON_SERIALIZED && r->kinds == EVENTS(EVENT_BARRIER))
        add_apart(b, r, &what->without_barrier);
    if (what->kind != REASON_SERIALIZED)
        return add_shorter(b, d, r, what);
    add_apart(b, r, &what->without);
    return REFRAIN_OK;
}

/* What all batches need. */
struct simulation {
    struct batch *batches;
    size_t n;
    const struct critical_search *search;
    uint64_t time; /* ns: length of the run */
};

static enum refrain_status run(void *context, size_t number, unsigned thread)
{
    const struct simulation *s = context;
    const struct batch *b = &s->batches[number];
    struct resimulation r;
    (void)thread;
    enum refrain_status status = resimulation_create(&r, b->n_lanes, b->cases, b->n);
    const struct causal_sink sink = resimulation_sink(&r);
    r.slack = s->search->path.slack;
    if (status == REFRAIN_OK && b->n > 1)
        status = causal_log_tell(&s->search->log, &sink);
    for (size_t i = 1; status == REFRAIN_OK && i < b->n; i++) {
        const uint64_t was = resimulation_end(&r, 0), is = resimulation_end(&r, i),
                       gain = was > is ? was - is : 0;
        *b->result[i] = s->time > gain ? s->time - gain : 0;
    }
    resimulation_free(&r);
    return status;
}

/* Divides the requests among batches: as few as their size permits, but at least one for each thread. */
static enum refrain_status fill(struct simulation *s, const struct removals *out, const struct causes_view *v,
                                const struct reason_request *requests)
{
    const struct delays *d = &s->search->path.delays;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < out->n && status == REFRAIN_OK; i++) {
        struct removal *this = &out->items[i];
        status = delays_find_removal(d, v, &requests[i], this);
        if (status == REFRAIN_OK && this->any) {
            this->run = s->time;
            status = add_cases(&s->batches[i % s->n], d, &requests[i], this);
        }
    }
    return status;
}

enum refrain_status removals_find(struct removals *out, struct critical_search *c,
                                  const struct causes_view *v, const struct reason_request *requests,
                                  size_t n)
{
    const size_t most = (SIDE_BY_SIDE - 1) / CASES, threads = c->pool ? thread_pool_size(c->pool) : 1,
                 batches = (n + most - 1) / most;
    struct simulation s = {.n = batches > threads ? batches : threads, .search = c};
    struct efficiency e = {0};
    *out = (struct removals){.items = calloc(n + 1, sizeof *out->items), .n = n};
    s.batches = calloc(s.n, sizeof *s.batches);
    enum refrain_status status =
        out->items && s.batches ? efficiency_find(&e, v->search) : REFRAIN_ERR_MEMORY;
    s.time = e.time;
    for (size_t i = 0; s.batches && i < s.n; i++)
        s.batches[i] = (struct batch){.n = 1, .n_lanes = v->search->lanes.n};
    if (status == REFRAIN_OK && !c->log.lost)
        status = fill(&s, out, v, requests);
    if (status == REFRAIN_OK && !c->log.lost && c->pool)
        status = thread_pool_run(c->pool, 0, s.n, run, &s);
    for (size_t i = 0; i < s.n && status == REFRAIN_OK && !c->log.lost && !c->pool; i++)
        status = run(&s, i, 0);
    for (size_t i = 0; s.batches && i < s.n; i++)
        free_batch(&s.batches[i]);
    free(s.batches);
    if (status != REFRAIN_OK)
        removals_free(out);
    return status;
}

void removals_free(struct removals *r)
{
    free(r->items);
    *r = (struct removals){0};
}
