/* SPDX-License-Identifier: BSD-3-Clause */
/* Which named values occur in a trace: the constants whose names its readers will want.
 *
 *     rows      {dest 1, tag 0 + column 0}  {dest -2, tag 0 + column 0}       RANK -2: MPI_PROC_NULL
 *     column 0  5 8 -1 3 …                                                    TAG  -1: MPI_ANY_TAG
 *
 * Each row and each column is looked at once, whatever number of calls they stand for. */
#ifndef REFRAIN_CONSTANT_SEARCH_H
#define REFRAIN_CONSTANT_SEARCH_H

#include "trace.h"

/* For the trace of one rank: sets occurs[i], false so far, for each of n constants that the values of a call
 * have; of those with the same set and value the first, except that of VALUE_FLAGS all are told whose bits
 * are set. May tell one that does not occur, where a column has the value in a call whose row means something
 * else there, or decides itself what the next slots mean. O(size of the trace).
 *
 * The constants of a set should stand together. */
enum refrain_status constant_search(const struct trace *t, const struct constant *constants, size_t n,
                                    bool *occurs);

#endif
