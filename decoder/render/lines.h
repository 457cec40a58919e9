/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the lines of a lane's calls fast: text that all calls of a row have in common is rendered once and
 * then copied.
 *
 *     MPI_Send(buf=&to, count=8, datatype=MPI_CHAR, dest=0, tag=332, comm=MPI_COMM_WORLD) = MPI_SUCCESS
 *                             ^                                 ^^^
 * Slots that have a column (trace.h) differ from call to call. Their values are holes in the text, which are
 * filled for each call. The text is kept when a row comes for the second time, so rows that come only once
 * take no memory. If a column decides the layout of a row (a count, a length, the form of an address), the
 * row is rendered for each call. */
#ifndef REFRAIN_LINES_H
#define REFRAIN_LINES_H

#include "render.h"
#include "src/core/base/timestamp.h"

struct lines_row;

struct lines {
    struct renderer *renderer;
    enum render_format format;
    struct bytes head;        /* the text before the number of the call */
    struct bytes rests;       /* the text after the number, of all rows that are kept */
    ARRAY(struct hole) holes; /* holes in `rests` */
    ARRAY(bool) varies;       /* by slot; scratch */
    size_t n_entries;
    struct lines_row **rows; /* by entry of the shape and row of the rank's group; NULL until needed */
};

/* Starts to print the calls of one lane. The renderer must outlive `l`. */
enum refrain_status lines_start(struct lines *l, struct renderer *r, enum render_format format,
                                const struct lane_ref *lane);
/* Appends the same text as render_line, and a newline, for a call of the lane's cursor. If `timestamps` is
 * not NULL, the beginning of the call and its duration follow the call's number: in seconds in text, in
 * nanoseconds in JSON. */
enum refrain_status lines_put(struct lines *l, const struct call *call, const struct timestamp *timestamps,
                              struct bytes *out);
void lines_stop(struct lines *l);

#endif
