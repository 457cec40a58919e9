/* SPDX-License-Identifier: BSD-3-Clause */
/* Several patterns at once, by what the program itself tells apart: call sites, communicators and tags.
 *
 *     MPI_Isend tag 1   lines in x ─┐
 *     MPI_Isend tag 2   lines in x ─┴─ the same edges ─┐
 *     MPI_Isend tag 3   lines in y ────────────────────┴─ together an 8x8 grid: layer 1
 *     MPI_Send  tag 9   a binomial tree: layer 2
 *
 * Labels with the same edges are one layer; two layers are one if together they are a pattern. */
#ifndef REFRAIN_LAYERS_H
#define REFRAIN_LAYERS_H

#include "communicators.h"
#include "survey.h"

struct layer {
    ARRAY(uint32_t) labels; /* numbers in the matrix's labels */
    struct traffic traffic;
    struct survey survey; /* of that */
};

struct layers {
    ARRAY(struct layer *) items; /* most bytes first, then most messages */
    const struct layer *base;    /* whose coordinates the others are told in; NULL: none */
};

/* Of the messages of the communicator that `whole` is of; comm NULL: of all, which `whole` is. */
enum refrain_status layers_create(struct layers *l, const struct matrix *m, const struct communicators *comms,
                                  const struct traffic *whole, const int64_t *comm,
                                  const struct pattern_library *library, const struct survey_choice *choice);
void layers_free(struct layers *l); /* also of a zeroed struct */

#endif
