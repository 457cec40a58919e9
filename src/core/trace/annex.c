/* SPDX-License-Identifier: BSD-3-Clause */
#include "annex.h"

#include <assert.h>
#include <inttypes.h>

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ENTRY_BYTES 8 /* least bytes of an entry of the index */
#define LENGTH_MOST (UINT64_C(1) << 62)

void annex_free(struct annex *a)
{
    array_free(&a->pieces);
    a->length = 0;
}

static uint32_t checksum(const void *data, uint64_t n)
{
    return (uint32_t)XXH64(data, n, 0);
}

static int compare(const struct annex_piece *a, const struct annex_piece *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->lane < b->lane ? -1 : a->lane > b->lane;
}

static enum refrain_status append(struct annex *a, struct annex_piece p)
{
    assert(a->pieces.n == 0 || compare(&a->pieces.items[a->pieces.n - 1], &p) < 0);
    p.at = a->length;
    if (!array_push(&a->pieces, p))
        return REFRAIN_ERR_MEMORY;
    a->length += p.length;
    return REFRAIN_OK;
}

enum refrain_status annex_add(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane,
                              const void *data, uint64_t length)
{
    return append(a, (struct annex_piece){rank, kind, lane, checksum(data, length), 0, length});
}

enum refrain_status annex_join(struct annex *a, const struct annex *next)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < next->pieces.n && status == REFRAIN_OK; i++)
        status = append(a, next->pieces.items[i]);
    return status;
}

const struct annex_piece *annex_find(const struct annex *a, uint32_t rank, enum annex_kind kind,
                                     uint32_t lane)
{
    const struct annex_piece wanted = {.rank = rank, .kind = kind, .lane = lane};
    const struct annex_piece *pieces = a->pieces.items;
    const size_t at = BISECT(i, a->pieces.n, compare(&pieces[i], &wanted) < 0);
    return at < a->pieces.n && compare(&pieces[at], &wanted) == 0 ? &pieces[at] : NULL;
}

void annex_drop(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane)
{
    assert(annex_find(a, rank, kind, lane));
    const size_t at = (size_t)(annex_find(a, rank, kind, lane) - a->pieces.items);
    const uint64_t length = a->pieces.items[at].length;
    for (size_t i = at + 1; i < a->pieces.n; i++) {
        a->pieces.items[i - 1] = a->pieces.items[i];
        a->pieces.items[i - 1].at -= length;
    }
    a->pieces.n--;
    a->length -= length;
}

bool annex_is_sound(const struct annex_piece *p, const void *data)
{
    return checksum(data, p->length) == p->sum;
}

enum refrain_status annex_check_piece(const char *path, const struct annex_piece *p, const uint8_t *annex)
{
    if (annex_is_sound(p, annex + p->at))
        return REFRAIN_OK;
    log_error("%s: section ANNX: the data of lane %" PRIu32 " of rank %" PRIu32
              " is damaged: the checksum does not match",
              path, p->lane, p->rank);
    return REFRAIN_ERR_FORMAT;
}

enum refrain_status annex_slice(const struct annex *a, uint32_t first, uint32_t end, struct annex *out)
{
    assert(first <= end);
    enum refrain_status status = REFRAIN_OK;
    *out = (struct annex){0};
    for (size_t i = 0; i < a->pieces.n && status == REFRAIN_OK; i++) {
        if (a->pieces.items[i].rank >= first && a->pieces.items[i].rank < end)
            status = append(out, a->pieces.items[i]);
    }
    if (status != REFRAIN_OK)
        annex_free(out);
    return status;
}

void annex_encode(const struct annex *a, struct bytes *out)
{
    uint32_t rank = 0;
    if (a->pieces.n == 0)
        return;
    bytes_put_uint(out, a->pieces.n);
    for (size_t i = 0; i < a->pieces.n; i++) {
        const struct annex_piece *p = &a->pieces.items[i];
        bytes_put_uint(out, p->rank - rank);
        bytes_put_uint(out, p->kind);
        bytes_put_uint(out, p->lane);
        bytes_put_uint(out, p->length);
        bytes_put_u32(out, p->sum);
        rank = p->rank;
    }
}

enum refrain_status annex_decode(struct bytes_reader *in, struct annex *out)
{
    struct annex a = {0};
    uint64_t rank = 0;
    enum refrain_status status = REFRAIN_OK;
    const size_t n = bytes_get_count(in, ENTRY_BYTES);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        rank += bytes_get_uint(in);
        const uint64_t kind = bytes_get_uint(in), lane = bytes_get_uint(in), length = bytes_get_uint(in);
        const struct annex_piece p = {(uint32_t)rank, (uint32_t)kind, (uint32_t)lane, bytes_get_u32(in), 0,
                                      length};
        if (in->failed || rank > UINT32_MAX || kind > UINT32_MAX || lane > UINT32_MAX ||
            length > LENGTH_MOST - a.length || (i > 0 && compare(&a.pieces.items[i - 1], &p) >= 0))
            status = REFRAIN_ERR_FORMAT;
        else
            status = append(&a, p);
    }
    if (status == REFRAIN_OK && in->failed)
        status = REFRAIN_ERR_FORMAT;
    if (status == REFRAIN_OK)
        *out = a;
    else
        annex_free(&a);
    return status;
}
