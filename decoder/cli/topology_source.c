/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology_source.h"

#include "matrix_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

static enum refrain_status check(const struct options *o)
{
    const bool elsewhere = options_has(o, OPTION_AT) || options_has(o, OPTION_RMA);
    const bool matrix = options_has(o, OPTION_MATRIX);
    if (matrix && (o->n_operands > 0 || elsewhere || options_has(o, OPTION_COMM))) {
        log_error("--matrix takes the place of a trace: leave out the trace, --at, --comm and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (!matrix && o->n_operands == 0) {
        log_error("a trace is missing, or --matrix FILE");
        return REFRAIN_ERR_USAGE;
    }
    if ((matrix || elsewhere || options_has(o, OPTION_COMM)) && options_has(o, OPTION_PHASES)) {
        log_error("--phases is for all messages of a trace: leave out --at, --comm, --matrix and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (elsewhere && options_has(o, OPTION_COMM)) {
        log_error("--comm is for all messages of a run: leave out --at and --rma");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* The messages of one communicator, between its members. */
static enum refrain_status select_communicator(struct topology_source *s, const char *name)
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

static enum refrain_status read_labelled(struct topology_source *s, const struct options *o)
{
    enum refrain_status status = world_open(&s->reader, o);
    if (status != REFRAIN_OK) {
        s->reader = (struct reader){0};
        return status;
    }
    status = definitions_read(&s->definitions, &s->reader);
    if (status == REFRAIN_OK)
        status = matrix_of_trace_labelled(&s->matrix, &s->labels, &s->reader, &s->definitions);
    if (status == REFRAIN_OK)
        status = communicators_create(&s->communicators, &s->reader, &s->definitions);
    if (status == REFRAIN_OK)
        status = declared_create(&s->declared, &s->reader, &s->definitions, &s->communicators);
    if (status != REFRAIN_OK)
        return status;
    return options_has(o, OPTION_COMM) ? select_communicator(s, options_value(o, OPTION_COMM))
                                       : traffic_create(&s->traffic, &s->matrix);
}

enum refrain_status topology_source_read(struct topology_source *s, const struct options *o)
{
    *s = (struct topology_source){0};
    enum refrain_status status = check(o);
    if (status != REFRAIN_OK)
        return status;
    if (!options_has(o, OPTION_MATRIX) && !options_has(o, OPTION_AT) && !options_has(o, OPTION_RMA) &&
        (!options_has(o, OPTION_WINDOW) || options_has(o, OPTION_PHASES))) {
        status = read_labelled(s, o);
    } else {
        status = options_has(o, OPTION_MATRIX) ? matrix_read(&s->matrix, options_value(o, OPTION_MATRIX))
                                               : matrix_source_read(&s->matrix, o);
        if (status == REFRAIN_OK)
            status = traffic_create(&s->traffic, &s->matrix);
    }
    if (status != REFRAIN_OK)
        topology_source_free(s);
    return status;
}

void topology_source_free(struct topology_source *s)
{
    traffic_free(&s->traffic);
    matrix_free(&s->matrix);
    declared_free(&s->declared);
    communicators_free(&s->communicators);
    matrix_labels_free(&s->labels);
    definitions_free(&s->definitions);
    reader_close(&s->reader);
    *s = (struct topology_source){0};
}
