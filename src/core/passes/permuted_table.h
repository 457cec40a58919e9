/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are written as others seen from other places (torus_permutation.h): the table at the head of
 * section SERI of a final file. A reader makes plain series of them.
 *
 *     numbers of series   0 1 … n_permuted - 1   permuted lists, in the order of the table
 *                         n_permuted …           the series that follow the table, bases among them */
#ifndef REFRAIN_PERMUTED_TABLE_H
#define REFRAIN_PERMUTED_TABLE_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"
#include "torus.h"

/* Value i is shift + slope i + scale x value place(i) of the base. */
struct permuted {
    uint64_t base; /* number of a series, of those that follow the table */
    uint64_t map;
    int64_t row, column; /* how far the map is shifted */
    int64_t scale, shift, slope;
};

struct permuted_table {
    ARRAY(struct torus_map) maps;
    ARRAY(struct permuted) lists;
};

void permuted_table_free(struct permuted_table *t);
enum refrain_status permuted_table_encode(const struct permuted_table *t, struct bytes *out);
/* There are at most `most` lists, and no map has rows without places; what numbers refer to is the caller's
 * to check. */
enum refrain_status permuted_table_decode(struct bytes_reader *in, uint64_t most, struct permuted_table *out);

#endif
