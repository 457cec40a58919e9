/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are written as something smaller than a series, by way of other ones: the tables at the head of
 * section SERI. They are numbered before all series, in this order:
 *
 *     added          a sum or difference of two lists with larger numbers (codec_added.h)
 *     permuted       a series seen from other places (torus_permutation.h)
 *     compositions   values by class (codec_compose.h)
 *
 * Final files only; a reader makes plain series of them. */
#ifndef REFRAIN_CODEC_DERIVED_H
#define REFRAIN_CODEC_DERIVED_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"
#include "torus.h"

/* Value i is value i of a + factor x value i of b. */
struct added {
    uint64_t a, b; /* numbers of lists of all sorts */
    int64_t factor;
};

/* Value i is shift + slope i + scale x value place(i) of the base. */
struct permuted {
    uint64_t base; /* number of a series */
    uint64_t map;
    int64_t row, column; /* how far the map is shifted */
    int64_t scale, shift, slope;
};

/* Value i is value classes[i] of `values`. */
struct composition {
    uint64_t classes, values; /* numbers of series */
};

struct derived {
    ARRAY(struct added) added;
    ARRAY(struct torus_map) maps;
    ARRAY(struct permuted) permuted;
    ARRAY(struct composition) compositions;
};

void derived_free(struct derived *d);
/* How many lists there are. */
size_t derived_count(const struct derived *d);
/* Are there some that files have only from version 3 on? */
bool derived_is_late(const struct derived *d);
/* `late`: the file has tables for such. */
enum refrain_status derived_encode(const struct derived *d, bool late, struct bytes *out);
/* There are at most `most` permuted lists, and no map has rows without places; what numbers refer to is the
 * caller's to check. */
enum refrain_status derived_decode(struct bytes_reader *in, bool late, uint64_t most, struct derived *out);

#endif
