/* SPDX-License-Identifier: BSD-3-Clause */
/* The SERI section, and lists that are not written as series: permuted lists (permuted_table.h),
 * running sums (prefix_sums.h) and transposed counts (transposed_counts.h). They become plain
 * series here; no other code knows them. */
#include "codec_impl.h"

#include "src/core/base/log.h"
#include "src/core/passes/permuted_table.h"

#include <stdlib.h>

/* Expand a series. The caller frees the values. */
static enum refrain_status expand(struct decoder *d, enum section_id section, const struct series *s,
                                  int64_t **out)
{
    const uint64_t n = series_length(s);
    int64_t *values;
    if (n > d->budget / sizeof *values)
        return codec_spend(d, section, UINT64_MAX);
    enum refrain_status status = codec_spend(d, section, n * sizeof *values);
    if (status != REFRAIN_OK)
        return status;
    if (!(values = malloc((n ? n : 1) * sizeof *values))) {
        log_error("out of memory: %llu values of a series", (unsigned long long)n);
        return REFRAIN_ERR_MEMORY;
    }
    series_values(s, 0, n, values);
    *out = values;
    return REFRAIN_OK;
}

/* Make a function of a list and take over the list; the function is simpler if all values are
 * equal. */
static struct rankfn list_function(struct series *list, bool relative)
{
    int64_t value;
    if (!series_is_constant(list, &value))
        return relative ? (struct rankfn){.forms = RANKFN_RELATIVE, .relative = list}
                        : (struct rankfn){.forms = RANKFN_PLAIN, .plain = list};
    series_free(list);
    return relative ? (struct rankfn){.forms = RANKFN_OFFSET, .offset = value}
                    : (struct rankfn){.forms = RANKFN_CONSTANT, .constant = value};
}

/* ---- permuted lists -------------------------------------------------------------------------- */

/* Make a permuted list. Its memory is charged to the budget. */
static enum refrain_status permute(struct decoder *d, const struct permuted *p, const struct torus_map *map,
                                   const struct series *base, struct series **out)
{
    const uint64_t n = series_length(base);
    if (n == 0 || n > TRACE_RANKS_MAX || n % map->columns != 0)
        return codec_damaged(d, SECTION_SERI, "a list of %llu values is permuted on a torus with rows of %u",
                             (unsigned long long)n, map->columns);
    const struct torus torus = torus_of(map, (uint32_t)n);
    const struct torus_position shift = {torus_wrap(p->row, torus.rows),
                                         torus_wrap(p->column, torus.columns)};
    int64_t *values = NULL;
    struct series *s = series_create();
    enum refrain_status status = s ? expand(d, SECTION_SERI, base, &values) : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = series_append(
            s, (int64_t)((uint64_t)p->shift + (uint64_t)p->slope * i +
                         (uint64_t)p->scale * (uint64_t)values[torus_position(&torus, shift, i)]));
    free(values);
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SERI, codec_series_bytes(s));
    if (status == REFRAIN_OK)
        *out = s;
    else
        series_free(s);
    return status;
}

/* ---- the section ----------------------------------------------------------------------------- */

static enum refrain_status read_columns(struct bytes_reader *in, struct trace *t)
{
    const size_t n = bytes_get_count(in, 1);
    enum refrain_status status = array_reserve(&t->columns, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        struct series *s;
        status = series_decode(in, &s);
        if (status == REFRAIN_OK)
            t->columns.items[t->columns.n++] = s;
    }
    return status;
}

/* Make the permuted lists. They come first in the table, the series that they are made of follow. */
static enum refrain_status make_permuted(struct decoder *d, const struct permuted_table *table)
{
    const size_t n_permuted = table->lists.n, n = d->series.n - n_permuted;
    struct series **all = d->series.items;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n_permuted && status == REFRAIN_OK; i++) {
        const struct permuted *l = &table->lists.items[i];
        status =
            l->base < n && l->map < table->maps.n
                ? permute(d, l, &table->maps.items[l->map], all[n_permuted + l->base], &all[i])
                : codec_damaged(d, SECTION_SERI, "a permuted list of a series or map that does not exist");
    }
    return status;
}

enum refrain_status codec_decode_series(struct decoder *d, struct bytes_reader *in)
{
    struct permuted_table permuted = {.maps = {0}};
    enum refrain_status status = read_columns(in, &d->trace);
    if (status == REFRAIN_OK && d->final)
        status = permuted_table_decode(in, d->budget / sizeof(struct permuted), &permuted);
    if (status != REFRAIN_OK)
        return status;
    const size_t n_permuted = permuted.lists.n, n = bytes_get_count(in, 1);
    status = codec_spend(d, SECTION_SERI, n_permuted * sizeof(struct permuted));
    if (status == REFRAIN_OK && !array_reserve(&d->series, n_permuted + n))
        status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n_permuted && status == REFRAIN_OK; i++)
        d->series.items[d->series.n++] = NULL;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        struct series *s;
        status = series_decode(in, &s);
        if (status == REFRAIN_OK)
            d->series.items[d->series.n++] = s;
    }
    if (status == REFRAIN_OK)
        status = make_permuted(d, &permuted);
    permuted_table_free(&permuted);
    return status;
}

/* ---- global lists ---------------------------------------------------------------------------- */

/* Expand the values of a global list, once for all groups that cut their values from it. */
static enum refrain_status whole_values(struct decoder *d, uint32_t number, const int64_t **out)
{
    const struct series *s = d->series.items[number];
    if (series_length(s) != d->trace.n_ranks)
        return codec_damaged(d, SECTION_SIGN, "series %u is not over all ranks", number);
    if (!d->whole && !(d->whole = calloc(d->series.n, sizeof *d->whole))) {
        log_error("out of memory: %zu series", d->series.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = REFRAIN_OK;
    if (!d->whole[number])
        status = expand(d, SECTION_SIGN, s, &d->whole[number]);
    *out = d->whole[number];
    return status;
}

enum refrain_status codec_cut_global(struct decoder *d, const struct slot_code *code,
                                     const struct series *ranks, struct rankfn *f)
{
    const bool relative = code->forms == SLOT_GLOBAL_RELATIVE;
    const int64_t *values = NULL;
    *f = (struct rankfn){0}; /* its owner may free it after an error */
    if (!d->final)
        return codec_damaged(d, SECTION_SIGN, "a global list in a part");
    enum refrain_status status = whole_values(d, relative ? code->relative : code->plain, &values);
    if (status != REFRAIN_OK)
        return status;

    struct series *list = series_create();
    struct series_cursor at;
    int64_t rank;
    if (!list)
        return REFRAIN_ERR_MEMORY;
    series_cursor_start(&at, ranks);
    while (status == REFRAIN_OK && series_cursor_next(&at, &rank)) {
        const uint64_t i = (uint64_t)rank - d->trace.first_rank;
        status = i < d->trace.n_ranks
                     ? series_append(list, values[i])
                     : codec_damaged(d, SECTION_SHAP, "rank %lld does not exist", (long long)rank);
    }
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, codec_series_bytes(list));
    if (status != REFRAIN_OK)
        series_free(list);
    else
        *f = list_function(list, relative);
    return status;
}

/* ---- running sums ---------------------------------------------------------------------------- */

static bool lists_fit(const struct rankfn *f, uint64_t n)
{
    return (!f->plain || series_length(f->plain) == n) && (!f->relative || series_length(f->relative) == n);
}

/* Compute slot a + factor x slot b on n ranks; `room` has space for 2 n values. */
static enum refrain_status add_values(const struct rankfn *a, const struct rankfn *b, int64_t factor,
                                      const int64_t *ranks, uint64_t n, int64_t *room, struct series **out)
{
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    int64_t *x = room, *y = room + n;
    rankfn_values(a, ranks, n, x);
    rankfn_values(b, ranks, n, y);
    for (uint64_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = series_append(s, (int64_t)((uint64_t)x[i] + (uint64_t)factor * (uint64_t)y[i]));
    if (status == REFRAIN_OK)
        *out = s;
    else
        series_free(s);
    return status;
}

enum refrain_status codec_add_slots(struct decoder *d, const struct rankfn *a, const struct rankfn *b,
                                    int64_t factor, const struct series *ranks, struct rankfn *f)
{
    const uint64_t n = series_length(ranks);
    int64_t *values = NULL, *room = NULL;
    struct series *list = NULL;
    *f = (struct rankfn){0}; /* its owner may free it after an error */
    if (!d->final)
        return codec_damaged(d, SECTION_SIGN, "a running sum in a part");
    if (a->forms & b->forms & RANKFN_CONSTANT) {
        *f = (struct rankfn){.forms = RANKFN_CONSTANT,
                             .constant =
                                 (int64_t)((uint64_t)a->constant + (uint64_t)factor * (uint64_t)b->constant)};
        return REFRAIN_OK;
    }
    if (!lists_fit(a, n) || !lists_fit(b, n))
        return codec_damaged(d, SECTION_SIGN, "a running sum of lists of another length");
    enum refrain_status status = expand(d, SECTION_SHAP, ranks, &values);
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, 2 * n * sizeof *room);
    if (status == REFRAIN_OK && !(room = malloc(2 * n * sizeof *room))) {
        log_error("out of memory: a running sum over %llu ranks", (unsigned long long)n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = add_values(a, b, factor, values, n, room, &list);
    free(values);
    free(room);
    if (status != REFRAIN_OK)
        return status;
    status = codec_spend(d, SECTION_SHAP, codec_series_bytes(list));
    *f = list_function(list, false);
    return status;
}

enum refrain_status codec_transpose_slots(struct decoder *d, const struct row *row, uint32_t first,
                                          uint64_t place, const struct series *ranks, struct rankfn *f)
{
    const uint64_t n = series_length(ranks);
    const int64_t rank = series_at(ranks, place);
    /* Bounds the time. */
    enum refrain_status status = codec_spend(d, SECTION_SHAP, n * sizeof(int64_t));
    if (status != REFRAIN_OK)
        return status;
    struct series *list = series_create();
    status = list ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct rankfn *slot = row_slot(row, first + i);
        status = lists_fit(slot, n)
                     ? series_append(list, rankfn_at(slot, place, rank))
                     : codec_damaged(d, SECTION_SIGN, "a transposed list of lists of another length");
    }
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, codec_series_bytes(list));
    if (status == REFRAIN_OK)
        *f = list_function(list, false);
    else
        series_free(list);
    return status;
}
