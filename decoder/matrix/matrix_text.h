/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix for people and programs (refrain-matrix(1)). */
#ifndef REFRAIN_MATRIX_TEXT_H
#define REFRAIN_MATRIX_TEXT_H

#include "decoder/util/output.h"
#include "matrix.h"

/* What a matrix is of. */
struct matrix_subject {
    const char *trace;      /* its name */
    const char *path;       /* of the construct, or a range; NULL: the whole run */
    bool one_sided;         /* communication; otherwise messages */
    bool by_messages;       /* what colours are for; otherwise bytes */
    const uint32_t *order;  /* all ranks in the order of lines and columns; NULL: as they are numbered */
    const char *order_name; /* what it is the order of: "8x8 torus" */
};

/* Two tables, of messages and of bytes, with sums; many ranks in blocks. */
enum refrain_status matrix_put_table(const struct matrix *m, const struct matrix_subject *s,
                                     struct output *out);
/* A line for each pair that has messages: from,to,messages,bytes. */
enum refrain_status matrix_put_csv(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);
enum refrain_status matrix_put_json(const struct matrix *m, const struct matrix_subject *s,
                                    struct output *out);
/* A heat map, on a logarithmic scale (matrix_svg.c). */
enum refrain_status matrix_put_svg(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);
/* The same as pixels. */
enum refrain_status matrix_put_png(const struct matrix *m, const struct matrix_subject *s,
                                   struct output *out);

/* What is not in the cells although it may belong there, in words; false if there is nothing. */
bool matrix_put_missing(const struct matrix *m, struct bytes *out);

#endif
