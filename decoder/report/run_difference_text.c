/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tables, as text or as JSON: of the runs as a whole, and of places.
 *
 *     {"a":"old.refrain","b":"new.refrain",
 *      "run":[{"what":"run, without MPI_Init","a":2.6,"b":1.2,"change":-1.4,"relative":-0.54}, …],
 *      "places":[{"place":"MPI_Recv in exchange","a":1.8,"b":0.3,"change":-1.5,"relative":-0.84,"calls_a":400,"calls_b":400}, …]}
 */
#include "run_difference.h"

#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "report_sections.h"

#include <math.h>

enum { ROWS_OF_TEXT = 16 };

enum unit { NUMBER, SECONDS, PER_CENT, POINTS /* of per cent: what becomes of them is their difference */ };

/* Two numbers, either of which may not be known. */
struct pair {
    bool known[2];
    double value[2];
    enum unit unit;
};

static void put_words(struct bytes *out, double value, enum unit unit, bool is_change)
{
    switch (unit) {
    case NUMBER:
        text_printf(out, is_change ? "%+.0f" : "%.0f", value);
        break;
    case PER_CENT:
        text_printf(out, is_change ? "%+.1f %%" : "%.1f %%", value);
        break;
    case POINTS:
        text_printf(out, is_change ? "%+.1f points" : "%.1f %%", value);
        break;
    case SECONDS:
        text_put(out, !is_change ? "" : value < 0 ? "-" : "+");
        time_put(out, (uint64_t)llround(fabs(value) * 1e9));
        break;
    }
}

/* In JSON as it is; in text with its unit, and a sign if it is a change. */
static void put_number(struct emitter *e, bool known, double value, enum unit unit, bool is_change)
{
    if (!known) {
        emitter_cell_none(e);
        return;
    }
    const char *key = emitter_cell_open(e);
    if (e->as_json)
        json_real(&e->json, key, value);
    else
        put_words(&e->cells, value, unit, is_change);
    emitter_cell_close(e);
}

/* Both, and what became of the first one. */
static void put_pair(struct emitter *e, const struct pair *p)
{
    const bool both = p->known[0] && p->known[1];
    const double change = p->value[1] - p->value[0];
    for (int run = 0; run < 2; run++)
        put_number(e, p->known[run], p->value[run], p->unit, false);
    put_number(e, both, change, p->unit, true);
    put_number(e, both && p->value[0] > 0 && p->unit != POINTS,
               e->as_json ? change / p->value[0] : 100 * change / p->value[0], PER_CENT, true);
}

/* ---- of the runs ----------------------------------------------------------------------------- */

static double seconds(const struct report *r, uint64_t time)
{
    return (double)time / 1e9 / r->costs.threads;
}

/* Per cent. */
static bool efficiency(const struct report *r, double *value)
{
    struct efficiency e;
    const bool known = report_efficiency(r, &e);
    *value = known ? 100 * efficiency_load_balance(&e) * efficiency_communication(&e) : 0;
    return known;
}

enum fact { RANKS, RUN, INIT, COMPUTATION, IN_MPI, WAITING, EFFICIENCY, CALLS, MESSAGES, BYTES, FACTS };

static const struct {
    const char *what;
    enum unit unit;
} facts[FACTS] = {
    [RANKS] = {"ranks", NUMBER},
    [RUN] = {"run, without MPI_Init", SECONDS},
    [INIT] = {"MPI_Init", SECONDS},
    [COMPUTATION] = {"computation", SECONDS},
    [IN_MPI] = {"MPI, without MPI_Init", SECONDS},
    [WAITING] = {"waiting", SECONDS},
    [EFFICIENCY] = {"parallel efficiency", POINTS},
    [CALLS] = {"calls", NUMBER},
    [MESSAGES] = {"messages", NUMBER},
    [BYTES] = {"bytes of messages", NUMBER},
};

static bool fact_of(const struct report *r, enum fact fact, double *value)
{
    const struct costs *c = &r->costs;
    switch (fact) {
    case RANKS:
        *value = r->reader->trace.n_ranks;
        return true;
    case RUN:
        *value = seconds(r, c->run - c->init);
        return c->timed;
    case INIT:
        *value = (double)c->init / 1e9 / c->ranks;
        return c->timed;
    case COMPUTATION:
        *value = seconds(r, c->run - c->mpi);
        return c->timed;
    case IN_MPI:
        *value = seconds(r, c->mpi - c->init);
        return c->timed;
    case WAITING:
        *value = r->timed ? seconds(r, report_waiting(r)) : 0;
        return r->timed;
    case EFFICIENCY:
        return efficiency(r, value);
    case CALLS:
        *value = (double)c->calls;
        return true;
    case MESSAGES:
        *value = (double)r->traffic.all.messages;
        return true;
    case BYTES:
        *value = (double)r->traffic.all.bytes;
        return true;
    case FACTS:
        break;
    }
    return false;
}

static void put_run(struct emitter *e, const struct run_difference *c)
{
    static const struct emitter_column columns[] = {{"what", "mean of a rank", true, 0, 0},
                                                    {"a", "A", false, 0, 0},
                                                    {"b", "B", false, 0, 0},
                                                    {"change", "change", false, 0, 0},
                                                    {"relative", "relative", false, 0, 0}};
    emitter_table(e, "run", columns, sizeof columns / sizeof columns[0]);
    for (int fact = 0; fact < FACTS; fact++) {
        struct pair p = {.unit = facts[fact].unit};
        for (int run = 0; run < 2; run++)
            p.known[run] = fact_of(c->runs[run], (enum fact)fact, &p.value[run]);
        emitter_cell_text(e, facts[fact].what);
        put_pair(e, &p);
    }
    emitter_table_end(e);
}

/* ---- of places ------------------------------------------------------------------------------- */

static void put_row(struct emitter *e, const struct run_difference *c, const struct run_difference_row *row)
{
    struct pair p = {.unit = SECONDS};
    for (int run = 0; run < 2; run++) {
        p.known[run] = row->of[run].there && c->runs[run]->costs.timed;
        p.value[run] = (double)row->of[run].time / 1e9;
    }
    emitter_cell_text(e, text_table_at(&c->places, row->place));
    put_pair(e, &p);
    for (int run = 0; run < 2; run++) {
        if (row->of[run].calls > 0)
            emitter_cell_uint(e, row->of[run].calls);
        else
            emitter_cell_none(e);
    }
}

/* What changed is so little of the longer run that it is chance. */
#define SMALL 0.001
static bool is_small(const struct run_difference *c, const struct run_difference_row *row)
{
    const struct run_difference_side *of = row->of;
    double run = 0;
    for (int i = 0; i < 2; i++)
        run = fmax(run, (double)(c->runs[i]->costs.run - c->runs[i]->costs.init) / c->runs[i]->costs.threads);
    const bool timed = c->runs[0]->costs.timed && c->runs[1]->costs.timed;
    return (timed || of[0].calls == of[1].calls) &&
           fabs((double)of[0].time - (double)of[1].time) <= SMALL * run;
}

static void put_places(struct emitter *e, const struct run_difference *c)
{
    static const struct emitter_column columns[] = {{"place", "largest changes", true, 0, 0},
                                                    {"a", "A", false, 0, 0},
                                                    {"b", "B", false, 0, 0},
                                                    {"change", "change", false, 0, 0},
                                                    {"relative", "relative", false, 0, 0},
                                                    {"calls_a", "calls of A", false, 0, 0},
                                                    {"calls_b", "calls of B", false, 0, 0}};
    const size_t most = e->as_json ? c->rows.n : ROWS_OF_TEXT;
    size_t n = 0, small = 0;
    for (size_t i = 0; i < c->rows.n; i++)
        small += !e->as_json && is_small(c, &c->rows.items[i]);
    if (!e->as_json && small == c->rows.n)
        return;
    emitter_table(e, "places", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->rows.n && n < most; i++) {
        if (!e->as_json && is_small(c, &c->rows.items[i]))
            continue;
        put_row(e, c, &c->rows.items[i]);
        n++;
    }
    emitter_table_end(e);
    if (n < c->rows.n)
        text_printf(&e->out->text,
                    "and %zu more (--json); %zu of them changed by less than %g %% of the run\n",
                    c->rows.n - n, small, 100 * SMALL);
}

/* In all that text says. */
static bool is_same(const struct run_difference *c)
{
    for (int fact = 0; fact < FACTS; fact++) {
        double value[2];
        const bool a = fact_of(c->runs[0], (enum fact)fact, &value[0]),
                   b = fact_of(c->runs[1], (enum fact)fact, &value[1]);
        if (a != b || (a && (value[0] > value[1] || value[0] < value[1])))
            return false;
    }
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct run_difference_side *of = c->rows.items[i].of;
        if (of[0].there != of[1].there || of[0].time != of[1].time || of[0].calls != of[1].calls)
            return false;
    }
    return true;
}

enum refrain_status run_difference_put(const struct run_difference *c, bool as_json, struct output *out)
{
    enum { LABEL = 3 };
    struct emitter e = emitter_open(out, as_json, LABEL);
    emitter_text(&e, "a", "A", c->runs[0]->file);
    emitter_text(&e, "b", "B", c->runs[1]->file);
    if (!as_json && is_same(c)) {
        text_put(&out->text, "no difference\n");
        return emitter_close(&e);
    }
    put_run(&e, c);
    put_places(&e, c);
    return emitter_close(&e);
}
