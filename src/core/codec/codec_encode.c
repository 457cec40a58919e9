/* SPDX-License-Identifier: BSD-3-Clause */
/* Encode a trace as the sections of docs/FORMAT.md. Shapes are encoded first, because series,
 * streams and rows are numbered by their first use; the tables follow. */
#include "codec_impl.h"

#include "codec_permute.h"
#include "src/core/base/log.h"
#include "src/core/trace/annex_columns.h"
#include "src/core/passes/transposed_counts.h"

#include <stdlib.h>
#include <string.h>

#define LEVEL_FINAL     19
#define LEVEL_TRANSPORT 1 /* traces on their way up the merge tree are decompressed at once */

static void put_text(struct bytes *out, const char *s)
{
    bytes_put_string(out, s, strlen(s));
}

/* ---- META, SITE, RTIM ------------------------------------------------------------------------ */

static void encode_meta(const struct trace *t, struct bytes *out)
{
    bytes_put_uint(out, t->first_rank);
    bytes_put_uint(out, t->n_ranks);
    bytes_put_uint(out, t->meta.n);
    for (size_t i = 0; i < t->meta.n; i++) {
        put_text(out, t->meta.items[i].key);
        put_text(out, t->meta.items[i].value);
    }
}

/* The number of outermost frames that two sites share; with whole call paths, most of them. */
static uint32_t common_frames(const struct site *a, const struct site *b)
{
    uint32_t n = 0;
    while (n < a->n_frames && n < b->n_frames) {
        const struct frame *f = &a->frames[a->n_frames - 1 - n], *g = &b->frames[b->n_frames - 1 - n];
        if (f->module != g->module || f->offset != g->offset)
            break;
        n++;
    }
    return n;
}

static void encode_sites(const struct trace *t, struct bytes *out)
{
    if (t->modules.n == 0 && t->sites.n == 0)
        return;
    bytes_put_uint(out, t->modules.n);
    for (size_t i = 0; i < t->modules.n; i++)
        put_text(out, t->modules.items[i]);

    uint64_t last = 0; /* differences are small, since offsets are near each other */
    bytes_put_uint(out, t->sites.n);
    for (size_t i = 0; i < t->sites.n; i++) {
        const struct site *s = &t->sites.items[i];
        uint32_t common = i > 0 ? common_frames(s, s - 1) : 0, own = s->n_frames - common;
        bytes_put_uint(out, s->function);
        bytes_put_uint(out, (uint64_t)own << 1 | (common > 0));
        if (common > 0)
            bytes_put_uint(out, common);
        for (uint32_t k = 0; k < own; k++) {
            bytes_put_uint(out, s->frames[k].module);
            bytes_put_int(out, (int64_t)(s->frames[k].offset - last));
            last = s->frames[k].offset;
        }
    }
}

static enum refrain_status encode_rank_times(struct encoder *e)
{
    const struct trace *t = e->trace;
    struct bytes *out = &e->sections[SECTION_RTIM];
    if (t->rank_times.n == 0)
        return REFRAIN_OK;
    bytes_put_uint(out, t->rank_times.n);
    for (size_t i = 0; i < t->rank_times.n; i++) {
        const struct rank_time *r = &t->rank_times.items[i];
        uint32_t ranks;
        enum refrain_status status = codec_intern_series(&e->tables, r->ranks, &ranks);
        if (status != REFRAIN_OK)
            return status;
        bytes_put_uint(out, r->function);
        bytes_put_uint(out, ranks);
        series_encode(r->sums, out);
    }
    return REFRAIN_OK;
}

/* ---- RULE, STRM, SERI, SIGN ------------------------------------------------------------------ */

static enum refrain_status encode_shared_rules(const struct encoder *e, struct rules *const *grammars,
                                               size_t n, struct bytes *out)
{
    if (n == 0)
        return REFRAIN_OK;
    struct rules_shared shared = {0};
    enum refrain_status status = e->final ? rules_shared_share(grammars, (uint32_t)n, &shared)
                                          : rules_shared_create(grammars, (uint32_t)n, &shared);
    if (status != REFRAIN_OK)
        return status;
    rules_shared_encode(&shared, out);
    rules_shared_free(&shared);
    return REFRAIN_OK;
}

static enum refrain_status encode_skeletons(struct encoder *e)
{
    const struct trace *t = e->trace;
    struct rules **skeletons = malloc((t->shapes.n + 1) * sizeof *skeletons);
    if (!skeletons) {
        log_error("out of memory: writing %zu shapes", t->shapes.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->shapes.n; i++)
        skeletons[i] = t->shapes.items[i].skeleton;
    enum refrain_status status = encode_shared_rules(e, skeletons, t->shapes.n, &e->sections[SECTION_RULE]);
    free(skeletons);
    return status;
}

static enum refrain_status encode_series(const struct encoder *e, struct bytes *out)
{
    const struct trace *t = e->trace;
    enum refrain_status status = REFRAIN_OK;
    if (t->columns.n == 0 && e->tables.series.n == 0)
        return REFRAIN_OK;
    bytes_put_uint(out, t->columns.n);
    for (size_t i = 0; i < t->columns.n; i++)
        series_encode(t->columns.items[i], out);
    const struct codec_tables *tables = &e->tables;
    if (e->final)
        status = permuted_table_encode(&tables->permuted, out);
    bytes_put_uint(out, tables->series.n - tables->permuted.lists.n);
    for (size_t i = tables->permuted.lists.n; i < tables->series.n && status == REFRAIN_OK; i++)
        series_encode(tables->series.items[i], out);
    return status;
}

/* Order the signatures by site, then by number. */
static enum refrain_status order_signatures(const struct encoder *e, uint32_t **order)
{
    const struct codec_tables *t = &e->tables;
    const size_t n_sites = e->trace->sites.n;
    uint32_t *sorted = malloc((t->signatures.n + 1) * sizeof *sorted);
    size_t *first = malloc((n_sites + 1) * sizeof *first);
    if (!sorted || !first) {
        log_error("out of memory: writing %zu rows", t->signatures.n);
        free(sorted);
        free(first);
        return REFRAIN_ERR_MEMORY;
    }
    size_t total = 0;
    for (size_t i = 0; i < n_sites; i++) {
        first[i] = total;
        total += t->per_site[i];
    }
    for (size_t i = 0; i < t->signatures.n; i++) {
        const struct signature *s = &t->signatures.items[i];
        sorted[first[s->site] + s->number] = (uint32_t)i;
    }
    free(first);
    *order = sorted;
    return REFRAIN_OK;
}

/* Encode the rows; the reference row is the last one written of the same function. */
static enum refrain_status encode_signatures(const struct encoder *e, const uint32_t *order,
                                             struct bytes *out)
{
    const struct codec_tables *t = &e->tables;
    const struct trace *trace = e->trace;
    enum refrain_status status = REFRAIN_OK;
    slot_codes slots = {0}, ref = {0};
    if (t->signatures.n == 0)
        return REFRAIN_OK;
    const struct signature **last = calloc(trace->functions.functions.n + 1, sizeof *last);
    if (!last) {
        log_error("out of memory: writing %zu rows", t->signatures.n);
        return REFRAIN_ERR_MEMORY;
    }
    uint32_t next = 0;
    for (size_t site = 0; site < trace->sites.n && status == REFRAIN_OK; site++) {
        const struct signature **before = &last[trace->sites.items[site].function];
        ref.n = 0;
        if (*before && t->per_site[site] > 0)
            status = codec_signature_slots(t, *before, &ref);
        bytes_put_uint(out, t->per_site[site]);
        for (uint32_t i = 0; i < t->per_site[site] && status == REFRAIN_OK; i++) {
            const struct signature *s = &t->signatures.items[*order++];
            status = codec_signature_slots(t, s, &slots);
            if (status != REFRAIN_OK)
                break;
            bytes_put_uint(out, s->n_slots);
            codec_put_row(out, slots.items, s->n_slots, ref.items, ref.n, &next);
            *before = s;
            const slot_codes done = ref;
            ref = slots;
            slots = done;
        }
    }
    array_free(&slots);
    array_free(&ref);
    free(last);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Find lists that follow from others. The gain of global lists is measured against permuted lists
 * alone. If no global list was even tried, these permuted lists are final. */
static enum refrain_status find_lists(struct encoder *e)
{
    struct codec_tables alone;
    enum refrain_status status = codec_tables_create(e->trace, &alone);
    if (status != REFRAIN_OK)
        return status;
    status = prefix_sums_find(e->trace, &alone.sums);
    if (status == REFRAIN_OK)
        status = transposed_counts_find(e->trace, &alone.sums);
    if (status == REFRAIN_OK)
        status = codec_permute(e->trace, &alone);
    const size_t permuted = alone.series.n;
    if (status == REFRAIN_OK)
        status = global_lists_find(e->trace, &alone, &e->tables.global);
    if (status == REFRAIN_OK && e->tables.global.lists.n == 0 && alone.series.n == permuted) {
        codec_tables_free(&e->tables);
        e->tables = alone;
        return REFRAIN_OK;
    }
    e->tables.sums = alone.sums;
    alone.sums = (struct prefix_sums){0};
    if (status == REFRAIN_OK)
        status = codec_permute(e->trace, &e->tables);
    codec_tables_free(&alone);
    return status;
}

static enum refrain_status encode_sections(struct encoder *e)
{
    uint32_t *order = NULL;
    enum refrain_status status;
    if ((status = codec_tables_create(e->trace, &e->tables)) != REFRAIN_OK ||
        (status = e->final ? find_lists(e) : REFRAIN_OK) != REFRAIN_OK ||
        (status = codec_encode_shapes(e)) != REFRAIN_OK || (status = encode_rank_times(e)) != REFRAIN_OK ||
        (status = encode_skeletons(e)) != REFRAIN_OK ||
        (status = encode_shared_rules(e, e->tables.streams.items, e->tables.streams.n,
                                      &e->sections[SECTION_STRM])) != REFRAIN_OK ||
        (status = order_signatures(e, &order)) != REFRAIN_OK)
        return status;
    encode_meta(e->trace, &e->sections[SECTION_META]);
    if (e->trace->functions.functions.n > 0 || e->trace->functions.constants.n > 0)
        functable_encode(&e->trace->functions, &e->sections[SECTION_FUNC]);
    encode_sites(e->trace, &e->sections[SECTION_SITE]);
    annex_encode(&e->trace->annex, &e->sections[SECTION_ANNX]);
    rank_clocks_encode(&e->trace->clocks, &e->sections[SECTION_CLCK]);
    annex_columns_encode(e->trace, &e->sections[SECTION_COLS]);
    status = encode_series(e, &e->sections[SECTION_SERI]);
    if (status == REFRAIN_OK)
        status = encode_signatures(e, order, &e->sections[SECTION_SIGN]);
    if (status == REFRAIN_OK && e->final)
        status = codec_fold_encode(&e->fold, &e->tables, order, &e->sections[SECTION_TIME]);
    free(order);
    return status;
}

enum refrain_status codec_make_sections(const struct trace *t, unsigned flags, struct bytes *sections)
{
    struct encoder e = {.trace = t, .final = flags & CODEC_FINAL};
    if (e.final && t->shares_slots) { /* the passes identify a slot by its address */
        log_error("a trace whose rows share slots cannot be written as a final trace");
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = encode_sections(&e);
    for (unsigned i = 0; i < SECTIONS && status == REFRAIN_OK; i++) {
        if (e.sections[i].failed)
            status = REFRAIN_ERR_MEMORY;
    }
    codec_tables_free(&e.tables);
    codec_fold_free(&e.fold);
    array_free(&e.rows);
    for (unsigned i = 0; i < SECTIONS; i++) {
        if (status)
            bytes_free(&e.sections[i]);
        else
            sections[i] = e.sections[i];
    }
    return status;
}

static int level_of(unsigned flags)
{
    if (flags & CODEC_STORED)
        return 0;
    return flags & CODEC_FINAL ? LEVEL_FINAL : LEVEL_TRANSPORT;
}

enum refrain_status codec_pack_sections(struct bytes *sections, unsigned flags, struct bytes *out)
{
    const unsigned header =
        (flags & CODEC_FINAL ? SECTION_FINAL : 0u) | (flags & CODEC_APART ? SECTION_APART : 0u);
    const enum refrain_status status = section_write(sections, header, level_of(flags), out);
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_free(&sections[i]);
    return status;
}

enum refrain_status codec_encode(const struct trace *t, unsigned flags, struct bytes *out)
{
    struct bytes sections[SECTIONS];
    const enum refrain_status status = codec_make_sections(t, flags, sections);
    return status ? status : codec_pack_sections(sections, flags, out);
}
