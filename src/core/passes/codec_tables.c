/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_tables.h"

#include "src/core/base/log.h"
#include "torus_permutation.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
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
    bytes_free(&t->codes);
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

/* ---- rows -------------------------------------------------------------------------------------- */

/* A packed slot: which of these members are not 0, and these. Equal slots have equal bytes. */
enum { PACKED_PLAIN = 1, PACKED_RELATIVE = 2, PACKED_CONSTANT = 4, PACKED_OFFSET = 8 };

static void pack(struct bytes *out, const struct slot_code *s)
{
    bytes_put_uint(out, s->forms << 4 | (s->plain ? PACKED_PLAIN : 0u) |
                            (s->relative ? PACKED_RELATIVE : 0u) | (s->constant ? PACKED_CONSTANT : 0u) |
                            (s->offset ? PACKED_OFFSET : 0u));
    if (s->plain)
        bytes_put_uint(out, s->plain);
    if (s->relative)
        bytes_put_uint(out, s->relative);
    if (s->constant)
        bytes_put_int(out, s->constant);
    if (s->offset)
        bytes_put_int(out, s->offset);
}

static struct slot_code unpack(struct bytes_reader *in)
{
    const uint64_t head = bytes_get_uint(in);
    struct slot_code s = {.forms = (uint32_t)(head >> 4)};
    if (head & PACKED_PLAIN)
        s.plain = (uint32_t)bytes_get_uint(in);
    if (head & PACKED_RELATIVE)
        s.relative = (uint32_t)bytes_get_uint(in);
    if (head & PACKED_CONSTANT)
        s.constant = bytes_get_int(in);
    if (head & PACKED_OFFSET)
        s.offset = bytes_get_int(in);
    return s;
}

enum refrain_status codec_signature_slots(const struct codec_tables *t, const struct signature *s,
                                          slot_codes *slots)
{
    struct bytes_reader in = bytes_reader_of(s->bytes > 0 ? t->codes.data + s->first : NULL, s->bytes);
    slots->n = 0;
    if (!array_reserve(slots, (size_t)s->n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    while (slots->n < s->n_slots)
        slots->items[slots->n++] = unpack(&in);
    return REFRAIN_OK;
}

enum refrain_status codec_intern_row(struct codec_tables *t, uint32_t site, const struct row *row,
                                     const int64_t *single, uint32_t *index)
{
    /* The codes are written at the end of t->codes, and stay there if the row is new. */
    const size_t first = t->codes.n;
    for (uint32_t i = 0; i < row->n_slots; i++) {
        struct slot_code code;
        const enum refrain_status status = codec_intern_slot(t, row_slot(row, i), single, &code);
        if (status != REFRAIN_OK)
            return status;
        pack(&t->codes, &code);
    }
    if (t->codes.failed)
        return REFRAIN_ERR_MEMORY;
    const size_t bytes = t->codes.n - first;
    const uint8_t *packed = bytes > 0 ? t->codes.data + first : (const uint8_t *)"";
    const uint64_t key = XXH3_64bits_withSeed(packed, bytes, site);
    size_t at;
    for (uint32_t i = map_first(&t->signature_index, key, &at); i != MAP_NONE;
         i = map_next(&t->signature_index, key, &at)) {
        const struct signature *s = &t->signatures.items[i];
        if (s->site == site && s->n_slots == row->n_slots && s->bytes == bytes &&
            (bytes == 0 || memcmp(t->codes.data + s->first, packed, bytes) == 0)) {
            t->codes.n = first;
            *index = i;
            return REFRAIN_OK;
        }
    }
    const uint32_t fresh = (uint32_t)t->signatures.n;
    const struct signature signature = {.site = site,
                                        .number = t->per_site[site],
                                        .n_slots = row->n_slots,
                                        .first = first,
                                        .bytes = bytes,
                                        .class = fresh};
    if (!array_push(&t->signatures, signature) || !map_add(&t->signature_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    t->per_site[site]++;
    *index = fresh;
    return REFRAIN_OK;
}
