/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `refrain waits`: what costs most, where, whom, and who is to blame. */
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"
#include "waits_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A rank counts as waiting if it waits as long as this share of the one that waits most. */
#define SHARE 0.05
/* Ranks that are to blame are named if so few have that share of it. */
#define BLAMED_MOST  3
#define BLAMED_SHARE 0.5
#define RANGES_MOST  6

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* "MPI_Recv at exchange (halo.c:31)": the innermost frame alone. */
static void put_site(const struct waits *w, const struct waits_view *v, uint32_t site, struct bytes *out)
{
    const struct trace *t = &w->search.reader->trace;
    struct bytes text = {0};
    if (site >= t->sites.n)
        return;
    text_put(out, reader_function(w->search.reader, site));
    site_put_text(t, v->symbols, site, &text);
    bytes_put_u8(&text, '\0');
    if (!text.failed && text.n > 1) {
        char *callers = strstr((char *)text.data, " < ");
        if (callers)
            *callers = '\0';
        text_printf(out, " at %s", (const char *)text.data);
    }
    bytes_free(&text);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Values of ranks, first_rank on. */
struct by_rank {
    uint64_t *values;
    uint32_t first, n;
};

static struct by_rank ranks_of(const struct wait_search *s, const uint64_t *by_lane)
{
    struct by_rank r = {calloc(s->lanes.n_ranks + (size_t)1, sizeof *r.values), s->lanes.first_rank,
                        s->lanes.n_ranks};
    for (uint32_t i = 0; r.values && i < r.n; i++)
        r.values[i] = wait_report_of_rank(s, by_lane, r.first + i);
    return r;
}

static uint32_t worst_of(const struct by_rank *r)
{
    uint32_t worst = 0;
    for (uint32_t i = 1; i < r->n; i++) {
        if (r->values[i] > r->values[worst])
            worst = i;
    }
    return worst;
}

/* "ranks 0-4 8-15", "all ranks", "37 ranks" */
static void put_ranks(const struct by_rank *r, uint64_t least, struct bytes *out)
{
    uint32_t n = 0, ranges = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const bool in = r->values[i] >= least;
        n += in;
        ranges += in && (i == 0 || r->values[i - 1] < least);
    }
    if (n == r->n && n > 1) {
        text_put(out, "all ranks");
        return;
    }
    if (ranges > RANGES_MOST) {
        text_printf(out, "%" PRIu32 " ranks", n);
        return;
    }
    text_put(out, n == 1 ? "rank" : "ranks");
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->values[i] < least)
            continue;
        const uint32_t begin = i;
        while (i + 1 < r->n && r->values[i + 1] >= least)
            i++;
        text_printf(out, " %" PRIu32, r->first + begin);
        if (i > begin)
            text_printf(out, "-%" PRIu32, r->first + i);
    }
}

static void put_waiting(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    struct by_rank r = {0};
    if (by_lane) {
        wait_report_add_lanes(&w->search, c->metric, c->site, by_lane);
        r = ranks_of(&w->search, by_lane);
    }
    if (r.values) {
        const uint32_t worst = worst_of(&r);
        const uint64_t most = r.values[worst], least = (uint64_t)((double)most * SHARE);
        text_put(out, ", ");
        put_ranks(&r, least > 0 ? least : 1, out);
        if (most < c->time) {
            text_printf(out, ", worst rank %" PRIu32 ": ", r.first + worst);
            time_put(out, most);
        }
    } else {
        out->failed = true;
    }
    free(r.values);
    free(by_lane);
}

/* "; the sender is rank 5, 6 or 7 in 93 % of it" */
static void put_blamed(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    const struct metric *row = w->metrics.items[c->metric];
    const uint64_t *by_lane = severities_row(&w->search.blame, c->metric, c->site);
    if (!by_lane || !row->blamed)
        return;
    struct by_rank r = ranks_of(&w->search, by_lane);
    uint32_t blamed[BLAMED_MOST];
    size_t n = 0;
    uint64_t sum = 0;
    while (r.values && n < BLAMED_MOST && sum < c->time - c->time / 10) {
        const uint32_t worst = worst_of(&r);
        if (r.values[worst] == 0)
            break;
        sum += r.values[worst];
        r.values[worst] = 0;
        size_t at = n++;
        for (; at > 0 && blamed[at - 1] > worst; at--)
            blamed[at] = blamed[at - 1];
        blamed[at] = worst;
    }
    if (n > 0 && (double)sum >= BLAMED_SHARE * (double)c->time) {
        text_printf(out, "; %s is rank", row->blamed);
        for (size_t i = 0; i < n; i++)
            text_printf(out, "%s %" PRIu32, i == 0 ? "" : i + 1 < n ? "," : " or", r.first + blamed[i]);
        if (sum < c->time)
            text_printf(out, " in %.0f %% of it", percent(sum, c->time));
    }
    free(r.values);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* "; 0.3 s of it in wrong order": what is below. */
static void put_parts(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    for (uint32_t i = c->metric + 1; i < w->metrics.n; i++) {
        const uint64_t value =
            w->metrics.parents[i] == c->metric ? wait_report_value(&w->report, i, c->site) : 0;
        if (value == 0)
            continue;
        text_put(out, "; ");
        time_put(out, value);
        text_printf(out, " of it: %s", w->metrics.items[i]->name);
    }
}

static void put_cause(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      size_t number, struct bytes *out)
{
    struct bytes time = {0};
    time_put(&time, c->time);
    text_printf(out, "%2zu  %8.*s  %s in ", number, (int)time.n, (const char *)time.data,
                w->metrics.items[c->metric]->name);
    bytes_free(&time);
    put_site(w, v, c->site, out);
    put_waiting(w, c, out);
    put_blamed(w, c, out);
    put_parts(w, c, out);
    if (c->error > c->time / 100) {
        text_put(out, "; it may be off by ");
        time_put(out, c->error);
    }
    text_putc(out, '\n');
}

static void put_causes(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    size_t n = 0, rest = 0;
    uint64_t rest_time = 0;
    for (size_t i = 0; i < w->report.causes.n; i++) {
        const struct wait_cause *c = &w->report.causes.items[i];
        if (n < v->top) {
            put_cause(w, v, c, ++n, out);
        } else {
            rest++;
            rest_time += c->time;
        }
    }
    if (rest > 0) {
        text_printf(out, "    and %zu more: ", rest);
        time_put(out, rest_time);
        text_put(out, " (--top)\n");
    }
}

static void put_instances(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    size_t n = 0;
    for (size_t i = 0; i < w->search.worst.heap.n && n < v->instances; i++) {
        const struct wait_instance *x = &w->search.worst.heap.items[i];
        text_printf(out, n++ == 0 ? "\n" : "");
        text_put(out, "at ");
        text_seconds(out, x->begin);
        text_put(out, " s  ");
        time_put(out, x->end - x->begin);
        text_printf(out, "  %s  rank %" PRIu32 " call %" PRIu64 " ", w->metrics.items[x->metric]->name,
                    x->call.rank, x->call.call);
        put_site(w, v, x->call.site, out);
        if (x->has_cause) {
            text_printf(out, ", for rank %" PRIu32 " call %" PRIu64 " ", x->cause.rank, x->cause.call);
            put_site(w, v, x->cause.site, out);
        }
        text_putc(out, '\n');
    }
}

void waits_put_page(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const struct wait_report *r = &w->report;
    const uint32_t ranks = w->search.lanes.n_ranks > 0 ? w->search.lanes.n_ranks : 1;
    text_printf(out, "%.1f %% of the run is waiting (", percent(r->waiting, r->time));
    time_put(out, r->waiting / ranks);
    text_put(out, " of ");
    time_put(out, r->time / ranks);
    text_put(out, " a rank)\n");
    put_causes(w, v, out);
    put_instances(w, v, out);
    if (w->bound > 0 || w->cut)
        text_putc(out, '\n');
    if (w->bound > 0) {
        text_put(out, "Times of calls are within ");
        time_put(out, w->bound);
        text_put(out, ", so each single waiting is within ");
        time_put(out, 2 * w->bound);
        text_put(out, ".\n");
    }
    if (w->cut) {
        text_put(out, "Looked at until ");
        time_put(out, w->search.to);
        text_put(out, ": later on, calls have no times of their own (record with --time-budget none).\n");
    }
}
