/* SPDX-License-Identifier: BSD-3-Clause */
#include "pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"

static size_t size_of(uint32_t n, uint32_t width)
{
    return sizeof(struct pack) + (((size_t)n * width + 63) / 64 + 1) * sizeof(uint64_t);
}

struct pack *pack_create(const uint64_t *values, uint32_t n)
{
    assert(n >= 1);
    int64_t least = (int64_t)values[0], most = least;
    for (uint32_t i = 1; i < n; i++) {
        least = (int64_t)values[i] < least ? (int64_t)values[i] : least;
        most = (int64_t)values[i] > most ? (int64_t)values[i] : most;
    }
    uint32_t width = 0;
    for (uint64_t range = (uint64_t)most - (uint64_t)least; range > 0; range >>= 1)
        width++;

    struct pack *p = calloc(1, size_of(n, width));
    if (!p) {
        log_error("out of memory: a block of %u values", n);
        return NULL;
    }
    p->n = n;
    p->width = width;
    p->least = (uint64_t)least;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t more = values[i] - p->least;
        const size_t bit = (size_t)i * width;
        p->words[bit / 64] |= more << bit % 64;
        if (bit % 64 + width > 64)
            p->words[bit / 64 + 1] |= more >> (64 - bit % 64);
    }
    return p;
}

uint64_t pack_at(const struct pack *p, uint32_t i)
{
    assert(i < p->n);
    const size_t bit = (size_t)i * p->width;
    uint64_t more = p->words[bit / 64] >> bit % 64;
    if (bit % 64 + p->width > 64)
        more |= p->words[bit / 64 + 1] << (64 - bit % 64);
    if (p->width < 64)
        more &= (UINT64_C(1) << p->width) - 1;
    return p->least + more;
}

size_t pack_bytes(const struct pack *p)
{
    return size_of(p->n, p->width);
}

static struct pack *copy(const struct pack *p)
{
    struct pack *same = malloc(pack_bytes(p));
    if (same)
        memcpy(same, p, pack_bytes(p));
    else
        log_error("out of memory: a block of %u values", p->n);
    return same;
}

struct pack *pack_map(const struct pack *p, uint64_t scale, uint64_t shift)
{
    if (scale == 1 && shift == 0)
        return copy(p);
    uint64_t *values = malloc(p->n * sizeof *values);
    struct pack *mapped = NULL;
    if (values) {
        for (uint32_t i = 0; i < p->n; i++)
            values[i] = pack_at(p, i) * scale + shift;
        mapped = pack_create(values, p->n);
    } else {
        log_error("out of memory: a block of %u values", p->n);
    }
    free(values);
    return mapped;
}
