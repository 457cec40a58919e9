/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain stat: shows calls, bytes and time by function, call site, rank or region. */
#include "commands.h"

#include "decoder/stat/statistics.h"
#include "decoder/trace/site.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"
#include "stat_regions.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>

#define SECONDS      1e-9, 6
#define MICROSECONDS 1e-3, 3
#define NO_SCALE     0, 0

static const struct emitter_column columns[] = {
    {"calls", "calls", false, NO_SCALE},         {"time_ns", "time [s]", false, SECONDS},
    {"share", "share [%]", false, 100, 1},       {"mean_ns", "mean [us]", false, MICROSECONDS},
    {"min_ns", "min [us]", false, MICROSECONDS}, {"max_ns", "max [us]", false, MICROSECONDS},
    {"sent_bytes", "sent [B]", false, NO_SCALE}, {"received_bytes", "received [B]", false, NO_SCALE},
};

#define N_COLUMNS (sizeof columns / sizeof columns[0])
#define SORT_TIME 1 /* index of the time column */
#define MEAN      3 /* of the mean; the shortest and the longest follow */
#define OUTSIDE   "(outside MPI)"
#define ENDS      "(start, end)"

/* The subjects of a table's lines. */
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
    uint64_t number;      /* number of the function, rank or site */
    const struct tally *tally;
    uint64_t all; /* in ns: the whole of which its time is a share; 0: not known */
};

/* The content and the form of the output. */
struct report {
    const struct reader *reader;
    const struct statistics *statistics;
    const struct ranges *ranks;
    const struct symbols *symbols;
    enum statistics_by by;
    const struct options *options;
    struct tally outside; /* time of all threads between MPI calls */
    struct tally ends;    /* and before their first and after their last one */
    size_t sort;          /* a column, or SORT_RANK to sort by number */
    uint64_t top;         /* at most this many lines */
};

#define SORT_RANK SIZE_MAX

/* The columns by which lines can be sorted, as in `columns`. The time and the share are those of the run; mean,
 * shortest and longest are of whole calls, also of those that begin before the run. */
static double value_of(const struct tally *t, size_t column)
{
    const bool extremes = t->timed && t->shortest <= t->longest;
    const double values[N_COLUMNS] = {(double)t->calls,
                                      t->timed ? (double)tally_time(t) : -1,
                                      t->timed ? (double)tally_time(t) : -1,
                                      t->timed && t->calls > 0 ? (double)t->time / (double)t->calls : -1,
                                      extremes ? (double)t->shortest : -1,
                                      extremes ? (double)t->longest : -1,
                                      (double)t->sent,
                                      (double)t->received};
    return values[column];
}

/* Larger values come first; equal ones are sorted by calls, then by name and number. */
static int by_column(const void *a, const void *b, void *column)
{
    const struct line *x = a, *y = b;
    const double v = value_of(x->tally, *(size_t *)column), w = value_of(y->tally, *(size_t *)column);
    if (v != w)
        return v > w ? -1 : 1;
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

/* Writes the shortest or the longest call with three digits, as a trace keeps them to 6.25 %: rounded down and
 * up. */
static void put_extreme(struct emitter *e, double ns, bool longest)
{
    uint64_t value, unit = 1;
    int decimals = 3;
    if (ns < 0 || e->as_json) {
        put_time(e, ns >= 0, ns);
        return;
    }
    value = (uint64_t)ns;
    for (; value / unit >= 1000; unit *= 10) /* three digits are left */
        decimals -= decimals > 0;
    value = (value + (longest ? unit - 1 : 0)) / unit * unit;
    emitter_cell_open(e);
    text_printf(&e->cells, "%.*f", decimals, (double)value * 1e-3);
    emitter_cell_close(e);
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
    if (l->function)
        emitter_cell_text(e, l->function);
    else
        emitter_cell_uint(e, l->number);
    if (r->by == STATISTICS_BY_SITE && (t == &r->outside || t == &r->ends))
        emitter_cell_none(e);
    else if (r->by == STATISTICS_BY_SITE)
        put_site(e, r, (uint32_t)l->number);
    if (t->calls > 0)
        emitter_cell_uint(e, t->calls);
    else
        emitter_cell_none(e);
    put_time(e, t->timed, value_of(t, SORT_TIME));
    put_time(e, l->all > 0, value_of(t, SORT_TIME) / (double)l->all);
    put_time(e, value_of(t, MEAN) >= 0, value_of(t, MEAN));
    put_extreme(e, value_of(t, MEAN + 1), false);
    put_extreme(e, value_of(t, MEAN + 2), true);
    emitter_cell_uint(e, t->sent);
    emitter_cell_uint(e, t->received);
}

static void put_table(struct emitter *e, const struct report *r, const struct line *lines, size_t n)
{
    const struct subject *subject = &subjects[r->by];
    struct emitter_column all[2 + N_COLUMNS];
    memcpy(all, subject->first, subject->n_first * sizeof *all);
    memcpy(all + subject->n_first, columns, sizeof columns);
    if (e->as_json && r->statistics->length > 0) {
        emitter_uint(e, "run_begin_ns", "", r->statistics->begin);
        emitter_uint(e, "run_ns", "", r->statistics->length);
    }
    if (e->as_json && r->by != STATISTICS_BY_RANK && r->outside.timed)
        emitter_uint(e, "outside_ns", "", tally_time(&r->outside));
    if (e->as_json && r->by != STATISTICS_BY_RANK && r->ends.timed)
        emitter_uint(e, "before_after_ns", "", tally_time(&r->ends));
    emitter_table(e, subject->table, all, subject->n_first + N_COLUMNS);
    for (size_t i = 0; i < n; i++)
        put_line(e, r, &lines[i]);
    emitter_table_end(e);
}

/* Does --function select the function? */
static bool is_wanted(const struct report *r, const char *function)
{
    return !options_has(r->options, OPTION_FUNCTION) || options_function(r->options, function);
}

/* Returns the length of the run in ns, of one rank or of all selected ranks; 0 if it is not
 * known. */
static uint64_t whole_of(const struct report *r, const struct tally *t)
{
    if (!t->timed || t->is_init)
        return 0;
    return r->by == STATISTICS_BY_RANK ? t->run : r->statistics->run;
}

/* Finds the time before the first and after the last calls of threads: all that is in no other line. */
static void find_ends(struct report *r)
{
    const struct statistics *s = r->statistics;
    uint64_t known = tally_time(&r->outside);
    for (size_t i = 0; i < r->reader->trace.functions.functions.n; i++)
        known += s->functions[i].is_init ? 0 : tally_time(&s->functions[i]);
    r->ends = (struct tally){.timed = s->length > 0, .shortest = UINT64_MAX};
    r->ends.time = r->ends.timed && s->run > known ? s->run - known : 0;
}

/* Is it 0.05 % of the run, which the table shows, or more? Less may come from rounded times. */
static bool are_ends_shown(const struct report *r)
{
    return r->ends.time > 0 && 2000 * (double)r->ends.time >= (double)r->statistics->run;
}

/* Makes the selected lines and returns their number, at most two more than there are tallies. The
 * lines for time outside of MPI are for people only. */
static size_t make_lines(const struct report *r, bool as_json, struct line *lines)
{
    const struct trace *t = &r->reader->trace;
    const struct statistics *s = r->statistics;
    size_t n = 0;
    switch (r->by) {
    case STATISTICS_BY_FUNCTION:
        for (size_t i = 0; i < t->functions.functions.n; i++) {
            if (s->functions[i].calls > 0 && is_wanted(r, t->functions.functions.items[i].name))
                lines[n++] = (struct line){
                    .function = t->functions.functions.items[i].name, .number = i, .tally = &s->functions[i]};
        }
        break;
    case STATISTICS_BY_RANK:
        for (size_t i = 0; i < t->n_ranks; i++) {
            if (ranges_has(r->ranks, t->first_rank + i))
                lines[n++] =
                    (struct line){.function = NULL, .number = t->first_rank + i, .tally = &s->ranks[i]};
        }
        break;
    case STATISTICS_BY_SITE:
        for (size_t i = 0; i < t->sites.n; i++) {
            if (s->sites[i].calls > 0 && is_wanted(r, reader_function(r->reader, (uint32_t)i)))
                lines[n++] = (struct line){
                    .function = reader_function(r->reader, (uint32_t)i), .number = i, .tally = &s->sites[i]};
        }
        break;
    }
    const uint64_t all = r->statistics->run;
    for (size_t i = 0; i < n; i++)
        lines[i].all = whole_of(r, lines[i].tally);
    if (r->by != STATISTICS_BY_RANK && all > 0 && !as_json && !options_has(r->options, OPTION_FUNCTION))
        lines[n++] = (struct line){.function = OUTSIDE, .tally = &r->outside, .all = all};
    if (r->by != STATISTICS_BY_RANK && are_ends_shown(r) && !as_json &&
        !options_has(r->options, OPTION_FUNCTION))
        lines[n++] = (struct line){.function = ENDS, .tally = &r->ends, .all = all};
    if (r->sort != SORT_RANK)
        qsort_r(lines, n, sizeof *lines, by_column, (void *)&r->sort);
    return n < r->top ? n : (size_t)r->top;
}

/* Explains why lines have no times; returns NULL if there is nothing to explain. */
static const char *missing_times(const struct report *r, const struct line *lines, size_t n)
{
    const bool all = r->ranks->items.n == 0;
    /* does any line have times? has a line only some of its calls' times? */
    bool timed = false, some = false;
    for (size_t i = 0; i < n; i++) {
        const struct tally *t = lines[i].tally;
        timed = timed || t->timed;
        some = some || (t->singly > 0 && !t->timed);
    }
    if (some)
        return "-: only some of these calls have times of their own; record with --time-budget none.";
    if (timed)
        return NULL;
    if (r->by == STATISTICS_BY_SITE && !all)
        return "Times of call sites are known for all ranks together only; record with --timing lossy.";
    return all && r->by != STATISTICS_BY_RANK
               ? "This trace has no times."
               : "This trace has no times of single ranks; record with --timing lossy or aggregate:rank.";
}

/* Says why the mean of calls that begin before the run is not their time by their number. */
static void put_begin(const struct report *r, struct bytes *out)
{
    text_put(out, "\ntime and share: within the run, from ");
    time_put(out, r->statistics->begin);
    text_put(out, " on; mean, min and max: of whole calls\n");
}

static enum refrain_status print(const struct report *r, bool as_json)
{
    const struct trace *t = &r->reader->trace;
    const size_t most[] = {[STATISTICS_BY_FUNCTION] = t->functions.functions.n,
                           [STATISTICS_BY_RANK] = t->n_ranks,
                           [STATISTICS_BY_SITE] = t->sites.n};
    struct line *lines = calloc(most[r->by] + 3, sizeof *lines);
    struct output out = {0};
    if (!lines) {
        log_error("out of memory: %zu lines", most[r->by]);
        return REFRAIN_ERR_MEMORY;
    }
    const size_t n = make_lines(r, as_json, lines);
    if (n == 0 && options_has(r->options, OPTION_FUNCTION)) {
        free(lines);
        return options_no_function(r->reader->path, options_value(r->options, OPTION_FUNCTION));
    }
    const char *missing = missing_times(r, lines, n);
    bool before = false;
    for (size_t i = 0; i < n; i++)
        before = before || lines[i].tally->before > 0;

    struct emitter e = emitter_open(&out, as_json, 0);
    put_table(&e, r, lines, n);
    if (missing)
        emitter_note(&e, "note", missing);
    if (before && !as_json)
        put_begin(r, &out.text);
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

/* Parses --sort: the first word of a column's title. */
static enum refrain_status parse_sort(struct report *r)
{
    const char *word = options_value(r->options, OPTION_SORT);
    r->sort = r->by == STATISTICS_BY_RANK ? SORT_RANK : SORT_TIME;
    if (!word)
        return REFRAIN_OK;
    if (strcmp(word, "rank") == 0 && r->by == STATISTICS_BY_RANK)
        return REFRAIN_OK;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (strncmp(columns[i].title, word, strlen(word)) == 0 &&
            strcspn(columns[i].title, " ") == strlen(word)) {
            r->sort = i;
            return REFRAIN_OK;
        }
    }
    log_error("--sort %s: wanted calls, time, share, mean, min, max, sent, received%s", word,
              r->by == STATISTICS_BY_RANK ? " or rank" : "");
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status read_view(struct report *r)
{
    enum refrain_status status = parse_by(options_value(r->options, OPTION_BY), &r->by);
    if (status == REFRAIN_OK)
        status = parse_sort(r);
    if (status == REFRAIN_OK)
        status = options_number(r->options, OPTION_TOP, 1, UINT32_MAX, &r->top);
    if (status == REFRAIN_OK && r->by == STATISTICS_BY_RANK && options_has(r->options, OPTION_FUNCTION)) {
        log_error("--function does not work with --by rank: leave out one of them");
        status = REFRAIN_ERR_USAGE;
    }
    return status;
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
    if (options_has(o, OPTION_FUNCTION) || options_has(o, OPTION_SORT) || options_has(o, OPTION_TOP)) {
        log_error("--by region prints all regions, most time first: leave out --function, --sort and --top");
        return REFRAIN_ERR_USAGE;
    }
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
    struct report report = {.reader = &reader,
                            .statistics = &statistics,
                            .ranks = &ranks,
                            .symbols = &symbols,
                            .options = o,
                            .top = UINT64_MAX};

    if (is_by_region(o))
        return by_region(o);
    enum refrain_status status = read_view(&report);
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
    if (status == REFRAIN_OK) {
        report.outside = (struct tally){.timed = statistics.run > 0,
                                        .time = statistics.outside,
                                        .before = statistics.outside_before,
                                        .shortest = UINT64_MAX};
        find_ends(&report);
        status = print(&report, options_has(o, OPTION_JSON));
    }
    symbols_close(&symbols);
    statistics_free(&statistics);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
