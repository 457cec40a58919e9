/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain info: shows the contents of a trace and their sizes. */
#include "commands.h"

#include "decoder/loops/loop_text.h"
#include "decoder/match/logical_clock.h"
#include "decoder/region/declared_topology.h"
#include "decoder/region/notes.h"
#include "decoder/trace/endings.h"
#include "decoder/times/lane_times.h"
#include "decoder/trace/reader.h"
#include "decoder/times/times_reach.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "src/core/base/order.h"
#include "src/core/settings/variable.h"
#include "world_select.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LABEL_WIDTH 11

/* How many there are of each. */
struct totals {
    uint64_t lanes, calls, functions, sites, groups, rows, columns, rules, items;
};

static uint64_t items_of(const struct rules *r)
{
    return r->first[r->n_rules];
}

/* Is it an MPI function, not a definition of symbols? */
static bool is_real(const struct trace *t, size_t function)
{
    return t->functions.functions.items[function].name[0] != '@';
}

static struct totals count(const struct reader *r)
{
    const struct trace *t = &r->trace;
    struct totals n = {0};
    for (size_t i = 0; i < t->functions.functions.n; i++)
        n.functions += is_real(t, i);
    for (size_t i = 0; i < t->sites.n; i++)
        n.sites += is_real(t, t->sites.items[i].function);
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        n.columns += shape->loops.n;
        n.rules += shape->skeleton->n_rules;
        n.items += items_of(shape->skeleton);
        if (shape->kind == LANE_THREAD) {
            n.lanes += series_length(shape->ranks);
            n.calls += reader_shape_calls(r, shape);
        }
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            n.groups += entry->groups.n;
            for (size_t g = 0; g < entry->groups.n; g++) {
                const struct group *group = &entry->groups.items[g];
                n.rows += group->rows.n;
                n.columns += group->columns.n;
                n.rules += group->stream ? group->stream->n_rules : 0;
                n.items += group->stream ? items_of(group->stream) : 0;
            }
        }
    }
    return n;
}

/* Writes the tracer's data about the run. */
static void put_meta(struct emitter *e, const struct trace *t, bool as_json)
{
    static const char *const keys[][2] = {{"command", "command"},     {"mpi", "MPI library"},
                                          {"host", "host"},           {"job", "job"},
                                          {"refrain", "recorded by"}, {"run", "run"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = trace_meta(t, keys[i][0]);
        if (value)
            emitter_text(e, keys[i][0], keys[i][1], value);
    }
    const char *start = trace_meta(t, "start");
    if (!start)
        return;
    const time_t seconds = (time_t)strtoll(start, NULL, 10);
    struct tm tm;
    char text[64];
    if (as_json)
        emitter_uint(e, "start", "", (uint64_t)seconds);
    else if (gmtime_r(&seconds, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm) > 0)
        emitter_text(e, "start", "started", text);
}

/* Writes which spawn of which rank made the world. The rank is in a world of the file or, if the
 * file does not contain that world, in another run. */
static void put_spawner(struct emitter *e, const struct reader *r)
{
    struct world_spawner s;
    struct bytes text = {0};
    uint32_t parent;
    if (!world_read_spawner(&r->trace, &s))
        return;
    text_printf(&text, "spawn %" PRIu32 " of rank %" PRIu32 " of ", s.n, s.rank);
    if (r->n_worlds > 1 && world_find_run(r->path, r->n_worlds, s.run, &parent))
        text_printf(&text, "world %" PRIu32, parent);
    else
        text_printf(&text, "run %s", s.run);
    bytes_put_u8(&text, '\0');
    emitter_text(e, "spawner", "spawned by", text.failed ? "?" : (const char *)text.data);
    bytes_free(&text);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* A program of the run, and the ranks that called MPI_Init from it. */
struct program {
    uint32_t module;
    ARRAY(uint32_t) ranks;
};

struct programs {
    ARRAY(struct program) items;
};

static bool is_init_site(const struct reader *r, uint32_t site)
{
    const char *function = reader_function(r, site);
    return strcmp(function, "MPI_Init") == 0 || strcmp(function, "MPI_Init_thread") == 0;
}

static enum refrain_status add_program(struct programs *p, uint32_t module, const struct series *ranks)
{
    size_t i = 0;
    while (i < p->items.n && p->items.items[i].module != module)
        i++;
    if (i == p->items.n && !array_push(&p->items, (struct program){.module = module}))
        return REFRAIN_ERR_MEMORY;
    const uint64_t n = series_length(ranks);
    for (uint64_t k = 0; k < n; k++)
        if (!array_push(&p->items.items[i].ranks, (uint32_t)series_at(ranks, k)))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* Adds the program that a lane's MPI_Init was called from: the outermost known frame that is in no shared
 * library. */
static enum refrain_status add_shape(struct programs *p, const struct trace *t, const struct shape *shape,
                                     const struct site *site)
{
    for (uint32_t i = site->n_frames; i-- > 0;)
        if (!strstr(t->modules.items[site->frames[i].module], ".so"))
            return add_program(p, site->frames[i].module, shape->ranks);
    return REFRAIN_OK;
}

static int by_first_rank(const void *x, const void *y)
{
    const struct program *a = x, *b = y;
    return order_u32(&a->ranks.items[0], &b->ranks.items[0]);
}

static enum refrain_status find_programs(struct programs *p, const struct reader *r)
{
    const struct trace *t = &r->trace;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n && status == REFRAIN_OK; e++)
            if (is_init_site(r, shape->entries.items[e].site))
                status = add_shape(p, t, shape, &t->sites.items[shape->entries.items[e].site]);
    }
    for (size_t i = 0; i < p->items.n; i++)
        qsort(p->items.items[i].ranks.items, p->items.items[i].ranks.n, sizeof(uint32_t), order_u32);
    if (p->items.n > 1)
        qsort(p->items.items, p->items.n, sizeof *p->items.items, by_first_rank);
    return status;
}

/* Lists the programs if there are several: the command is that of rank 0 only. */
static enum refrain_status put_programs(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"program", "program", true, 0, 0},
                                                    {"ranks", "ranks", true, 0, 0}};
    struct programs programs = {0};
    struct bytes text = {0};
    enum refrain_status status = find_programs(&programs, r);
    if (status == REFRAIN_OK && programs.items.n > 1) {
        emitter_table(e, "programs", columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < programs.items.n; i++) {
            const struct program *p = &programs.items.items[i];
            text.n = 0;
            loop_put_ranks(p->ranks.items, p->ranks.n, &text);
            bytes_put_u8(&text, '\0');
            emitter_cell_text(e, r->trace.modules.items[p->module]);
            emitter_cell_text(e, text.failed ? "?" : (const char *)text.data);
        }
        emitter_table_end(e);
    }
    for (size_t i = 0; i < programs.items.n; i++)
        array_free(&programs.items.items[i].ranks);
    array_free(&programs.items);
    bytes_free(&text);
    return status;
}

/* ---- worlds ---------------------------------------------------------------------------------- */

/* Lists all worlds of the file. */
static enum refrain_status put_worlds(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"world", "world", false, 0, 0},
                                                    {"ranks", "ranks", false, 0, 0},
                                                    {"run", "run", true, 0, 0},
                                                    {"command", "command", true, 0, 0}};
    enum refrain_status status = REFRAIN_OK;
    if (r->n_worlds == 1)
        return REFRAIN_OK;
    emitter_table(e, "worlds", columns, sizeof columns / sizeof columns[0]);
    for (uint32_t i = 0; i < r->n_worlds && status == REFRAIN_OK; i++) {
        struct reader world;
        status = reader_open_world(&world, r->path, i);
        if (status != REFRAIN_OK)
            break;
        const char *run = trace_meta(&world.trace, "run"), *command = trace_meta(&world.trace, "command");
        emitter_cell_uint(e, i);
        emitter_cell_uint(e, world.trace.n_ranks);
        emitter_cell_text(e, run ? run : "");
        emitter_cell_text(e, command ? command : "");
        reader_close(&world);
    }
    emitter_table_end(e);
    return status;
}

static void put_totals(struct emitter *e, const struct reader *r)
{
    const struct trace *t = &r->trace;
    const struct totals n = count(r);
    emitter_uint(e, "ranks", "ranks", t->n_ranks);
    emitter_uint(e, "lanes", "lanes", n.lanes);
    emitter_uint(e, "calls", "calls", n.calls);
    emitter_uint(e, "functions", "functions", n.functions);
    emitter_uint(e, "sites", "sites", n.sites);
    emitter_uint(e, "shapes", "shapes", t->shapes.n);
    emitter_uint(e, "groups", "groups", n.groups);
    emitter_uint(e, "rows", "rows", n.rows);
    emitter_uint(e, "columns", "columns", n.columns);
    emitter_uint(e, "rules", "rules", n.rules);
    emitter_uint(e, "symbols", "symbols", n.items);
}

/* Writes what was left out of the trace and the setting that caused this. */
static void put_partial(struct emitter *e, const struct trace *t)
{
    const char *unrecorded = trace_meta(t, META_UNRECORDED);
    const char *functions = trace_meta(t, variables[VARIABLE_FUNCTIONS].name);
    const char *start = trace_meta(t, variables[VARIABLE_START].name);
    if (!unrecorded)
        return;
    emitter_uint(e, META_UNRECORDED, "left out", strtoull(unrecorded, NULL, 10));
    if (functions)
        emitter_text(e, "recorded_functions", "  functions", functions);
    if (start)
        emitter_text(e, "recording_start", "  start", start);
}

/* Writes how far the times of single calls reach; nothing if all calls have such times. */
static enum refrain_status put_reach(struct emitter *e, const struct reader *r,
                                     const struct times_reach *reach)
{
    struct bytes text = {0};
    if (reach->timed == reach->calls)
        return REFRAIN_OK;
    uint64_t origin;
    const enum refrain_status status = timestamps_find_origin(r, &origin);
    if (status != REFRAIN_OK)
        return status;
    emitter_uint(e, "times_calls", "  calls", reach->timed);
    text_printf(&text, "at least the first %" PRIu64 " calls of each thread", reach->least);
    if (reach->until > origin) {
        text_put(&text, "; all calls before ");
        text_seconds(&text, reach->until - origin);
        text_put(&text, " s");
    }
    bytes_put_u8(&text, '\0');
    emitter_text(e, "times_until", "  up to", text.failed ? "?" : (const char *)text.data);
    bytes_free(&text);
    return REFRAIN_OK;
}

/* Writes the precision of the times of single calls and their size. */
static enum refrain_status put_times(struct emitter *e, const struct reader *r)
{
    struct time_mode mode = {0};
    struct bytes text = {0};
    uint64_t bytes;
    if (!lane_times_exist(r))
        return REFRAIN_OK;
    enum refrain_status status = lane_times_mode(r, &mode, &bytes);
    if (status != REFRAIN_OK)
        return status;
    struct times_reach reach;
    if ((status = times_reach_find(&reach, r)) != REFRAIN_OK) {
        time_mode_free(&mode);
        return status;
    }
    lane_times_put_mode(&mode, &text);
    bytes_put_u8(&text, '\0');
    emitter_text(e, "times", "times", text.failed ? "?" : (const char *)text.data);
    text.n = 0;
    text_printf(&text, "%" PRIu64 " bytes, %.3f a call", bytes,
                reach.timed > 0 ? (double)bytes / (double)reach.timed : 0);
    bytes_put_u8(&text, '\0');
    emitter_text(e, "times_size", "  size", text.failed ? "?" : (const char *)text.data);
    bytes_free(&text);
    time_mode_free(&mode);
    return put_reach(e, r, &reach);
}

static void put_sections(struct emitter *e, const struct codec_sections *sections)
{
    static const struct emitter_column columns[] = {{"section", "section", true, 0, 0},
                                                    {"raw", "bytes", false, 0, 0},
                                                    {"stored", "in the file", false, 0, 0}};
    emitter_table(e, "sections", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < sections->n; i++) {
        emitter_cell_text(e, sections->items[i].tag);
        emitter_cell_uint(e, sections->items[i].raw);
        emitter_cell_uint(e, sections->items[i].stored);
    }
    emitter_table_end(e);
}

static double magnitude(int64_t v)
{
    return v < 0 ? -(double)v : (double)v;
}

/* Writes how far the ranks' clocks are from rank 0's, how fast that changes, and how precisely it
 * is known. */
static void put_clocks(struct emitter *e, const struct rank_clocks *clocks)
{
    static const struct emitter_column columns[] = {{"ranks", "clocks", false, 0, 0},
                                                    {"apart", "apart, s", false, 1e-9, 9},
                                                    {"drift", "drift, ns/s", false, 1, 0},
                                                    {"error", "uncertain by, s", false, 1e-9, 9}};
    double apart = 0, drift = 0, error = 0;
    bool known = true;
    if (clocks->n == 0)
        return;
    for (size_t i = 0; i < clocks->n; i++) {
        const struct rank_clock *c = &clocks->items[i];
        const struct clock_point *first = c->points.items, *last = first + c->points.n - 1;
        for (const struct clock_point *p = first; p <= last; p++) {
            apart = fmax(apart, magnitude(p->ahead));
            error = fmax(error, (double)p->error);
            known = known && p->error != CLOCK_UNKNOWN;
        }
        if (last > first)
            drift = fmax(drift, magnitude(last->ahead - first->ahead) / (double)(last->local - first->local));
    }
    emitter_table(e, "clocks", columns, sizeof columns / sizeof columns[0]);
    emitter_cell_uint(e, clocks->n);
    emitter_cell_real(e, apart);
    emitter_cell_real(e, 1e9 * drift);
    if (known)
        emitter_cell_real(e, error);
    else
        emitter_cell_none(e);
    emitter_table_end(e);
}

/* Writes how many messages arrive before they were sent, by the recorded clocks and by the causal
 * clocks. */
static enum refrain_status put_causality(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"arrivals", "arrivals", false, 0, 0},
                                                    {"early", "before they were sent", false, 0, 0},
                                                    {"early_most", "early by at most, s", false, 1e-9, 9},
                                                    {"early_causal", "with --clock causal", false, 0, 0}};
    struct definitions definitions = {0};
    struct timestamps_source timestamps = {0};
    struct logical_clock clock = {0};
    enum refrain_status status = definitions_read(&definitions, r);
    if (status == REFRAIN_OK)
        status = timestamps_source_create(&timestamps, r, false);
    if (status == REFRAIN_OK)
        status = logical_clock_find(&clock, r, &definitions, &timestamps);
    if (status == REFRAIN_OK) {
        emitter_table(e, "causality", columns, sizeof columns / sizeof columns[0]);
        emitter_cell_uint(e, clock.arrivals);
        emitter_cell_uint(e, clock.early_before);
        emitter_cell_real(e, (double)clock.early_most);
        emitter_cell_uint(e, clock.early_after);
        emitter_table_end(e);
    }
    logical_clock_free(&clock);
    timestamps_source_free(&timestamps);
    definitions_free(&definitions);
    return status;
}

/* Writes how ranks ended if the run ended without MPI_Finalize. */
static enum refrain_status put_endings(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"ended", "ended by", true, 0, 0},
                                                    {"ranks", "ranks", true, 0, 0}};
    struct endings endings;
    struct bytes text = {0};
    if (!endings_has(&r->trace))
        return REFRAIN_OK;
    enum refrain_status status = endings_read(&endings, r);
    if (status != REFRAIN_OK)
        return status;
    emitter_table(e, "endings", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < endings.items.n; i++) {
        static void (*const put[])(const struct ending *, struct bytes *) = {ending_put, ending_put_ranks};
        for (size_t c = 0; c < sizeof put / sizeof put[0]; c++) {
            text.n = 0;
            put[c](&endings.items.items[i], &text);
            bytes_put_u8(&text, '\0');
            emitter_cell_text(e, text.failed ? "?" : (const char *)text.data);
        }
    }
    emitter_table_end(e);
    status = text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    bytes_free(&text);
    endings_free(&endings);
    return status;
}

static void put_cell(struct emitter *e, const char *text, size_t n)
{
    const char *key = emitter_cell_open(e);
    if (e->as_json)
        json_string_n(&e->json, key, text, n);
    else
        text_put_word(&e->cells, text, n);
    emitter_cell_close(e);
}

/* Writes the notes of the program. */
static enum refrain_status put_notes(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"note", "note", true, 0, 0},
                                                    {"value", "value", true, 0, 0},
                                                    {"ranks", "ranks", false, 0, 0},
                                                    {"first", "from rank", false, 0, 0}};
    struct notes notes;
    enum refrain_status status = notes_read(&notes, r);
    if (status != REFRAIN_OK || notes.items.n == 0)
        return status;
    emitter_table(e, "notes", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < notes.items.n; i++) {
        const struct note *n = &notes.items.items[i];
        const uint32_t texts[] = {n->key, n->value};
        for (size_t k = 0; k < 2; k++)
            put_cell(e, text_table_at(&notes.texts, texts[k]), notes.texts.items.items[texts[k]].n);
        emitter_cell_uint(e, n->ranks);
        emitter_cell_uint(e, n->first);
    }
    emitter_table_end(e);
    if (notes.more)
        emitter_note(e, "more_notes", "There are more notes than these.");
    notes_free(&notes);
    return REFRAIN_OK;
}

/* Writes the topology that the program declares. */
static enum refrain_status put_topology(struct emitter *e, const struct reader *r)
{
    static const struct emitter_column columns[] = {{"dimension", "dimension", true, 0, 0},
                                                    {"size", "size", false, 0, 0},
                                                    {"periodic", "periodic", true, 0, 0}};
    struct declared_topology t;
    enum refrain_status status = declared_topology_read(&t, r);
    if (status != REFRAIN_OK || t.n == 0)
        return status;
    emitter_table(e, "topology", columns, sizeof columns / sizeof columns[0]);
    for (uint32_t i = 0; i < t.n; i++) {
        const struct declared_dimension *d = &t.dimensions[i];
        put_cell(e, d->name ? d->name : "", d->name ? strlen(d->name) : 0);
        emitter_cell_uint(e, d->size);
        emitter_cell_text(e, d->periodic ? "yes" : "no");
    }
    emitter_table_end(e);
    emitter_uint(e, "topology_placed", "placed", t.ranks.n);
    if (t.different > 0)
        emitter_uint(e, "topology_different", "different", t.different);
    declared_topology_free(&t);
    return REFRAIN_OK;
}

enum refrain_status cmd_info(const struct options *o)
{
    struct reader reader;
    struct output out = {0};
    const bool as_json = options_has(o, OPTION_JSON);
    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if (options_has(o, OPTION_CAUSALITY) && (status = lane_times_check(&reader)) != REFRAIN_OK) {
        reader_close(&reader);
        return status;
    }
    struct emitter e = emitter_open(&out, as_json, LABEL_WIDTH);
    emitter_text(&e, "file", "file", reader.path);
    emitter_uint(&e, "bytes", "bytes", reader.file_bytes);
    put_meta(&e, &reader.trace, as_json);
    put_spawner(&e, &reader);
    put_totals(&e, &reader);
    put_partial(&e, &reader.trace);
    status = put_times(&e, &reader);
    if (status == REFRAIN_OK)
        status = put_endings(&e, &reader);
    if (status == REFRAIN_OK)
        status = put_programs(&e, &reader);
    if (status == REFRAIN_OK)
        status = put_worlds(&e, &reader);
    if (status == REFRAIN_OK)
        status = put_topology(&e, &reader);
    if (status == REFRAIN_OK)
        status = put_notes(&e, &reader);
    put_clocks(&e, &reader.trace.clocks);
    if (status == REFRAIN_OK && options_has(o, OPTION_CAUSALITY))
        status = put_causality(&e, &reader);
    put_sections(&e, &reader.sections);
    const enum refrain_status put = emitter_close(&e);
    if (status == REFRAIN_OK)
        status = put;
    const enum refrain_status written = output_close(&out);
    reader_close(&reader);
    return status != REFRAIN_OK ? status : written;
}
