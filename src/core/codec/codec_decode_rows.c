/* SPDX-License-Identifier: BSD-3-Clause */
/* The SIGN section: the rows of each site. A row may be written as its difference from the row
 * before, such as those of an MPI_Testany over many requests. It then takes memory for the
 * difference only: slots are kept in blocks, and rows share equal blocks.
 *
 *     row 0   [0 … 15] [16 … 31] [32 … 40]         block_of   0 1 2   0 3 2   …
 *     row 1      |     [16 … 31]     | */
#include "codec_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* The last row of a function: all of its slots, and where its blocks are. */
struct reference {
    slot_codes codes;
    size_t first; /* index of its first block in block_of */
    size_t room;  /* slots whose memory has been charged */
};

static enum refrain_status spend_row(struct decoder *d, struct reference *ref, uint64_t n)
{
    enum refrain_status status = codec_spend(d, SECTION_SIGN, n * SLOT_EFFORT);
    if (status != REFRAIN_OK || n <= ref->room)
        return status;
    status = codec_spend(d, SECTION_SIGN, 2 * (n - ref->room) * sizeof *ref->codes.items);
    ref->room = n;
    return status;
}

static bool same(const struct slot_code *a, const struct slot_code *b, size_t n)
{
    size_t i = 0;
    while (i < n && slot_code_equal(&a[i], &b[i]))
        i++;
    return i == n;
}

/* Add the block of a row that begins at slot `at`; `codes` are the row's n slots, and n_ref is the
 * number of slots of the reference row. A block that the reference row has, too, is shared. */
static enum refrain_status add_block(struct decoder *d, const struct reference *ref, size_t n_ref,
                                     const struct slot_code *codes, size_t at, size_t n)
{
    const size_t length = n - at < SLOT_BLOCK ? n - at : SLOT_BLOCK;
    if (!array_reserve(&d->block_of, 1))
        return REFRAIN_ERR_MEMORY;
    if (at + length <= n_ref && same(codes + at, ref->codes.items + at, length)) {
        d->block_of.items[d->block_of.n] = d->block_of.items[ref->first + at / SLOT_BLOCK];
        d->block_of.n++;
        return REFRAIN_OK;
    }
    const enum refrain_status status = codec_spend(d, SECTION_SIGN, sizeof *d->blocks.items);
    if (status != REFRAIN_OK)
        return status;
    if (!array_reserve(&d->blocks, 1))
        return REFRAIN_ERR_MEMORY;
    struct code_block *block = &d->blocks.items[d->blocks.n];
    memset(block, 0, sizeof *block);
    memcpy(block->codes, codes + at, length * sizeof *codes);
    d->block_of.items[d->block_of.n++] = (uint32_t)d->blocks.n++;
    return REFRAIN_OK;
}

/* Make the row that was just read the reference row; its slots follow those of the reference row. */
static enum refrain_status keep_row(struct decoder *d, struct reference *ref, size_t n_ref, size_t n)
{
    const size_t first = d->block_of.n;
    enum refrain_status status = REFRAIN_OK;
    for (size_t at = 0; at < n && status == REFRAIN_OK; at += SLOT_BLOCK)
        status = add_block(d, ref, n_ref, ref->codes.items + n_ref, at, n);
    if (n > 0)
        memmove(ref->codes.items, ref->codes.items + n_ref, n * sizeof *ref->codes.items);
    ref->codes.n = n;
    ref->first = first;
    return status;
}

static enum refrain_status decode_site(struct decoder *d, struct bytes_reader *in, uint32_t site,
                                       struct reference *ref, uint32_t *next)
{
    const size_t n = bytes_get_count(in, 1);
    if (n > 0 && !array_reserve(&d->signatures, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const uint64_t n_slots = bytes_get_uint(in);
        const size_t n_ref = ref->codes.n;
        const struct read_signature s = {
            .first = d->block_of.n, .n_slots = (uint32_t)n_slots, .class = NO_CLASS};
        if (in->failed || n_slots > UINT32_MAX)
            return codec_damaged(d, SECTION_SIGN, "cut off at site %u", site);
        enum refrain_status status = spend_row(d, ref, n_slots);
        if (status != REFRAIN_OK)
            return status;
        status = codec_get_row(in, d->series.n, n_slots, 0, n_ref, next, &ref->codes);
        if (status == REFRAIN_ERR_FORMAT)
            return codec_damaged(d, SECTION_SIGN, "row %zu of site %u is invalid", i, site);
        if (status == REFRAIN_OK)
            status = keep_row(d, ref, n_ref, n_slots);
        if (status != REFRAIN_OK)
            return status;
        d->signatures.items[d->signatures.n++] = s;
    }
    return REFRAIN_OK;
}

enum refrain_status codec_decode_signatures(struct decoder *d, struct bytes_reader *in)
{
    const struct trace *t = &d->trace;
    const size_t n_functions = t->functions.functions.n;
    struct reference *refs = calloc(n_functions + 1, sizeof *refs);
    enum refrain_status status = REFRAIN_OK;
    if (!refs || !array_reserve(&d->first, t->sites.n + 1)) {
        log_error("out of memory: the rows of %zu sites", t->sites.n);
        status = REFRAIN_ERR_MEMORY;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < t->sites.n && status == REFRAIN_OK; i++) {
        d->first.items[d->first.n++] = (uint32_t)d->signatures.n;
        status = decode_site(d, in, (uint32_t)i, &refs[t->sites.items[i].function], &next);
    }
    if (status == REFRAIN_OK)
        d->first.items[d->first.n++] = (uint32_t)d->signatures.n;
    for (size_t i = 0; refs && i < n_functions; i++)
        array_free(&refs[i].codes);
    free(refs);
    return status;
}
