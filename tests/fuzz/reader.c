/* Fuzz target: a trace file, and everything that the command does with one.
 *
 * Claims beside not crashing: what is refused is said; calls found by seeking are the calls found by walking;
 * a trace that was read can be written, and read again.
 *
 * A sound file of a few bytes may stand for 2^60 calls, so only so many are looked at, and sums that are
 * linear in ranks or definitions are made where there are few. */
#include "endings.h"
#include "image.h"
#include "lane_walk.h"
#include "log.h"
#include "mutate.h"
#include "render.h"
#include "statistics.h"
#include "target.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    CALLS = 40,     /* of a lane that are walked */
    LANES = 6,      /* of the trace */
    MUCH = 1 << 13, /* calls, over all ranks, that are summed up or read as definitions */
    RANKS_MUCH = 1 << 10
};

/* ---- calls --------------------------------------------------------------------------------------------- */

static uint64_t call_hash(const struct call *call)
{
    return XXH3_64bits_withSeed(call->slots, call->n_slots * sizeof *call->slots, call->site);
}

/* Calls first … of the lane, at most n of them; their number. */
static size_t walk(struct cursor *cursor, struct renderer *renderer, uint64_t *hashes, size_t n)
{
    struct call call;
    struct bytes text = {0};
    enum refrain_status status = REFRAIN_OK;
    size_t read = 0;
    while (read < n && cursor_next(cursor, &call, &status)) {
        hashes[read++] = call_hash(&call);
        if (renderer) {
            render_line(renderer, &call, &text);
            render_json(renderer, &call, &text);
            text.n = 0;
        }
    }
    CLAIM(status == REFRAIN_OK);
    bytes_free(&text);
    return read;
}

static void read_lane(const struct reader *r, struct renderer *renderer, const struct lane_ref *lane)
{
    struct cursor cursor;
    uint64_t walked[CALLS], sought[CALLS];
    CLAIM(cursor_start(&cursor, r, lane) == REFRAIN_OK);
    const uint64_t n = cursor_calls(&cursor);
    const size_t read = walk(&cursor, renderer, walked, CALLS);
    CLAIM(read == (n < CALLS ? n : CALLS));

    const uint64_t middle = read / 2;
    CLAIM(cursor_seek(&cursor, n - n / 3) == REFRAIN_OK);
    walk(&cursor, renderer, sought, CALLS / 4);
    CLAIM(cursor_seek(&cursor, middle) == REFRAIN_OK);
    CLAIM(walk(&cursor, NULL, sought, read - middle) == read - middle);
    for (size_t i = 0; i < read - middle; i++)
        CLAIM(sought[i] == walked[middle + i]);
    cursor_stop(&cursor);
}

static void read_lanes(const struct reader *r, struct renderer *renderer)
{
    struct lane_ref lane;
    unsigned left = LANES;
    for (uint64_t rank = 0; left > 0 && reader_next_rank(r, &rank); rank++)
        for (int kind = LANE_DEFINITIONS; kind <= LANE_THREAD; kind++)
            for (size_t at = 0; left > 0 && reader_next_lane(r, (uint32_t)rank, kind, &at, &lane); left--)
                read_lane(r, renderer, &lane);
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

/* Calls of all ranks of a shape, of which there are few. */
static uint64_t calls_of_shape(const struct trace *t, const struct shape *s)
{
    struct series_cursor ranks;
    int64_t rank;
    uint64_t sum = 0, all = 0;
    uint64_t *calls = calloc(t->sites.n + 1, sizeof *calls);
    CLAIM(calls);
    series_cursor_start(&ranks, s->ranks);
    for (uint64_t i = 0; sum < MUCH && series_cursor_next(&ranks, &rank); i++) {
        CLAIM(lane_walk_count(t, s, i, (uint32_t)rank, calls, &all) == REFRAIN_OK);
        sum = all < MUCH ? sum + all : MUCH;
    }
    free(calls);
    return sum;
}

/* Calls of all ranks in lanes of a kind; more than MUCH is MUCH. */
static uint64_t calls_of(const struct trace *t, enum lane_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *s = &t->shapes.items[i];
        const uint64_t ranks = series_length(s->ranks), calls = rules_length(s->skeleton);
        if (s->kind != (uint32_t)kind)
            continue;
        if (ranks >= MUCH || calls >= MUCH)
            return MUCH;
        sum += s->loops.n > 0 ? calls_of_shape(t, s) : ranks * calls;
    }
    return sum < MUCH ? sum : MUCH;
}

static void sum_up(const struct reader *r, const struct definitions *d)
{
    const struct ranges all = {0};
    for (int by = STATISTICS_BY_FUNCTION; by <= STATISTICS_BY_SITE; by++) {
        struct statistics s;
        if (statistics_compute(&s, r, d, &all, by) == REFRAIN_OK)
            statistics_free(&s);
    }
}

static void read_endings(const struct reader *r)
{
    struct endings endings;
    struct bytes text = {0};
    if (!endings_has(&r->trace) || endings_read(&endings, r) != REFRAIN_OK)
        return;
    for (size_t i = 0; i < endings.items.n; i++) {
        ending_put(&endings.items.items[i], &text);
        ending_put_ranks(&endings.items.items[i], &text);
    }
    bytes_free(&text);
    endings_free(&endings);
}

static void read_all(const struct reader *r)
{
    const bool few = calls_of(&r->trace, LANE_DEFINITIONS) < MUCH && r->trace.n_ranks < RANKS_MUCH;
    struct definitions definitions = {0};
    struct renderer renderer = {0};
    if (few && definitions_read(&definitions, r) == REFRAIN_OK) {
        CLAIM(renderer_create(&renderer, r, &definitions) == REFRAIN_OK);
        read_lanes(r, &renderer);
        renderer_free(&renderer);
        if (calls_of(&r->trace, LANE_THREAD) < MUCH)
            sum_up(r, &definitions);
        definitions_free(&definitions);
        read_endings(r);
    } else {
        read_lanes(r, NULL);
    }
}

/* ---- there and back ------------------------------------------------------------------------------------ */

static void write_again(const struct trace *t)
{
    struct bytes image = {0};
    struct trace back = {0};
    CLAIM(codec_encode(t, CODEC_STORED, &image) == REFRAIN_OK);
    CLAIM(codec_decode("written again", image.data, image.n, &back, NULL) == REFRAIN_OK);
    CLAIM(back.shapes.n == t->shapes.n && back.sites.n == t->sites.n && back.n_ranks == t->n_ranks);
    trace_free(&back);
    bytes_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct reader r;
    const unsigned errors = log_error_count();
    if (reader_read(&r, "input", data, n, 0) != REFRAIN_OK) {
        CLAIM(log_error_count() > errors);
        return 0;
    }
    read_all(&r);
    write_again(&r.trace);
    reader_close(&r);
    return 0;
}
