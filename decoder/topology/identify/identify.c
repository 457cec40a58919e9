/* SPDX-License-Identifier: BSD-3-Clause */
#include "identify.h"

#include "canonical.h"
#include "numbering.h"
#include "refinement.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const topology_tests[TOPOLOGY_TESTS] = {
    [TEST_NODES] = "nodes",         [TEST_EDGES] = "edges",
    [TEST_DEGREES] = "degrees",     [TEST_COLOURS] = "neighbourhoods",
    [TEST_DISTANCES] = "distances", [TEST_ISOMORPHISM] = "isomorphism",
};

/* With more edges, a canonical labelling may take minutes. */
#define EDGES_MOST 8000000

/* With more nodes, a plain numbering is enough: other patterns are not tested. */
#define NODES_TESTED 100000

/* What is known about the graph. */
struct search {
    struct topology *t;
    const struct graph *g;
    uint32_t *degrees; /* sorted */
    struct refinement colours;
    uint64_t rarest;       /* the colour that fewest nodes have */
    uint64_t distances;    /* distance hash of a node with this colour */
    uint32_t *labels;      /* NULL until it is needed */
    struct candidates all; /* with the same number of edges */
    /* by candidate: the first test that it failed; TOPOLOGY_TESTS: it equals the graph */
    unsigned *failed;
    size_t best; /* candidate that is topology.best, if one was found */
};

/* ---- the tests ------------------------------------------------------------------------------- */

static enum refrain_status sorted_degrees(const struct graph *g, uint32_t **out)
{
    uint32_t *degrees = malloc((g->n + 1) * sizeof *degrees);
    if (!degrees) {
        log_error("out of memory: a graph of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = graph_sorted_degrees(g, degrees);
    if (status == REFRAIN_OK)
        *out = degrees;
    else
        free(degrees);
    return status;
}

static enum refrain_status test_degrees(const struct search *s, const struct graph *h, bool *passed)
{
    uint32_t *degrees;
    const enum refrain_status status = sorted_degrees(h, &degrees);
    if (status != REFRAIN_OK)
        return status;
    *passed = memcmp(degrees, s->degrees, h->n * sizeof *degrees) == 0;
    free(degrees);
    return REFRAIN_OK;
}

static enum refrain_status test_colours(const struct search *s, const struct graph *h,
                                        struct refinement *colours, bool *passed)
{
    const enum refrain_status status = refinement_create(colours, h, s->colours.rounds);
    *passed = status == REFRAIN_OK && refinement_equals(colours, &s->colours);
    return status;
}

/* Nodes of a pattern's rarest colour usually have equal surroundings. A few are checked to be
 * sure. */
static enum refrain_status test_distances(const struct search *s, const struct graph *h,
                                          const struct refinement *colours, bool *passed)
{
    unsigned looked = 0;
    *passed = false;
    for (uint32_t node = 0; node < h->n && !*passed && looked < 8; node++) {
        uint64_t hash;
        if (colours->colours[node] != s->rarest)
            continue;
        const enum refrain_status status = refinement_distances(h, node, &hash);
        if (status != REFRAIN_OK)
            return status;
        *passed = hash == s->distances;
        looked++;
    }
    return REFRAIN_OK;
}

/* ---- placing the nodes ----------------------------------------------------------------------- */

static void keep(struct topology *t, const struct candidate *c, const uint32_t *image)
{
    t->found = t->exact = t->in_order = true;
    t->best = *c;
    for (uint32_t node = 0; node < c->n; node++) {
        t->image[node] = image[node];
        t->in_order = t->in_order && image[node] == node;
    }
}

static enum refrain_status keep_plain(void *context, const struct candidate *c, const struct graph *h,
                                      const uint32_t *image, bool *done)
{
    struct search *s = context;
    *done = graph_maps(s->g, h, image);
    if (*done)
        keep(s->t, c, image);
    return REFRAIN_OK;
}

/* People expect a plain numbering, so it is tried for each candidate before all other tests. */
static enum refrain_status find_plain(struct search *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->all.n && !s->t->found && status == REFRAIN_OK; i++) {
        status = numbering_walk(&s->all.items[i], s->g, true, keep_plain, s);
        s->best = i;
    }
    return status;
}

static enum refrain_status match(struct search *s, size_t i, const struct graph *h, bool *same)
{
    uint32_t *labels = NULL, *image = malloc((h->n + 1) * sizeof *image);
    enum refrain_status status = image ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!image)
        log_error("out of memory: a topology of %u nodes", h->n);
    if (status == REFRAIN_OK && !s->labels)
        status = canonical_labels(s->g, &s->labels);
    if (status == REFRAIN_OK)
        status = canonical_labels(h, &labels);
    if (status == REFRAIN_OK)
        status = canonical_match(s->g, s->labels, h, labels, image, same);
    if (status == REFRAIN_OK && *same && !s->t->found) {
        status = numbering_normalize(&s->all.items[i], s->g, h, image);
        keep(s->t, &s->all.items[i], image);
        s->best = i;
    }
    free(labels);
    free(image);
    return status;
}

static enum refrain_status test_isomorphism(struct search *s, size_t i, const struct graph *h, bool *passed)
{
    bool grids;
    *passed = s->t->found &&
              (i == s->best || candidate_same_grid(&s->all.items[s->best], &s->all.items[i], &grids));
    if (*passed || (s->t->found && grids) || h->n_edges > EDGES_MOST)
        return REFRAIN_OK;
    return match(s, i, h, passed);
}

/* ---- one candidate after the other ----------------------------------------------------------- */

static enum refrain_status test(struct search *s, size_t i)
{
    struct graph h;
    struct refinement colours = {0};
    unsigned test = TEST_DEGREES;
    bool passed = true;
    enum refrain_status status = candidate_graph(&s->all.items[i], &h);
    if (status != REFRAIN_OK)
        return status;
    for (; test < TOPOLOGY_TESTS && status == REFRAIN_OK; test++) {
        if (test == TEST_DEGREES)
            status = test_degrees(s, &h, &passed);
        else if (test == TEST_COLOURS)
            status = test_colours(s, &h, &colours, &passed);
        else if (test == TEST_DISTANCES)
            status = test_distances(s, &h, &colours, &passed);
        else
            status = test_isomorphism(s, i, &h, &passed);
        if (!passed)
            break;
    }
    s->failed[i] = test;
    refinement_free(&colours);
    graph_free(&h);
    return status;
}

/* A plain numbering was found: all other candidates fail, except other names of the same grid. */
static void end_plain(struct search *s)
{
    bool grids;
    for (size_t i = 0; i < s->all.n; i++)
        s->failed[i] = i == s->best || candidate_same_grid(&s->all.items[s->best], &s->all.items[i], &grids)
                           ? TOPOLOGY_TESTS
                           : TEST_ISOMORPHISM;
}

/* The same grid under another name has the same answers. */
static bool is_known(struct search *s, size_t i)
{
    bool grids;
    for (size_t k = 0; k < i; k++)
        if (candidate_same_grid(&s->all.items[k], &s->all.items[i], &grids)) {
            s->failed[i] = s->failed[k];
            return true;
        }
    return false;
}

static enum refrain_status begin(struct search *s)
{
    uint32_t node = 0;
    enum refrain_status status = sorted_degrees(s->g, &s->degrees);
    if (status == REFRAIN_OK)
        status = refinement_create(&s->colours, s->g, 0);
    if (status != REFRAIN_OK)
        return status;
    s->rarest = refinement_rarest(&s->colours);
    while (s->colours.colours[node] != s->rarest)
        node++;
    return refinement_distances(s->g, node, &s->distances);
}

static enum refrain_status count(struct search *s)
{
    struct topology *t = s->t;
    for (unsigned test = TEST_EDGES; test < TOPOLOGY_TESTS; test++)
        for (size_t i = 0; i < s->all.n; i++)
            t->left[test] += s->failed[i] > test;
    for (unsigned test = TEST_EDGES; test < TOPOLOGY_TESTS; test++)
        for (size_t i = 0; i < s->all.n && t->left[test] <= TOPOLOGY_NAMES; i++)
            if (s->failed[i] > test) {
                candidate_put_name(&s->all.items[i], &t->names[test]);
                bytes_put_u8(&t->names[test], '\0');
            }
    for (size_t i = 0; i < s->all.n; i++)
        if (s->failed[i] == TOPOLOGY_TESTS && i != s->best && !array_push(&t->synonyms, s->all.items[i]))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static enum refrain_status run(struct search *s)
{
    enum refrain_status status = find_plain(s);
    if (status == REFRAIN_OK && s->t->found && s->g->n > NODES_TESTED) {
        end_plain(s);
        return count(s);
    }
    if (status == REFRAIN_OK)
        status = begin(s);
    for (size_t i = 0; i < s->all.n && status == REFRAIN_OK; i++)
        if (!is_known(s, i))
            status = test(s, i);
    return status == REFRAIN_OK ? count(s) : status;
}

enum refrain_status topology_match(struct topology *t, const struct graph *g, const struct pattern_library *l)
{
    assert(g->n >= 2);
    struct search s = {.t = t, .g = g};
    *t = (struct topology){.image = calloc((size_t)g->n + 1, sizeof *t->image)};
    enum refrain_status status = t->image ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t node = 0; status == REFRAIN_OK && node < g->n; node++)
        t->image[node] = node; /* default until more is known */
    if (status == REFRAIN_OK)
        status = candidates_enumerate(&s.all, l, g->n, g->n_edges, g->n_edges, &t->left[TEST_NODES]);
    if (status == REFRAIN_OK && !(s.failed = calloc(s.all.n + 1, sizeof *s.failed)))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_ERR_MEMORY)
        log_error("out of memory: a topology of %u nodes", g->n);
    if (status == REFRAIN_OK)
        status = run(&s);
    if (status != REFRAIN_OK)
        topology_free(t);
    free(s.degrees);
    free(s.labels);
    free(s.failed);
    refinement_free(&s.colours);
    array_free(&s.all);
    return status;
}

enum refrain_status topology_identify(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l)
{
    assert(g->n >= 2);
    enum refrain_status status = topology_match(t, g, l);
    if (status == REFRAIN_OK && !t->found && (status = topology_find_nearest(t, g, l)) != REFRAIN_OK)
        topology_free(t);
    return status;
}

void topology_free(struct topology *t)
{
    free(t->image);
    array_free(&t->synonyms);
    array_free(&t->missing);
    array_free(&t->extra);
    for (unsigned test = 0; test < TOPOLOGY_TESTS; test++)
        bytes_free(&t->names[test]);
    *t = (struct topology){0};
}
