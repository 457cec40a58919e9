/* SPDX-License-Identifier: BSD-3-Clause */
/* File images taken apart into their sections, and put together again with right lengths and checksums: what
 * a fuzzer changes lies behind them, where it would not get by itself.
 *
 *     header  blocks        image_take       META FUNC SITE …       image_put      header  blocks
 *     12 5B   28 B5 2F FD   ──────────>      00 04 01 07 …          ─────────>     7E 01   00 04 01 07 …
 *
 * What is put together is stored, not compressed. */
#ifndef REFRAIN_TEST_IMAGE_H
#define REFRAIN_TEST_IMAGE_H

#include "src/core/base/section.h"

enum { IMAGE_ANNEX = SECTIONS, IMAGE_PARTS };

struct image {
    unsigned flags;
    struct bytes
        sections[IMAGE_PARTS]; /* the last one is the annex; its index is made to fit it, if it makes sense */
};

/* False if it is no sound container; what is in it is not looked at. Nothing to free then. */
bool image_take(const void *data, size_t n, struct image *out);
/* False if memory is short. */
bool image_put(const struct image *image, struct bytes *out);
void image_free(struct image *image);

/* Set all checksums of a damaged container to what they should be, as far as its directory can be read. Those
 * of the contents of compressed blocks stay. */
void image_mend(uint8_t *data, size_t n);

/* Inputs of the target for merging: two images, the length of the first (u32) in front.
 * False if the input is too short; `second` may be empty. */
struct image_pair {
    const uint8_t *first, *second;
    size_t n_first, n_second;
};
bool image_pair_take(const void *data, size_t n, struct image_pair *out);
void image_pair_put(const struct image_pair *pair, struct bytes *out);

#endif
