/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_placement.h"

#include "decoder/util/line_file.h"
#include "decoder/util/text.h"
#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"
#include "src/core/trace/trace.h"

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

/* ---- what is known --------------------------------------------------------------------------- */

static enum refrain_status refuse(const char *text)
{
    log_error(
        "--topology %s: wanted sizes, as 8x8; with p behind the last one if it is periodic, as 8x8p, or "
        "behind some, as 8px4, and o behind others that are open, as 8ox4p",
        text);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status placement_parse(struct placement *p, const char *text)
{
    bool told = false; /* of a dimension before the last one */
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
        p->at[node] = PLACE_NONE;
    return REFRAIN_OK;
}

/* x fastest. */
uint32_t placement_of(const struct placement *p, const uint32_t *coordinates)
{
    uint32_t place = 0;
    for (unsigned d = p->n_dims; d-- > 0;)
        place = place * p->sizes[d] + coordinates[d];
    return place;
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

/* ---- files ----------------------------------------------------------------------------------- */

struct reading {
    struct placement *placement;
    const struct traffic *traffic;
    bool sizes_given;
    ARRAY(uint32_t) coordinates; /* n_dims for each line */
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

/* "3,0,1", "3 0 1"; a first line of words does not count. */
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
        log_error("%s:%zu: a line is rank,x,y,… with up to %d coordinates", path, number, LATTICE_DIMS);
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

/* Each place is one rank's. */
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
        if (taken[place] || p->at[node] != PLACE_NONE) {
            log_error("%s: rank %u has coordinates twice, or those of another one", path,
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
    p->open_too = !r.sizes_given;
    if (status == REFRAIN_OK && r.nodes.n == 0) {
        log_error("%s: there are no coordinates", path);
        status = REFRAIN_ERR_FORMAT;
    }
    if (status == REFRAIN_OK)
        status = give_places(&r, path);
    array_free(&r.coordinates);
    array_free(&r.nodes);
    return status;
}

/* ---- the lattice ----------------------------------------------------------------------------- */

struct choice {
    struct topology *t;
    const struct graph *g;
    const struct placement *placement;
    uint64_t least; /* differences of the best one */
};

static enum refrain_status try_pattern(struct choice *s, const struct pattern *pattern, uint32_t periodic)
{
    const struct placement *p = s->placement;
    struct candidate c = {
        .pattern = pattern, .n = (uint32_t)placement_places(p), .n_dims = p->n_dims, .periodic = periodic};
    struct graph h;
    struct difference d;
    for (unsigned i = 0; i < p->n_dims; i++) {
        c.sizes[i] = p->sizes[i];
        c.axis[i] = (uint8_t)i;
    }
    enum refrain_status status = candidate_graph(&c, &h);
    if (status != REFRAIN_OK)
        return status;
    status = difference_count(s->g, &h, p->at, &d);
    if (status == REFRAIN_OK && d.missing + d.extra < s->least &&
        (periodic == p->periodic || d.missing + d.extra == 0)) {
        s->least = d.missing + d.extra;
        s->t->best = c;
        s->t->found = true;
    }
    graph_free(&h);
    return status;
}

/* Dimensions of two ranks, or of one, are open and periodic at once: open. */
static uint32_t rings(const struct placement *p)
{
    uint32_t rings = 0;
    for (unsigned d = 0; d < p->n_dims && d < 16; d++)
        rings |= (uint32_t)(p->sizes[d] > 2) << d;
    return rings;
}

static bool has_dimensions(const struct pattern *pattern, const struct placement *p)
{
    return pattern->kind == PATTERN_GRID ||
           (pattern->kind == PATTERN_STENCIL && pattern->n_dims == p->n_dims && !pattern->square);
}

static enum refrain_status try_all(struct choice *s, const struct pattern_library *l)
{
    const struct placement *p = s->placement;
    const uint32_t may_be = rings(p);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->n && status == REFRAIN_OK && s->least > 0; i++)
        if (has_dimensions(&l->items[i], p))
            status = try_pattern(s, &l->items[i], p->periodic);
    /* All subsets of may_be, from all to none. */
    for (uint32_t some = may_be;; some = (some - 1) & may_be) {
        for (size_t i = 0; i < l->n && status == REFRAIN_OK && s->least > 0 && p->n_dims <= 6; i++)
            if (some != p->periodic && has_dimensions(&l->items[i], p))
                status = try_pattern(s, &l->items[i], some);
        if (some == 0)
            break;
    }
    return status;
}

static uint32_t n_placed(const struct placement *p)
{
    uint32_t n = 0;
    for (uint32_t node = 0; node < p->n; node++)
        n += p->at[node] != PLACE_NONE;
    return n;
}

enum refrain_status placement_identify(struct topology *t, const struct graph *g,
                                       const struct pattern_library *l, const struct placement *p)
{
    struct placement known = *p;
    struct choice s = {.t = t, .g = g, .placement = &known, .least = UINT64_MAX};
    struct graph h;
    *t = (struct topology){.place = malloc((g->n + (size_t)1) * sizeof *t->place)};
    known.periodic &= rings(p);
    if (!t->place) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(t->place, p->at, g->n * sizeof *t->place);
    enum refrain_status status = try_all(&s, l);
    if (status == REFRAIN_OK && (status = candidate_graph(&t->best, &h)) == REFRAIN_OK) {
        status = difference_list(g, &h, t->place, &t->missing, &t->extra);
        graph_free(&h);
    }
    t->given = true;
    t->exact = s.least == 0;
    t->n_holes = t->best.n - n_placed(p);
    t->in_order = true;
    for (uint32_t node = 0; node < g->n; node++)
        t->in_order = t->in_order && t->place[node] == node;
    if (status != REFRAIN_OK)
        topology_free(t);
    return status;
}
