/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the coordinates of ranks from a file. */
#include "rank_placement.h"

#include "decoder/topology/identify/difference.h"
#include "decoder/util/line_file.h"
#include "src/core/base/log.h"
#include "src/core/trace/trace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct placement *placement;
    const struct traffic *traffic;
    bool sizes_given;
    ARRAY(uint32_t) coordinates; /* n_dims per line */
    ARRAY(uint32_t) nodes;
};

static enum refrain_status take_coordinates(struct reading *r, const uint32_t *at, unsigned n,
                                            const char *path, size_t number)
{
    struct placement *p = r->placement;
    if (p->n_dims == 0)
        p->n_dims = n;
    if (p->n_dims != n) {
        log_error("%s:%zu: %u coordinates instead of %u", path, number, n, p->n_dims);
        return REFRAIN_ERR_FORMAT;
    }
    for (unsigned d = 0; d < n; d++) {
        if (r->sizes_given && at[d] >= p->sizes[d]) {
            log_error("%s:%zu: coordinate %u is outside of the topology", path, number, at[d]);
            return REFRAIN_ERR_FORMAT;
        }
        p->sizes[d] = at[d] >= p->sizes[d] ? at[d] + 1 : p->sizes[d];
        if (!array_push(&r->coordinates, at[d]))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* Accepts "3,0,1" and "3 0 1". Ignores a first line of words. */
static enum refrain_status take_line(void *context, char *line, const char *path, size_t number)
{
    struct reading *r = context;
    uint32_t values[1 + LATTICE_DIMS];
    unsigned n = 0;
    char *end = line;
    if (number == 1 && isalpha((unsigned char)*line))
        return REFRAIN_OK;
    for (char *at = line; *at; at = end + strspn(end, ", \t")) {
        const unsigned long value = strtoul(at, &end, 10);
        if (!isdigit((unsigned char)*at) || value >= TRACE_RANKS_MAX || n == 1 + LATTICE_DIMS)
            break;
        values[n++] = (uint32_t)value;
    }
    if (*end || n < 2) {
        log_error("%s:%zu: wanted a line rank,x,y,… with up to %d coordinates", path, number, LATTICE_DIMS);
        return REFRAIN_ERR_FORMAT;
    }
    const uint32_t node = traffic_node(r->traffic, values[0]);
    if (node == TRAFFIC_NOBODY) {
        log_error("%s:%zu: there is no rank %u", path, number, values[0]);
        return REFRAIN_ERR_FORMAT;
    }
    const enum refrain_status status = take_coordinates(r, values + 1, n - 1, path, number);
    return status != REFRAIN_OK || array_push(&r->nodes, node) ? status : REFRAIN_ERR_MEMORY;
}

/* Checks that no two ranks have one place. */
static enum refrain_status give_places(struct reading *r, const char *path)
{
    struct placement *p = r->placement;
    const uint64_t places = placement_places(p);
    if (places == UINT64_MAX) {
        log_error("%s: coordinates are too large", path);
        return REFRAIN_ERR_FORMAT;
    }
    bool *taken = calloc((size_t)places + 1, sizeof *taken);
    enum refrain_status status = taken ? placement_reserve(p, r->traffic->n_ranks) : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < r->nodes.n && status == REFRAIN_OK; i++) {
        const uint32_t node = r->nodes.items[i],
                       place = placement_of(p, r->coordinates.items + i * p->n_dims);
        if (taken[place] || p->at[node] != IMAGE_NONE) {
            log_error("%s: rank %u has two places, or shares one with another rank", path,
                      traffic_rank(r->traffic, node));
            status = REFRAIN_ERR_FORMAT;
        }
        taken[place] = true;
        p->at[node] = place;
    }
    free(taken);
    return status;
}

enum refrain_status placement_read(struct placement *p, const struct traffic *t, const char *path)
{
    struct reading r = {.placement = p, .traffic = t, .sizes_given = p->n_dims > 0};
    enum refrain_status status = line_file_read(path, take_line, &r);
    if (status == REFRAIN_OK && r.nodes.n == 0) {
        log_error("%s: the file contains no coordinates", path);
        status = REFRAIN_ERR_FORMAT;
    }
    if (status == REFRAIN_OK)
        status = give_places(&r, path);
    array_free(&r.coordinates);
    array_free(&r.nodes);
    return status;
}
