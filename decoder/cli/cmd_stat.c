/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain stat: calls, bytes and time, by function, call site, rank or region. */
#include "commands.h"

#include "decoder/stat/statistics.h"
#include "decoder/trace/site.h"
#include "decoder/util/emitter.h"
#include "src/core/base/log.h"
#include "stat_regions.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>

#define SECONDS      1e-9, 6
#define MICROSECONDS 1e-3, 3
#define NO_SCALE     0, 0

static const struct emitter_column columns[] = {
    {"calls", "calls", false, NO_SCALE},
    {"time_ns", "time [s]", false, SECONDS},
    {"mean_ns", "mean [us]", false, MICROSECONDS},
    {"min_ns", "min [us]", false, MICROSECONDS},
    {"max_ns", "max [us]", false, MICROSECONDS},
    {"sent_bytes", "sent [B]", false, NO_SCALE},
    {"received_bytes", "received [B]", false, NO_SCALE},
};

#define N_COLUMNS (sizeof columns / sizeof columns[0])

/* What there is a line for. */
static const struct subject {
    const char *name, *table;
    struct emitter_column first[2];
    size_t n_first;
} subjects[] = {
    [STATISTICS_BY_FUNCTION] = {"function", "functions", {{"function", "function", true, NO_SCALE}}, 1},
    [STATISTICS_BY_RANK] = {"rank", "ranks", {{"rank", "rank", false, NO_SCALE}}, 1},
    [STATISTICS_BY_SITE] = {"site",
                            "sites",
                            {{"function", "function", true, NO_SCALE}, {"site", "site", true, NO_SCALE}},
                            2},
};

#define N_SUBJECTS (sizeof subjects / sizeof subjects[0])

/* A line of the table. */
struct line {
    const char *function; /* NULL for a rank */
    uint64_t number;      /* of the function, rank or site */
    const struct tally *tally;
};

/* What is printed, and how. */
struct report {
    const struct reader *reader;
    const struct statistics *statistics;
    const struct ranges *ranks;
    const struct symbols *symbols;
    enum statistics_by by;
};

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->tally->time != y->tally->time)
        return x->tally->time > y->tally->time ? -1 : 1;
    if (x->tally->calls != y->tally->calls)
        return x->tally->calls > y->tally->calls ? -1 : 1;
    const int names = x->function ? strcmp(x->function, y->function) : 0;
    if (names != 0)
        return names;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void put_time(struct emitter *e, bool known, double ns)
{
    if (known)
        emitter_cell_real(e, ns);
    else
        emitter_cell_none(e);
}

static void put_site(struct emitter *e, const struct report *r, uint32_t site)
{
    const char *key = emitter_cell_open(e);
    if (e->as_json)
        site_put_json(&r->reader->trace, r->symbols, site, &e->json, key);
    else
        site_put_text(&r->reader->trace, r->symbols, site, &e->cells);
    emitter_cell_close(e);
}

static void put_line(struct emitter *e, const struct report *r, const struct line *l)
{
    const struct tally *t = l->tally;
    const bool extremes = t->timed && t->shortest <= t->longest;
    if (l->function)
        emitter_cell_text(e, l->function);
    else
        emitter_cell_uint(e, l->number);
    if (r->by == STATISTICS_BY_SITE)
        put_site(e, r, (uint32_t)l->number);
    emitter_cell_uint(e, t->calls);
    put_time(e, t->timed, (double)t->time);
    put_time(e, t->timed && t->calls > 0, (double)t->time / (double)t->calls);
    put_time(e, extremes, (double)t->shortest);
    put_time(e, extremes, (double)t->longest);
    emitter_cell_uint(e, t->sent);
    emitter_cell_uint(e, t->received);
}

static void put_table(struct emitter *e, const struct report *r, const struct line *lines, size_t n)
{
    const struct subject *subject = &subjects[r->by];
    struct emitter_column all[2 + N_COLUMNS];
    memcpy(all, subject->first, subject->n_first * sizeof *all);
    memcpy(all + subject->n_first, columns, sizeof columns);
    emitter_table(e, subject->table, all, subject->n_first + N_COLUMNS);
    for (size_t i = 0; i < n; i++)
        put_line(e, r, &lines[i]);
    emitter_table_end(e);
}

/* The lines that are wanted, at most as many as there are tallies; their number. */
static size_t make_lines(const struct report *r, struct line *lines)
{
    const struct trace *t = &r->reader->trace;
    const struct statistics *s = r->statistics;
    size_t n = 0;
    switch (r->by) {
    case STATISTICS_BY_FUNCTION:
        for (size_t i = 0; i < t->functions.functions.n; i++) {
            if (s->functions[i].calls > 0)
                lines[n++] = (struct line){t->functions.functions.items[i].name, i, &s->functions[i]};
        }
        break;
    case STATISTICS_BY_RANK:
        for (size_t i = 0; i < t->n_ranks; i++) {
            if (ranges_has(r->ranks, t->first_rank + i))
                lines[n++] = (struct line){NULL, t->first_rank + i, &s->ranks[i]};
        }
        break;
    case STATISTICS_BY_SITE:
        for (size_t i = 0; i < t->sites.n; i++) {
            if (s->sites[i].calls > 0)
                lines[n++] = (struct line){reader_function(r->reader, (uint32_t)i), i, &s->sites[i]};
        }
        break;
    }
    qsort(lines, n, sizeof *lines, by_time);
    return n;
}

/* Why lines have no times; NULL if there is nothing to say. */
static const char *missing_times(const struct report *r, const struct line *lines, size_t n)
{
    const bool all = r->ranks->items.n == 0;
    bool timed = false, some = false; /* is any line; are some calls of a line without times */
    for (size_t i = 0; i < n; i++) {
        const struct tally *t = lines[i].tally;
        timed = timed || t->timed;
        some = some || (t->singly > 0 && !t->timed);
    }
    if (some)
        return "- is of calls of which only some have times of their own; record with --time-budget none.";
    if (timed)
        return NULL;
    if (r->by == STATISTICS_BY_SITE && !all)
        return "Times of call sites are known for all ranks together only; record with --timing lossy.";
    return all && r->by != STATISTICS_BY_RANK
               ? "This trace has no times."
               : "This trace has no times of single ranks; record with --timing lossy or aggregate:rank.";
}

static enum refrain_status print(const struct report *r, bool as_json)
{
    const struct trace *t = &r->reader->trace;
    const size_t most[] = {[STATISTICS_BY_FUNCTION] = t->functions.functions.n,
                           [STATISTICS_BY_RANK] = t->n_ranks,
                           [STATISTICS_BY_SITE] = t->sites.n};
    struct line *lines = calloc(most[r->by] + 1, sizeof *lines);
    struct output out = {0};
    if (!lines) {
        log_error("out of memory: %zu lines", most[r->by]);
        return REFRAIN_ERR_MEMORY;
    }
    const size_t n = make_lines(r, lines);
    const char *missing = missing_times(r, lines, n);

    struct emitter e = emitter_open(&out, as_json, 0);
    put_table(&e, r, lines, n);
    if (missing)
        emitter_note(&e, "note", missing);
    enum refrain_status status = emitter_close(&e), written = output_close(&out);
    free(lines);
    return status != REFRAIN_OK ? status : written;
}

static enum refrain_status parse_by(const char *word, enum statistics_by *by)
{
    *by = STATISTICS_BY_FUNCTION;
    for (size_t i = 0; word && i < N_SUBJECTS; i++) {
        if (strcmp(word, subjects[i].name) == 0) {
            *by = (enum statistics_by)i;
            return REFRAIN_OK;
        }
    }
    if (!word)
        return REFRAIN_OK;
    log_error("--by %s: wanted function, rank, site or region", word);
    return REFRAIN_ERR_USAGE;
}

static bool is_by_region(const struct options *o)
{
    const char *word = options_value(o, OPTION_BY);
    return word && strcmp(word, "region") == 0;
}

static enum refrain_status by_region(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&ranks, &reader.trace)) == REFRAIN_OK)
        status = stat_regions_print(&reader, &ranks, options_has(o, OPTION_JSON));
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}

enum refrain_status cmd_stat(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    struct definitions definitions = {0};
    struct statistics statistics = {0};
    struct symbols symbols = {0};
    struct report report = {&reader, &statistics, &ranks, &symbols, STATISTICS_BY_FUNCTION};

    if (is_by_region(o))
        return by_region(o);
    enum refrain_status status = parse_by(options_value(o, OPTION_BY), &report.by);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&ranks, &reader.trace)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = statistics_compute(&statistics, &reader, &definitions, &ranks, report.by)) == REFRAIN_OK &&
        report.by == STATISTICS_BY_SITE &&
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) == REFRAIN_OK)
        status = symbols_look_up_frames(&symbols);
    if (status == REFRAIN_OK)
        status = print(&report, options_has(o, OPTION_JSON));
    symbols_close(&symbols);
    statistics_free(&statistics);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
