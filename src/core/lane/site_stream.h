/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which a site's rows come, while it grows.
 *
 * Mostly it is regular, and a grammar is short. Two kinds are not:
 *
 *     0^7 1  0^2 1  0^5 1 …      row 0 (flag 0 of a polling MPI_Test) becomes the filler: it leaves the grammar,
 *                                and how often it comes before each other row, 7 2 5 …, is a series
 *     3 0 1 1 4 0 2 3 …          (sources of a wildcard) there is no law: the rows themselves are a series
 *
 * Both are looked for when the grammar has become twice as large. */
#ifndef REFRAIN_SITE_STREAM_H
#define REFRAIN_SITE_STREAM_H

#include "src/core/grammar/grammar.h"
#include "src/core/series/series.h"
#include "src/core/trace/stream_walk.h"

#define SITE_STREAM_NONE UINT32_MAX

struct site_stream {
    struct grammar *grammar; /* owned; NULL before the first row, and when there is an order */
    struct series *order;    /* owned; the rows instead; NULL: see grammar */
    uint32_t filler;         /* the row that is in neither, or SITE_STREAM_NONE */
    struct series *fills;    /* owned; its calls before each of the other rows; NULL without a filler */
    uint64_t filled;         /* calls of the filler since the last other row */
    size_t limit;            /* when the grammar is larger, look for a filler or an order */
};

struct site_stream site_stream_empty(void);
void site_stream_free(struct site_stream *s);
/* The row again, count >= 1 times; runs of one row should come in one piece. */
enum refrain_status site_stream_append(struct site_stream *s, uint32_t row, uint64_t count);
/* Look for a filler and an order now. `varies`: another rank that does the same may call the site more or
 * less often, so that no grammar of it is the same; then an order is taken that is not much longer. */
enum refrain_status site_stream_settle(struct site_stream *s, bool varies);
/* What was appended, `calls` in all. *rules is the caller's to free after the walk; NULL if there is no
 * grammar. */
enum refrain_status site_stream_walk(const struct site_stream *s, uint64_t calls, struct rules **rules,
                                     struct stream_walk *walk);
size_t site_stream_bytes(const struct site_stream *s); /* memory held */

#endif
