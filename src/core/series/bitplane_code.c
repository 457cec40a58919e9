/* SPDX-License-Identifier: BSD-3-Clause */
#include "bitplane_code.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "src/core/base/array.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"

enum { DIFFERENCES = 1, DICTIONARY = 2, WAYS = 4 };

/* More distinct values than this go without a dictionary. */
#define DICTIONARY_MAX 4096

/* ---- planes ---------------------------------------------------------------------------------- */

/* A plane holds some bits of each number, several numbers in a byte where they are few: 1, 2, 4 or 8 bits. */
struct plane {
    uint32_t shift, bits;
};

static uint32_t width_of(uint64_t most)
{
    uint32_t width = 1;
    while (width < 64 && most >> width > 0)
        width++;
    return width;
}

/* Get the next plane of numbers of `width` bits; false if there is none. */
static bool next_plane(uint32_t width, struct plane *p)
{
    const uint32_t left = p->shift < width ? width - p->shift : 0;
    p->bits = left > 4 ? 8 : left > 2 ? 4 : left;
    return left > 0;
}

static size_t plane_bytes(const struct plane *p, size_t n)
{
    return n / (8 / p->bits) + (n % (8 / p->bits) > 0);
}

/* Write the plane, and add its cost in bits to *cost; each byte costs its entropy. */
static void put_plane(const uint64_t *numbers, size_t n, const struct plane *p, struct bytes *out,
                      double *cost)
{
    const size_t in_byte = 8 / p->bits, mask = (1u << p->bits) - 1;
    size_t histogram[256] = {0};
    for (size_t i = 0; i < n; i += in_byte) {
        unsigned byte = 0;
        for (size_t k = 0; k < in_byte && i + k < n; k++)
            byte |= (unsigned)(numbers[i + k] >> p->shift & mask) << k * p->bits;
        histogram[byte]++;
        bytes_put_u8(out, (uint8_t)byte);
    }
    const double total = (double)plane_bytes(p, n);
    for (size_t i = 0; i < 256; i++) {
        if (histogram[i] > 0)
            *cost += (double)histogram[i] * log2(total / (double)histogram[i]);
    }
}

static bool get_plane(struct bytes_reader *in, const struct plane *p, uint64_t *numbers, size_t n)
{
    const size_t in_byte = 8 / p->bits, mask = (1u << p->bits) - 1;
    const uint8_t *from = bytes_get(in, plane_bytes(p, n));
    if (!from)
        return false;
    for (size_t i = 0; i < n; i++)
        numbers[i] |= (uint64_t)(from[i / in_byte] >> i % in_byte * p->bits & mask) << p->shift;
    return n % in_byte == 0 || from[n / in_byte] >> n % in_byte * p->bits == 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct writer {
    uint64_t *values, *numbers; /* n of each */
    size_t n;
    ARRAY(uint64_t) dictionary; /* ascending */
};

static int compare_values(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Write the least value, and make the numbers: values less the least one. Returns the largest number. */
static uint64_t number_by_least(struct writer *w, struct bytes *out)
{
    int64_t least = (int64_t)w->values[0];
    uint64_t most = 0;
    for (size_t i = 1; i < w->n; i++)
        least = (int64_t)w->values[i] < least ? (int64_t)w->values[i] : least;
    for (size_t i = 0; i < w->n; i++) {
        w->numbers[i] = w->values[i] - (uint64_t)least;
        most = w->numbers[i] > most ? w->numbers[i] : most;
    }
    bytes_put_int(out, least);
    bytes_put_uint(out, width_of(most));
    return most;
}

/* Write a dictionary, and make the numbers: indices into it; *most is the largest. False if there are too
 * many or too few distinct values, or if memory is short. */
static bool number_by_dictionary(struct writer *w, struct bytes *out, uint64_t *most)
{
    struct map known = {0};
    bool done = false;
    w->dictionary.n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const uint64_t key = mix(0, w->values[i]); /* one to one */
        if (map_get(&known, key) != MAP_NONE)
            continue;
        if (w->dictionary.n == DICTIONARY_MAX || !map_set(&known, key, 0) ||
            !array_push(&w->dictionary, w->values[i]))
            goto out;
    }
    if (w->dictionary.n < 2)
        goto out;
    const uint64_t *words = w->dictionary.items;
    qsort(w->dictionary.items, w->dictionary.n, sizeof *words, compare_values);
    bytes_put_int(out, (int64_t)words[0]);
    bytes_put_uint(out, w->dictionary.n - 2);
    for (size_t i = 1; i < w->dictionary.n; i++)
        bytes_put_uint(out, words[i] - words[i - 1] - 1);
    for (uint32_t i = 0; i < w->dictionary.n; i++)
        map_set(&known, mix(0, words[i]), i);
    for (size_t i = 0; i < w->n; i++)
        w->numbers[i] = map_get(&known, mix(0, w->values[i]));
    *most = w->dictionary.n - 1;
    done = true;
out:
    map_free(&known);
    return done;
}

/* Write the values in one way to `out`, and compute their cost in bits. False if the way does not suit the
 * values. */
static bool put_way(struct writer *w, const uint64_t *values, size_t n, unsigned way, struct bytes *out,
                    double *cost)
{
    struct plane p = {0};
    uint64_t most;
    bytes_put_uint(out, way);
    if (way & DIFFERENCES)
        bytes_put_int(out, (int64_t)values[0]);
    w->n = way & DIFFERENCES ? n - 1 : n;
    for (size_t i = 0; i < w->n; i++)
        w->values[i] = way & DIFFERENCES ? values[i + 1] - values[i] : values[i];
    if (!(way & DICTIONARY))
        most = number_by_least(w, out);
    else if (!number_by_dictionary(w, out, &most))
        return false;
    *cost = 8 * (double)out->n;
    for (const uint32_t width = width_of(most); next_plane(width, &p); p.shift += p.bits)
        put_plane(w->numbers, w->n, &p, out, cost);
    return !out->failed;
}

void bitplane_encode(const uint64_t *values, size_t n, struct bytes *out)
{
    assert(n >= 2);
    struct writer w = {.values = malloc(n * sizeof *values), .numbers = malloc(n * sizeof *values)};
    struct bytes best = {0};
    double least = 0;
    if (!w.values || !w.numbers)
        log_error("out of memory: writing %zu values", n);
    for (unsigned way = 0; way < WAYS && w.values && w.numbers; way++) {
        struct bytes trial = {0};
        double cost;
        if (put_way(&w, values, n, way, &trial, &cost) && (best.n == 0 || cost < least)) {
            bytes_free(&best);
            best = trial;
            least = cost;
        } else {
            bytes_free(&trial);
        }
    }
    if (best.n > 0)
        bytes_put(out, best.data, best.n);
    else
        out->failed = true;
    bytes_free(&best);
    array_free(&w.dictionary);
    free(w.values);
    free(w.numbers);
}

/* ---- reading --------------------------------------------------------------------------------- */

bool bitplane_fits(const struct bytes_reader *in, uint64_t n)
{
    return n / 8 <= bytes_left(in);
}

/* Read the dictionary; the caller frees it. NULL if it is damaged or if memory is short. */
static uint64_t *get_dictionary(struct bytes_reader *in, size_t *n)
{
    uint64_t value = (uint64_t)bytes_get_int(in);
    *n = bytes_get_count(in, 1) + 2;
    uint64_t *dictionary = in->failed ? NULL : malloc(*n * sizeof *dictionary);
    for (size_t i = 0; i < *n && dictionary; i++) {
        dictionary[i] = value;
        value += i + 1 < *n ? bytes_get_uint(in) + 1 : 0;
    }
    return dictionary;
}

static bool get_numbers(struct bytes_reader *in, uint32_t width, uint64_t *numbers, size_t n)
{
    struct plane p = {0};
    bool fine = true;
    for (size_t i = 0; i < n; i++)
        numbers[i] = 0;
    for (; fine && next_plane(width, &p); p.shift += p.bits)
        fine = get_plane(in, &p, numbers, n);
    return fine;
}

static bool get_by_least(struct bytes_reader *in, uint64_t *values, size_t n)
{
    const uint64_t least = (uint64_t)bytes_get_int(in), width = bytes_get_uint(in);
    if (width < 1 || width > 64 || !get_numbers(in, (uint32_t)width, values, n))
        return false;
    for (size_t i = 0; i < n; i++)
        values[i] += least;
    return true;
}

static bool get_by_dictionary(struct bytes_reader *in, uint64_t *values, size_t n)
{
    size_t n_words;
    uint64_t *words = get_dictionary(in, &n_words);
    bool fine = words && !in->failed && get_numbers(in, width_of(n_words - 1), values, n);
    for (size_t i = 0; i < n && fine; i++) {
        fine = values[i] < n_words;
        values[i] = fine ? words[values[i]] : 0;
    }
    free(words);
    return fine;
}

enum refrain_status bitplane_decode(struct bytes_reader *in, uint64_t *values, size_t n)
{
    assert(n >= 2);
    const uint64_t way = bytes_get_uint(in);
    const size_t steps = way & DIFFERENCES ? 1 : 0;
    if (steps)
        values[0] = (uint64_t)bytes_get_int(in);
    if (in->failed || way >= WAYS ||
        !(way & DICTIONARY ? get_by_dictionary : get_by_least)(in, values + steps, n - steps))
        return REFRAIN_ERR_FORMAT;
    for (size_t i = 1; i < n && steps; i++)
        values[i] += values[i - 1];
    return REFRAIN_OK;
}
