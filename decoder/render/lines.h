/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a lane's calls, fast: what is equal among the calls of a row is rendered once, and copied.
 *
 *     MPI_Send(buf=&to, count=8, datatype=MPI_CHAR, dest=0, tag=332, comm=MPI_COMM_WORLD) = MPI_SUCCESS
 *                             ^                                 ^^^
 * Slots that have a column (trace.h) differ from call to call: their values are holes, filled each time. The
 * text is kept when a row comes for the second time, so that many rows that come once take no memory. A row
 * with a column where its layout is decided (a count, a length, the form of an address) is rendered each
 * time. */
#ifndef REFRAIN_LINES_H
#define REFRAIN_LINES_H

#include "render.h"
#include "src/core/base/timestamp.h"

struct lines_row;

struct lines {
    struct renderer *renderer;
    enum render_format format;
    struct bytes head, rests; /* what is before the call's number; the rest of the lines that are kept */
    ARRAY(struct hole) holes; /* in them */
    ARRAY(bool) varies;       /* by slot; scratch */
    size_t n_entries;
    struct lines_row **rows; /* by entry of the shape and row of the rank's group; NULL until needed */
};

/* For the calls of one lane. The renderer has to stay. */
enum refrain_status lines_start(struct lines *l, struct renderer *r, enum render_format format,
                                const struct lane_ref *lane);
/* What render_line puts, for a call of the lane's cursor, and a newline. timestamps: after the call's number
 * when it began and how long it took, in seconds in text, in nanoseconds in JSON; NULL: nothing. */
enum refrain_status lines_put(struct lines *l, const struct call *call, const struct timestamp *timestamps,
                              struct bytes *out);
void lines_stop(struct lines *l);

#endif
