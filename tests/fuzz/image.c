/* SPDX-License-Identifier: BSD-3-Clause */
#include "image.h"

#include "src/core/trace/annex.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

enum { SUM_BYTES = 4, ENTRIES_MAX = 64, HEADER_FIXED = 6 /* magic, version, flags */ };

bool image_take(const void *data, size_t n, struct image *out)
{
    struct section_file file;
    if (section_read("image", data, n, &file) != REFRAIN_OK)
        return false;
    struct image image = {.flags = file.flags};
    bool failed = false;
    for (unsigned s = 0; s < SECTIONS; s++) {
        struct bytes_reader in = file.parts[s].content;
        const size_t length = bytes_left(&in);
        if (length > 0)
            bytes_put(&image.sections[s], bytes_get(&in, length), length);
        failed = failed || image.sections[s].failed;
    }
    bytes_put(&image.sections[IMAGE_ANNEX], file.annex.at, bytes_left(&file.annex));
    failed = failed || image.sections[IMAGE_ANNEX].failed;
    section_file_free(&file);
    if (failed)
        image_free(&image);
    else
        *out = image;
    return !failed;
}

/* The pieces share the annex in its present size; the last one gets the rest. */
static void fit_index(const struct annex *from, const struct bytes *annex, struct bytes *out)
{
    struct annex to = {0};
    for (size_t i = 0; i < from->pieces.n; i++) {
        const struct annex_piece *p = &from->pieces.items[i];
        const uint64_t left = annex->n - to.length;
        const uint64_t n = i + 1 == from->pieces.n || p->length > left ? left : p->length;
        annex_add(&to, p->rank, p->kind, p->lane, annex->data ? annex->data + to.length : NULL, n);
    }
    annex_encode(&to, out);
    annex_free(&to);
}

bool image_put(const struct image *image, struct bytes *out)
{
    struct bytes sections[SECTIONS], index = {0};
    const struct bytes *annex = &image->sections[IMAGE_ANNEX];
    struct bytes_reader in =
        bytes_reader_of(image->sections[SECTION_ANNX].data, image->sections[SECTION_ANNX].n);
    struct annex a;
    memcpy(sections, image->sections, sizeof sections);
    if (in.at && annex_decode(&in, &a) == REFRAIN_OK) {
        fit_index(&a, annex, &index);
        annex_free(&a);
        sections[SECTION_ANNX] = index;
    }
    const bool written = section_write(sections, image->flags, 0, out) == REFRAIN_OK;
    bytes_put(out, annex->data, annex->n);
    bytes_free(&index);
    return written && !out->failed;
}

void image_free(struct image *image)
{
    for (unsigned s = 0; s < IMAGE_PARTS; s++)
        bytes_free(&image->sections[s]);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void put_sum(uint8_t *at, const uint8_t *data, size_t n)
{
    const uint32_t sum = (uint32_t)XXH64(data, n, 0);
    for (unsigned i = 0; i < SUM_BYTES; i++)
        at[i] = (uint8_t)(sum >> 8 * i);
}

/* An entry of the directory, and the places of its checksums. */
struct place {
    uint64_t raw, stored; /* stored: of the block that begins with the entry */
    uint8_t *sum, *block_sum;
    bool compressed;
};

/* Returns room for a checksum; NULL after the end. */
static uint8_t *take_sum(struct bytes_reader *in, uint8_t *data)
{
    const uint8_t *at = bytes_get(in, SUM_BYTES);
    return at ? data + (at - (const uint8_t *)data) : NULL;
}

static size_t read_places(struct bytes_reader *in, uint8_t *data, struct place *places)
{
    bytes_get(in, HEADER_FIXED);
    const uint64_t n = bytes_get_uint(in);
    size_t read = 0;
    for (; read < n && read < ENTRIES_MAX && !in->failed; read++) {
        struct place *p = &places[read];
        *p = (struct place){0};
        bytes_get_u8(in);
        const uint64_t raw = bytes_get_uint(in);
        p->raw = raw >> 1;
        if (raw & 1) {
            const uint64_t stored = bytes_get_uint(in);
            p->stored = stored >> 1;
            p->compressed = stored & 1;
            p->block_sum = take_sum(in, data);
        }
        p->sum = take_sum(in, data);
    }
    return read;
}

void image_mend(uint8_t *data, size_t n)
{
    struct place places[ENTRIES_MAX];
    struct bytes_reader in = bytes_reader_of(data, n);
    const size_t n_places = read_places(&in, data, places);
    const size_t header = n - bytes_left(&in);
    uint8_t *header_sum = take_sum(&in, data);
    if (in.failed || n_places == 0 || !places[0].block_sum)
        return;
    for (size_t i = 0; i < n_places;) {
        const struct place *first = &places[i];
        if (first->stored > bytes_left(&in))
            break;
        const uint8_t *content = bytes_get(&in, first->stored);
        uint64_t at = 0;
        put_sum(first->block_sum, content, first->stored);
        do {
            const struct place *p = &places[i++];
            if (first->compressed || p->raw > first->stored - at)
                continue;
            put_sum(p->sum, content + at, p->raw);
            at += p->raw;
        } while (i < n_places && !places[i].block_sum);
    }
    put_sum(header_sum, data, header);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

bool image_pair_take(const void *data, size_t n, struct image_pair *out)
{
    struct bytes_reader in = bytes_reader_of(data, n);
    const size_t n_first = bytes_get_u32(&in);
    if (in.failed || n_first > bytes_left(&in))
        return false;
    out->n_first = n_first;
    out->first = in.at;
    out->second = in.at + n_first;
    out->n_second = bytes_left(&in) - n_first;
    return true;
}

void image_pair_put(const struct image_pair *pair, struct bytes *out)
{
    bytes_put_u32(out, (uint32_t)pair->n_first);
    bytes_put(out, pair->first, pair->n_first);
    bytes_put(out, pair->second, pair->n_second);
}
