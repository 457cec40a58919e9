/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the named constants that occur in a trace; a reader needs their names.
 *
 *     rows      {dest 1, tag 0 + column 0}  {dest -2, tag 0 + column 0}       RANK -2: MPI_PROC_NULL
 *     column 0  5 8 -1 3 …                                                    TAG  -1: MPI_ANY_TAG
 *
 * Each row and each column is examined once, however many calls it stands for. */
#ifndef REFRAIN_CONSTANT_SEARCH_H
#define REFRAIN_CONSTANT_SEARCH_H

#include "trace.h"

/* For the trace of one rank: set occurs[i], initially false, for each of n constants that occurs as a
 * value of a call. Of constants with the same set and value, only the first one is set; for VALUE_FLAGS,
 * all constants whose bits are set. It may also set a constant that does not occur, if a column has the
 * value in a call where it has another meaning, or if a column decides the meaning of the next slots.
 * O(size of the trace).
 *
 * The constants of a set should stand together. */
enum refrain_status constant_search(const struct trace *t, const struct constant *constants, size_t n,
                                    bool *occurs);

#endif
