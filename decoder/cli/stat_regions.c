/* SPDX-License-Identifier: BSD-3-Clause */
#include "stat_regions.h"

#include "decoder/stat/region_sums.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define SECONDS  1e-9, 6
#define NO_SCALE 0, 0

static const struct emitter_column columns[] = {
    {"region", "region", true, NO_SCALE},     {"visits", "visits", false, NO_SCALE},
    {"time_ns", "time [s]", false, SECONDS},  {"own_time_ns", "own [s]", false, SECONDS},
    {"mpi_ns", "in MPI [s]", false, SECONDS}, {"own_mpi_ns", "own in MPI [s]", false, SECONDS},
    {"calls", "calls", false, NO_SCALE},      {"own_calls", "own calls", false, NO_SCALE},
};

struct line {
    uint32_t number; /* of the region */
    const struct region_sum *sum;
};

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->sum->all.time != y->sum->all.time)
        return x->sum->all.time > y->sum->all.time ? -1 : 1;
    if (x->sum->all.calls != y->sum->all.calls)
        return x->sum->all.calls > y->sum->all.calls ? -1 : 1;
    return x->number < y->number ? -1 : 1; /* in order of appearance */
}

static void put_time(struct emitter *e, const struct region_sums *s, uint64_t ns)
{
    if (s->timed)
        emitter_cell_real(e, (double)ns);
    else
        emitter_cell_none(e);
}

/* `name` is NULL for the line of everything outside of regions, which has only its own share. */
static void put_line(struct emitter *e, const struct region_sums *s, const struct region_sum *sum,
                     const char *name, size_t n)
{
    const struct region_share *all = name ? &sum->all : &sum->own, *own = &sum->own;
    const char *key = emitter_cell_open(e);
    if (e->as_json && name)
        json_string_n(&e->json, key, name, n);
    else if (e->as_json)
        json_null(&e->json, key);
    else if (name)
        text_put_word(&e->cells, name, n);
    else
        text_put(&e->cells, "(outside)");
    emitter_cell_close(e);
    emitter_cell_uint(e, sum->visits);
    put_time(e, s, all->time);
    put_time(e, s, own->time);
    put_time(e, s, all->mpi_time);
    put_time(e, s, own->mpi_time);
    emitter_cell_uint(e, all->calls);
    emitter_cell_uint(e, own->calls);
}

static void put_notes(struct emitter *e, const struct region_sums *s)
{
    struct bytes text = {0};
    region_faults_put(&s->faults, &text);
    bytes_put_u8(&text, '\0');
    if (!text.failed && text.n > 1)
        emitter_note(e, "faults", (const char *)text.data);
    if (!s->timed)
        emitter_note(e, "note", "This trace has no times.");
    else if (s->synthetic)
        emitter_note(e, "note", "Times are made of means; record with --timing lossy.");
    bytes_free(&text);
}

static enum refrain_status print(const struct region_sums *s, bool as_json)
{
    struct output out = {0};
    size_t n = 0;
    struct line *lines = calloc(s->items.n + 1, sizeof *lines);
    if (!lines) {
        log_error("out of memory: %zu regions", s->items.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < s->items.n; i++) {
        if (s->items.items[i].visits > 0)
            lines[n++] = (struct line){i, &s->items.items[i]};
    }
    qsort(lines, n, sizeof *lines, by_time);
    struct emitter e = emitter_open(&out, as_json, 0);
    emitter_table(&e, "regions", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++)
        put_line(&e, s, lines[i].sum, text_table_at(&s->names, lines[i].number),
                 s->names.items.items[lines[i].number].n);
    put_line(&e, s, &s->outside, NULL, 0);
    emitter_table_end(&e);
    put_notes(&e, s);
    const enum refrain_status status = emitter_close(&e), written = output_close(&out);
    free(lines);
    return status != REFRAIN_OK ? status : written;
}

enum refrain_status stat_regions_print(const struct reader *r, const struct ranges *ranks, bool as_json)
{
    struct region_sums sums;
    enum refrain_status status = region_sums_compute(&sums, r, ranks);
    if (status != REFRAIN_OK)
        return status;
    status = print(&sums, as_json);
    region_sums_free(&sums);
    return status;
}
