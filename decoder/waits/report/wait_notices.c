/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_notices.h"

#include "decoder/causes/causes_text.h"
#include "decoder/causes/reasons/page_ranks.h"
#include "decoder/times/timed_lane.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- polls ----------------------------------------------------------------------------------- */

/* Computing between polls is worth a word from this share of the run on. */
#define POLLS_LEAST 0.05

/* Computing between one poll that found nothing and the next one that asks for the same; ns. */
struct poll_gaps {
    const struct wait_search *search;
    struct timestamps_source times;
    struct volume_source volumes;
    uint64_t *by_lane, *by_site;
};

static bool may_poll(const struct role *role)
{
    return role->actions & ROLE_TEST ||
           (role->kind == CALL_WAITING && !(role->actions & (ROLE_COMPLETE | ROLE_CLOSE)));
}

/* ns that the lane computes before calls that may poll. */
static uint64_t before_polls(const struct wait_search *s, size_t lane)
{
    const struct trace *t = &s->reader->trace;
    uint64_t sum = 0;
    for (uint32_t site = 0; site < t->sites.n; site++) {
        const uint64_t *row = severities_row(&s->computing, 0, site);
        sum += row && may_poll(&s->roles.items[t->sites.items[site].function]) ? row[lane] : 0;
    }
    return sum;
}

/* Walks with a state as that of the search (wait_lanes.h). */
static enum refrain_status walk(struct poll_gaps *p, struct timed_lane *timed,
                                struct call_fields_table *table, struct wait_lane *lane, size_t number)
{
    enum refrain_status status = REFRAIN_OK;
    const struct call_fields *fields;
    while (timed_lane_next(timed, &status) &&
           (status = call_fields_table_of(table, &timed->call, &fields)) == REFRAIN_OK) {
        const struct timestamp *t = &timed->timestamp;
        const bool asks_again = lane->state.polls;
        const uint64_t since = lane->last > p->search->begin ? lane->last : p->search->begin,
                       gap = t->enter > since ? t->enter - since : 0;
        struct wait_end end;
        if (!wait_lane_take(&p->search->lanes, lane, &timed->call, t, fields, &end))
            return REFRAIN_ERR_MEMORY;
        if (asks_again && !end.state && gap > WAIT_POLL_GAP) {
            p->by_lane[number] += gap;
            p->by_site[lane->state.site] += gap;
        }
    }
    return status;
}

static enum refrain_status walk_lane(struct poll_gaps *p, const struct lane_ref *ref, size_t number)
{
    struct wait_lane lane = {.rank = ref->rank, .thread = ref->shape->number};
    struct timed_lane timed;
    struct call_fields_table table;
    enum refrain_status status = timed_lane_start(&timed, p->search->reader, &p->times, ref);
    if (status != REFRAIN_OK)
        return status;
    status = call_fields_table_start(&table, &p->volumes, ref);
    if (status == REFRAIN_OK) {
        status = walk(p, &timed, &table, &lane, number);
        call_fields_table_stop(&table);
    }
    timed_lane_stop(&timed);
    array_free(&lane.found_receives);
    array_free(&lane.state.asked);
    return status;
}

static enum refrain_status find_gaps(struct poll_gaps *p)
{
    const struct wait_search *s = p->search;
    struct lane_ref ref;
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t rank = 0; reader_next_rank(s->reader, &rank); rank++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(s->reader, (uint32_t)rank, LANE_THREAD, &at, &ref);) {
            const uint32_t number = wait_lane_number(&s->lanes, ref.rank, ref.shape->number);
            if (before_polls(s, number) > WAIT_POLL_GAP)
                status = walk_lane(p, &ref, number);
        }
    }
    return status;
}

/* "495.5 ms of computing are between polls that found nothing (MPI_Test (poll.c:9), rank 1): if …" */
static void put_gaps(const struct poll_gaps *p, const struct waits *w, const struct symbols *symbols,
                     struct notice *n)
{
    const struct wait_search *s = p->search;
    struct page_ranks ranks = page_ranks_of(s, p->by_lane);
    uint32_t most = 0;
    uint64_t sum = 0;
    for (uint32_t site = 0; site < s->reader->trace.sites.n; site++) {
        most = p->by_site[site] > p->by_site[most] ? site : most;
        sum += p->by_site[site];
    }
    if ((double)sum >= POLLS_LEAST * (double)w->report.run && ranks.values) {
        n->time = sum;
        time_put(&n->says, sum);
        text_printf(&n->says, " of computing (%.1f %% of the run) are between polls that found nothing (",
                    text_percent(sum, w->report.run));
        text_put(&n->says, p->by_site[most] < sum ? "most at " : "");
        site_put_line(s->reader, symbols, most, &n->says);
        text_put(&n->says, ", ");
        page_ranks_put(&ranks, &n->says);
        text_put(&n->says, "): if the program only waits there, this is waiting.");
    }
    n->says.failed = n->says.failed || !ranks.values;
    page_ranks_free(&ranks);
}

static enum refrain_status say_polls(struct notice *n, const struct waits *w, const struct symbols *symbols)
{
    const struct wait_search *s = &w->search;
    struct poll_gaps p = {.search = s};
    uint64_t sum = 0;
    for (size_t i = 0; i < s->lanes.n; i++)
        sum += before_polls(s, i);
    if ((double)sum < POLLS_LEAST * (double)w->report.run || sum == 0)
        return REFRAIN_OK;
    enum refrain_status status = timestamps_source_create(&p.times, s->reader, false);
    if (status != REFRAIN_OK)
        return status;
    volume_source_start(&p.volumes, s->reader, s->groups.definitions, &s->roles);
    p.by_lane = calloc(s->lanes.n + 1, sizeof *p.by_lane);
    p.by_site = calloc(s->reader->trace.sites.n + 1, sizeof *p.by_site);
    if (!p.by_lane || !p.by_site) {
        log_error("out of memory: %zu threads, %zu call sites", s->lanes.n, s->reader->trace.sites.n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = find_gaps(&p);
    if (status == REFRAIN_OK)
        put_gaps(&p, w, symbols, n);
    free(p.by_lane);
    free(p.by_site);
    timestamps_source_free(&p.times);
    return status;
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* They are worth a word from this share of the run on, if they take longer than all waiting. */
#define TRANSFERS_LEAST 0.05

/* Does the site communicate, in calls that do not only ask? Then what is no waiting is the transfer itself. */
static bool transfers(const struct waits *w, uint32_t site)
{
    const struct wait_search *s = &w->search;
    const struct role *role = &s->roles.items[s->reader->trace.sites.items[site].function];
    return !may_poll(role) && !severities_row(&s->polling, 0, site) &&
           metrics_is_below(&w->metrics, s->profile_of_site[site],
                            metrics_find(&w->metrics, "mpi_communication"));
}

/* ns of all lanes at a site without waiting, and without calls that did not return. */
static uint64_t transfer_at(const struct waits *w, uint32_t site)
{
    const struct wait_search *s = &w->search;
    uint64_t other = 0;
    const uint64_t all = wait_report_value(&w->report, metrics_find(&w->metrics, "time"), site);
    for (uint32_t i = 0; i < w->metrics.n; i++) {
        if (metrics_is_cause(&w->metrics, i))
            other += wait_report_value(&w->report, i, site);
    }
    for (size_t i = 0; i < s->lanes.n; i++)
        other += s->lanes.items[i].span.site == site ? s->lanes.items[i].unreturned : 0;
    return all > other ? all - other : 0;
}

/* Waiting for a process that the trace does not contain looks like a transfer. */
static bool has_all_partners(const struct waits *w)
{
    return w->report.ranks == w->search.lanes.n_ranks;
}

static void say_transfers(struct notice *n, const struct waits *w, const struct waits_view *v)
{
    uint32_t most = UINT32_MAX;
    uint64_t time = w->report.waiting - w->report.starting;
    if (!has_all_partners(w))
        return;
    for (uint32_t site = 0; site < w->search.reader->trace.sites.n; site++) {
        const uint64_t here = transfers(w, site) ? transfer_at(w, site) : 0;
        most = here > time ? site : most;
        time = here > time ? here : time;
    }
    if (most == UINT32_MAX || (double)time < TRANSFERS_LEAST * (double)w->report.run)
        return;
    n->time = time;
    text_printf(&n->says, "%.1f %% of the run, more than all waiting, is in ",
                text_percent(time, w->report.run));
    site_put_line(w->search.reader, v->symbols, most, &n->says);
    causes_put_volume(&w->search, most, &n->says);
    text_put(&n->says, " without waiting for a rank of this trace: transfers, or MPI's own work");
    text_put(&n->says, w->report.threads > w->report.ranks ? ", or other threads in MPI" : "");
    text_put(&n->says, v->hosts && v->hosts->crowded ? ", or waiting for a processor." : ".");
}

/* ---- wrappers -------------------------------------------------------------------------------- */

/* A call site matters if it has this part of the time in MPI, at least; and MPI matters from this share of the run on. */
#define SITES_MOST 10
#define MPI_LEAST  0.05
/* A file wraps MPI if so many of its functions make calls, and none of them is the program itself. */
#define WRAPPERS_LEAST 3

/* Where a site is in the source; all zero if that is not known, or if its callers are. */
static struct source_location wrapper_at(const struct waits *w, const struct symbols *symbols, uint32_t site)
{
    const struct site *this = &w->search.reader->trace.sites.items[site];
    const struct source_locations l =
        this->n_frames == 1 ? symbols_find(symbols, &this->frames[0]) : (struct source_locations){0};
    return l.n > 0 && l.items[0].file && l.items[0].function ? l.items[0] : (struct source_location){0};
}

static bool is_program(const struct source_location *l)
{
    return strcmp(l->function, "main") == 0 || strcmp(l->function, "MAIN__") == 0;
}

/* ns of all lanes in calls at a site; MPI_Init is apart. */
static uint64_t time_at(const struct waits *w, uint32_t site)
{
    const struct wait_search *s = &w->search;
    const uint32_t function = s->reader->trace.sites.items[site].function;
    return s->roles.items[function].actions & ROLE_INIT
               ? 0
               : wait_report_value(&w->report, metrics_find(&w->metrics, "time"), site);
}

/* Do several functions of the file make calls, and not the program itself? */
static bool is_wrapper_module(const struct waits *w, const struct symbols *symbols, const char *file)
{
    const char *told[WRAPPERS_LEAST];
    size_t n = 0;
    for (uint32_t site = 0; site < w->search.reader->trace.sites.n; site++) {
        const struct source_location l = wrapper_at(w, symbols, site);
        if (!l.file || strcmp(l.file, file) != 0)
            continue;
        if (is_program(&l))
            return false;
        size_t i = 0;
        while (i < n && strcmp(told[i], l.function) != 0)
            i++;
        if (i == n && n < WRAPPERS_LEAST)
            told[n++] = l.function;
    }
    return n == WRAPPERS_LEAST;
}

static bool has_callers(const struct trace *t)
{
    size_t i = 0;
    while (i < t->sites.n && t->sites.items[i].n_frames <= 1)
        i++;
    return i < t->sites.n;
}

/* Returns the file of all call sites that matter; NULL if it is not one, or if two places in it call the same function.
 * `mpi`: ns of all calls. */
static const char *find_wrappers(const struct waits *w, const struct symbols *symbols, uint64_t mpi)
{
    const struct trace *t = &w->search.reader->trace;
    struct {
        uint32_t function;
        int line;
    } told[SITES_MOST];
    const char *file = NULL;
    size_t n = 0;
    for (uint32_t site = 0; site < t->sites.n; site++) {
        const uint32_t function = t->sites.items[site].function;
        const uint64_t time = time_at(w, site);
        if (time == 0 || time < mpi / SITES_MOST)
            continue;
        const struct source_location l = wrapper_at(w, symbols, site);
        bool fits = l.file && (!file || strcmp(file, l.file) == 0) && n < SITES_MOST;
        for (size_t i = 0; i < n; i++) /* the compiler may have copied a line */
            fits = fits && (told[i].function != function || told[i].line == l.line);
        if (!fits)
            return NULL;
        file = l.file;
        told[n].function = function;
        told[n++].line = l.line;
    }
    return file;
}

/* "All MPI calls that take time come from parallel.c: record with --callpath to tell the callers apart." */
static void say_wrappers(struct notice *n, const struct waits *w, const struct symbols *symbols)
{
    const struct trace *t = &w->search.reader->trace;
    uint64_t mpi = 0;
    if (has_callers(t))
        return;
    for (uint32_t site = 0; site < t->sites.n; site++)
        mpi += time_at(w, site);
    const char *file =
        (double)mpi < MPI_LEAST * (double)w->report.run ? NULL : find_wrappers(w, symbols, mpi);
    if (!file || !is_wrapper_module(w, symbols, file))
        return;
    const char *slash = strrchr(file, '/');
    n->time = mpi;
    text_put(&n->says, "All MPI calls that take time come from ");
    text_put_name(&n->says, slash ? slash + 1 : file);
    text_put(&n->says, ": record with --callpath to tell the callers apart.");
}

/* ---- processors ------------------------------------------------------------------------------ */

/* Per cent of a rank's time, in a run of at least so many ns. */
#define READY_LEAST 5
#define READY_RUN   100000000

/* "Rank 3 had no processor for 12 % of its time (mean of all ranks: 4 %), though it was ready to run: …". With more ranks
 * than processors, ranks that wait and poll take them in turn, and another line says so. */
static void say_processor(struct notice *n, const struct waits *w, const struct hosts *h)
{
    const struct trace *t = &w->search.reader->trace;
    int64_t sum = 0;
    uint32_t worst = 0;
    for (uint32_t i = 0; h && i < t->n_ranks; i++) {
        sum += h->ready[i];
        worst = h->ready[i] > h->ready[worst] ? i : worst;
    }
    if (!h || h->crowded || t->n_ranks == 0 || h->ready[worst] < READY_LEAST || w->report.length < READY_RUN)
        return;
    text_printf(
        &n->says,
        "Rank %" PRIu32 " had no processor for %" PRId64
        " %% of its time (mean of all ranks: %.0f %%), though it was ready to run: other programs, "
        "threads, or ranks that share its processor, had it. Computing and calls took longer for that.",
        t->first_rank + worst, h->ready[worst], (double)sum / t->n_ranks);
}

enum refrain_status wait_notices_find(struct notices *n, const struct waits *w, const struct waits_view *v)
{
    const struct preceding *preceding = v->delays ? &v->delays->preceding : NULL;
    enum refrain_status status = REFRAIN_OK;
    if (!w->search.reader)
        return REFRAIN_OK;
    notices_find(n, &w->search, preceding, v->symbols);
    say_processor(&n->items[NOTICE_PROCESSOR], w, v->hosts);
    if (!v->delays || v->metric != METRIC_NONE || w->cut)
        return REFRAIN_OK;
    status = say_polls(&n->items[NOTICE_POLLS], w, v->symbols);
    say_transfers(&n->items[NOTICE_TRANSFERS], w, v);
    say_wrappers(&n->items[NOTICE_WRAPPERS], w, v->symbols);
    return status;
}
