/* SPDX-License-Identifier: BSD-3-Clause */
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/lane_walk.h"
#include "src/core/trace/stream_walk.h"
#include "synthetic_calls.h"

struct synthetic_run synthetic_run_on(const char *name, void (*program)(struct synthetic_rank *r),
                                      uint32_t ranks, uint32_t iterations, uint32_t n_dims)
{
    struct synthetic_run run = {.name = name, .program = program, .ranks = ranks, .iterations = iterations};
    uint32_t left = ranks;
    for (uint32_t d = 0; d < n_dims; d++) {
        /* The least divisor whose power fills the other dimensions. */
        uint32_t length = 1;
        for (uint64_t power = 0; power < left; length++) {
            power = 1;
            for (uint32_t k = d; k < n_dims; k++)
                power *= left % length == 0 ? length : 0;
            if (power >= left)
                break;
        }
        run.dims[d] = d + 1 == n_dims ? left : length;
        left /= run.dims[d];
    }
    return run;
}

/* ---- the trace of a rank --------------------------------------------------------------------- */

enum { LANES = 2 };

static const char *function_name(const struct call *c)
{
    return call_functions().functions.items[c->function].name;
}

/* A module for each function, so that ranks that call differently number modules differently. */
static enum refrain_status make_site(struct trace *t, const struct call *c, struct site *site,
                                     struct frame *frame)
{
    struct functable all = call_functions();
    enum refrain_status status = functable_add_function(&t->functions, &all, c->function, &site->function);
    if (status == REFRAIN_OK)
        status = trace_intern_module(t, function_name(c), &frame->module);
    frame->offset = c->line;
    site->n_frames = 1;
    site->frames = frame;
    return status;
}

enum { LINES = 512 };

/* Times of a call, given by its line and its number of slots. */
#define GAP(line)   (100 + (line))
#define DURATION(n) (10 + (n))

struct recorder {
    struct trace *t;
    struct lane *lanes[LANES];
    uint32_t sites[LANES][FUNCTIONS * LINES];
    enum refrain_status status;
};

static void record(void *taker, const struct call *c)
{
    struct recorder *r = taker;
    uint32_t *site = &r->sites[c->lane][c->function * LINES + c->line];
    if (r->status == REFRAIN_OK && *site == UINT32_MAX) {
        struct site new_site;
        struct frame frame;
        r->status = make_site(r->t, c, &new_site, &frame);
        if (r->status == REFRAIN_OK)
            r->status = lane_add_site(r->lanes[c->lane], &new_site, site);
    }
    if (r->status == REFRAIN_OK)
        r->status = lane_record(r->lanes[c->lane], *site, c->slots, c->n, GAP(c->line), DURATION(c->n));
}

enum refrain_status synthetic_trace(const struct synthetic_run *run, uint32_t rank, struct trace *out)
{
    struct trace t = {.first_rank = rank, .n_ranks = 1};
    struct recorder r = {.t = &t};
    memset(r.sites, 0xff, sizeof r.sites);
    for (uint32_t l = 0; l < LANES; l++)
        if (!(r.lanes[l] = lane_create((enum lane_kind)l, 0, true)))
            abort();
    call_run(run, rank, record, &r);
    for (uint32_t l = 0; l < LANES; l++) {
        if (r.status == REFRAIN_OK)
            r.status = lane_store(r.lanes[l], rank, &t);
        lane_free(r.lanes[l]);
    }
    if (r.status == REFRAIN_OK)
        *out = t;
    else
        trace_free(&t);
    return r.status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Ranks first … first + n - 1, cut in two where the order says. */
static enum refrain_status merge_range(const struct synthetic_run *run, enum synthetic_order order,
                                       uint32_t first, uint32_t n, uint64_t *random, struct trace *out)
{
    if (n == 1)
        return synthetic_trace(run, first, out);
    uint32_t left = n - 1;
    if (order == SYNTHETIC_BINOMIAL) {
        for (left = 1; 2 * left < n;)
            left *= 2;
    } else if (order == SYNTHETIC_RANDOM) {
        *random = *random * UINT64_C(6364136223846793005) + 1;
        left = 1 + (uint32_t)((*random >> 33) % (n - 1));
    }
    struct trace into, next;
    enum refrain_status status = merge_range(run, order, first, left, random, &into);
    if (status != REFRAIN_OK)
        return status;
    status = merge_range(run, order, first + left, n - left, random, &next);
    if (status == REFRAIN_OK)
        status = merge_traces(&into, &next);
    if (status == REFRAIN_OK)
        *out = into;
    else
        trace_free(&into);
    return status;
}

enum refrain_status synthetic_merge(const struct synthetic_run *run, enum synthetic_order order,
                                    uint32_t seed, bool finish, struct trace *out)
{
    uint64_t random = seed;
    enum refrain_status status = merge_range(run, order, 0, run->ranks, &random, out);
    return status == REFRAIN_OK && finish ? merge_finish(out) : status;
}

/* ---- expanding ------------------------------------------------------------------------------- */

static bool find_ordinal(const struct series *ranks, uint32_t rank, uint64_t *ordinal)
{
    struct series_cursor c;
    int64_t value;
    series_cursor_start(&c, ranks);
    for (uint64_t i = 0; series_cursor_next(&c, &value); i++)
        if (value == rank) {
            *ordinal = i;
            return true;
        }
    return false;
}

/* One site of one rank while its calls are expanded. */
struct expansion {
    const struct group *g;
    uint64_t ordinal;
    struct stream_walk stream;
    uint32_t row; /* row of the next `left` calls */
    uint64_t left;
    struct series_cursor columns[CALL_SLOTS];
};

static bool expansion_start(struct expansion *x, const struct trace *t, const struct entry *e, uint32_t rank)
{
    for (size_t i = 0; i < e->groups.n && !x->g; i++)
        if (find_ordinal(e->groups.items[i].ranks, rank, &x->ordinal))
            x->g = &e->groups.items[i];
    if (!x->g)
        return false;
    for (size_t i = 0; i < group_slot_columns(x->g); i++)
        series_cursor_start(&x->columns[i],
                            t->columns.items[rankfn_at(&x->g->columns.items[i].series, x->ordinal, rank)]);
    return stream_walk_group(&x->stream, t, x->g, x->ordinal, rank, UINT64_MAX) == REFRAIN_OK;
}

static bool expansion_next(struct expansion *x, uint32_t rank, struct call *c)
{
    if (x->left == 0 && !stream_walk_next(&x->stream, &x->row, &x->left))
        return false;
    x->left--;
    const struct row *r = &x->g->rows.items[x->row];
    c->n = r->n_slots;
    for (uint32_t i = 0; i < r->n_slots; i++)
        c->slots[i] = rankfn_at(row_slot(r, i), x->ordinal, rank);
    for (size_t i = 0; i < group_slot_columns(x->g); i++) {
        int64_t value;
        if (!series_cursor_next(&x->columns[i], &value))
            return false;
        if (x->g->columns.items[i].slot < c->n)
            c->slots[x->g->columns.items[i].slot] += value;
    }
    return true;
}

static bool calls_equal(const struct call *a, const struct call *b, const struct trace *t,
                        const struct site *site)
{
    return a->n == b->n && memcmp(a->slots, b->slots, a->n * sizeof *a->slots) == 0 &&
           strcmp(function_name(a), t->functions.functions.items[site->function].name) == 0 &&
           strcmp(function_name(a), t->modules.items[site->frames[0].module]) == 0 &&
           a->line == site->frames[0].offset;
}

struct call_list {
    ARRAY(struct call) calls;
};

static void collect(void *taker, const struct call *c)
{
    struct call_list *list = taker;
    if (!array_push(&list->calls, *c))
        abort();
}

/* Expand the calls of one lane of a rank. *at is the number of its next call among all calls. */
static bool expand_shape(const struct synthetic_run *run, const struct call_list *list, const struct trace *t,
                         const struct shape *s, uint32_t rank, size_t *count)
{
    struct expansion *x = calloc(t->sites.n, sizeof *x);
    struct lane_walk walk = {0};
    uint32_t site;
    uint64_t ordinal;
    bool ok = x && find_ordinal(s->ranks, rank, &ordinal) &&
              lane_walk_start(&walk, t, s, ordinal, rank) == REFRAIN_OK;
    size_t at = 0;
    for (size_t i = 0; i < s->entries.n && ok; i++)
        ok = expansion_start(&x[s->entries.items[i].site], t, &s->entries.items[i], rank);
    for (; ok && lane_walk_next(&walk, &site); at++, ++*count) {
        struct call c;
        while (at < list->calls.n && list->calls.items[at].lane != s->kind)
            at++;
        ok = at < list->calls.n && expansion_next(&x[site], rank, &c) &&
             calls_equal(&list->calls.items[at], &c, t, &t->sites.items[site]);
    }
    if (!ok)
        log_error("%s: call %zu of rank %u is not what was recorded", run->name, at, rank);
    lane_walk_stop(&walk);
    for (size_t i = 0; x && i < t->sites.n; i++)
        if (x[i].g)
            stream_walk_stop(&x[i].stream);
    free(x);
    return ok;
}

static bool rank_matches(const struct synthetic_run *run, const struct trace *t, uint32_t rank,
                         uint64_t *calls)
{
    struct call_list list = {0};
    size_t count = 0;
    uint64_t ordinal;
    bool ok = true;
    call_run(run, rank, collect, &list);
    for (size_t s = 0; s < t->shapes.n && ok; s++)
        if (find_ordinal(t->shapes.items[s].ranks, rank, &ordinal))
            ok = expand_shape(run, &list, t, &t->shapes.items[s], rank, &count);
    if (ok && count != list.calls.n) {
        log_error("%s: rank %u has %zu calls, recorded were %zu", run->name, rank, count, list.calls.n);
        ok = false;
    }
    *calls += count;
    array_free(&list.calls);
    return ok;
}

/* Compares as precisely as a final file stores them (docs/FORMAT.md, section 10): extremes are
 * rounded outwards by at most a 16th, the mean by a 512th. */
static bool all_are(const struct timing_moments *m, uint64_t count, uint64_t value)
{
    const double off = timing_mean(m, count) - (double)value;
    return count > 0 && m->min <= value && m->min >= value - value / 16 && m->max >= value &&
           m->max <= value + value / 16 && off <= (double)value / 512 && -off <= (double)value / 512;
}

/* Are the times of each row those that `record` gave to its calls? */
static bool times_match(const struct group *g, const struct site *site)
{
    for (size_t i = 0; i < g->rows.n; i++) {
        const struct row *r = &g->rows.items[i];
        if (r->timing == TIMING_NONE)
            continue;
        const struct timing *t = &g->timings.items[r->timing];
        if (!all_are(&t->gap, t->count, GAP(site->frames[0].offset)) ||
            !all_are(&t->duration, t->count, DURATION(r->n_slots)))
            return false;
    }
    return true;
}

static bool all_times_match(const struct synthetic_run *run, const struct trace *t, uint64_t recorded)
{
    uint64_t calls = 0;
    for (size_t s = 0; s < t->shapes.n; s++)
        for (size_t e = 0; e < t->shapes.items[s].entries.n; e++) {
            const struct entry *entry = &t->shapes.items[s].entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++) {
                for (size_t i = 0; i < entry->groups.items[g].timings.n; i++)
                    calls += entry->groups.items[g].timings.items[i].count;
                if (!times_match(&entry->groups.items[g], &t->sites.items[entry->site])) {
                    log_error("%s: site %u has times of others", run->name, entry->site);
                    return false;
                }
            }
        }
    if (calls == recorded)
        return true;
    log_error("%s: times of %llu calls, recorded were %llu", run->name, (unsigned long long)calls,
              (unsigned long long)recorded);
    return false;
}

bool synthetic_matches(const struct synthetic_run *run, const struct trace *t)
{
    uint64_t calls = 0;
    bool ok = trace_check(t) == REFRAIN_OK;
    for (uint32_t rank = 0; rank < run->ranks && ok; rank++)
        ok = rank_matches(run, t, rank, &calls);
    return ok && all_times_match(run, t, calls);
}

struct synthetic_size synthetic_measure(const struct trace *t)
{
    struct synthetic_size size = {.shapes = t->shapes.n, .columns = t->columns.n};
    for (size_t s = 0; s < t->shapes.n; s++) {
        const struct shape *shape = &t->shapes.items[s];
        size.items += shape->skeleton->first[shape->skeleton->n_rules];
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            size.groups += entry->groups.n;
            for (size_t g = 0; g < entry->groups.n; g++) {
                const struct rules *stream = entry->groups.items[g].stream;
                size.rows += entry->groups.items[g].rows.n;
                size.items += stream ? stream->first[stream->n_rules] : 0;
            }
        }
    }
    return size;
}
