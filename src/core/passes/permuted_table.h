/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of permuted lists (torus_permutation.h) at the beginning of section SERI of a final
 * file. A reader makes plain series of them.
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
    uint64_t base; /* index among the series after the table */
    uint64_t map;
    int64_t row, column; /* shift of the map */
    int64_t scale, shift, slope;
};

struct permuted_table {
    ARRAY(struct torus_map) maps;
    ARRAY(struct permuted) lists;
};

void permuted_table_free(struct permuted_table *t);
enum refrain_status permuted_table_encode(const struct permuted_table *t, struct bytes *out);
/* Read at most `most` lists. Maps have at least one place in a row; the caller checks all other
 * numbers. */
enum refrain_status permuted_table_decode(struct bytes_reader *in, uint64_t most, struct permuted_table *out);

#endif
