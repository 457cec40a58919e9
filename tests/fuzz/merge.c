/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzz target: merges, finishes and writes two traces, as MPI_Finalize and `refrain merge` do.
 *
 * Claims in addition to no crash: the trace is sound after each of these steps, and each call of
 * each rank is the same as before. */
#include "decoder/trace/cursor.h"
#include "decoder/trace/reader.h"
#include "image.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/verify_record.h"
#include "target.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

enum {
    CALLS = 24, /* compared calls per lane */
    LANES = 8   /* per trace */
};

/* The first calls of a lane, without any numbering. */
struct lane_print {
    uint32_t rank, kind, number;
    uint64_t calls, hash;
};

struct prints {
    struct lane_print items[2 * LANES];
    size_t n;
};

static uint64_t print_calls(const struct reader *r, const struct lane_ref *lane, uint64_t *calls)
{
    struct cursor cursor;
    struct call call;
    enum refrain_status status = REFRAIN_OK;
    uint64_t hash = 0;
    CLAIM(cursor_start(&cursor, r, lane) == REFRAIN_OK);
    *calls = cursor_calls(&cursor);
    while (cursor.index < CALLS && cursor_next(&cursor, &call, &status)) {
        const struct site *site = &r->trace.sites.items[call.site];
        const uint64_t where = verify_record_site_hash(reader_function(r, call.site), site->frames,
                                                       site->n_frames, r->trace.modules.items);
        hash = XXH3_64bits_withSeed(call.slots, call.n_slots * sizeof *call.slots, hash ^ where);
    }
    CLAIM(status == REFRAIN_OK);
    cursor_stop(&cursor);
    return hash;
}

/* Adds the lanes of a trace, at most LANES of them. */
static void print_lanes(const struct reader *r, struct prints *p)
{
    struct lane_ref lane;
    unsigned left = LANES;
    for (uint64_t rank = 0; left > 0 && reader_next_rank(r, &rank); rank++)
        for (int kind = LANE_DEFINITIONS; kind <= LANE_THREAD; kind++)
            for (size_t at = 0; left > 0 && reader_next_lane(r, (uint32_t)rank, kind, &at, &lane); left--) {
                struct lane_print *print = &p->items[p->n++];
                *print = (struct lane_print){
                    .rank = (uint32_t)rank, .kind = (uint32_t)kind, .number = lane.shape->number};
                print->hash = print_calls(r, &lane, &print->calls);
            }
}

/* Are the lanes unchanged? */
static void compare_lanes(const struct reader *r, const struct prints *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct lane_print *print = &p->items[i];
        struct lane_ref lane;
        uint64_t calls = 0, hash = 0;
        for (size_t at = 0; reader_next_lane(r, print->rank, print->kind, &at, &lane);)
            if (lane.shape->number == print->number)
                hash = print_calls(r, &lane, &calls);
        CLAIM(calls == print->calls);
        CLAIM(hash == print->hash);
    }
}

/* Writes the trace as a file and reads it again. */
static void write_and_compare(const struct trace *t, unsigned flags, const struct prints *p)
{
    struct bytes image = {0};
    struct reader r;
    CLAIM(codec_encode(t, flags | CODEC_STORED | CODEC_APART, &image) == REFRAIN_OK);
    CLAIM(reader_read(&r, "merged", image.data, image.n, 0) == REFRAIN_OK);
    compare_lanes(&r, p);
    reader_close(&r);
    bytes_free(&image);
}

static void merge(struct trace *into, struct trace *next, const struct prints *p)
{
    const unsigned errors = log_error_count();
    if (merge_traces(into, next) != REFRAIN_OK) {
        CLAIM(log_error_count() > errors);
        return;
    }
    CLAIM(trace_check(into) == REFRAIN_OK);
    write_and_compare(into, 0, p);
    /* rows that do not fit their functions are found only now */
    if (merge_finish(into) != REFRAIN_OK) {
        CLAIM(log_error_count() > errors);
        return;
    }
    CLAIM(trace_check(into) == REFRAIN_OK);
    write_and_compare(into, CODEC_FINAL, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct image_pair pair;
    struct reader first, second;
    struct prints prints = {.n = 0};
    if (!image_pair_take(data, n, &pair) ||
        reader_read(&first, "first", pair.first, pair.n_first, 0) != REFRAIN_OK)
        return 0;
    if (reader_read(&second, "second", pair.second, pair.n_second, 0) == REFRAIN_OK) {
        print_lanes(&first, &prints);
        print_lanes(&second, &prints);
        merge(&first.trace, &second.trace, &prints);
        reader_close(&second);
    }
    reader_close(&first);
    return 0;
}
