/* refrain stat: calls, bytes and time, by function or by rank. */
#include "commands.h"

#include "emitter.h"
#include "log.h"
#include "statistics.h"

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

/* A line of the table. */
struct line {
    const char *name; /* of a function; NULL for a rank */
    uint64_t number;
    const struct tally *tally;
};

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->tally->time != y->tally->time)
        return x->tally->time > y->tally->time ? -1 : 1;
    if (x->tally->calls != y->tally->calls)
        return x->tally->calls > y->tally->calls ? -1 : 1;
    if (x->name)
        return strcmp(x->name, y->name);
    return x->number < y->number ? -1 : x->number > y->number;
}

static void put_time(struct emitter *e, bool known, double ns)
{
    if (known)
        emitter_cell_real(e, ns);
    else
        emitter_cell_none(e);
}

static void put_line(struct emitter *e, const struct line *l)
{
    const struct tally *t = l->tally;
    const bool extremes = t->timed && t->shortest <= t->longest;
    if (l->name)
        emitter_cell_text(e, l->name);
    else
        emitter_cell_uint(e, l->number);
    emitter_cell_uint(e, t->calls);
    put_time(e, t->timed, (double)t->time);
    put_time(e, t->timed && t->calls > 0, (double)t->time / (double)t->calls);
    put_time(e, extremes, (double)t->shortest);
    put_time(e, extremes, (double)t->longest);
    emitter_cell_uint(e, t->sent);
    emitter_cell_uint(e, t->received);
}

static void put_table(struct emitter *e, const char *key, const struct emitter_column *first,
                      const struct line *lines, size_t n)
{
    struct emitter_column all[1 + N_COLUMNS] = {*first};
    memcpy(all + 1, columns, sizeof columns);
    emitter_table(e, key, all, 1 + N_COLUMNS);
    for (size_t i = 0; i < n; i++)
        put_line(e, &lines[i]);
    emitter_table_end(e);
}

static enum refrain_status print(const struct statistics *s, const struct reader *r,
                                 const struct ranges *ranks, bool by_rank, bool as_json)
{
    static const struct emitter_column rank_column = {"rank", "rank", false, NO_SCALE};
    static const struct emitter_column function_column = {"function", "function", true, NO_SCALE};
    const struct functable *table = &r->trace.functions;
    const size_t most = by_rank ? r->trace.n_ranks : table->functions.n;
    struct line *lines = calloc(most + 1, sizeof *lines);
    struct output out = {0};
    bool timed = false;
    size_t n = 0;
    if (!lines) {
        log_error("out of memory: %zu lines", most);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < most; i++) {
        const struct tally *t = by_rank ? &s->ranks[i] : &s->functions[i];
        const uint64_t rank = r->trace.first_rank + i;
        if (by_rank ? ranges_has(ranks, rank) : t->calls > 0)
            lines[n++] = (struct line){by_rank ? NULL : table->functions.items[i].name, rank, t};
        timed = timed || t->timed;
    }
    qsort(lines, n, sizeof *lines, by_time);

    struct emitter e = emitter_open(&out, as_json, 0);
    put_table(&e, by_rank ? "ranks" : "functions", by_rank ? &rank_column : &function_column, lines, n);
    if (!timed)
        emitter_note(&e, "note",
                     by_rank || ranks->items.n > 0
                         ? "This trace has no times of single ranks; record with --timing aggregate:rank."
                         : "This trace has no times.");
    enum refrain_status status = emitter_close(&e), written = output_close(&out);
    free(lines);
    return status != REFRAIN_OK ? status : written;
}

enum refrain_status cmd_stat(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    struct definitions definitions = {0};
    struct statistics statistics = {0};
    const char *by = options_value(o, OPTION_BY);
    const bool by_rank = by && strcmp(by, "rank") == 0;

    if (by && !by_rank && strcmp(by, "function") != 0) {
        log_error("--by %s: wanted function or rank", by);
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = reader_open(&reader, o->operands[0]);
    if (status != REFRAIN_OK)
        return status;
    if ((status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&ranks, &reader.trace)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = statistics_compute(&statistics, &reader, &definitions, &ranks, by_rank)) == REFRAIN_OK)
        status = print(&statistics, &reader, &ranks, by_rank, options_has(o, OPTION_JSON));
    statistics_free(&statistics);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
