/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers.h"

#include "displacement.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

/* If one call site has more tags, they do not distinguish patterns: they may be ranks or step
 * numbers. */
#define TAGS_MOST 8
/* If there are more layers or more nodes, pairs of layers are not tried. */
#define LAYERS_MOST 24
#define NODES_MOST  20000

struct building {
    struct layers *layers;
    const struct matrix *matrix;
    const struct communicators *communicators;
    const struct traffic *whole;
    const struct pattern_library *library;
    struct survey_choice choice;
    struct matrix_cell *cells; /* sorted by label */
    size_t *first;             /* by label: index of its first cell; then the end */
};

/* ---- cells by label -------------------------------------------------------------------------- */

static enum refrain_status sort_cells(struct building *b, const int64_t *comm)
{
    const struct matrix *m = b->matrix;
    const size_t n_labels = m->labels->items.n;
    b->cells = malloc((m->cells.n + 1) * sizeof *b->cells);
    b->first = calloc(n_labels + 2, sizeof *b->first);
    if (!b->cells || !b->first) {
        log_error("out of memory: %zu pairs", m->cells.n);
        return REFRAIN_ERR_MEMORY;
    }
    /* first[label + 1] is the label's next free position while its cells are taken. */
    for (size_t i = 0; i < m->cells.n; i++)
        if (!comm || m->labels->items.items[m->cells.items[i].label].comm == *comm)
            b->first[m->cells.items[i].label + 2]++;
    for (size_t label = 2; label <= n_labels + 1; label++)
        b->first[label] += b->first[label - 1];
    for (size_t i = 0; i < m->cells.n; i++)
        if (!comm || m->labels->items.items[m->cells.items[i].label].comm == *comm)
            b->cells[b->first[m->cells.items[i].label + 1]++] = m->cells.items[i];
    return REFRAIN_OK;
}

/* ---- one layer ------------------------------------------------------------------------------- */

static void layer_free(struct layer *l)
{
    if (!l)
        return;
    survey_free(&l->survey);
    traffic_free(&l->traffic);
    array_free(&l->labels);
    free(l);
}

static enum refrain_status gather(const struct building *b, struct layer *l)
{
    ARRAY(struct matrix_cell) cells = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->labels.n && status == REFRAIN_OK; i++) {
        const uint32_t label = l->labels.items[i];
        for (size_t k = b->first[label]; k < b->first[label + 1] && status == REFRAIN_OK; k++)
            status = array_push(&cells, b->cells[k]) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = traffic_create_of(&l->traffic, b->matrix, cells.items, cells.n, b->whole->ranks,
                                   b->whole->ranks ? b->whole->n_ranks : 0);
    array_free(&cells);
    return status;
}

/* Creates a layer of the labels of one or two others. The caller frees it. */
static enum refrain_status join(const struct building *b, const struct layer *x, const struct layer *y,
                                struct layer **out)
{
    const struct layer *const both[] = {x, y};
    struct layer *l = calloc(1, sizeof *l);
    enum refrain_status status = l ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!l)
        log_error("out of memory: a layer");
    for (int i = 0; i < 2 && status == REFRAIN_OK; i++)
        for (size_t k = 0; both[i] && k < both[i]->labels.n && status == REFRAIN_OK; k++)
            if (!array_push(&l->labels, both[i]->labels.items[k]))
                status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = gather(b, l);
    if (status == REFRAIN_OK)
        status = survey_create(&l->survey, &l->traffic, b->library, &b->choice);
    if (status == REFRAIN_OK)
        *out = l;
    else
        layer_free(l);
    return status;
}

/* Is each component exactly a pattern? */
static bool is_regular(const struct layer *l)
{
    bool regular = l->survey.components.n > 0;
    for (size_t i = 0; i < l->survey.components.n && regular; i++)
        regular = l->survey.components.items[i].topology.exact;
    return regular;
}

/* ---- the first layers ------------------------------------------------------------------------ */

static bool is_empty(const struct building *b, uint32_t label)
{
    return b->first[label] == b->first[label + 1];
}

static uint64_t origin_of(const struct building *b, const struct matrix_label *label)
{
    const uint32_t comm = communicators_index(b->communicators, label->comm);
    return comm == UINT32_MAX ? 0 : b->communicators->items.items[comm].origin;
}

/* A label of one site. Communicators that the same calls created have one `origin`. */
struct sited {
    uint32_t site;
    uint64_t origin;
    int64_t tag;
    uint32_t label;
};

static int by_site(const void *x, const void *y)
{
    const struct sited *a = x, *b = y;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->origin != b->origin)
        return a->origin < b->origin ? -1 : 1;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

static bool same_site(const struct sited *a, const struct sited *b)
{
    return a->site == b->site && a->origin == b->origin;
}

static enum refrain_status add_layer(struct layers *to, const struct sited *sited, size_t n)
{
    struct layer *l = calloc(1, sizeof *l);
    if (!l || !array_push(&to->items, l)) {
        free(l);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        if (!array_push(&l->labels, sited[i].label))
            return REFRAIN_ERR_MEMORY;
    qsort(l->labels.items, n, sizeof *l->labels.items, order_u32);
    return REFRAIN_OK;
}

/* Adds the labels of one site: a layer for each tag, or one layer if there are too many tags. */
static enum refrain_status add_site(struct layers *to, const struct sited *sited, size_t n)
{
    enum refrain_status status = REFRAIN_OK;
    unsigned tags = 1;
    for (size_t i = 1; i < n; i++)
        tags += tags <= TAGS_MOST && sited[i].tag != sited[i - 1].tag;
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < n && (tags > TAGS_MOST || sited[end].tag == sited[i].tag);)
            end++;
        status = add_layer(to, sited + i, end - i);
    }
    return status;
}

static int by_label(const void *x, const void *y)
{
    const struct layer *a = *(struct layer *const *)x, *b = *(struct layer *const *)y;
    return (a->labels.items[0] > b->labels.items[0]) - (a->labels.items[0] < b->labels.items[0]);
}

static enum refrain_status divide(struct building *b)
{
    const uint32_t n_labels = (uint32_t)b->matrix->labels->items.n;
    struct sited *sited = malloc((n_labels + (size_t)1) * sizeof *sited);
    enum refrain_status status = sited ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    size_t n = 0;
    if (!sited)
        log_error("out of memory: %u labels", n_labels);
    for (uint32_t label = 0; label < n_labels && sited; label++) {
        const struct matrix_label *l = &b->matrix->labels->items.items[label];
        if (!is_empty(b, label))
            sited[n++] = (struct sited){l->site, origin_of(b, l), l->tag, label};
    }
    if (n > 0)
        qsort(sited, n, sizeof *sited, by_site);
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < n && same_site(&sited[end], &sited[i]);)
            end++;
        status = add_site(b->layers, sited + i, end - i);
    }
    free(sited);
    if (status == REFRAIN_OK && n > 0)
        qsort(b->layers->items.items, b->layers->items.n, sizeof *b->layers->items.items, by_label);
    return status;
}

static enum refrain_status begin(struct building *b)
{
    struct layers *l = b->layers;
    enum refrain_status status = divide(b);
    for (size_t i = 0; i < l->items.n && status == REFRAIN_OK; i++) {
        status = gather(b, l->items.items[i]);
        if (status == REFRAIN_OK)
            status = traffic_graph(&l->items.items[i]->traffic, b->choice.threshold, b->choice.by_messages,
                                   &l->items.items[i]->survey.graph);
    }
    return status;
}

/* ---- putting together ------------------------------------------------------------------------ */

static void remove_at(struct layers *l, size_t i)
{
    layer_free(l->items.items[i]);
    memmove(&l->items.items[i], &l->items.items[i + 1], (--l->items.n - i) * sizeof *l->items.items);
}

static enum refrain_status take_labels(struct layer *to, const struct layer *from)
{
    for (size_t i = 0; i < from->labels.n; i++)
        if (!array_push(&to->labels, from->labels.items[i]))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* Joins labels with equal edges. Only their graphs are known at this point. */
static enum refrain_status join_equal(struct layers *l)
{
    struct map by_hash = {0}; /* the first n layers, which remain, by hash */
    enum refrain_status status = REFRAIN_OK;
    size_t n = 0;
    for (size_t i = 0, at; i < l->items.n; i++) {
        struct layer *layer = l->items.items[i], *same = NULL;
        const uint64_t hash = graph_hash(&layer->survey.graph);
        for (uint32_t v = map_first(&by_hash, hash, &at); v != MAP_NONE && !same;
             v = map_next(&by_hash, hash, &at))
            if (graph_equals(&l->items.items[v]->survey.graph, &layer->survey.graph))
                same = l->items.items[v];
        if (same && status == REFRAIN_OK)
            status = take_labels(same, layer);
        else if (status == REFRAIN_OK && !map_add(&by_hash, hash, (uint32_t)n))
            status = REFRAIN_ERR_MEMORY;
        if (same)
            layer_free(layer);
        else
            l->items.items[n++] = layer;
    }
    l->items.n = n;
    map_free(&by_hash);
    return status;
}

static enum refrain_status survey_all(struct building *b)
{
    struct layers *l = b->layers;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->items.n && status == REFRAIN_OK; i++) {
        struct layer *known;
        status = join(b, l->items.items[i], NULL, &known);
        if (status == REFRAIN_OK) {
            layer_free(l->items.items[i]);
            l->items.items[i] = known;
        }
    }
    return status;
}

/* Joins two layers if together they are one exact pattern with no more components than before. */
static enum refrain_status try_join(struct building *b, size_t i, size_t k, bool *joined)
{
    struct layers *l = b->layers;
    const struct layer *x = l->items.items[i], *y = l->items.items[k];
    struct layer *both;
    enum refrain_status status = join(b, x, y, &both);
    *joined = false;
    if (status != REFRAIN_OK)
        return status;
    *joined = is_regular(both) && both->survey.components.n <= x->survey.components.n &&
              both->survey.components.n <= y->survey.components.n;
    if (*joined) {
        remove_at(l, k);
        layer_free(l->items.items[i]);
        l->items.items[i] = both;
    } else {
        layer_free(both);
    }
    return status;
}

static enum refrain_status join_patterns(struct building *b)
{
    struct layers *l = b->layers;
    enum refrain_status status = REFRAIN_OK;
    bool joined = l->items.n <= LAYERS_MOST && b->whole->n_ranks <= NODES_MOST;
    while (joined && status == REFRAIN_OK) {
        joined = false;
        for (size_t i = 0; i < l->items.n && !joined; i++)
            for (size_t k = i + 1; k < l->items.n && !joined && status == REFRAIN_OK; k++)
                status = try_join(b, i, k, &joined);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int by_sum(const void *x, const void *y)
{
    const struct layer *a = *(struct layer *const *)x, *b = *(struct layer *const *)y;
    const struct traffic_sum *p = &a->traffic.all, *q = &b->traffic.all;
    if (p->bytes != q->bytes)
        return p->bytes > q->bytes ? -1 : 1;
    if (p->messages != q->messages)
        return p->messages > q->messages ? -1 : 1;
    return by_label(x, y);
}

/* A lattice with known coordinates is best; a lattice of two or more dimensions is better than a
 * line. */
static int worth(const struct survey *s)
{
    return !survey_is_lattice(s) ? 0 : s->given ? 3 : s->components.items[0].topology.best.n_dims > 1 ? 2 : 1;
}

/* Chooses the best lattice; among equals, the one with most bytes. */
static void choose_base(struct layers *l)
{
    int best = 0;
    for (size_t i = 0; i < l->items.n; i++)
        if (worth(&l->items.items[i]->survey) > best) {
            l->base = l->items.items[i];
            best = worth(&l->base->survey);
        }
}

enum refrain_status layers_create(struct layers *l, const struct matrix *m, const struct communicators *comms,
                                  const struct traffic *whole, const int64_t *comm,
                                  const struct pattern_library *library, const struct survey_choice *choice)
{
    struct building b = {.layers = l,
                         .matrix = m,
                         .communicators = comms,
                         .whole = whole,
                         .library = library,
                         .choice = survey_choice_of_some(choice)};
    *l = (struct layers){0};
    enum refrain_status status = sort_cells(&b, comm);
    if (status == REFRAIN_OK)
        status = begin(&b);
    if (status == REFRAIN_OK)
        status = join_equal(l);
    if (status == REFRAIN_OK)
        status = survey_all(&b);
    if (status == REFRAIN_OK)
        status = join_patterns(&b);
    if (status == REFRAIN_OK && l->items.n > 0)
        qsort(l->items.items, l->items.n, sizeof *l->items.items, by_sum);
    choose_base(l);
    free(b.cells);
    free(b.first);
    if (status != REFRAIN_OK)
        layers_free(l);
    return status;
}

void layers_free(struct layers *l)
{
    for (size_t i = 0; i < l->items.n; i++)
        layer_free(l->items.items[i]);
    array_free(&l->items);
    *l = (struct layers){0};
}
