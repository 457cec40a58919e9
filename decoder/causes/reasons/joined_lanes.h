/* SPDX-License-Identifier: BSD-3-Clause */
/* A few lanes may compute longer than the others wherever they compute: a slow processor, or too large a part of the
 * work. Then the cost is divided among many places, and none of them shows how large it is:
 *
 *                           rank 0   rank 1   rank 2   rank 3       cost
 *     before MPI_Send          .        1        .        4
 *     before MPI_Recv          .        .        .        3
 *     before MPI_Allreduce     1        .        1        5
 *                                                        12 of 15:  rank 3 */
#ifndef REFRAIN_JOINED_LANES_H
#define REFRAIN_JOINED_LANES_H

#include "decoder/causes/delay_places.h"

/* Finds the few lanes, of n, that cause most of the cost of computing, of the wanted delays. *lanes: by lane, for
 * the caller to free; NULL: no few lanes do. */
enum refrain_status joined_lanes_find(bool **lanes, const struct delays *d, size_t n,
                                      const struct delays_wanted *wanted);

#endif
