/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte strings as the file has them: little-endian, varints (LEB128), zigzag for signed values.
 *
 *     unsigned 300          AC 02            7 bits a byte, lowest first, high bit = more follows
 *     signed   -1           01               zigzag: 0, -1, 1, -2 … become 0, 1, 2, 3 …
 *     string   "ab"         02 61 62         length, then the bytes
 *
 * A writer grows and remembers a failed allocation (`failed`), so that a row of puts needs one check at the
 * end. A reader never reads beyond its end: a value that is cut off or overlong sets `failed` and becomes 0.
 * Code that reads a count must check `failed` before it allocates anything, and must never allocate more
 * elements than bytes remain (bytes_get_count checks this). */
#ifndef REFRAIN_BYTES_H
#define REFRAIN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t n, cap;
    bool failed;
};

void bytes_free(struct bytes *b);
void bytes_put(struct bytes *b, const void *data, size_t n);
void bytes_put_u32(struct bytes *b, uint32_t v); /* fixed width, little-endian */
void bytes_put_u64(struct bytes *b, uint64_t v);
void bytes_put_long_uint(struct bytes *b, uint64_t v); /* bytes_put_uint of any number of bytes */
void bytes_put_int(struct bytes *b, int64_t v);        /* zigzag varint */
void bytes_put_string(struct bytes *b, const char *s, size_t n);

static inline void bytes_put_u8(struct bytes *b, uint8_t v)
{
    if (b->n < b->cap)
        b->data[b->n++] = v;
    else
        bytes_put(b, &v, 1);
}

/* Varint; most numbers take one or two bytes. */
static inline void bytes_put_uint(struct bytes *b, uint64_t v)
{
    if (v < 0x80) {
        bytes_put_u8(b, (uint8_t)v);
    } else if (v < 0x4000 && b->cap - b->n >= 2) {
        b->data[b->n++] = (uint8_t)(v | 0x80);
        b->data[b->n++] = (uint8_t)(v >> 7);
    } else {
        bytes_put_long_uint(b, v);
    }
}

struct bytes_reader {
    const uint8_t *at, *end;
    bool failed;
};

struct bytes_reader bytes_reader_of(const void *data, size_t n);
size_t bytes_left(const struct bytes_reader *r);
const void *bytes_get(struct bytes_reader *r, size_t n); /* NULL when fewer remain */
uint8_t bytes_get_u8(struct bytes_reader *r);
uint64_t bytes_get_long_uint(struct bytes_reader *r); /* bytes_get_uint of any number of bytes */
static inline uint64_t bytes_get_uint(struct bytes_reader *r)
{
    return r->at < r->end && *r->at < 0x80 ? *r->at++ : bytes_get_long_uint(r);
}
uint32_t bytes_get_u32(struct bytes_reader *r);
uint64_t bytes_get_u64(struct bytes_reader *r);
int64_t bytes_get_int(struct bytes_reader *r);
/* A count of elements each at least `least` bytes long (least >= 1); fails when that many cannot follow. */
size_t bytes_get_count(struct bytes_reader *r, size_t least);
/* Reads a string into a new NUL-terminated copy, which the caller frees. NULL on failure; a NUL inside the
 * string is a failure. */
char *bytes_get_string(struct bytes_reader *r);

#endif
