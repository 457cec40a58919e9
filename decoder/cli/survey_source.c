/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey_source.h"

#include "decoder/topology/survey/own_topology.h"
#include "matrix_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <inttypes.h>
#include <stdlib.h>

/* Pairs with a smaller share of the largest pair are left out. */
#define THRESHOLD 0.05

static enum refrain_status read_choice(struct survey_choice *choice, const struct options *o)
{
    const char *value = options_value(o, OPTION_THRESHOLD);
    char *end;
    *choice = (struct survey_choice){.threshold = THRESHOLD, .by_messages = options_has(o, OPTION_MESSAGES)};
    if (!value)
        return REFRAIN_OK;
    choice->threshold = strtod(value, &end) / 100;
    if (end == value || *end || !(choice->threshold >= 0 && choice->threshold <= 1)) {
        log_error("--threshold %s: wanted per cent of the largest pair, 0 to 100", value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status read_library(struct pattern_library *l, const struct options *o)
{
    const enum refrain_status status = pattern_library_create(l);
    return status == REFRAIN_OK && options_has(o, OPTION_PATTERNS)
               ? pattern_library_read(l, options_value(o, OPTION_PATTERNS))
               : status;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Keeps the messages of one communicator, between its members. */
static enum refrain_status select_communicator(struct survey_source *s, const char *name)
{
    ARRAY(struct matrix_cell) cells = {0};
    enum refrain_status status = REFRAIN_OK;
    s->comm = communicators_find(&s->communicators, name);
    if (!s->comm)
        return REFRAIN_ERR_USAGE;
    for (size_t i = 0; i < s->matrix.cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *cell = &s->matrix.cells.items[i];
        if (s->labels.items.items[cell->label].comm == s->comm->comm && !array_push(&cells, *cell))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = traffic_create_of(&s->traffic, &s->matrix, cells.items, cells.n, s->comm->ranks, s->comm->n);
    array_free(&cells);
    return status;
}

static enum refrain_status read_declared(struct survey_source *s, const struct options *o)
{
    enum refrain_status status = world_open(&s->reader, o);
    if (status != REFRAIN_OK) {
        s->reader = (struct reader){0};
        return status;
    }
    status = definitions_read(&s->definitions, &s->reader);
    if (status == REFRAIN_OK)
        status = communicators_create(&s->communicators, &s->reader, &s->definitions);
    if (status == REFRAIN_OK)
        status = declared_create(&s->declared, &s->reader, &s->definitions, &s->communicators);
    if (status == REFRAIN_OK)
        status = own_topology_add(&s->declared, &s->reader, &s->communicators);
    return status;
}

static enum refrain_status read_labelled(struct survey_source *s, const struct options *o)
{
    bool by_groups = false;
    enum refrain_status status = read_declared(s, o);
    if (status == REFRAIN_OK && !options_has(o, OPTION_COMM))
        status = traffic_create_by_groups(&s->traffic, &s->reader, &s->definitions, &by_groups);
    if (status != REFRAIN_OK || by_groups)
        return status;
    status = survey_source_label(s);
    if (status != REFRAIN_OK)
        return status;
    return options_has(o, OPTION_COMM) ? select_communicator(s, options_value(o, OPTION_COMM))
                                       : traffic_create(&s->traffic, &s->matrix);
}

enum refrain_status survey_source_label(struct survey_source *s)
{
    return s->matrix.labels || s->selected || s->communicators.items.n == 0
               ? REFRAIN_OK
               : matrix_of_trace_labelled(&s->matrix, &s->labels, &s->reader, &s->definitions);
}

static enum refrain_status count_accesses(struct survey_source *s)
{
    struct matrix accesses = {0};
    traffic_free(&s->traffic);
    enum refrain_status status = matrix_of_trace(&accesses, &s->reader, &s->definitions, CALL_EVENT_ACCESSES);
    if (status == REFRAIN_OK)
        status = traffic_create(&s->traffic, &accesses);
    s->traffic.of_windows = true;
    matrix_free(&accesses);
    return status;
}

static enum refrain_status read_messages(struct survey_source *s, const struct options *o)
{
    if (!options_has(o, OPTION_MATRIX) && !options_has(o, OPTION_AT) && !options_has(o, OPTION_RMA))
        return read_labelled(s, o);
    s->selected = true;
    enum refrain_status status = options_has(o, OPTION_MATRIX)
                                     ? matrix_read(&s->matrix, options_value(o, OPTION_MATRIX))
                                     : matrix_source_read(&s->matrix, o);
    if (status == REFRAIN_OK && !options_has(o, OPTION_MATRIX))
        status = read_declared(s, o);
    return status == REFRAIN_OK ? traffic_create(&s->traffic, &s->matrix) : status;
}

/* ---- coordinates that are known -------------------------------------------------------------- */

/* Reads the user's coordinates. */
static enum refrain_status read_placement(const struct options *o, const struct traffic *t,
                                          struct placement *p)
{
    const char *sizes = options_value(o, OPTION_TOPOLOGY), *path = options_value(o, OPTION_COORDS);
    enum refrain_status status = sizes ? placement_parse(p, sizes) : REFRAIN_OK;
    if (status == REFRAIN_OK && path)
        return placement_read(p, t, path);
    /* A matrix of a file may lack silent ranks at the end. */
    if (status == REFRAIN_OK && sizes &&
        (placement_places(p) < t->n_ranks ||
         (placement_places(p) > t->n_ranks && !options_has(o, OPTION_MATRIX)))) {
        log_error("--topology %s: the number of places, %" PRIu64
                  ", must be that of the ranks, %u, unless --coords places them",
                  sizes, placement_places(p), t->n_ranks);
        status = REFRAIN_ERR_USAGE;
    }
    return status == REFRAIN_OK && sizes ? placement_fill(p, t->n_ranks) : status;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum refrain_status survey_source_read(struct survey_source *s, const struct options *o)
{
    enum refrain_status status = read_choice(&s->choice, o);
    if (status == REFRAIN_OK)
        status = read_library(&s->library, o);
    if (status == REFRAIN_OK)
        status = read_messages(s, o);
    if (status == REFRAIN_OK && s->or_windows && s->traffic.all.messages == 0)
        status = count_accesses(s);
    if (status == REFRAIN_OK)
        status = read_placement(o, &s->traffic, &s->placement);
    s->choice.with_periods = options_has(o, OPTION_TOPOLOGY);
    if (status == REFRAIN_OK)
        status = comparisons_choose(&s->comparisons, &s->traffic, &s->declared, &s->communicators,
                                    &s->library, &s->placement, &s->choice);
    if (s->placement.n_dims > 0)
        s->choice.given = &s->placement;
    if (status == REFRAIN_OK)
        status = survey_create(&s->survey, &s->traffic, &s->library, &s->choice);
    if (status != REFRAIN_OK)
        survey_source_free(s);
    return status;
}

void survey_source_free(struct survey_source *s)
{
    survey_free(&s->survey);
    array_free(&s->comparisons.items);
    placement_free(&s->placement);
    traffic_free(&s->traffic);
    matrix_free(&s->matrix);
    declared_free(&s->declared);
    communicators_free(&s->communicators);
    matrix_labels_free(&s->labels);
    definitions_free(&s->definitions);
    reader_close(&s->reader);
    pattern_library_free(&s->library);
    *s = (struct survey_source){0};
}
