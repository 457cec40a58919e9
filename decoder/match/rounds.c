/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_MATCH
#include "rounds.h"

#include "decoder/times/timed_lane.h"
#include "decoder/trace/skeleton_loops.h"
#include "decoder/util/thread_pool.h"
#include "decoder/match/stream/operation_impl.h"
#include "src/core/base/gcd.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

/* After so many cuts in vain a loop is walked. */
#define ATTEMPTS 4

/* Times of about so many calls are read together. */
#define CALLS_TOGETHER 8192

/* The numbers of repetitions of one loop may differ by this much among ranks, because a part of the first or last
 * one differs. */
#define TIMES_APART 2

static enum refrain_status no_memory(void)
{
    log_error("out of memory: rounds of the ranks");
    return REFRAIN_ERR_MEMORY;
}

static struct timed_lane *lane_of(const struct matching *m, uint32_t i)
{
    return call_stream_timed(m->ranks[i].stream);
}

static size_t shape_of(const struct matching *m, uint32_t i)
{
    return (size_t)(lane_of(m, i)->cursor.lane.shape - m->source.reader->trace.shapes.items);
}

/* ---- loops that all ranks have ------------------------------------------------------------------- */

/* Does each rank have one thread, and calls that do not contain calls of callbacks? */
static bool is_plain(const struct matching *m)
{
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        if (!m->ranks[i].stream || call_stream_lanes(m->ranks[i].stream) != 1 ||
            lane_of(m, i)->timestamps.nesting.calls.n > 0)
            return false;
    }
    return m->n_ranks > 0 && !(matching_has_hints(m) && m->sink->hints->fates.n > 0);
}

/* Returns the first loop at or after number `from` that may be this one. */
static size_t find_loop(const struct skeleton_loops *l, size_t from, uint64_t times)
{
    while (from < l->n &&
           (l->items[from].times > times + TIMES_APART || l->items[from].times + TIMES_APART < times))
        from++;
    return from;
}

/* Adds the loop of each shape at place at[shape]. */
static bool add_loop(struct rounds *r, const struct skeleton_loops *of_shape, const size_t *at,
                     size_t n_shapes, size_t first)
{
    struct round_loop loop = {.times = of_shape[first].items[at[first]].times,
                              .of_shape = calloc(n_shapes, sizeof *loop.of_shape)};
    for (size_t s = 0; loop.of_shape && s < n_shapes; s++) {
        const struct skeleton_loop *l = of_shape[s].n > 0 ? &of_shape[s].items[at[s]] : NULL;
        if (l)
            loop.of_shape[s] = (struct round_part){l->begin, l->period, l->times};
        loop.times = l && l->times < loop.times ? l->times : loop.times;
    }
    if (loop.of_shape && array_push(&r->loops, loop))
        return true;
    free(loop.of_shape);
    return false;
}

/* Goes through the loops of one shape, and looks for each in the other shapes. `used`: shapes that have ranks. */
static enum refrain_status pair_loops(struct rounds *r, const struct skeleton_loops *of_shape,
                                      const bool *used, size_t n_shapes)
{
    size_t first = 0, *at = calloc(n_shapes + 1, sizeof *at), *next = calloc(n_shapes + 1, sizeof *next);
    bool ok = at && next;
    while (first < n_shapes && !used[first])
        first++;
    for (size_t i = 0; ok && first < n_shapes && i < of_shape[first].n; i++) {
        bool all = true;
        for (size_t s = 0; s < n_shapes && all; s++) {
            at[s] = s == first ? i
                    : used[s]  ? find_loop(&of_shape[s], next[s], of_shape[first].items[i].times)
                               : 0;
            all = !used[s] || at[s] < of_shape[s].n;
        }
        if (!all)
            continue;
        ok = add_loop(r, of_shape, at, n_shapes, first);
        for (size_t s = 0; s < n_shapes; s++)
            next[s] = at[s] + 1;
    }
    free(at);
    free(next);
    return ok ? REFRAIN_OK : no_memory();
}

static enum refrain_status find_loops(struct rounds *r, const struct matching *m)
{
    const struct trace *t = &m->source.reader->trace;
    struct skeleton_loops *of_shape = calloc(t->shapes.n + 1, sizeof *of_shape);
    bool *used = calloc(t->shapes.n + 1, sizeof *used);
    enum refrain_status status = of_shape && used ? REFRAIN_OK : no_memory();
    for (uint32_t i = 0; status == REFRAIN_OK && i < m->n_ranks; i++)
        used[shape_of(m, i)] = true;
    for (size_t s = 0; status == REFRAIN_OK && s < t->shapes.n; s++) {
        if (used[s])
            status = skeleton_loops_find(t->shapes.items[s].skeleton, ROUNDS_LEAST, ROUNDS_CALLS_MOST,
                                         &of_shape[s]);
    }
    if (status == REFRAIN_OK)
        status = pair_loops(r, of_shape, used, t->shapes.n);
    for (size_t s = 0; of_shape && s < t->shapes.n; s++)
        array_free(&of_shape[s]);
    free(of_shape);
    free(used);
    return status;
}

/* ---- the way to a cut ------------------------------------------------------------------------------ */

static void pause_all(struct rounds *r, struct matching *m, bool pause)
{
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        if (m->ranks[i].stream)
            call_stream_pause_at(m->ranks[i].stream, pause ? r->cut[i] : UINT64_MAX);
        m->ranks[i].paused = false;
    }
}

/* Sets the cuts to the first one that no rank has read beyond, in the loop that is looked for. The first time of
 * the loop is not taken, since it often differs in its rows. Every second attempt pairs the loops' ends instead of
 * their beginnings. Returns false if the loop is nearly over. */
static bool find_cuts(struct rounds *r, const struct matching *m)
{
    const struct round_loop *loop = &r->loops.items[r->next];
    uint64_t time = 1 + r->attempts / 2;
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        const struct round_part *p = &loop->of_shape[shape_of(m, i)];
        const uint64_t reach = timed_lane_reach(lane_of(m, i));
        r->period[i] = p->period;
        r->cut[i] = p->begin + (r->attempts % 2 ? (p->times - loop->times) * p->period : 0);
        const uint64_t passed = reach > r->cut[i] ? (reach - r->cut[i] + p->period - 1) / p->period : 0;
        time = passed > time ? passed : time;
    }
    for (uint32_t i = 0; i < m->n_ranks; i++)
        r->cut[i] += time * r->period[i];
    return time + ROUNDS_LEAST <= loop->times;
}

/* Looks for the next cut, from the present loop on. */
static void plan(struct rounds *r, struct matching *m)
{
    bool found = false;
    r->noting = false;
    while (!r->off && m->running.n == m->n_ranks && r->next < r->loops.n && !found) {
        found = r->attempts < ATTEMPTS && find_cuts(r, m);
        if (!found) {
            r->next++;
            r->attempts = 0;
        }
    }
    r->off = !found;
    pause_all(r, m, found);
}

enum refrain_status rounds_start(struct rounds *r, struct matching *m)
{
    *r = (struct rounds){.sink = m->sink, .off = (m->sink->rounds && m->sink->rounds->off) || !is_plain(m)};
    if (r->off)
        return REFRAIN_OK;
    r->n_ranks = m->n_ranks;
    r->counts = calloc(m->n_ranks, sizeof *r->counts);
    r->cut = calloc(m->n_ranks, sizeof *r->cut);
    r->period = calloc(m->n_ranks, sizeof *r->period);
    const enum refrain_status status = r->counts && r->cut && r->period ? find_loops(r, m) : no_memory();
    if (status == REFRAIN_OK)
        plan(r, m);
    return status;
}

/* ---- at a cut -------------------------------------------------------------------------------------- */

static bool has_active(const struct operations *o)
{
    for (size_t i = 0; i < o->requests.slots.n; i++) {
        if (o->requests.slots.items[i].used && o->requests.slots.items[i].active)
            return true;
    }
    return false;
}

/* Is nothing in flight? */
static bool is_quiet(struct matching *m)
{
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        const struct matching_rank *r = &m->ranks[i];
        const struct matching_thread *t = &r->threads.items[0];
        if (r->n_waiting > 0 || r->wildcards.n > 0 || r->held.n > 0 || t->n_late > 0 || t->late_in > 0 ||
            has_active(call_stream_operations(r->stream)))
            return false;
    }
    for (size_t i = 0; i < m->collectives.scopes.n; i++) {
        if (m->collectives.scopes.items[i].n_ranks > 0)
            return false;
    }
    return m->queues.n_waiting == 0;
}

static void set_sink(struct matching *m, const struct matching_sink *sink)
{
    m->sink = sink;
    m->source.listener = (struct call_listener){sink->context, sink->call};
}

static void end_notes(struct rounds *r, struct matching *m)
{
    if (r->noting)
        set_sink(m, r->sink);
    round_notes_free(&r->notes);
    r->noting = false;
}

void rounds_end(struct rounds *r, struct matching *m)
{
    end_notes(r, m);
    for (size_t i = 0; i < r->loops.n; i++)
        free(r->loops.items[i].of_shape);
    array_free(&r->loops);
    free(r->cut);
    free(r->period);
    for (uint32_t i = 0; r->counts && i < r->n_ranks; i++)
        array_free(&r->counts[i]);
    free(r->counts);
    *r = (struct rounds){0};
}

static void give_up(struct rounds *r, struct matching *m)
{
    end_notes(r, m);
    r->attempts++;
    plan(r, m);
}

/* Makes rounds of as many times of the loop as it takes until all rows come again. r->times is 0 if the calls do
 * not come again. */
static enum refrain_status find_rounds(struct rounds *r, struct matching *m)
{
    uint64_t units = 1, calls = 0, all = UINT64_MAX;
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        uint64_t period, times;
        const enum refrain_status status =
            cursor_repetition(&lane_of(m, i)->cursor, r->period[i], &period, &times);
        if (status != REFRAIN_OK)
            return status;
        const uint64_t of_rank = times > 0 ? period / r->period[i] : 1;
        all = times * of_rank < all ? times * of_rank : all;
        if (units <= ROUNDS_CALLS_MOST)
            units = units / GCD(units, of_rank) * of_rank;
        calls += r->period[i];
    }
    const bool fit = units <= ROUNDS_CALLS_MOST && calls * units <= ROUNDS_CALLS_MOST;
    r->times = fit ? all / units : 0;
    for (uint32_t i = 0; i < m->n_ranks && fit; i++)
        r->period[i] *= units;
    return REFRAIN_OK;
}

static enum refrain_status count(struct rounds *r, const struct matching *m)
{
    for (uint32_t i = 0; i < m->n_ranks; i++) {
        const struct operations *o = call_stream_operations(m->ranks[i].stream);
        r->counts[i].n = 0;
        for (size_t k = 0; k < o->counters.n; k++) {
            if (!array_push(&r->counts[i], o->counters.items[k].n))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status begin_notes(struct rounds *r, struct matching *m)
{
    enum refrain_status status = find_rounds(r, m);
    if (status == REFRAIN_OK && r->times < ROUNDS_LEAST) {
        give_up(r, m);
        return REFRAIN_OK;
    }
    if (status == REFRAIN_OK)
        status = count(r, m);
    if (status == REFRAIN_OK)
        status = round_notes_start(&r->notes, r->sink, m->first_rank, m->n_ranks, r->cut, r->period);
    if (status != REFRAIN_OK)
        return status;
    for (uint32_t i = 0; i < m->n_ranks; i++)
        r->cut[i] += r->period[i];
    set_sink(m, round_notes_sink(&r->notes));
    r->noting = true;
    pause_all(r, m, true);
    return REFRAIN_OK;
}

/* ---- telling rounds -------------------------------------------------------------------------------- */

/* Times of several rounds: lane by lane, in each lane round by round. */
struct batch {
    struct rounds *rounds;
    struct matching *matching;
    struct timestamp *times;
    uint64_t n;      /* rounds */
    uint64_t before; /* rounds that were read before */
    size_t *first;   /* of each lane in a round's times, by the lane */
    struct thread_pool_job job;
};

static enum refrain_status read_lane(void *context, size_t number, unsigned thread)
{
    struct batch *b = context;
    const struct round_lane *l = &b->rounds->notes.lanes[number];
    struct timestamps *timestamps = &lane_of(b->matching, (uint32_t)number)->timestamps;
    struct timestamp *to = b->times + b->first[number] * b->n;
    uint64_t index = b->rounds->cut[number] + b->before * l->period;
    enum refrain_status status = REFRAIN_OK;
    (void)thread;
    for (uint64_t i = 0; i < b->n && timestamps->source; i++) {
        for (uint64_t k = 0; k < l->period && status == REFRAIN_OK; k++) {
            struct call call = l->calls[k].call;
            call.index = index++;
            status = timestamps_next(timestamps, &call, to++);
        }
    }
    return status;
}

static enum refrain_status tell_batch(const struct batch *b)
{
    struct round_notes *n = &b->rounds->notes;
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t i = 0; i < b->n && status == REFRAIN_OK; i++) {
        for (uint32_t k = 0; k < n->n_ranks; k++)
            n->lanes[k].times = b->times + b->first[k] * b->n + i * n->lanes[k].period;
        status = round_notes_tell(n);
    }
    return status;
}

/* Tells `rounds` rounds. While some are told, the times of the next ones are read. */
static enum refrain_status tell(struct rounds *r, struct matching *m, uint64_t rounds)
{
    const size_t calls = r->notes.n_calls;
    const uint64_t most = calls < CALLS_TOGETHER ? CALLS_TOGETHER / calls : 1;
    struct batch batches[2];
    size_t *first = calloc(m->n_ranks + (size_t)1, sizeof *first);
    struct timestamp *times = calloc(2 * most * calls, sizeof *times);
    enum refrain_status status = first && times ? REFRAIN_OK : no_memory();
    uint64_t read = 0;
    for (uint32_t i = 0; first && i < m->n_ranks; i++)
        first[i + 1] = first[i] + r->notes.lanes[i].period;
    for (size_t i = 0; i < 2; i++)
        batches[i] =
            (struct batch){.rounds = r, .matching = m, .times = times + i * most * calls, .first = first};
    for (size_t i = 0; status == REFRAIN_OK && (read < rounds || batches[i % 2].n > 0); i++) {
        struct batch *next = &batches[(i + 1) % 2], *now = &batches[i % 2];
        next->n = rounds - read < most ? rounds - read : most;
        next->before = read;
        read += next->n;
        thread_pool_begin(m->source.pool, &next->job, m->n_ranks, read_lane, next);
        if (now->n > 0)
            status = tell_batch(now);
        const enum refrain_status ended = thread_pool_end(m->source.pool, 0, &next->job);
        status = status == REFRAIN_OK ? ended : status;
        now->n = 0;
    }
    free(times);
    free(first);
    return status;
}

/* ---- the end of a round ------------------------------------------------------------------------------ */

/* By how much the counter has grown since the first cut. */
static uint64_t step_of_counter(const struct rounds *r, const struct operations *o, uint32_t i,
                                size_t counter)
{
    return o->counters.items[counter].n - (counter < r->counts[i].n ? r->counts[i].items[counter] : 0);
}

struct steps {
    const struct rounds *rounds;
    const struct matching *matching;
};

static uint64_t step_of_scope(const void *context, uint32_t rank, const struct operation_scope *scope)
{
    const struct steps *s = context;
    const uint32_t i = rank - s->matching->first_rank;
    const struct operations *o = call_stream_operations(s->matching->ranks[i].stream);
    const struct counter *c = operations_counter(o, scope);
    return c ? step_of_counter(s->rounds, o, i, (size_t)(c - o->counters.items)) : 0;
}

/* The ranks pass the rounds that were told: as if each of them had been walked. */
static enum refrain_status pass(const struct rounds *r, const struct matching *m, uint64_t rounds)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < m->n_ranks && status == REFRAIN_OK; i++) {
        struct operations *o = call_stream_operations(m->ranks[i].stream);
        for (size_t k = 0; k < o->counters.n; k++)
            o->counters.items[k].n += rounds * step_of_counter(r, o, i, k);
        call_stream_pass(m->ranks[i].stream, rounds * r->period[i]);
        status = cursor_seek(&lane_of(m, i)->cursor, r->cut[i] + rounds * r->period[i]);
    }
    return status;
}

static enum refrain_status repeat(struct rounds *r, struct matching *m)
{
    const struct steps steps = {r, m};
    const uint64_t rounds = r->times - 1;
    set_sink(m, r->sink);
    enum refrain_status status = round_notes_end(&r->notes, step_of_scope, &steps);
    if (status == REFRAIN_OK && r->notes.unfit) {
        give_up(r, m);
        return REFRAIN_OK;
    }
    if (status == REFRAIN_OK)
        status = tell(r, m, rounds);
    if (status == REFRAIN_OK)
        status = pass(r, m, rounds);
    if (r->sink->rounds)
        r->sink->rounds->told += rounds * r->notes.n_calls;
    log_debug("%llu rounds of %zu calls", (unsigned long long)rounds, r->notes.n_calls);
    end_notes(r, m);
    r->attempts = 0;
    if (status == REFRAIN_OK)
        plan(r, m);
    return status;
}

enum refrain_status rounds_arrive(struct rounds *r, struct matching *m, bool stuck)
{
    if (stuck || m->running.n != m->n_ranks || !is_quiet(m)) {
        give_up(r, m);
        return REFRAIN_OK;
    }
    return r->noting ? repeat(r, m) : begin_notes(r, m);
}
