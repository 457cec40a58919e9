/* SPDX-License-Identifier: BSD-3-Clause */
/* The SHAP section, and the TIME section of a trace that is not final. */
#include "codec_impl.h"

/* Whether the times are as a reader assumes: one for each row, or none. In a final file the times
 * of all groups are folded in the same way. */
static bool usual_times(const struct encoder *e, const struct group *g)
{
    if (e->final)
        return true;
    if (g->timings.n != (e->has_times ? g->rows.n : 0))
        return false;
    for (size_t i = 0; i < g->timings.n; i++) {
        if (g->rows.items[i].timing != i)
            return false;
    }
    return true;
}

/* Encode the column of each rank, or the factor of a sum. */
static enum refrain_status encode_choice(struct encoder *e, const struct rankfn *f, const int64_t *single)
{
    struct slot_code code;
    enum refrain_status status = codec_intern_slot(&e->tables, f, single, &code);
    if (status == REFRAIN_OK)
        codec_put_slot(&e->sections[SECTION_SHAP], &code);
    return status;
}

/* Encode columns. Those of order and filler belong to no slot and have parts of their own. */
static enum refrain_status encode_columns(struct encoder *e, const struct group *g, const int64_t *single)
{
    struct bytes *out = &e->sections[SECTION_SHAP];
    const size_t n = group_slot_columns(g);
    enum refrain_status status = REFRAIN_OK;
    if (n > 0)
        bytes_put_uint(out, n);
    for (size_t i = 0; i < g->columns.n && status == REFRAIN_OK; i++) {
        if (i < n)
            bytes_put_uint(out, g->columns.items[i].slot);
        status = encode_choice(e, &g->columns.items[i].series, single);
    }
    return status;
}

/* Encode the slots that are sums of others (slot_sums.h). */
static enum refrain_status encode_sums(struct encoder *e, const struct group *g, const int64_t *single)
{
    struct bytes *out = &e->sections[SECTION_SHAP];
    enum refrain_status status = REFRAIN_OK;
    uint32_t before = 0;
    bytes_put_uint(out, g->sums.n);
    for (size_t i = 0; i < g->sums.n && status == REFRAIN_OK; i++) {
        const struct slot_sum *sum = &g->sums.items[i];
        bytes_put_uint(out, sum->slot - before);
        bytes_put_uint(out, sum->distance);
        before = sum->slot;
        status = encode_choice(e, &sum->factor, single);
    }
    return status;
}

static void encode_explicit_timings(const struct group *g, struct bytes *out)
{
    bytes_put_uint(out, g->timings.n);
    for (size_t i = 0; i < g->rows.n && g->timings.n > 0; i++) {
        uint32_t timing = g->rows.items[i].timing;
        bytes_put_uint(out, timing == TIMING_NONE ? 0 : (uint64_t)timing + 1);
    }
}

/* Intern the rows: e->rows become the group's signatures. */
static enum refrain_status intern_rows(struct encoder *e, uint32_t site, const struct group *g,
                                       const int64_t *single)
{
    e->rows.n = 0;
    if (!array_reserve(&e->rows, g->rows.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < g->rows.n; i++) {
        enum refrain_status status =
            codec_intern_row(&e->tables, site, &g->rows.items[i], single, &e->rows.items[i]);
        if (status != REFRAIN_OK)
            return status;
        e->rows.n++;
    }
    return REFRAIN_OK;
}

/* Encode a group; `whole` if it has all ranks of the shape and is the entry's only group. */
static enum refrain_status encode_group(struct encoder *e, uint32_t site, const struct group *g, bool whole)
{
    struct bytes *out = &e->sections[SECTION_SHAP];
    struct codec_tables *tables = &e->tables;
    int64_t rank = series_at(g->ranks, 0);
    const int64_t *single = !e->final && series_length(g->ranks) == 1 ? &rank : NULL;
    enum refrain_status status = intern_rows(e, site, g, single);
    if (status != REFRAIN_OK)
        return status;

    unsigned parts = (whole ? 0 : GROUP_RANKS) | (g->stream ? GROUP_STREAM : 0) |
                     (group_slot_columns(g) > 0 ? GROUP_COLUMNS : 0) | (group_order(g) ? GROUP_ORDER : 0) |
                     (group_filler(g) ? GROUP_FILLER : 0) | (g->sums.n > 0 ? GROUP_SUMS : 0) |
                     (g->rows.n != 1 ? GROUP_ROWS : 0) | (usual_times(e, g) ? 0 : GROUP_TIMINGS);
    if (whole && parts == 0) {
        bytes_put_uint(out, (uint64_t)tables->signatures.items[e->rows.items[0]].number << 1);
        return REFRAIN_OK;
    }
    if (whole)
        bytes_put_uint(out, UINT64_C(1) << 1 | 1);
    bytes_put_uint(out, parts);
    if (parts & GROUP_RANKS) {
        uint32_t ranks;
        if ((status = codec_intern_series(tables, g->ranks, &ranks)) != REFRAIN_OK)
            return status;
        bytes_put_uint(out, ranks);
    }
    if (parts & GROUP_STREAM) {
        uint32_t stream;
        if ((status = codec_intern_stream(tables, g->stream, &stream)) != REFRAIN_OK)
            return status;
        bytes_put_uint(out, stream);
    }
    if (parts & GROUP_ROWS)
        bytes_put_uint(out, g->rows.n);
    int64_t expected = 0; /* mostly, rows are new and numbered consecutively */
    for (size_t i = 0; i < g->rows.n; i++) {
        int64_t number = tables->signatures.items[e->rows.items[i]].number;
        bytes_put_int(out, number - expected);
        expected = number + 1;
    }
    if (g->columns.n > 0)
        status = encode_columns(e, g, single);
    if (status == REFRAIN_OK && parts & GROUP_SUMS)
        status = encode_sums(e, g, single);
    if (parts & GROUP_TIMINGS)
        encode_explicit_timings(g, out);
    return status;
}

static void encode_group_timings(const struct group *g, struct bytes *out)
{
    for (size_t i = 0; i < g->timings.n; i++)
        timing_encode(&g->timings.items[i], out);
}

static enum refrain_status encode_entry(struct encoder *e, const struct shape *s, const struct entry *entry)
{
    size_t n = entry->groups.n;
    bool whole = n == 1 && series_equal(entry->groups.items[0].ranks, s->ranks);
    if (!whole)
        bytes_put_uint(&e->sections[SECTION_SHAP], (uint64_t)n << 1 | 1);
    for (size_t i = 0; i < n; i++) {
        const struct group *g = &entry->groups.items[i];
        enum refrain_status status = encode_group(e, entry->site, g, whole);
        if (status != REFRAIN_OK)
            return status;
        if (e->final)
            status = codec_fold_group(&e->fold, &e->tables, g, e->rows.items);
        else
            encode_group_timings(g, &e->sections[SECTION_TIME]);
        if (status != REFRAIN_OK)
            return status;
    }
    return REFRAIN_OK;
}

static bool all_ranks(const struct trace *t, const struct series *ranks)
{
    return series_length(ranks) == t->n_ranks && series_at(ranks, 0) == t->first_rank;
}

static enum refrain_status encode_loops(struct encoder *e, const struct shape *s)
{
    struct bytes *out = &e->sections[SECTION_SHAP];
    const int64_t rank = series_at(s->ranks, 0);
    const bool single = !e->final && series_length(s->ranks) == 1;
    enum refrain_status status = REFRAIN_OK;
    bytes_put_uint(out, s->loops.n);
    for (size_t i = 0; i < s->loops.n && status == REFRAIN_OK; i++) {
        const struct loop *l = &s->loops.items[i];
        bytes_put_uint(out, l->after);
        bytes_put_uint(out, l->n);
        for (uint32_t k = 0; k < l->n; k++)
            bytes_put_uint(out, l->sites[k]);
        status = encode_choice(e, &l->counts, single ? &rank : NULL);
    }
    return status;
}

static enum refrain_status encode_shape(struct encoder *e, const struct shape *s)
{
    struct bytes *out = &e->sections[SECTION_SHAP];
    bytes_put_uint(out,
                   (uint64_t)s->number << SHAPE_NUMBER_SHIFT | s->kind | (s->loops.n > 0 ? SHAPE_LOOPS : 0));
    uint32_t ranks = 0;
    bool all = all_ranks(e->trace, s->ranks);
    enum refrain_status status = all ? REFRAIN_OK : codec_intern_series(&e->tables, s->ranks, &ranks);
    bytes_put_uint(out, all ? 0 : (uint64_t)ranks + 1);
    if (status == REFRAIN_OK && s->loops.n > 0)
        status = encode_loops(e, s);
    for (size_t i = 0; i < s->entries.n && status == REFRAIN_OK; i++)
        status = encode_entry(e, s, &s->entries.items[i]);
    return status;
}

/* The first group shows whether the trace has times. */
static bool has_times(const struct trace *t)
{
    if (t->shapes.n == 0 || t->shapes.items[0].entries.n == 0)
        return false;
    return t->shapes.items[0].entries.items[0].groups.items[0].timings.n > 0;
}

enum refrain_status codec_encode_shapes(struct encoder *e)
{
    const struct trace *t = e->trace;
    enum refrain_status status = REFRAIN_OK;
    if (t->shapes.n == 0)
        return REFRAIN_OK;
    e->has_times = has_times(t);
    bytes_put_uint(&e->sections[SECTION_SHAP], e->has_times && !e->final ? SHAP_TIMES : 0);
    bytes_put_uint(&e->sections[SECTION_SHAP], t->shapes.n);
    for (size_t i = 0; i < t->shapes.n && status == REFRAIN_OK; i++)
        status = encode_shape(e, &t->shapes.items[i]);
    return status;
}
