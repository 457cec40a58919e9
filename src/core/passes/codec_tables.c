/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_tables.h"

#include "src/core/base/log.h"
#include "torus_permutation.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

enum refrain_status codec_tables_create(const struct trace *t, struct codec_tables *tables)
{
    *tables = (struct codec_tables){.per_site = calloc(t->sites.n + 1, sizeof *tables->per_site)};
    if (tables->per_site)
        return REFRAIN_OK;
    log_error("out of memory: writing %zu sites", t->sites.n);
    return REFRAIN_ERR_MEMORY;
}

void codec_tables_free(struct codec_tables *t)
{
    array_free(&t->series);
    permuted_table_free(&t->permuted);
    for (size_t i = 0; i < t->made.n; i++)
        series_free(t->made.items[i]);
    array_free(&t->made);
    global_lists_free(&t->global);
    prefix_sums_free(&t->sums);
    array_free(&t->streams);
    array_free(&t->signatures);
    array_free(&t->codes);
    map_free(&t->series_index);
    map_free(&t->stream_index);
    map_free(&t->signature_index);
    free(t->per_site);
}

/* Find an equal series with a number >= first, or add the series. */
static enum refrain_status intern_series(struct codec_tables *t, const struct series *s, uint32_t first,
                                         uint32_t *number)
{
    uint64_t key = series_hash(s);
    size_t at;
    for (uint32_t i = map_first(&t->series_index, key, &at); i != MAP_NONE;
         i = map_next(&t->series_index, key, &at)) {
        if (i >= first && series_equal(t->series.items[i], s)) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    uint32_t fresh = (uint32_t)t->series.n;
    if (!array_push(&t->series, s) || !map_add(&t->series_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    *number = fresh;
    return REFRAIN_OK;
}

enum refrain_status codec_intern_series(struct codec_tables *t, const struct series *s, uint32_t *number)
{
    return intern_series(t, s, 0, number);
}

enum refrain_status codec_intern_base(struct codec_tables *t, const struct series *s, uint64_t *number)
{
    const uint32_t n_permuted = (uint32_t)t->permuted.lists.n;
    uint32_t base = 0;
    const enum refrain_status status = intern_series(t, s, n_permuted, &base);
    *number = base - n_permuted;
    return status;
}

size_t codec_series_cost(const struct codec_tables *t, uint32_t number)
{
    return number < t->permuted.lists.n ? PERMUTED_COST : series_cost(t->series.items[number]);
}

enum refrain_status codec_intern_stream(struct codec_tables *t, struct rules *stream, uint32_t *number)
{
    uint64_t key = rules_hash(stream);
    size_t at;
    for (uint32_t i = map_first(&t->stream_index, key, &at); i != MAP_NONE;
         i = map_next(&t->stream_index, key, &at)) {
        if (rules_equal(t->streams.items[i], stream)) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    uint32_t fresh = (uint32_t)t->streams.n;
    if (!array_push(&t->streams, stream) || !map_add(&t->stream_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    *number = fresh;
    return REFRAIN_OK;
}

enum refrain_status codec_intern_slot(struct codec_tables *t, const struct rankfn *f, const int64_t *single,
                                      struct slot_code *code)
{
    enum refrain_status status = REFRAIN_OK;
    const struct prefix_sum *sum = prefix_sums_get(&t->sums, f);
    if (sum && sum->transposed) {
        *code = (struct slot_code){.forms = SLOT_TRANSPOSED, .plain = sum->distance};
        return REFRAIN_OK;
    }
    if (sum) {
        *code = (struct slot_code){.forms = SLOT_SUM, .plain = sum->distance, .constant = sum->factor};
        return REFRAIN_OK;
    }
    const struct global_list *whole = global_lists_get(&t->global, f);
    if (whole) {
        *code = (struct slot_code){.forms = whole->relative ? SLOT_GLOBAL_RELATIVE : SLOT_GLOBAL_PLAIN};
        return codec_intern_series(t, whole->values, whole->relative ? &code->relative : &code->plain);
    }
    bool natural = f->forms == RANKFN_CONSTANT;
    if (single)
        natural = f->forms == (RANKFN_CONSTANT | RANKFN_OFFSET) &&
                  (uint64_t)f->offset == (uint64_t)f->constant - (uint64_t)*single;
    if (natural) {
        *code = (struct slot_code){.forms = SLOT_NATURAL, .constant = f->constant};
        return REFRAIN_OK;
    }
    *code = (struct slot_code){.forms = f->forms};
    if (f->forms & RANKFN_CONSTANT)
        code->constant = f->constant;
    if (f->forms & RANKFN_OFFSET)
        code->offset = f->offset;
    if (f->forms & RANKFN_PLAIN)
        status = codec_intern_series(t, f->plain, &code->plain);
    if (status == REFRAIN_OK && f->forms & RANKFN_RELATIVE)
        status = codec_intern_series(t, f->relative, &code->relative);
    return status;
}

static uint64_t row_key(uint32_t site, const struct slot_code *slots, uint32_t n)
{
    uint64_t key = XXH3_64bits(&site, sizeof site);
    for (uint32_t i = 0; i < n; i++) { /* field by field, since the struct may have padding */
        const struct slot_code *s = &slots[i];
        uint64_t fields[] = {s->forms, (uint64_t)s->constant, (uint64_t)s->offset, s->plain, s->relative};
        key = XXH3_64bits_withSeed(fields, sizeof fields, key);
    }
    return key;
}

static bool rows_equal(const struct slot_code *a, const struct slot_code *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!slot_code_equal(&a[i], &b[i]))
            return false;
    }
    return true;
}

enum refrain_status codec_intern_row(struct codec_tables *t, uint32_t site, const struct row *row,
                                     const int64_t *single, uint32_t *index)
{
    /* The codes are written at the end of t->codes, and stay there if the row is new. */
    size_t first = t->codes.n;
    if (!array_reserve(&t->codes, (size_t)row->n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    struct slot_code *slots = t->codes.items + first;
    for (uint32_t i = 0; i < row->n_slots; i++) {
        enum refrain_status status = codec_intern_slot(t, row_slot(row, i), single, &slots[i]);
        if (status != REFRAIN_OK)
            return status;
    }
    uint64_t key = row_key(site, slots, row->n_slots);
    size_t at;
    for (uint32_t i = map_first(&t->signature_index, key, &at); i != MAP_NONE;
         i = map_next(&t->signature_index, key, &at)) {
        const struct signature *s = &t->signatures.items[i];
        if (s->site == site && s->n_slots == row->n_slots &&
            rows_equal(t->codes.items + s->first, slots, row->n_slots)) {
            *index = i;
            return REFRAIN_OK;
        }
    }
    uint32_t fresh = (uint32_t)t->signatures.n;
    struct signature signature = {
        .site = site, .number = t->per_site[site], .n_slots = row->n_slots, .first = first, .class = fresh};
    if (!array_push(&t->signatures, signature) || !map_add(&t->signature_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    t->codes.n += row->n_slots;
    t->per_site[site]++;
    *index = fresh;
    return REFRAIN_OK;
}
