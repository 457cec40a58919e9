/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/match/stream/rma_record_counting.h"
#include "decoder/times/timestamps.h"
#include "tests/unit/support/spoken.h"

#define PUT(s, target)  SAY(s, 0, 0, SPOKEN_PUT, 1, TYPE, target, WINDOW(0), 0)
#define GET(s, target)  SAY(s, 0, 0, SPOKEN_GET, 1, TYPE, target, WINDOW(0), 0)
#define RPUT(s, target) SAY(s, 0, 0, SPOKEN_RPUT, 1, TYPE, target, WINDOW(0), 0, REQUEST(0))

static void start(struct spoken *s)
{
    spoken_start(s, 2);
    for (uint32_t rank = 0; rank < 2; rank++)
        SAY(s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 0, WINDOW(0));
}

/* The records of rank 0 that these calls need, in pairs of a call and its number of records. */
static void expect(struct spoken *s, size_t n, const uint64_t wanted[][2])
{
    struct rank_rma_records *rma_records;
    spoken_end(s);
    cr_assert_eq(rma_records_count(&s->reader, &s->definitions, &rma_records), REFRAIN_OK);
    cr_assert(rma_records);
    cr_assert_eq(rma_records[0].items.n, n, "%zu", rma_records[0].items.n);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(rma_records[0].items.items[i].call, wanted[i][0]);
        cr_assert_eq(rma_records[0].items.items[i].records, wanted[i][1]);
    }
    cr_assert_eq(rma_records[1].items.n, 0);
    rma_records_free(rma_records, 2);
    spoken_free(s);
}

/* A get is complete at its target with the first record, which reports it at once. */
Test(rma_record_counting, a_fence_completes_all)
{
    struct spoken s;
    start(&s);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    for (int i = 0; i < 10; i++)
        PUT(&s, i % 2);
    GET(&s, 1);
    PUT(&s, NULL_RANK);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    expect(&s, 1, (const uint64_t[][2]){{14, 22}});
}

Test(rma_record_counting, a_flush_completes_what_went_to_one)
{
    struct spoken s;
    start(&s);
    SAY(&s, 0, 0, SPOKEN_WIN_LOCK, 0, WINDOW(0), 0);
    SAY(&s, 0, 0, SPOKEN_WIN_LOCK, 1, WINDOW(0), 0);
    for (int i = 0; i < 4; i++) {
        PUT(&s, 0);
        PUT(&s, 1);
        PUT(&s, 1);
    }
    SAY(&s, 0, 0, SPOKEN_WIN_FLUSH_LOCAL, 1, WINDOW(0), 0); /* 15 */
    SAY(&s, 0, 0, SPOKEN_WIN_FLUSH, 1, WINDOW(0), 0);
    SAY(&s, 0, 0, SPOKEN_WIN_FLUSH, 1, WINDOW(0), 0);
    SAY(&s, 0, 0, SPOKEN_WIN_UNLOCK, 1, WINDOW(0), 0);
    SAY(&s, 0, 0, SPOKEN_WIN_UNLOCK, 0, WINDOW(0), 0);
    expect(&s, 3, (const uint64_t[][2]){{15, 8}, {16, 8}, {19, 8}});
}

/* A request reports that its access is complete at the origin. */
Test(rma_record_counting, what_a_request_has_told_of)
{
    struct spoken s;
    start(&s);
    SAY(&s, 0, 0, SPOKEN_WIN_LOCK, 1, WINDOW(0), 0);
    for (int i = 0; i < 5; i++) {
        RPUT(&s, 1);
        SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    }
    SAY(&s, 0, 0, SPOKEN_WIN_UNLOCK, 1, WINDOW(0), 0);
    expect(&s, 1, (const uint64_t[][2]){{12, 5}});
}

Test(rma_record_counting, calls_have_them)
{
    struct spoken s;
    struct rank_rma_records *rma_records;
    struct timestamps_source source;
    struct timestamps timestamps;
    struct timestamp timestamp, last = {0};
    struct cursor cursor;
    struct call call;
    struct lane_ref lane;
    enum refrain_status status;
    size_t at = 0;
    start(&s);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    for (int i = 0; i < 1000; i++)
        PUT(&s, 1);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    spoken_end(&s);
    cr_assert_eq(rma_records_count(&s.reader, &s.definitions, &rma_records), REFRAIN_OK);
    cr_assert_eq(timestamps_source_create(&source, &s.reader, true), REFRAIN_OK);
    source.rma_records = rma_records;
    cr_assert(reader_next_lane(&s.reader, 0, LANE_THREAD, &at, &lane));
    cr_assert_eq(cursor_start(&cursor, &s.reader, &lane), REFRAIN_OK);
    cr_assert_eq(timestamps_start(&timestamps, &source, &lane), REFRAIN_OK);
    while (cursor_next(&cursor, &call, &status)) {
        cr_assert_eq(timestamps_next(&timestamps, &call, &timestamp), REFRAIN_OK);
        cr_assert(call.index == 0 || timestamp.enter > last.leave);
        cr_assert_eq(timestamp.leave - timestamp.enter >= 2000, call.index == 1002);
        last = timestamp;
    }
    timestamps_stop(&timestamps);
    cursor_stop(&cursor);
    timestamps_source_free(&source);
    rma_records_free(rma_records, 2);
    spoken_free(&s);
}

/* A run without windows is not searched. */
Test(rma_record_counting, of_messages_there_are_none)
{
    struct spoken s;
    struct rank_rma_records *rma_records;
    spoken_start(&s, 1);
    SAY(&s, 0, 0, SPOKEN_SEND, 1, TYPE, NULL_RANK, 5, WORLD, 0);
    spoken_end(&s);
    cr_assert_eq(rma_records_count(&s.reader, &s.definitions, &rma_records), REFRAIN_OK);
    cr_assert_null(rma_records);
    spoken_free(&s);
}
