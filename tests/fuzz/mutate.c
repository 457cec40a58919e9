/* SPDX-License-Identifier: BSD-3-Clause */
#include "mutate.h"

#include "image.h"

#include <string.h>

enum {
    GROWTH = 64,      /* bytes that a section may grow by at a time */
    PLAIN_EVERY = 32, /* one of this many changes is made to the container, */
    MEND_OF_4 = 3,    /* most of these with corrected checksums */
    FLAGS_EVERY = 64, /* one of this many turns FINAL on or off */
    EMPTY_EVERY = 64  /* one of this many changes a section that is missing */
};

/* A small private generator: each use takes other bits of the seed. */
static unsigned draw(unsigned *state, unsigned n)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % n;
}

static size_t mutate_plain(uint8_t *data, size_t n, size_t room, unsigned *state)
{
    const size_t length = LLVMFuzzerMutate(data, n, room);
    if (draw(state, 4) < MEND_OF_4)
        image_mend(data, length);
    return length;
}

static unsigned choose_section(const struct image *image, unsigned *state)
{
    const bool any = draw(state, EMPTY_EVERY) == 0;
    unsigned s = draw(state, IMAGE_PARTS);
    for (unsigned tries = 0; !any && image->sections[s].n == 0 && tries < IMAGE_PARTS; tries++)
        s = (s + 1) % IMAGE_PARTS;
    return s;
}

static bool mutate_section(struct bytes *section)
{
    uint8_t more[GROWTH] = {0};
    const size_t n = section->n;
    bytes_put(section, more, sizeof more); /* only to reserve the room */
    if (section->failed)
        return false;
    section->n = LLVMFuzzerMutate(section->data, n, n + GROWTH);
    return true;
}

/* Writes the image as bytes if there is room. Returns its length or 0. */
static size_t put(const struct image *image, uint8_t *out, size_t room)
{
    struct bytes whole = {0};
    size_t n = 0;
    if (image_put(image, &whole) && whole.n <= room) {
        memcpy(out, whole.data, whole.n);
        n = whole.n;
    }
    bytes_free(&whole);
    return n;
}

size_t mutate_image(uint8_t *data, size_t n, size_t room, unsigned seed)
{
    unsigned state = seed;
    struct image image;
    if (draw(&state, PLAIN_EVERY) == 0 || !image_take(data, n, &image))
        return mutate_plain(data, n, room, &state);
    if (draw(&state, FLAGS_EVERY) == 0)
        image.flags ^= SECTION_FINAL;
    size_t length = 0;
    if (mutate_section(&image.sections[choose_section(&image, &state)]))
        length = put(&image, data, room);
    image_free(&image);
    return length > 0 ? length : n;
}

size_t mutate_cross(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out, size_t room,
                    unsigned seed)
{
    unsigned state = seed;
    struct image x, y;
    size_t length = 0;
    if (!image_take(a, n_a, &x))
        return 0;
    if (image_take(b, n_b, &y)) {
        const unsigned s = choose_section(&y, &state);
        const struct bytes own = x.sections[s];
        x.sections[s] = y.sections[s];
        length = put(&x, out, room);
        x.sections[s] = own;
        image_free(&y);
    }
    image_free(&x);
    return length;
}
