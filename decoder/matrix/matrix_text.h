/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix for people and programs (refrain-matrix(1)). */
#ifndef REFRAIN_MATRIX_TEXT_H
#define REFRAIN_MATRIX_TEXT_H

#include "decoder/util/output.h"
#include "matrix.h"

/* What the matrix describes. */
struct matrix_subject {
    const char *trace;      /* its name */
    const char *path;       /* of the construct, or a range; NULL: the whole run */
    bool one_sided;         /* communication; otherwise messages */
    bool by_messages;       /* colours show messages; otherwise bytes */
    const uint32_t *order;  /* all ranks in the order of lines and columns; NULL: as they are numbered */
    const char *order_name; /* the name of this order: "8x8 torus" */
};

/* Writes two tables, messages and bytes, with sums. Many ranks are combined into blocks. */
enum refrain_status matrix_put_table(const struct matrix *m, const struct matrix_subject *s,
                                     struct output *out);
/* Writes a line for each pair that has messages: from,to,messages,bytes. */
enum refrain_status matrix_put_csv(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);
enum refrain_status matrix_put_json(const struct matrix *m, const struct matrix_subject *s,
                                    struct output *out);
/* Draws a heat map with a logarithmic scale (matrix_svg.c). */
enum refrain_status matrix_put_svg(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);
/* Draws the same heat map as pixels. */
enum refrain_status matrix_put_png(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);

/* Describes operations that are missing in the cells but may belong there. Returns false if there are
 * none. */
bool matrix_put_missing(const struct matrix *m, struct bytes *out);

#endif
