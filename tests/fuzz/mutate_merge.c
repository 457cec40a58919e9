/* SPDX-License-Identifier: BSD-3-Clause */
/* How libFuzzer changes the inputs of the target merge.c: one image of a pair at a time. */
#include "image.h"
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BIT = 1u << 20 };

static size_t put_pair(const struct image_pair *pair, uint8_t *out, size_t room)
{
    struct bytes whole = {0};
    size_t n = 0;
    image_pair_put(pair, &whole);
    if (!whole.failed && whole.n <= room) {
        memcpy(out, whole.data, whole.n);
        n = whole.n;
    }
    bytes_free(&whole);
    return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t room, unsigned seed)
{
    struct image_pair pair;
    if (!image_pair_take(data, n, &pair))
        return LLVMFuzzerMutate(data, n, room);
    const bool of_first = seed & FIRST_BIT;
    const uint8_t **image = of_first ? &pair.first : &pair.second;
    size_t *length = of_first ? &pair.n_first : &pair.n_second;
    const size_t most = room - (n - *length);
    uint8_t *changed = malloc(room + 1);
    if (!changed)
        return n;
    memcpy(changed, *image, *length);
    *length = mutate_image(changed, *length, most, seed);
    *image = changed;
    const size_t put = put_pair(&pair, data, room);
    free(changed);
    return put > 0 ? put : n;
}

/* Combines the first image of one input with the second image of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out,
                                 size_t room, unsigned seed)
{
    struct image_pair x, y;
    (void)seed;
    if (!image_pair_take(a, n_a, &x) || !image_pair_take(b, n_b, &y))
        return 0;
    x.second = y.second;
    x.n_second = y.n_second;
    return put_pair(&x, out, room);
}
