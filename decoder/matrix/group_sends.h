/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts messages for groups of ranks that do the same, without visiting each call of each rank.
 *
 *     ranks 0-63 step 8    MPI_Isend(dest=rank+1, count=100, …)    looked at twice, on the first and on the last rank; the
 *                                                                  others have another dest, and all else is the same
 *
 * In a compressed trace there are few groups, however many ranks. */
#ifndef REFRAIN_GROUP_SENDS_H
#define REFRAIN_GROUP_SENDS_H

#include "matrix.h"

typedef enum refrain_status group_sends_take(void *context, uint32_t from, uint32_t to, uint64_t messages,
                                             uint64_t bytes);

/* All messages of a trace, if all are on MPI_COMM_WORLD: as matrix_of_trace counts them, but a pair of ranks
 * may come several times, in any order. *all is false if the groups do not give all messages, for example if
 * their size differs by rank; then discard the result. */
enum refrain_status group_sends(const struct reader *r, const struct definitions *d, group_sends_take *take,
                                void *context, bool *all);

#endif
