/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzz target: reads a trace file in every way that the command does.
 *
 * Claims in addition to no crash: each refusal has a message; seeking finds the same calls as
 * walking; lines assembled from parts equal lines rendered as a whole; sums are those of all calls;
 * loop models expand to the calls, and their events find the calls; a trace that was read can be
 * written and read again.
 *
 * A sound file of a few bytes may stand for 2^60 calls, so only some are examined, and sums that
 * are linear in ranks or definitions are made only if these are few. */
#include "decoder/call/volume.h"
#include "decoder/match/matching.h"
#include "decoder/matrix/matrix.h"
#include "decoder/render/lines.h"
#include "decoder/stat/statistics.h"
#include "decoder/timeline/timeline_html.h"
#include "decoder/timeline/timeline_svg.h"
#include "decoder/trace/endings.h"
#include "decoder/times/lane_times.h"
#include "decoder/util/text.h"
#include "image.h"
#include "mutate.h"
#include "src/core/base/log.h"
#include "size.h"
#include "target.h"
#include "tests/unit/support/loop_models.h"
#include "tests/unit/support/scan_checks.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    CALLS = 40, /* walked calls per lane */
    LANES = 6   /* lanes of the trace */
};

/* ---- calls ----------------------------------------------------------------------------------- */

static uint64_t call_hash(const struct call *call)
{
    return XXH3_64bits_withSeed(call->slots, call->n_slots * sizeof *call->slots, call->site);
}

/* Checks that the line of a call is the same when assembled from parts. */
static void print(struct lines *lines, const struct call *call)
{
    struct bytes kept = {0}, text = {0};
    const enum refrain_status status = lines_put(lines, call, NULL, &kept);
    CLAIM(render_line(lines->renderer, lines->format, call, &text) == status);
    text_put(&text, status == REFRAIN_OK ? "\n" : "");
    CLAIM(kept.n == text.n && (text.n == 0 || memcmp(kept.data, text.data, text.n) == 0));
    bytes_free(&kept);
    bytes_free(&text);
}

/* Walks from the present call on, over at most n calls. Returns their number. */
static size_t walk(struct cursor *cursor, struct lines *lines, uint64_t *hashes, size_t n)
{
    struct call call;
    enum refrain_status status = REFRAIN_OK;
    size_t read = 0;
    while (read < n && cursor_next(cursor, &call, &status)) {
        hashes[read++] = call_hash(&call);
        for (int form = RENDER_TEXT; lines && form <= RENDER_JSON; form++)
            print(&lines[form], &call);
    }
    CLAIM(status == REFRAIN_OK);
    return read;
}

static void read_lane(const struct reader *r, struct renderer *renderer, const struct lane_ref *lane)
{
    struct cursor cursor;
    struct lines lines[] = {[RENDER_TEXT] = {0}, [RENDER_JSON] = {0}};
    uint64_t walked[CALLS], sought[CALLS];
    CLAIM(cursor_start(&cursor, r, lane) == REFRAIN_OK);
    for (int form = RENDER_TEXT; renderer && form <= RENDER_JSON; form++)
        CLAIM(lines_start(&lines[form], renderer, form, lane) == REFRAIN_OK);
    const uint64_t n = cursor_calls(&cursor);
    const size_t read = walk(&cursor, renderer ? lines : NULL, walked, CALLS);
    CLAIM(read == (n < CALLS ? n : CALLS));

    const uint64_t middle = read / 2;
    CLAIM(cursor_seek(&cursor, n - n / 3) == REFRAIN_OK);
    walk(&cursor, renderer ? lines : NULL, sought, CALLS / 4);
    CLAIM(cursor_seek(&cursor, middle) == REFRAIN_OK);
    CLAIM(walk(&cursor, NULL, sought, read - middle) == read - middle);
    for (size_t i = 0; i < read - middle; i++)
        CLAIM(sought[i] == walked[middle + i]);
    for (int form = RENDER_TEXT; form <= RENDER_JSON; form++)
        lines_stop(&lines[form]);
    cursor_stop(&cursor);
}

/* Checks that seeking finds the same times as walking. */
static void read_times(const struct reader *r, const struct lane_ref *lane)
{
    struct lane_times t;
    struct timestamp walked[CALLS], s;
    enum refrain_status status;
    bool there;
    size_t n = 0;
    const unsigned errors = log_error_count();
    if (lane_times_start(&t, r, lane, &there) != REFRAIN_OK) {
        CLAIM(log_error_count() > errors);
        return;
    }
    while (there && n < CALLS && lane_times_next(&t, &walked[n], &status)) {
        CLAIM(walked[n].enter <= walked[n].leave);
        n++;
    }
    for (size_t i = n / 2; i < n; i += 7) {
        CLAIM(lane_times_seek(&t, i) == REFRAIN_OK && lane_times_next(&t, &s, &status));
        CLAIM(s.enter == walked[i].enter && s.leave == walked[i].leave);
    }
    lane_times_stop(&t);
}

static void read_lanes(const struct reader *r, struct renderer *renderer)
{
    struct lane_ref lane;
    unsigned left = LANES;
    for (uint64_t rank = 0; left > 0 && reader_next_rank(r, &rank); rank++)
        for (int kind = LANE_DEFINITIONS; kind <= LANE_THREAD; kind++)
            for (size_t at = 0; left > 0 && reader_next_lane(r, (uint32_t)rank, kind, &at, &lane); left--)
                read_lane(r, renderer, &lane), read_times(r, &lane);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Adds what all calls of a lane move, one by one. Returns false if a row does not fit its
 * function. */
static bool add_lane(const struct volume_source *volumes, const struct lane_ref *lane, struct tally *t)
{
    struct cursor cursor;
    struct call call;
    struct volume_sum form = {0};
    enum refrain_status status, fits = REFRAIN_OK;
    CLAIM(cursor_start(&cursor, volumes->reader, lane) == REFRAIN_OK);
    while (fits == REFRAIN_OK && cursor_next(&cursor, &call, &status)) {
        fits = volume_sum_of(volumes, &call, &form);
        const struct volume v = fits == REFRAIN_OK ? volume_at(&form, call.slots) : (struct volume){0};
        t->calls++;
        t->sent += v.sent;
        t->received += v.received;
    }
    volume_sum_free(&form);
    cursor_stop(&cursor);
    return fits == REFRAIN_OK;
}

static bool add_lanes(const struct reader *r, const struct definitions *d, struct tally *t)
{
    struct lane_ref lane;
    struct roles roles;
    struct volume_source volumes;
    bool fits = true;
    CLAIM(roles_find(&roles, &r->trace.functions) == REFRAIN_OK);
    volume_source_start(&volumes, r, d, &roles);
    for (uint64_t rank = 0; fits && reader_next_rank(r, &rank); rank++)
        for (size_t at = 0; fits && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            fits = add_lane(&volumes, &lane, t);
    roles_free(&roles);
    return fits;
}

/* Checks that sums are those of the calls. */
static void sum_up(const struct reader *r, const struct definitions *d)
{
    const struct ranges all = {0};
    struct tally walked = {0};
    const bool fits = add_lanes(r, d, &walked);
    for (int by = STATISTICS_BY_FUNCTION; by <= STATISTICS_BY_SITE; by++) {
        struct statistics s;
        struct tally sum = {0};
        if (statistics_compute(&s, r, d, &all, by) != REFRAIN_OK)
            continue;
        for (size_t i = 0; i < r->trace.functions.functions.n; i++) {
            sum.calls += s.functions[i].calls;
            sum.sent += s.functions[i].sent;
            sum.received += s.functions[i].received;
        }
        CLAIM(!fits ||
              (sum.calls == walked.calls && sum.sent == walked.sent && sum.received == walked.received));
        statistics_free(&s);
    }
}

/* Checks that every message and collective operation has its ends in existing lanes. */
struct matched {
    const struct trace *trace;
};

static void claim_call(const struct matched *m, const struct call_ref *c)
{
    CLAIM(c->rank >= m->trace->first_rank && c->rank - m->trace->first_rank < m->trace->n_ranks);
}

static enum refrain_status take_message(void *context, const struct matching_message *message)
{
    const struct matched *m = context;
    claim_call(m, &message->send);
    claim_call(m, &message->receive);
    return REFRAIN_OK;
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    const struct matched *m = context;
    for (size_t i = 0; i < c->n; i++)
        claim_call(m, &c->members[i].call);
    return REFRAIN_OK;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    claim_call(context, &u->call);
    return REFRAIN_OK;
}

static void match(const struct reader *r, const struct definitions *d)
{
    struct matched m = {.trace = &r->trace};
    const struct matching_sink sink = {
        .context = &m, .message = take_message, .collective = take_collective, .unmatched = take_unmatched};
    const unsigned errors = log_error_count();
    if (matching_run(r, d, &sink) != REFRAIN_OK)
        CLAIM(log_error_count() > errors);
}

/* Counts messages and accesses between ranks: each call that cannot be counted must be reported. */
static void count_pairs(const struct reader *r, const struct definitions *d)
{
    static const enum call_event_mode modes[] = {CALL_EVENT_SENT, CALL_EVENT_ACCESSES};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const unsigned errors = log_error_count();
        struct matrix m = {0};
        if (matrix_of_trace(&m, r, d, modes[i]) != REFRAIN_OK)
            CLAIM(log_error_count() > errors);
        else
            CLAIM(m.unclear == 0); /* those ranks were walked */
        matrix_free(&m);
    }
}

/* Checks that loop models expand to exactly the calls, and that each event's call is found. Rows
 * that do not fit their functions have no events. */
static void model_loops(const struct reader *r, const struct definitions *d)
{
    struct lane_ref lane;
    unsigned left = LANES;
    for (uint64_t rank = 0; left > 0 && reader_next_rank(r, &rank); rank++)
        for (size_t at = 0; left > 0 && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane); left--)
            for (int mode = CALL_EVENT_MESSAGES; mode <= CALL_EVENT_CALLS; mode++) {
                CLAIM(loop_model_check(r, d, &lane, mode, NULL) != REFRAIN_ERR_CHECK);
                CLAIM(event_lane_check(r, d, &lane, mode) != REFRAIN_ERR_CHECK);
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

/* ---- pictures -------------------------------------------------------------------------------- */

/* Draws small pictures, so that calls are left out and lanes share lines. If drawing is impossible
 * (no times, a row that does not fit its function), there is a message. */
static void draw(const struct reader *r, const struct definitions *d, const char *clock)
{
    const struct ranges all = {0};
    const struct timeline_request request = {.ranks = &all,
                                             .definitions = d,
                                             .clock = clock,
                                             .to = UINT64_MAX,
                                             .synthetic = true,
                                             .lines = LANES,
                                             .bins = 8,
                                             .calls = CALLS};
    const unsigned errors = log_error_count();
    struct timeline t;
    struct timeline_links links = {0};
    struct bytes svg = {0}, html = {0};
    if (timeline_create(&t, r, &request) == REFRAIN_OK &&
        timeline_links_create(&links, &t, d, CALLS) == REFRAIN_OK &&
        timeline_svg(&t, &links, TIMELINE_SVG_WIDTH_LEAST, &svg) == REFRAIN_OK &&
        timeline_html(&t, &links, NULL, d, &html) == REFRAIN_OK)
        CLAIM(svg.n > 0 && html.n > 0);
    else
        CLAIM(log_error_count() > errors);
    bytes_free(&svg);
    bytes_free(&html);
    timeline_links_free(&links);
    timeline_free(&t);
}

static void read_all(const struct reader *r)
{
    const bool few = size_is_small(&r->trace, LANE_DEFINITIONS);
    struct definitions definitions = {0};
    struct renderer renderer = {0};
    if (few && definitions_read(&definitions, r) == REFRAIN_OK) {
        CLAIM(renderer_create(&renderer, r, &definitions) == REFRAIN_OK);
        read_lanes(r, &renderer);
        renderer_free(&renderer);
        if (size_is_small(&r->trace, LANE_THREAD)) {
            sum_up(r, &definitions);
            match(r, &definitions);
            count_pairs(r, &definitions);
            draw(r, &definitions, "linear");
            draw(r, &definitions, "causal");
            model_loops(r, &definitions);
        }
        definitions_free(&definitions);
        read_endings(r);
    } else {
        read_lanes(r, NULL);
    }
}

/* ---- writing again --------------------------------------------------------------------------- */

static void write_again(const struct trace *t)
{
    struct bytes image = {0};
    struct trace back = {0};
    CLAIM(codec_encode(t, CODEC_STORED | CODEC_APART, &image) == REFRAIN_OK);
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
