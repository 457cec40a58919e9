/* SPDX-License-Identifier: BSD-3-Clause */
/* Separates several patterns by the program's own labels: call sites, communicators and tags.
 *
 *     MPI_Isend tag 1   lines in x ─┐
 *     MPI_Isend tag 2   lines in x ─┴─ the same edges ─┐
 *     MPI_Isend tag 3   lines in y ────────────────────┴─ together an 8x8 grid: layer 1
 *     MPI_Send  tag 9   a binomial tree: layer 2
 *
 * Labels with the same edges form one layer. Two layers are joined if together they form a pattern. */
#ifndef REFRAIN_LAYERS_H
#define REFRAIN_LAYERS_H

#include "communicators.h"
#include "survey.h"

struct layer {
    ARRAY(uint32_t) labels; /* indices of labels of the matrix */
    struct traffic traffic;
    struct survey survey; /* of `traffic` */
};

struct layers {
    ARRAY(struct layer *) items; /* most bytes first, then most messages */
    const struct layer *base;    /* the other layers use its coordinates; NULL: none */
};

/* Finds the layers of the messages of communicator `comm` (NULL: of all). `whole` is the traffic of these
 * messages. */
enum refrain_status layers_create(struct layers *l, const struct matrix *m, const struct communicators *comms,
                                  const struct traffic *whole, const int64_t *comm,
                                  const struct pattern_library *library, const struct survey_choice *choice);
void layers_free(struct layers *l); /* also of a zeroed struct */

#endif
