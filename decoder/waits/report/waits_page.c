/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `refrain waits`: the most expensive waiting, where it is, who waits, and who causes
 * it. */
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "decoder/causes/efficiency.h"
#include "decoder/causes/reasons/delay_reason_text.h"
#include "decoder/causes/reasons/page_ranks.h"
#include "wait_notices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The page lists at most UNEVEN_MOST call sites after uneven computing, each with at least
 * UNEVEN_LEAST of the run. */
#define UNEVEN_MOST  3
#define UNEVEN_LEAST 0.01
/* A part of a metric is named if it is at least this share of it. */
#define PART_LEAST 0.05

static void put_site(const struct waits *w, const struct waits_view *v, uint32_t site, struct bytes *out)
{
    site_put_call(w->search.reader, v->symbols, site, out);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Returns a metric's values at a site. */
static struct page_ranks ranks_at(const struct waits *w, uint32_t metric, uint32_t site)
{
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    struct page_ranks r = {0};
    if (by_lane) {
        wait_report_add_lanes(&w->search, metric, site, by_lane);
        r = page_ranks_of(&w->search, by_lane);
    }
    free(by_lane);
    return r;
}

/* A rank waits most if it waits this much longer than the mean of the ranks. */
#define MOST 1.05

/* ", ranks 1-3, rank 2 waits most: 62 %", ", rank 2 (98 %)" */
static void put_waiting(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    struct page_ranks r = ranks_at(w, c->metric, c->site);
    if (!r.values) {
        out->failed = true;
        return;
    }
    text_put(out, ", ");
    const size_t n = page_ranks_put(&r, out);
    const double share = text_percent(r.values[r.worst], c->time);
    if (n > 1 && share * (double)n >= 100 * MOST)
        text_printf(out, ", rank %" PRIu32 " waits most: %.0f %%", r.first + r.worst, share);
    else if (n == 1 && share < 100 * PAGE_ALL)
        text_printf(out, " (%.0f %%)", share);
    page_ranks_free(&r);
}

/* "; another thread of the rank is in MPI_Send at main (a.c:7) in 62 % of it". */
static void put_held_up_by(const struct waits *w, const struct waits_view *v, uint32_t site,
                           struct bytes *out)
{
    const uint64_t *by_site = severities_row(&w->search.held_up_by, 0, site);
    uint64_t sum = 0;
    uint32_t most = 0;
    for (uint32_t i = 0; by_site && i < w->search.held_up_by.n_lanes; i++) {
        sum += by_site[i];
        most = by_site[i] > by_site[most] ? i : most;
    }
    if (sum == 0)
        return;
    text_put(out, "; another thread of the rank is in ");
    put_site(w, v, most, out);
    if ((double)by_site[most] < PAGE_ALL * (double)sum)
        text_printf(out, " in %.0f %% of it", text_percent(by_site[most], sum));
}

/* "; the sender is rank 5 in 62 %, rank 6 in 31 % of it" */
static void put_blamed(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    const struct metric *row = w->metrics.items[c->metric];
    const uint64_t *by_lane = severities_row(&w->search.blame, c->metric, c->site);
    struct bytes before = {0};
    if (!by_lane || !row->blamed)
        return;
    struct page_ranks r = page_ranks_of(&w->search, by_lane);
    text_printf(&before, "; %s is", row->blamed);
    bytes_put_u8(&before, '\0');
    if (r.values && !before.failed)
        page_ranks_put_shares(&r, c->time, (const char *)before.data, out);
    out->failed = out->failed || !r.values || before.failed;
    bytes_free(&before);
    page_ranks_free(&r);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* Returns a metric's value at the cause's site if it is a part of the cause that is named; otherwise 0. */
static uint64_t part_of(const struct waits *w, const struct wait_cause *c, uint32_t metric)
{
    const uint64_t value =
        w->metrics.parents[metric] == c->metric ? wait_report_value(&w->report, metric, c->site) : 0;
    return (double)value < PART_LEAST * (double)c->time ? 0 : value;
}

/* Writes the metric's parts: "; 0.3 s of it while another message was there already". */
static void put_parts(const struct waits *w, const struct wait_cause *c, struct bytes *out)
{
    for (uint32_t i = c->metric + 1; i < w->metrics.n; i++) {
        const uint64_t value = part_of(w, c, i);
        if (value == 0)
            continue;
        text_put(out, "; ");
        if ((double)value >= PAGE_ALL * (double)c->time)
            text_put(out, "all");
        else
            time_put(out, value);
        const struct metric *part = w->metrics.items[i];
        text_printf(out, " of it%s %s", part->aside ? " while" : ":", part->aside ? part->aside : part->name);
    }
}

/* Returns the whole of which the causes are parts: all waiting, or all of the selected metric. */
static uint64_t whole_of(const struct waits *w, const struct waits_view *v)
{
    return v->metric == METRIC_NONE ? w->report.waiting - w->report.starting
                                    : wait_report_value(&w->report, v->metric, WAIT_ALL_SITES);
}

size_t waits_shown(const struct waits *w, const struct waits_view *v)
{
    const double least = v->least * (double)whole_of(w, v);
    size_t n = 0;
    while (n < w->report.causes.n && n < v->top &&
           (n == 0 || (double)w->report.causes.items[n].time >= least))
        n++;
    return n;
}

void waits_put_cause(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                     struct bytes *out)
{
    time_put(out, c->time);
    text_printf(out, "  %4.1f %%  %s in ", text_percent(c->time, whole_of(w, v)),
                w->metrics.items[c->metric]->name);
    put_site(w, v, c->site, out);
    put_waiting(w, c, out);
    put_blamed(w, c, out);
    if (w->metrics.items[c->metric]->events & EVENTS(EVENT_OVERLAP))
        put_held_up_by(w, v, c->site, out);
    put_parts(w, c, out);
    if (c->error > c->time / 100) {
        text_put(out, "; it may be off by ");
        time_put(out, c->error);
    }
}

/* Writes a line of the page, numbered said->finding, and the reason below it. The last letter of the time is
 * always in the same column. */
static void put_cause(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      struct reasons_said *said, struct bytes *out)
{
    enum { TIME = 8 };
    struct bytes words = {0};
    waits_put_cause(w, v, c, &words);
    const uint8_t *behind = words.n > 0 ? memmem(words.data, words.n, "  ", 2) : NULL;
    const size_t time = behind ? (size_t)(behind - words.data) : TIME;
    text_printf(out, "%2zu  %*s", said->finding, time < TIME ? (int)(TIME - time) : 0, "");
    bytes_put(out, words.data, words.n);
    text_putc(out, '\n');
    out->failed = out->failed || words.failed;
    bytes_free(&words);
    waits_put_reason(w, v, c, said, out);
}

static void put_causes(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const size_t shown = waits_shown(w, v);
    struct reasons_said said = {0};
    uint64_t rest_time = 0;
    for (size_t i = 0; i < shown; i++) {
        said.finding = i + 1;
        put_cause(w, v, &w->report.causes.items[i], &said, out);
    }
    for (size_t i = shown; i < w->report.causes.n; i++)
        rest_time += w->report.causes.items[i].time;
    if (w->report.causes.n > shown) {
        text_printf(out, "    and %zu more: ", w->report.causes.n - shown);
        time_put(out, rest_time);
        text_put(out, " (--top)\n");
    }
}

/* Writes the waiting that does not count as the run's: "Until all have started, 26.59 ms more:
 * wait at MPI_Init …" */
static void put_start(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    for (uint32_t i = 0; i < w->metrics.n; i++) {
        if (!w->metrics.items[i]->apart || v->metric != METRIC_NONE)
            continue;
        for (uint32_t site = 0; site < w->search.values.n_sites; site++) {
            const struct wait_cause c = {
                .metric = i, .site = site, .time = wait_report_value(&w->report, i, site)};
            if (c.time == 0)
                continue;
            text_put(out, "Apart from that, ");
            time_put(out, c.time);
            text_printf(out, " of %s in ", w->metrics.items[i]->name);
            put_site(w, v, site, out);
            put_waiting(w, &c, out);
            put_blamed(w, &c, out);
            text_putc(out, '\n');
        }
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
    if (n > 0)
        text_printf(out, "Times since the first call of the run, as in refrain text --times --clock %s.\n",
                    w->is_causal ? "causal" : "linear");
}

/* Returns the call site with the largest value of the metric, except for those already shown;
 * `n_sites` if there is none. */
static uint32_t next_site(const struct waits *w, uint32_t metric, const uint32_t *told, size_t n_told)
{
    uint32_t best = (uint32_t)w->search.values.n_sites;
    uint64_t most = 0;
    for (uint32_t site = 0; site < w->search.values.n_sites; site++) {
        const uint64_t value = wait_report_value(&w->report, metric, site);
        bool is_told = false;
        for (size_t i = 0; i < n_told; i++)
            is_told = is_told || told[i] == site;
        if (value > most && !is_told) {
            best = site;
            most = value;
        }
    }
    return best;
}

/* A lane that computes no more than this times the mean does the same work as others, before other calls. */
#define AS_MUCH 1.01

static bool computes_as_much(const struct waits *w, size_t lane)
{
    uint64_t *all;
    double sum = 0;
    size_t n = 0;
    if (efficiency_computing(&w->search, &all) != REFRAIN_OK)
        return false;
    for (size_t i = 0; i < w->search.lanes.n; i++) {
        sum += (double)all[i];
        n += w->search.lanes.items[i].has_calls;
    }
    const bool as_much = (double)all[lane] * (double)n <= AS_MUCH * sum;
    free(all);
    return as_much;
}

/* "; rank 5 computes most: 1.210 s, the mean is 640.3 ms", with the thread if ranks have several */
static void put_slowest(const struct waits *w, uint32_t above, uint32_t site, struct bytes *out)
{
    const uint64_t *own = severities_row(&w->search.computing, 0, site),
                   *beyond = severities_row(&w->search.values, above, site);
    const struct wait_lane *lanes = w->search.lanes.items;
    size_t most = 0;
    if (!own || !beyond)
        return;
    for (size_t i = 1; i < w->search.lanes.n; i++)
        most = own[i] > own[most] ? i : most;
    if (beyond[most] == 0)
        return;
    text_printf(out, "; rank %" PRIu32, lanes[most].rank);
    if (w->report.threads > w->report.ranks)
        text_printf(out, " thread %" PRIu32, lanes[most].thread);
    text_put(out, " computes most: ");
    time_put(out, own[most]);
    text_put(out, ", the mean is ");
    time_put(out, own[most] - beyond[most]);
    text_put(out, computes_as_much(w, most) ? "; in the whole run it computes no more than the mean" : "");
}

/* Writes which ranks compute longer than the others, and before which calls. */
void waits_put_imbalance(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const uint32_t above = metrics_find(&w->metrics, "imbalance_above");
    uint32_t told[UNEVEN_MOST];
    for (size_t n = 0; v->metric == METRIC_NONE && n < UNEVEN_MOST; n++) {
        const uint32_t site = told[n] = next_site(w, above, told, n);
        const uint64_t value =
            site < w->search.values.n_sites ? wait_report_value(&w->report, above, site) : 0;
        if (value == 0 || (double)value < UNEVEN_LEAST * (double)w->report.run)
            break;
        struct page_ranks r = ranks_at(w, above, site);
        text_put(out, n == 0 ? "Computing is uneven: beyond the mean of all threads are\n" : "");
        text_put(out, "    ");
        time_put(out, value);
        text_printf(out, " (%.1f %% of the run) before ", text_percent(value, w->report.run));
        put_site(w, v, site, out);
        if (r.values)
            page_ranks_put_shares(&r, value, ",", out);
        put_slowest(w, above, site, out);
        text_putc(out, '\n');
        out->failed = out->failed || !r.values;
        page_ranks_free(&r);
    }
}

#define REFILL "mpi_refill"

/* Refills are worth a word if they are at least 1 % of all waiting. */
static bool shows_refills(const struct waits *w, const struct waits_view *v)
{
    const uint32_t refill = metrics_find(&w->metrics, REFILL);
    const uint64_t time = wait_report_value(&w->report, refill, WAIT_ALL_SITES);
    return time > 0 && time >= (w->report.waiting - w->report.starting) / 100 &&
           (v->metric == METRIC_NONE || metrics_is_below(&w->metrics, refill, v->metric));
}

/* "Pipeline refills on the 4x2 grid (identified): 2.5 s, 22.7 % of all waiting; 1.1 s from the south-west …" */
void waits_put_refills(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const uint32_t refill = metrics_find(&w->metrics, REFILL);
    const uint64_t all = wait_report_value(&w->report, refill, WAIT_ALL_SITES);
    if (!shows_refills(w, v))
        return;
    text_put(out, "Pipeline refills on the ");
    waits_topology_put_name(v->topology, out);
    text_put(out, ": ");
    time_put(out, all);
    text_printf(out, ", %.1f %% of all waiting", text_percent(all, w->report.waiting - w->report.starting));
    for (uint32_t i = refill + 1; i < w->metrics.n; i++) {
        const uint64_t value =
            w->metrics.parents[i] == refill ? wait_report_value(&w->report, i, WAIT_ALL_SITES) : 0;
        if (value == 0)
            continue;
        text_printf(out, "\n  %5.1f %%  ", text_percent(value, all));
        time_put(out, value);
        text_printf(out, "  %s", w->metrics.items[i]->name);
    }
    text_putc(out, '\n');
}

/* Does the page have the metric's name: of a cause, of its parts, or of the refills? */
static bool is_named(const struct waits *w, const struct waits_view *v, uint32_t metric)
{
    if (strcmp(w->metrics.items[metric]->uniq_name, REFILL) == 0 && shows_refills(w, v))
        return true;
    for (size_t i = 0; i < waits_shown(w, v); i++) {
        const struct wait_cause *c = &w->report.causes.items[i];
        if (c->metric == metric || (!w->metrics.items[metric]->aside && part_of(w, c, metric) > 0))
            return true;
    }
    return false;
}

/* Says how to look up the metric names on the page. */
static void put_explained(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const char *before = "What a name means: refrain waits --explain ";
    for (uint32_t metric = 0; metric < w->metrics.n; metric++) {
        const struct metric *row = w->metrics.items[metric];
        if (!is_named(w, v, metric))
            continue;
        text_printf(out, "%s%s (%s)", before, row->uniq_name, row->name);
        before = ", ";
    }
    text_put(out, *before == ',' ? "\n" : "");
}

/* "12.0 % of the run is waiting (151.0 ms of 1.262 s a rank); 60.1 % is in calls that did not return" */
static void put_first(const struct waits *w, const struct waits_view *v, const struct notices *notices,
                      struct bytes *out)
{
    const struct wait_report *r = &w->report;
    const uint64_t waiting = r->waiting - r->starting;
    text_printf(out, "%.1f %% of the run is waiting (", text_percent(waiting, r->run));
    time_put(out, waiting / r->threads);
    text_put(out, " of ");
    time_put(out, r->length);
    text_printf(out, " a %s)", r->threads > r->ranks ? "thread" : "rank");
    if (waits_have_unreturned(w))
        text_printf(out, "; %.1f %% is in calls that did not return", text_percent(r->unreturned, r->run));
    text_putc(out, '\n');
    if (v->hosts)
        hosts_put_crowded(v->hosts, out);
    notices_put(notices, false, out);
    waits_put_main(w, v, "", WAITS_MAIN, out);
    notices_put(notices, true, out);
    if (waiting > 0) {
        text_put(out, "All ");
        text_put(out, r->threads > r->ranks ? "threads" : "ranks");
        text_put(out, " together wait ");
        time_put(out, waiting);
        text_put(out, ":\n");
    }
}

static void put_part(void (*put)(const struct waits *, const struct waits_view *, struct bytes *),
                     const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    struct bytes part = {0};
    put(w, v, &part);
    text_put(out, part.n > 0 ? "\n" : "");
    bytes_put(out, part.data, part.n);
    out->failed = out->failed || part.failed;
    bytes_free(&part);
}

void waits_put_page(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    struct notices notices = {0};
    if (v->endings)
        endings_put_cut_off(v->endings, out);
    out->failed = wait_notices_find(&notices, w, v) != REFRAIN_OK || out->failed;
    put_first(w, v, &notices, out);
    notices_free(&notices);
    put_causes(w, v, out);
    put_start(w, v, out);
    put_part(waits_put_imbalance, w, v, out);
    put_part(waits_put_refills, w, v, out);
    put_instances(w, v, out);
    if (w->bound > 0 || w->cut || w->report.causes.n > 0)
        text_putc(out, '\n');
    put_explained(w, v, out);
    if (w->bound > 0) {
        text_put(out, "Times of calls are within ");
        time_put(out, w->bound);
        text_put(out, ", so each single waiting is within ");
        time_put(out, 2 * w->bound);
        text_put(out, ".\n");
    }
    if (w->cut) {
        text_put(out, "Analyzed until ");
        time_put(out, w->search.to);
        text_put(out, ": later calls have no times of their own (record with --time-budget none).\n");
    }
    site_put_hint(v->symbols, out);
}
