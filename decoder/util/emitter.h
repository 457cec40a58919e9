/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports, as text for people or as one JSON object. A report is fields and tables, said once for both:
 *
 *     emitter_uint(&e, "ranks", "ranks", 4);                 ranks      4            {"ranks":4,
 *     emitter_table(&e, "functions", columns, 2);
 *     emitter_cell_text(&e, "MPI_Send");                     function    calls       "functions":[
 *     emitter_cell_uint(&e, 12);                             MPI_Send       12
 * {"function":"MPI_Send","calls":12} emitter_table_end(&e); ]}
 *
 * Text tables are measured first and printed at their end. */
#ifndef REFRAIN_EMITTER_H
#define REFRAIN_EMITTER_H

#include "json.h"
#include "output.h"
#include "src/core/base/array.h"

struct emitter_column {
    const char *key, *title;
    bool left;    /* aligned to the left: words */
    double scale; /* of reals in text: 1e-9 prints nanoseconds as seconds */
    int digits;   /* of reals after the point, in text */
};

struct emitter {
    struct output *out;
    bool as_json;
    struct json json;
    bool gap; /* something was printed: a table leaves a line free */
    /* The open table. */
    const struct emitter_column *columns;
    size_t n_columns, at;
    struct bytes cells; /* texts one after another */
    ARRAY(size_t) ends; /* of each cell in them */
    size_t label_width;
};

/* `label_width` is for the names of fields in text. */
struct emitter emitter_open(struct output *out, bool as_json, size_t label_width);
enum refrain_status emitter_close(struct emitter *e);

void emitter_text(struct emitter *e, const char *key, const char *label, const char *value);
void emitter_uint(struct emitter *e, const char *key, const char *label, uint64_t value);
/* A sentence below a table; in JSON a field. */
void emitter_note(struct emitter *e, const char *key, const char *text);

void emitter_table(struct emitter *e, const char *key, const struct emitter_column *columns, size_t n);
void emitter_table_end(struct emitter *e);
/* The next cell; rows are complete when they have a cell for each column. */
void emitter_cell_text(struct emitter *e, const char *value);
void emitter_cell_made(struct emitter *e, struct bytes *text); /* frees the text */
void emitter_cell_uint(struct emitter *e, uint64_t value);
void emitter_cell_real(struct emitter *e, double value);
void emitter_cell_none(struct emitter *e); /* nothing is known: "-" and null */
/* A cell that the caller puts between these two: in text into e->cells, in JSON into e->json with the key
 * that is returned. */
const char *emitter_cell_open(struct emitter *e);
void emitter_cell_close(struct emitter *e);

#endif
