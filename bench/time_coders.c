/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares codes for the times of calls, on the same calls, for bench/time_coders.sh.
 *
 *     time_coders TRACE       a trace with lossless times; prints the bytes per call of each code
 *
 * Durations and gaps go into the bins of `lossy` (base 1.2, no floor); a bin has the values within
 * a factor of the base of one value. Refrain's code also corrects errors, so that entries do not
 * drift; the others need not, and their headers and the order of sites are not counted. A rank with
 * several threads counts as several ranks. */
#include "decoder/trace/cursor.h"
#include "decoder/times/lane_times.h"
#include "src/core/base/log.h"
#include "src/core/grammar/grammar.h"
#include "src/core/time/time_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 19, BINS = 256 };
#define BOUND (UINT64_C(1) << 40) /* no bound for intervals of seconds */

enum interval { GAP, DURATION, INTERVALS };

struct timed {
    uint32_t lane, site, signature;
    uint64_t t[INTERVALS];
    struct timestamp timestamp;
};

/* All calls, ordered by lane. */
struct run {
    ARRAY(struct timed) calls;
    uint32_t n_lanes, n_sites;
    const struct row **signatures; /* n_signatures of them; the rows belong to the trace */
    uint32_t n_signatures;
    struct time_grid grid;
};

static void die(const char *what)
{
    fprintf(stderr, "time_coders: %s\n", what);
    exit(2);
}

static void *memory(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size);
    if (!p)
        die("out of memory");
    return p;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Numbers the rows. The last one is checked first, because it usually comes again. */
static uint32_t signature_of(struct run *run, const struct row *row)
{
    uint32_t i = 0;
    while (i < run->n_signatures && run->signatures[i] != row)
        i++;
    if (i == run->n_signatures) {
        run->signatures = realloc(run->signatures, (i + 1) * sizeof *run->signatures);
        if (!run->signatures)
            die("out of memory");
        run->signatures[run->n_signatures++] = row;
    }
    return i;
}

static void read_lane(struct run *run, const struct reader *r, const struct lane_ref *lane)
{
    struct lane_times times;
    struct cursor cursor;
    struct call call;
    struct timestamp s;
    enum refrain_status status = REFRAIN_OK;
    uint64_t left = 0;
    bool there;
    if (lane_times_start(&times, r, lane, &there) != REFRAIN_OK || !there ||
        cursor_start(&cursor, r, lane) != REFRAIN_OK)
        die("a lane without times");
    while (cursor_next(&cursor, &call, &status) && lane_times_next(&times, &s, &status)) {
        struct timed c = {.lane = run->n_lanes, .site = call.site, .timestamp = s};
        c.signature = signature_of(run, &call.group->rows.items[call.row]);
        left = call.index == 0 ? s.enter : left;
        c.t[GAP] = s.enter > left ? s.enter - left : left - s.enter;
        c.t[DURATION] = s.leave - s.enter;
        left = s.leave;
        if (!array_push(&run->calls, c))
            die("out of memory");
    }
    if (status != REFRAIN_OK)
        die("cannot read a lane");
    run->n_lanes++;
    cursor_stop(&cursor);
    lane_times_stop(&times);
}

static void read_run(struct run *run, const struct reader *r)
{
    struct lane_ref lane;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++)
        for (size_t at = 0; reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            read_lane(run, r, &lane);
    run->n_sites = (uint32_t)r->trace.sites.n;
}

/* Returns the bin of a value. `wide` bins have their value in the middle; other bins have it at
 * their end, as ⌈log t⌉ has. */
static uint32_t bin_of(const struct run *run, uint64_t t, bool wide)
{
    const uint32_t i = (uint32_t)time_grid_find(&run->grid, t);
    return i | (wide && time_grid_has_choice(&run->grid, i));
}

/* ---- Refrain's ------------------------------------------------------------------------------- */

/* Makes a piece for each lane, or one of all lanes, as if one rank had run after the other. */
static size_t by_refrain(const struct run *run, const char *text, bool lanes)
{
    struct time_mode mode;
    struct bytes piece = {0};
    struct time_log *log = NULL;
    uint64_t later = 0;
    if (time_mode_parse(text, NULL, &mode) != REFRAIN_OK)
        die("no such mode");
    for (size_t i = 0; i < run->calls.n; i++) {
        const struct timed *c = &run->calls.items[i], *before = i > 0 ? c - 1 : NULL;
        const bool starts = !before || before->lane != c->lane;
        if (!log && !(log = time_log_create(&mode, NULL)))
            die("out of memory");
        if (!lanes && before && starts)
            later += before->timestamp.leave - c->timestamp.enter;
        const struct timestamp s = {c->timestamp.enter + later, c->timestamp.leave + later};
        if (time_log_note(time_log_stage(log), c->site, 0, s) && time_log_take(log) != REFRAIN_OK)
            die("out of memory");
        if (i + 1 < run->calls.n && (!lanes || c[1].lane == c->lane))
            continue;
        if (time_log_store(log, true, NULL, &piece) != REFRAIN_OK)
            die("out of memory");
        time_log_free(log);
        log = NULL;
    }
    const size_t n = piece.n;
    bytes_free(&piece);
    time_mode_free(&mode);
    return n;
}

/* ---- zstd ------------------------------------------------------------------------------------ */

static size_t compressed(struct bytes *b)
{
    const size_t room = ZSTD_compressBound(b->n);
    void *to = memory(room, 1);
    const size_t n = ZSTD_compress(to, room, b->data, b->n, LEVEL);
    if (b->failed || ZSTD_isError(n))
        die("zstd failed");
    free(to);
    b->n = 0;
    return n;
}

/* Writes a bin, or nanoseconds as a uint. */
static void put(const struct run *run, uint64_t t, bool exact, struct bytes *out)
{
    if (exact)
        bytes_put_uint(out, t);
    else
        bytes_put_u8(out, (uint8_t)bin_of(run, t, true));
}

/* Order: gap, duration, gap, … of a lane. */
static size_t by_zstd(const struct run *run, bool exact)
{
    struct bytes b = {0};
    size_t n = 0;
    for (size_t i = 0; i < run->calls.n; i++) {
        const struct timed *c = &run->calls.items[i];
        for (int k = 0; k < INTERVALS; k++)
            put(run, c->t[k], exact, &b);
        if (i + 1 == run->calls.n || run->calls.items[i + 1].lane != c->lane)
            n += compressed(&b);
    }
    bytes_free(&b);
    return n;
}

/* Sorts calls by (lane, key), stably: a counting sort of their numbers. */
static size_t *sorted(const struct run *run, bool by_signature, bool lanes)
{
    const size_t keys = by_signature ? run->n_signatures : run->n_sites, n = run->calls.n;
    size_t *first = memory((lanes ? run->n_lanes : 1) * keys + 1, sizeof *first),
           *order = memory(n, sizeof *order);
    size_t sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            const struct timed *c = &run->calls.items[i];
            const size_t key = (lanes ? c->lane * keys : 0) + (by_signature ? c->signature : c->site);
            if (pass == 0)
                first[key]++;
            else
                order[first[key]++] = i;
        }
        for (size_t k = 0; k < (lanes ? run->n_lanes : 1) * keys && pass == 0; k++) {
            const size_t here = first[k];
            first[k] = sum;
            sum += here;
        }
    }
    free(first);
    return order;
}

/* All gaps of a site, then all its durations; a frame for each lane, or one for all. */
static size_t by_zstd_sites(const struct run *run, bool exact, bool lanes)
{
    size_t *order = sorted(run, false, lanes), n = 0;
    struct bytes b = {0};
    for (size_t i = 0, end; i < run->calls.n; i = end) {
        const struct timed *c = &run->calls.items[order[i]], *next = c;
        for (end = i; end < run->calls.n; end++) {
            next = &run->calls.items[order[end]];
            if (next->site != c->site || (lanes && next->lane != c->lane))
                break;
        }
        for (int k = 0; k < INTERVALS; k++)
            for (size_t j = i; j < end; j++)
                put(run, run->calls.items[order[j]].t[k], exact, &b);
        if (end == run->calls.n || (lanes && next->lane != c->lane))
            n += compressed(&b);
    }
    bytes_free(&b);
    free(order);
    return n;
}

/* ---- entropy --------------------------------------------------------------------------------- */

/* The class of a time in nanoseconds is its length and the two bits after the leading one; the
 * remaining bits are stored raw. */
static uint32_t class_of(uint64_t t, unsigned *raw)
{
    const unsigned length = t ? 64u - (unsigned)__builtin_clzll(t) : 0;
    *raw = length > 3 ? length - 3 : 0;
    return length > 3 ? 4 * length + (uint32_t)(t >> *raw & 3) : (uint32_t)t;
}

/* Computes the size of the best static code of each signature; with tables, plus a byte for each
 * symbol of a signature. */
static size_t by_entropy(const struct run *run, bool exact, bool tables)
{
    uint64_t(*counts)[INTERVALS][BINS] = memory(run->n_signatures, sizeof *counts);
    double bits = 0;
    for (size_t i = 0; i < run->calls.n; i++)
        for (int k = 0; k < INTERVALS; k++) {
            const struct timed *c = &run->calls.items[i];
            unsigned raw = 0;
            const uint32_t symbol = exact ? class_of(c->t[k], &raw) : bin_of(run, c->t[k], true);
            if (symbol >= BINS)
                die("a time is too long");
            counts[c->signature][k][symbol]++;
            bits += raw;
        }
    for (uint32_t s = 0; s < run->n_signatures; s++)
        for (int k = 0; k < INTERVALS; k++) {
            uint64_t all = 0;
            for (int b = 0; b < BINS; b++)
                all += counts[s][k][b];
            for (int b = 0; b < BINS; b++)
                if (counts[s][k][b] > 0)
                    bits += (double)counts[s][k][b] * log2((double)all / (double)counts[s][k][b]) +
                            (tables ? 8 : 0);
        }
    free(counts);
    return (size_t)(bits / 8);
}

/* ---- grammars -------------------------------------------------------------------------------- */

struct grammars {
    ARRAY(struct rules *) done;
    struct grammar *open;
};

static void end_grammar(struct grammars *g)
{
    struct rules *rules;
    if (!g->open)
        return;
    if (grammar_rules(g->open, &rules) != REFRAIN_OK || !array_push(&g->done, rules))
        die("out of memory");
    grammar_free(g->open);
    g->open = NULL;
}

static void append(struct grammars *g, uint32_t bin)
{
    if (!g->open && !(g->open = grammar_create()))
        die("out of memory");
    if (grammar_append(g->open, bin, 1) != REFRAIN_OK)
        die("a grammar failed");
}

/* Makes for each lane, or each signature of a lane, a grammar of the gaps' bins and one of the
 * durations'; writes all rules once, with zstd. */
static size_t by_grammar(const struct run *run, bool by_signature, bool wide)
{
    size_t *order = sorted(run, by_signature, true), n;
    struct grammars g = {0};
    struct rules_shared pool;
    struct bytes b = {0};
    for (int k = 0; k < INTERVALS; k++) {
        for (size_t i = 0; i < run->calls.n; i++) {
            const struct timed *c = &run->calls.items[by_signature ? order[i] : i],
                               *next = i + 1 < run->calls.n
                                           ? &run->calls.items[by_signature ? order[i + 1] : i + 1]
                                           : NULL;
            append(&g, bin_of(run, c->t[k], wide));
            if (!next || next->lane != c->lane || (by_signature && next->signature != c->signature))
                end_grammar(&g);
        }
    }
    if (rules_shared_create(g.done.items, (uint32_t)g.done.n, &pool) != REFRAIN_OK)
        die("out of memory");
    rules_shared_encode(&pool, &b);
    n = compressed(&b);
    bytes_free(&b);
    rules_shared_free(&pool);
    for (size_t i = 0; i < g.done.n; i++)
        rules_free(g.done.items[i]);
    array_free(&g.done);
    free(order);
    return n;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void tell(const struct run *run, const char *what, size_t bytes)
{
    printf("%s\t%.3f\n", what, (double)bytes / (double)run->calls.n);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct run run = {0};
    struct reader r;
    if (argc != 2)
        die("which trace?");
    if (reader_open(&r, argv[1]) != REFRAIN_OK)
        return 2;
    if (time_grid_create(&run.grid, 1200000, 0, BOUND) != REFRAIN_OK || run.grid.n > BINS)
        die("no grid");
    read_run(&run, &r);
    printf("calls\t%zu\n", run.calls.n);
    tell(&run, "**Refrain, `lossy`**", by_refrain(&run, "lossy", true));
    tell(&run, "the same, ranks one after the other", by_refrain(&run, "lossy", false));
    tell(&run, "bins, zstd", by_zstd(&run, false));
    tell(&run, "bins by site, zstd", by_zstd_sites(&run, false, true));
    tell(&run, "bins by site, zstd over all ranks", by_zstd_sites(&run, false, false));
    tell(&run, "bins, entropy by signature", by_entropy(&run, false, false));
    tell(&run, "the same, with tables", by_entropy(&run, false, true));
    tell(&run, "grammar of bins, zstd", by_grammar(&run, false, true));
    tell(&run, "grammar of bins of width b, zstd", by_grammar(&run, false, false));
    tell(&run, "grammar of bins by signature, zstd", by_grammar(&run, true, true));
    tell(&run, "**Refrain, `lossless`**", by_refrain(&run, "lossless", true));
    tell(&run, "the same, ranks one after the other", by_refrain(&run, "lossless", false));
    tell(&run, "nanoseconds, zstd", by_zstd(&run, true));
    tell(&run, "nanoseconds by site, zstd", by_zstd_sites(&run, true, true));
    tell(&run, "nanoseconds by site, zstd over all ranks", by_zstd_sites(&run, true, false));
    tell(&run, "nanoseconds, entropy of classes by signature", by_entropy(&run, true, false));
    tell(&run, "the same, with tables", by_entropy(&run, true, true));
    array_free(&run.calls);
    free(run.signatures);
    time_grid_free(&run.grid);
    reader_close(&r);
    return 0;
}
