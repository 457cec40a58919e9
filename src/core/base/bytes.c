/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes.h"

#include "array.h"
#include "log.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define VARINT_BYTES_MAX 10 /* ceil(64 / 7) */

void bytes_free(struct bytes *b)
{
    free(b->data);
    *b = (struct bytes){0};
}

static bool grow(struct bytes *b, size_t n)
{
    void *data = b->data;
    if (array_grow(&data, b->n, &b->cap, 1, n))
        b->data = data;
    else
        b->failed = true;
    return !b->failed;
}

/* Make room for n more bytes at the end. False if memory is short, now or before. */
static inline bool reserve(struct bytes *b, size_t n)
{
    return !b->failed && (n <= b->cap - b->n || grow(b, n));
}

void bytes_put(struct bytes *b, const void *data, size_t n)
{
    assert(data || n == 0);
    if (n == 0 || !reserve(b, n))
        return;
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

void bytes_put_u32(struct bytes *b, uint32_t v)
{
    v = htole32(v);
    bytes_put(b, &v, sizeof v);
}

void bytes_put_u64(struct bytes *b, uint64_t v)
{
    v = htole64(v);
    bytes_put(b, &v, sizeof v);
}

void bytes_put_long_uint(struct bytes *b, uint64_t v)
{
    if (!reserve(b, VARINT_BYTES_MAX))
        return;
    uint8_t *to = b->data + b->n;
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    b->n = (size_t)(to - b->data);
}

void bytes_put_int(struct bytes *b, int64_t v)
{
    bytes_put_uint(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void bytes_put_string(struct bytes *b, const char *s, size_t n)
{
    bytes_put_uint(b, n);
    bytes_put(b, s, n);
}

struct bytes_reader bytes_reader_of(const void *data, size_t n)
{
    assert(data || n == 0);
    const uint8_t *at = data;
    return (struct bytes_reader){.at = at, .end = n > 0 ? at + n : at};
}

size_t bytes_left(const struct bytes_reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Fail, with nothing left to read, so that loops over the rest end. */
static void fail(struct bytes_reader *r)
{
    r->failed = true;
    r->at = r->end;
}

const void *bytes_get(struct bytes_reader *r, size_t n)
{
    if (r->failed || n > bytes_left(r)) {
        fail(r);
        return NULL;
    }
    const uint8_t *at = r->at;
    if (n > 0)
        r->at += n;
    return at ? at : (const uint8_t *)"";
}

static uint64_t get_fixed(struct bytes_reader *r, size_t n)
{
    const uint8_t *from = bytes_get(r, n);
    uint64_t v = 0;
    for (size_t i = 0; from && i < n; i++)
        v |= (uint64_t)from[i] << 8 * i;
    return v;
}

uint8_t bytes_get_u8(struct bytes_reader *r)
{
    return (uint8_t)get_fixed(r, 1);
}

uint32_t bytes_get_u32(struct bytes_reader *r)
{
    return (uint32_t)get_fixed(r, 4);
}

uint64_t bytes_get_u64(struct bytes_reader *r)
{
    return get_fixed(r, 8);
}

/* Each value has exactly one valid code: a last byte of 0 (except for the value 0) and bits beyond
 * the 64th are errors. */
/* Reads a number of two to eight bytes, if so many bytes follow. Returns 0 if it is none:
 *
 *     9A 85 02 …    bits of the last byte's end: .. .. 80    w = 00 02 05 1A -> 2, 5 and 1A without gaps */
static uint64_t get_short_uint(struct bytes_reader *r)
{
    uint64_t w;
    if (r->end - r->at < (ptrdiff_t)sizeof w)
        return 0;
    memcpy(&w, r->at, sizeof w);
    w = le64toh(w);
    const uint64_t last = ~w & UINT64_C(0x8080808080808080),
                   end = last & -last; /* the highest bit of the last byte */
    if (last == 0 || (w & (end - (end >> 7))) == 0)
        return 0;
    w &= (end | (end - 1)) & UINT64_C(0x7F7F7F7F7F7F7F7F);
    w = (w & UINT64_C(0x007F007F007F007F)) | (w & UINT64_C(0x7F007F007F007F00)) >> 1;
    w = (w & UINT64_C(0x00003FFF00003FFF)) | (w & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    r->at += ((unsigned)__builtin_ctzll(end) >> 3) + 1;
    return (w & UINT64_C(0x0FFFFFFF)) | (w & UINT64_C(0x0FFFFFFF00000000)) >> 4;
}

uint64_t bytes_get_long_uint(struct bytes_reader *r)
{
    const uint64_t most = get_short_uint(r);
    if (most > 0)
        return most;
    uint64_t v = 0;
    for (unsigned i = 0; i < VARINT_BYTES_MAX && r->at < r->end; i++) {
        uint8_t byte = *r->at++;
        if (i == VARINT_BYTES_MAX - 1 && byte > 1)
            break;
        v |= (uint64_t)(byte & 0x7F) << 7 * i;
        if (byte < 0x80) {
            if (byte == 0 && i > 0)
                break;
            return v;
        }
    }
    fail(r);
    return 0;
}

int64_t bytes_get_int(struct bytes_reader *r)
{
    uint64_t v = bytes_get_uint(r);
    return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

size_t bytes_get_count(struct bytes_reader *r, size_t least)
{
    assert(least >= 1);
    uint64_t n = bytes_get_uint(r);
    if (n > bytes_left(r) / least) {
        fail(r);
        return 0;
    }
    return (size_t)n;
}

char *bytes_get_string(struct bytes_reader *r)
{
    size_t n = bytes_get_count(r, 1);
    const char *from = bytes_get(r, n);
    if (!from)
        return NULL;
    if (memchr(from, '\0', n)) {
        fail(r);
        return NULL;
    }
    char *copy = malloc(n + 1);
    if (!copy) {
        log_error("out of memory: a string of %zu bytes", n);
        fail(r);
        return NULL;
    }
    memcpy(copy, from, n);
    copy[n] = '\0';
    return copy;
}
