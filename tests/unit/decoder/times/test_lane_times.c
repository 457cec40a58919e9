/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of single calls: one after the other, and from any call on, across blocks; together with
 * the calls, read ahead by other threads or not. */
#include "decoder/times/timed_lane.h"
#include "decoder/util/thread_pool.h"
#include "src/core/codec/codec.h"
#include "src/core/time/time_log.h"
#include "tests/unit/support/synthetic.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct timestamp time_of(uint64_t call)
{
    return (struct timestamp){1000 * call + call % 7, 1000 * call + 100 + call % 13};
}

/* The trace as a file, followed by `pieces`; the reader reads from `image`, which has to be freed
 * after the reader. */
static void read_back(const struct trace *t, const struct bytes *pieces, struct bytes *image,
                      struct reader *r)
{
    cr_assert_eq(codec_encode(t, CODEC_STORED, image), REFRAIN_OK);
    bytes_put(image, pieces->data, pieces->n);
    cr_assert_eq(reader_read(r, "made", image->data, image->n, 0), REFRAIN_OK);
}

static struct lane_ref lane_of(const struct reader *r, uint32_t rank)
{
    struct lane_ref lane;
    size_t at = 0;
    cr_assert(reader_next_lane(r, rank, LANE_THREAD, &at, &lane));
    return lane;
}

/* Append times for all calls of the lane. */
static void make_times(const struct reader *r, const struct lane_ref *lane, struct bytes *out)
{
    struct time_mode mode;
    struct lane_walk walk;
    uint32_t site;
    cr_assert_eq(time_mode_parse("lossless", NULL, &mode), REFRAIN_OK);
    struct time_log *log = time_log_create(&mode, NULL);
    cr_assert(log);
    cr_assert_eq(lane_walk_start(&walk, &r->trace, lane->shape, lane->ordinal, lane->rank), REFRAIN_OK);
    for (uint64_t call = 0; lane_walk_next(&walk, &site); call++) {
        if (time_log_note(time_log_stage(log), site, 0, time_of(call)))
            cr_assert_eq(time_log_take(log), REFRAIN_OK);
    }
    cr_assert_eq(time_log_take(log), REFRAIN_OK);
    cr_assert_eq(time_log_store(log, true, NULL, out), REFRAIN_OK);
    lane_walk_stop(&walk);
    time_log_free(log);
    time_mode_free(&mode);
}

/* A run of two ranks with times. */
static void make_run(struct bytes *image, struct reader *r)
{
    const struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 2, 60000, 1);
    struct trace t;
    struct reader untimed;
    struct bytes pieces = {0}, first = {0};
    cr_assert_eq(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 0, true, &t), REFRAIN_OK);
    read_back(&t, &pieces, &first, &untimed);
    for (uint32_t rank = 0; rank < 2; rank++) {
        const size_t begin = pieces.n;
        const struct lane_ref lane = lane_of(&untimed, rank);
        make_times(&untimed, &lane, &pieces);
        cr_assert_eq(annex_add(&t.annex, rank, ANNEX_TIMES, 0, pieces.data + begin, pieces.n - begin),
                     REFRAIN_OK);
    }
    read_back(&t, &pieces, image, r);
    bytes_free(&pieces);
    reader_close(&untimed);
    bytes_free(&first);
    trace_free(&t);
}

/* Compare `many` of the n calls, from call `first` on. */
static void check_from(struct lane_times *times, uint64_t first, uint64_t many, uint64_t n)
{
    enum refrain_status status;
    struct timestamp found;
    for (uint64_t call = first; call < first + many && call < n; call++) {
        const struct timestamp wanted = time_of(call);
        cr_assert_eq(lane_times_index(times), call);
        cr_assert(lane_times_next(times, &found, &status), "call %llu", (unsigned long long)call);
        cr_assert(found.enter == wanted.enter && found.leave == wanted.leave, "call %llu",
                  (unsigned long long)call);
    }
    if (first + many < n)
        return;
    cr_expect(!lane_times_next(times, &found, &status) && status == REFRAIN_OK);
    cr_expect_eq(lane_times_index(times), n);
}

Test(lane_times, are_there_from_any_call_on)
{
    struct reader r;
    struct bytes image = {0};
    struct lane_times times;
    bool there;
    make_run(&image, &r);
    for (uint32_t rank = 0; rank < 2; rank++) {
        const struct lane_ref lane = lane_of(&r, rank);
        cr_assert_eq(lane_times_start(&times, &r, &lane, &there), REFRAIN_OK);
        cr_assert(there);
        const uint64_t n = times.piece->calls;
        cr_assert_gt(n, TIME_BLOCK_CALLS + 1);
        check_from(&times, 0, n, n);
        const uint64_t from[] = {n - 1, 0, 1, TIME_BLOCK_CALLS - 1, TIME_BLOCK_CALLS, n};
        for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
            cr_assert_eq(lane_times_seek(&times, from[i]), REFRAIN_OK);
            check_from(&times, from[i], 3, n);
        }
        lane_times_stop(&times);
    }
    reader_close(&r);
    bytes_free(&image);
}

/* Both lanes have the same next call. */
static bool check_call(struct timed_lane *plain, struct timed_lane *ahead)
{
    enum refrain_status status, wanted;
    const bool more = timed_lane_next(plain, &wanted);
    const struct call *a = &plain->call, *b = &ahead->call;
    cr_assert_eq(timed_lane_next(ahead, &status), more);
    cr_assert_eq(status, wanted);
    if (!more)
        return false;
    cr_assert(a->index == b->index && a->rank == b->rank && a->thread == b->thread && a->site == b->site &&
              a->function == b->function && a->entry == b->entry && a->row == b->row &&
              a->group == b->group && a->n_slots == b->n_slots);
    cr_assert_arr_eq(a->slots, b->slots, a->n_slots * sizeof *a->slots);
    cr_assert_eq(plain->timestamp.enter, ahead->timestamp.enter);
    cr_assert_eq(plain->timestamp.leave, ahead->timestamp.leave);
    return true;
}

/* Read the lanes in turns; leave one of them before its end. */
static void check_ahead(const struct reader *r, const struct timestamps_source *source, const char *threads)
{
    struct timed_lane plain[2], ahead[2];
    bool more[2] = {true, true};
    setenv("REFRAIN_THREADS", threads, 1);
    struct thread_pool *pool = thread_pool_create();
    cr_assert(pool);
    for (uint32_t i = 0; i < 2; i++) {
        const struct lane_ref lane = lane_of(r, i);
        cr_assert_eq(timed_lane_start(&plain[i], r, source, &lane), REFRAIN_OK);
        cr_assert_eq(timed_lane_start(&ahead[i], r, source, &lane), REFRAIN_OK);
        cr_assert_eq(timed_lane_read_ahead(&ahead[i], pool), REFRAIN_OK);
    }
    for (unsigned turn = 0; more[0]; turn++) {
        for (unsigned i = 0; i < 2; i++) {
            for (unsigned k = 0; k < 100 + 77 * i && more[i] && !(i == 1 && turn > 50); k++)
                more[i] = check_call(&plain[i], &ahead[i]);
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        timed_lane_stop(&plain[i]);
        timed_lane_stop(&ahead[i]);
    }
    thread_pool_free(pool);
}

Test(timed_lane, is_read_ahead)
{
    struct reader r;
    struct bytes image = {0};
    struct timestamps_source source;
    make_run(&image, &r);
    cr_assert_eq(timestamps_source_create(&source, &r, false), REFRAIN_OK);
    check_ahead(&r, &source, "1");
    check_ahead(&r, &source, "3");
    check_ahead(&r, NULL, "2");
    timestamps_source_free(&source);
    reader_close(&r);
    bytes_free(&image);
}
