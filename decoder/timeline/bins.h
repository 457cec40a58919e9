/* SPDX-License-Identifier: BSD-3-Clause */
/* Time spent in each kind of calls, in equal intervals:
 *
 *     line 0   | bin 0 | bin 1 | bin 2 | …     each bin: nanoseconds of each kind
 *     line 1   |       |       |       |
 *              from    + width
 *
 * The total duration need not be known. When time goes beyond the last bin, neighbours are joined and all
 * bins become twice as wide, so that more than half of them stay in use. Memory is constant, whatever is
 * added. */
#ifndef REFRAIN_BINS_H
#define REFRAIN_BINS_H

#include "decoder/call/call_kind.h"
#include "src/core/base/status.h"

#include <stdint.h>

struct bin {
    uint64_t time[CALL_KINDS]; /* nanoseconds */
};

struct bins {
    uint64_t from;  /* where bin 0 begins */
    unsigned shift; /* a bin is 2^shift nanoseconds wide */
    uint32_t n;     /* of each line; even */
    uint32_t n_lines;
    uint32_t used;     /* only the first `used` lines can have times */
    struct bin *items; /* by line */
};

/* `n` is even, and at least 2. */
enum refrain_status bins_create(struct bins *b, uint32_t n_lines, uint32_t n, uint64_t from);
void bins_free(struct bins *b); /* also of zeroed ones */

/* Adds the time of a call; from <= enter <= leave. */
void bins_add(struct bins *b, uint32_t line, enum call_kind kind, uint64_t enter, uint64_t leave);

/* Adds the times of a line between `from` and `to` to n equal columns of that interval. A bin across the
 * border of two columns is divided among them in proportion. */
struct bin_column {
    double time[CALL_KINDS]; /* nanoseconds */
};
void bins_columns(const struct bins *b, uint32_t line, uint64_t from, uint64_t to, uint32_t n,
                  struct bin_column *columns);

/* The same for one call alone. */
void bins_column_add(struct bin_column *columns, uint32_t n, uint64_t from, uint64_t to, enum call_kind kind,
                     uint64_t enter, uint64_t leave);

#endif
