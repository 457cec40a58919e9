/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a site's rows, while it grows.
 *
 * The order is usually regular, and its grammar is short. Two kinds of order are not regular:
 *
 *     0^7 1  0^2 1  0^5 1 …      row 0 (flag 0 of a polling MPI_Test) becomes the filler: it leaves the
 *                                grammar, and its counts before each other row, 7 2 5 …, are a series
 *     3 0 1 1 4 0 2 3 …          (sources of a wildcard) there is no pattern: the rows are a series
 *
 * The stream is searched for both kinds each time the grammar has doubled in size. */
#ifndef REFRAIN_SITE_STREAM_H
#define REFRAIN_SITE_STREAM_H

#include "src/core/grammar/grammar.h"
#include "src/core/series/series.h"
#include "src/core/trace/stream_walk.h"

#define SITE_STREAM_NONE UINT32_MAX

struct site_stream {
    struct grammar *grammar; /* owned; NULL before the first row, or if `order` is used */
    struct series *order;    /* owned; all rows as a series; NULL if `grammar` is used */
    uint32_t filler;         /* the row left out of the grammar, or SITE_STREAM_NONE */
    struct series *fills;    /* owned; the filler's calls before each other row; NULL without a filler */
    uint64_t filled;         /* calls of the filler since the last other row */
    size_t limit;            /* when the grammar is larger, look for a filler or an order */
};

struct site_stream site_stream_empty(void);
void site_stream_free(struct site_stream *s);
/* Append `row` count >= 1 times. A run of one row should be appended in one piece. */
enum refrain_status site_stream_append(struct site_stream *s, uint32_t row, uint64_t count);
/* Look for a filler and an order now. `varies`: other ranks with the same behaviour may call the site more
 * or less often, so their grammars would differ. Then an order is preferred even if it is slightly longer
 * than the grammar. */
enum refrain_status site_stream_settle(struct site_stream *s, bool varies);
/* Start a walk over the appended rows, `calls` in total. The caller frees *rules after the walk; *rules is
 * NULL if there is no grammar. */
enum refrain_status site_stream_walk(const struct site_stream *s, uint64_t calls, struct rules **rules,
                                     struct stream_walk *walk);
size_t site_stream_bytes(const struct site_stream *s); /* memory held */

#endif
