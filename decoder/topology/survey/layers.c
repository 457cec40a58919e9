/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers.h"

#include "displacement.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* With more tags than this at one call site, they do not tell patterns apart: they may be numbers of ranks or steps. */
#define TAGS_MOST 8
/* More layers than this are not looked at two by two; nor is a graph of more nodes. */
#define LAYERS_MOST 24
#define NODES_MOST  20000

struct building {
    struct layers *layers;
    const struct matrix *matrix;
    const struct communicators *communicators;
    const struct traffic *whole;
    const struct pattern_library *library;
    struct survey_choice choice;
    struct matrix_cell *cells; /* by label */
    size_t *first;             /* of each label, and the end */
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
    /* first[label + 1] is where a label goes on while its cells are taken. */
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

/* A layer of the labels of one or two others; the caller's. */
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

/* All parts are exactly a pattern. */
static bool is_regular(const struct layer *l)
{
    bool regular = l->survey.parts.n > 0;
    for (size_t i = 0; i < l->survey.parts.n && regular; i++)
        regular = l->survey.parts.items[i].topology.exact;
    return regular;
}

/* ---- what is there at first ------------------------------------------------------------------ */

static bool is_empty(const struct building *b, uint32_t label)
{
    return b->first[label] == b->first[label + 1];
}

static uint64_t origin_of(const struct building *b, const struct matrix_label *label)
{
    const uint32_t comm = communicators_index(b->communicators, label->comm);
    return comm == UINT32_MAX ? 0 : b->communicators->items.items[comm].origin;
}

/* One site on communicators that the same calls made. */
static bool same_site(const struct building *b, const struct matrix_label *x, const struct matrix_label *y)
{
    return x->site == y->site && (x->comm == y->comm || origin_of(b, x) == origin_of(b, y));
}

/* Different ones of a site; not more than TAGS_MOST + 1. */
static unsigned count_tags(const struct building *b, uint32_t label)
{
    const struct matrix_label *labels = b->matrix->labels->items.items;
    int64_t tags[TAGS_MOST + 1];
    unsigned n = 0;
    for (uint32_t i = 0; i < b->matrix->labels->items.n && n <= TAGS_MOST; i++) {
        bool is_new = !is_empty(b, i) && same_site(b, &labels[i], &labels[label]);
        for (unsigned k = 0; k < n && is_new; k++)
            is_new = tags[k] != labels[i].tag;
        if (is_new)
            tags[n++] = labels[i].tag;
    }
    return n;
}

/* The layer that a label begins in: its own; or, where there are many tags, that of its site. */
static enum refrain_status take_label(struct building *b, uint32_t label)
{
    const struct matrix_label *labels = b->matrix->labels->items.items;
    struct layer *l = NULL;
    const bool many = count_tags(b, label) > TAGS_MOST;
    for (size_t i = 0; i < b->layers->items.n && !l; i++) {
        const struct matrix_label *known = &labels[b->layers->items.items[i]->labels.items[0]];
        if (same_site(b, known, &labels[label]) && (many || known->tag == labels[label].tag))
            l = b->layers->items.items[i];
    }
    if (!l) {
        l = calloc(1, sizeof *l);
        if (!l || !array_push(&b->layers->items, l)) {
            free(l);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return array_push(&l->labels, label) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status begin(struct building *b)
{
    struct layers *l = b->layers;
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t label = 0; label < b->matrix->labels->items.n && status == REFRAIN_OK; label++)
        if (!is_empty(b, label))
            status = take_label(b, label);
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

/* Labels with the same edges. Only their graphs are known as yet. */
static enum refrain_status join_equal(struct layers *l)
{
    for (size_t i = 0; i < l->items.n; i++)
        for (size_t k = l->items.n; k-- > i + 1;) {
            struct layer *x = l->items.items[i], *y = l->items.items[k];
            if (!graph_equals(&x->survey.graph, &y->survey.graph))
                continue;
            for (size_t at = 0; at < y->labels.n; at++)
                if (!array_push(&x->labels, y->labels.items[at]))
                    return REFRAIN_ERR_MEMORY;
            remove_at(l, k);
        }
    return REFRAIN_OK;
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

/* Together, are two layers one pattern, which hangs together at least as much? */
static enum refrain_status try_join(struct building *b, size_t i, size_t k, bool *joined)
{
    struct layers *l = b->layers;
    const struct layer *x = l->items.items[i], *y = l->items.items[k];
    struct layer *both;
    enum refrain_status status = join(b, x, y, &both);
    *joined = false;
    if (status != REFRAIN_OK)
        return status;
    *joined = is_regular(both) && both->survey.parts.n <= x->survey.parts.n &&
              both->survey.parts.n <= y->survey.parts.n;
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
    return (a->labels.items[0] > b->labels.items[0]) - (a->labels.items[0] < b->labels.items[0]);
}

/* The one with most bytes of those that are one lattice; of two or more dimensions, if there is such a one. */
static void choose_base(struct layers *l)
{
    for (size_t i = 0; i < l->items.n; i++) {
        const struct survey *s = &l->items.items[i]->survey;
        if (survey_is_lattice(s) && (!l->base || (l->base->survey.parts.items[0].topology.best.n_dims == 1 &&
                                                  s->parts.items[0].topology.best.n_dims > 1)))
            l->base = l->items.items[i];
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
                         .choice = {.threshold = choice->threshold, .by_messages = choice->by_messages}};
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
