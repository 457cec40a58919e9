/* SPDX-License-Identifier: BSD-3-Clause */
/* What each call that a timeline keeps says: where it is in the source, its text (docs/TEXT.md) and the bytes
 * that it moves, as far as they are known.
 *
 *     at exchange (halo.c:31)
 *     MPI_Send(buf=heap0, count=8, datatype=MPI_DOUBLE, dest=1, tag=5, comm=MPI_COMM_WORLD) = MPI_SUCCESS
 *     64 bytes sent
 *
 * Each text is kept once. A long one is cut off, and when all together are too many, further calls have none.
 */
#ifndef REFRAIN_TIMELINE_TEXTS_H
#define REFRAIN_TIMELINE_TEXTS_H

#include "decoder/trace/definitions.h"
#include "decoder/util/text_table.h"
#include "timeline.h"

#define TIMELINE_TEXT_NONE MAP_NONE

struct timeline_texts {
    struct text_table table;
    uint32_t *of_call; /* number of the text, or NONE, for each call that is kept */
    uint64_t missing;  /* calls that have none */
};

enum refrain_status timeline_texts_create(struct timeline_texts *x, const struct timeline *t,
                                          const struct definitions *d);
void timeline_texts_free(struct timeline_texts *x); /* also of a zeroed struct */

#endif
