/* SPDX-License-Identifier: BSD-3-Clause */
#include "region_sums.h"

#include "decoder/times/timed_lane.h"
#include "decoder/util/progress.h"
#include "run_begin.h"

/* A thread's open regions, each with the thread's sum at its beginning:
 *
 *     sum    0 . . . a . . b . . end(b) . end(a)
 *
 * all of b: sum at its end minus sum at its beginning; own of a: all of a minus all of its inner
 * regions, here b. */
struct lane_sums {
    struct region_sums *sums;
    struct region_stack stack;
    ARRAY(struct mark {
        struct region_share begin;  /* the thread's sums at that time */
        struct region_share inside; /* ended regions inside of it */
    })
    marks;                      /* the thread itself, then its open regions */
    ARRAY(uint32_t) depth;      /* by name: number of open regions with this name */
    uint64_t begin;             /* of the run; 0 if times are synthetic */
    struct region_share so_far; /* time since the begin of the run */
};

static void add(struct region_share *to, const struct region_share *x)
{
    to->time += x->time;
    to->mpi_time += x->mpi_time;
    to->calls += x->calls;
}

static struct region_share less(const struct region_share *a, const struct region_share *b)
{
    return (struct region_share){a->time - b->time, a->mpi_time - b->mpi_time, a->calls - b->calls};
}

/* Removes the innermost mark. Its whole goes to `all` if it is the outermost of its name; the part
 * outside of inner regions goes to `own`. */
static void close_mark(struct lane_sums *l, struct region_sum *sum, bool outermost)
{
    const struct mark *m = &l->marks.items[--l->marks.n];
    const struct region_share all = less(&l->so_far, &m->begin), own = less(&all, &m->inside);
    sum->visits++;
    add(&sum->own, &own);
    if (outermost)
        add(&sum->all, &all);
    if (l->marks.n > 0)
        add(&l->marks.items[l->marks.n - 1].inside, &all);
}

static enum refrain_status open_mark(struct lane_sums *l)
{
    const struct mark mark = {.begin = l->so_far};
    return array_push(&l->marks, mark) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static void close_region(struct lane_sums *l)
{
    const uint32_t name = region_stack_innermost(&l->stack)->name;
    close_mark(l, &l->sums->items.items[name], --l->depth.items[name] == 0);
    region_stack_pop(&l->stack);
}

static enum refrain_status open_region(struct lane_sums *l, const struct region_step *step)
{
    const uint32_t name = step->region.name;
    while (l->sums->items.n <= name) {
        if (!array_push(&l->sums->items, (struct region_sum){0}))
            return REFRAIN_ERR_MEMORY;
    }
    while (l->depth.n <= name) {
        if (!array_push(&l->depth, 0))
            return REFRAIN_ERR_MEMORY;
    }
    l->depth.items[name]++;
    const enum refrain_status status = region_stack_push(&l->stack, step, l->so_far.time);
    return status == REFRAIN_OK ? open_mark(l) : status;
}

/* A call inside another one, made by a callback, may have begun before the previous call ended. */
static void go_on(struct lane_sums *l, uint64_t time)
{
    l->so_far.time = time > l->so_far.time ? time : l->so_far.time;
}

static void add_call(struct lane_sums *l, const struct call *call, struct timestamp at)
{
    const enum role_word word = l->stack.roles->items[call->function].word;
    if (word == WORD_NONE || word == WORD_REGION_LEVEL) { /* MPI_Pcontrol is an MPI call */
        l->so_far.calls++;
        l->so_far.mpi_time += at.leave - at.enter;
    }
    go_on(l, at.leave);
}

/* A region includes the call that begins it and the call that ends it. A call that does both
 * belongs to the region that it ends. */
static enum refrain_status take_call(struct lane_sums *l, const struct call *call, struct timestamp at)
{
    struct region_step step = {0};
    enum refrain_status status = REFRAIN_OK;
    if (region_stack_concerns(&l->stack, call->function))
        status = region_stack_look(&l->stack, call, &step);
    const bool opens_first = step.begins && step.ends == 0;
    if (status == REFRAIN_OK && opens_first) {
        go_on(l, at.enter);
        status = open_region(l, &step);
    }
    add_call(l, call, at);
    for (size_t i = 0; status == REFRAIN_OK && i < step.ends; i++)
        close_region(l);
    return status == REFRAIN_OK && step.begins && !opens_first ? open_region(l, &step) : status;
}

static enum refrain_status sum_lane(struct lane_sums *l, const struct reader *r,
                                    const struct timestamps_source *source, const struct lane_ref *lane,
                                    struct progress *progress)
{
    struct timed_lane timed;
    enum refrain_status status = timed_lane_start(&timed, r, source, lane);
    if (status != REFRAIN_OK)
        return status;
    l->so_far = (struct region_share){0};
    for (bool first = true; timed_lane_next(&timed, &status); first = false) {
        const struct timestamp at = {run_part(l->begin, 0, timed.timestamp.enter),
                                     run_part(l->begin, 0, timed.timestamp.leave)};
        progress_call(progress, timed.call.index);
        if (first) {
            l->so_far.time = at.enter;
            status = open_mark(l);
        }
        if (status != REFRAIN_OK || (status = take_call(l, &timed.call, at)) != REFRAIN_OK)
            break;
    }
    timed_lane_stop(&timed);
    if (status != REFRAIN_OK || l->marks.n == 0)
        return status;
    region_stack_note_end(&l->stack);
    while (l->stack.open.n > 0)
        close_region(l);
    close_mark(l, &l->sums->outside, true);
    l->stack.deep = 0;
    return REFRAIN_OK;
}

static enum refrain_status sum_lanes(struct lane_sums *l, const struct reader *r,
                                     const struct timestamps_source *source, const struct ranges *ranks)
{
    struct progress progress;
    struct lane_ref lane;
    enum refrain_status status = REFRAIN_OK;
    progress_start(&progress, "stat", reader_calls(r));
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0; status == REFRAIN_OK && ranges_has(ranks, rank) &&
                            reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            status = sum_lane(l, r, source, &lane, &progress);
    }
    progress_end(&progress);
    return status;
}

enum refrain_status region_sums_exist(const struct reader *r, bool *exist)
{
    struct roles roles = {0};
    const enum refrain_status status = roles_find(&roles, &r->trace.functions);
    *exist = false;
    for (size_t i = 0; i < r->trace.sites.n && status == REFRAIN_OK; i++)
        *exist = *exist || role_has_region(&roles.items[r->trace.sites.items[i].function]);
    roles_free(&roles);
    return status;
}

enum refrain_status region_sums_compute(struct region_sums *s, const struct reader *r,
                                        const struct ranges *ranks)
{
    struct roles roles = {0};
    struct timestamps_source source = {0};
    struct lane_sums l = {.sums = s};
    *s = (struct region_sums){.timed = timestamps_exist(r)};
    enum refrain_status status = roles_find(&roles, &r->trace.functions);
    region_stack_start(&l.stack, r, &roles, &s->names);
    if (status == REFRAIN_OK && s->timed)
        status = timestamps_source_create(&source, r, true);
    s->synthetic = source.synthetic;
    if (status == REFRAIN_OK && s->timed && !source.synthetic)
        status = run_begin_find(&l.begin, r, &source, &roles);
    if (status == REFRAIN_OK)
        status = sum_lanes(&l, r, s->timed ? &source : NULL, ranks);
    s->faults = l.stack.faults;
    timestamps_source_free(&source);
    array_free(&l.marks);
    array_free(&l.depth);
    region_stack_stop(&l.stack);
    roles_free(&roles);
    if (status != REFRAIN_OK)
        region_sums_free(s);
    return status;
}

void region_sums_free(struct region_sums *s)
{
    text_table_free(&s->names);
    array_free(&s->items);
    *s = (struct region_sums){0};
}
