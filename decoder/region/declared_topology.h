/* SPDX-License-Identifier: BSD-3-Clause */
/* The Cartesian topology that a program says its processes form (refrain_topology_cart, …_coords). The last one that
 * a rank declares holds, and the last coordinates after it. It is that of the first rank that declares one; others
 * have to declare the same.
 *
 *     rank 0   cart(2, [4, 2], [1, 0], ["x", "y"])  coords([0, 0])
 *     rank 1   cart(2, [4, 2], [1, 0], ["x", "y"])  coords([0, 1])  … */
#ifndef REFRAIN_DECLARED_TOPOLOGY_H
#define REFRAIN_DECLARED_TOPOLOGY_H

#include "decoder/trace/reader.h"
#include "src/core/base/array.h"

#define DECLARED_DIMENSIONS 64

struct declared_topology {
    uint32_t n; /* dimensions; 0: none was declared */
    struct declared_dimension {
        uint32_t size; /* at least 1 */
        bool periodic;
        char *name; /* NULL: it has none */
    } * dimensions;
    uint32_t different;    /* how many ranks have declared something else */
    ARRAY(uint32_t) ranks; /* ascending: those whose coordinates are known */
    ARRAY(int64_t) coords; /* n of each of them; each is in its dimension */
};

enum refrain_status declared_topology_read(struct declared_topology *t, const struct reader *r);
void declared_topology_free(struct declared_topology *t); /* also of a zeroed struct */

/* n coordinates of a rank; NULL if they are not known. */
const int64_t *declared_topology_coords(const struct declared_topology *t, uint32_t rank);

#endif
