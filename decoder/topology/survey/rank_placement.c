/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_placement.h"

#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"
#include "src/core/trace/trace.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void placement_free(struct placement *p)
{
    free(p->at);
    *p = (struct placement){0};
}

uint64_t placement_places(const struct placement *p)
{
    uint64_t places = 1;
    for (unsigned d = 0; d < p->n_dims; d++)
        places = places > TRACE_RANKS_MAX ? UINT64_MAX : places * p->sizes[d];
    return places > TRACE_RANKS_MAX ? UINT64_MAX : places;
}

void placement_put_name(const struct placement *p, struct bytes *out)
{
    static const struct pattern grid = {.kind = PATTERN_GRID};
    struct candidate c = {.pattern = &grid, .n_dims = p->n_dims, .periodic = p->periodic};
    memcpy(c.sizes, p->sizes, sizeof c.sizes);
    c.n = (uint32_t)placement_places(p);
    candidate_put_name(&c, out);
}

/* ---- placements ------------------------------------------------------------------------------ */

static enum refrain_status refuse(const char *text)
{
    log_error(
        "--topology %s: wanted sizes such as 8x8; a p after a size makes this dimension periodic (8px4), a p "
        "after the last size alone makes all periodic (8x8p), an o leaves a dimension open (8ox4p)",
        text);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status placement_parse(struct placement *p, const char *text)
{
    bool told = false; /* a dimension before the last one has p or o */
    *p = (struct placement){0};
    for (const char *at = text;; at++) {
        char *end;
        const unsigned d = p->n_dims;
        const unsigned long size = strtoul(at, &end, 10);
        if (!isdigit((unsigned char)*at) || size == 0 || size > TRACE_RANKS_MAX || d == LATTICE_DIMS)
            return refuse(text);
        p->sizes[p->n_dims++] = (uint32_t)size;
        if (*end == 'p')
            p->periodic |= UINT32_C(1) << d;
        at = end + (*end == 'p' || *end == 'o');
        if (*at != 'x') {
            if (*at || placement_places(p) == UINT64_MAX)
                return refuse(text);
            if (*end == 'p' && !told)
                p->periodic = (uint32_t)((UINT64_C(1) << p->n_dims) - 1);
            return REFRAIN_OK;
        }
        told = told || at > end;
    }
}

enum refrain_status placement_reserve(struct placement *p, uint32_t n)
{
    p->n = n;
    p->at = malloc((n + (size_t)1) * sizeof *p->at);
    if (!p->at) {
        log_error("out of memory: %u ranks", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < n; node++)
        p->at[node] = IMAGE_NONE;
    return REFRAIN_OK;
}

/* The place number; x changes fastest. */
uint32_t placement_of(const struct placement *p, const uint32_t *coordinates)
{
    assert(p->n_dims > 0);
    uint32_t place = 0;
    for (unsigned d = p->n_dims; d-- > 0;)
        place = place * p->sizes[d] + coordinates[d];
    return place;
}

static uint32_t coordinate_of(const struct placement *p, uint32_t place, unsigned dimension)
{
    for (unsigned d = 0; d < dimension; d++)
        place /= p->sizes[d];
    return place % p->sizes[dimension];
}

enum refrain_status placement_fill(struct placement *p, uint32_t n)
{
    uint32_t coordinates[LATTICE_DIMS] = {0};
    const uint64_t places = placement_places(p);
    const enum refrain_status status = placement_reserve(p, n);
    for (uint32_t node = 0; status == REFRAIN_OK && node < n && node < places; node++) {
        p->at[node] = placement_of(p, coordinates);
        for (unsigned d = p->n_dims; d-- > 0 && ++coordinates[d] == p->sizes[d];)
            coordinates[d] = 0;
    }
    return status;
}

enum refrain_status placement_of_some(struct placement *p, const struct placement *all, const uint32_t *nodes,
                                      uint32_t n)
{
    uint32_t least[LATTICE_DIMS], most[LATTICE_DIMS] = {0}, at[LATTICE_DIMS];
    bool known = n > 0;
    *p = (struct placement){0};
    memset(least, 0xff, sizeof least);
    for (uint32_t i = 0; i < n && known; i++) {
        known = nodes[i] < all->n && all->at[nodes[i]] != IMAGE_NONE;
        for (unsigned d = 0; d < all->n_dims && known; d++) {
            const uint32_t x = coordinate_of(all, all->at[nodes[i]], d);
            least[d] = x < least[d] ? x : least[d];
            most[d] = x > most[d] ? x : most[d];
        }
    }
    for (unsigned d = 0; d < all->n_dims && known; d++) {
        const uint32_t size = most[d] - least[d] + 1;
        if (size > 1 && size == all->sizes[d])
            p->periodic |= (all->periodic >> d & 1) << p->n_dims;
        if (size > 1)
            p->sizes[p->n_dims++] = size;
    }
    const enum refrain_status status = placement_reserve(p, n);
    for (uint32_t i = 0; i < n && p->n_dims > 0 && status == REFRAIN_OK; i++) {
        for (unsigned d = 0, own = 0; d < all->n_dims; d++)
            if (most[d] > least[d])
                at[own++] = coordinate_of(all, all->at[nodes[i]], d) - least[d];
        p->at[i] = placement_of(p, at);
    }
    return status;
}
