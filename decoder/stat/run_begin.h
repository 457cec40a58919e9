/* SPDX-License-Identifier: BSD-3-Clause */
/* The run: all percentages of time in reports are shares of it. It begins when the last rank has left
 * MPI_Init, and ends with the last call of all ranks. The time before, with all of MPI_Init, is reported
 * separately.
 *
 *     rank 0   [ MPI_Init ]  computes   [ MPI_Recv  |        ]  …  [ MPI_Finalize ]
 *     rank 1   [ MPI_Init                           ]  computes  …   [ MPI_Finalize ]
 *                                                   |          run              |
 *
 * The run is equally long for each thread, whenever the thread's own first and last calls were. A trace
 * without times of single calls does not say when the run begins: there, the run of each rank is the time
 * after its own MPI_Init. */
#ifndef REFRAIN_RUN_BEGIN_H
#define REFRAIN_RUN_BEGIN_H

#include "decoder/call/role.h"
#include "decoder/times/timestamps.h"

/* *begin is in ns since the first call of all ranks; 0: no rank calls MPI_Init. The source must not be
 * synthetic. */
enum refrain_status run_begin_find(uint64_t *begin, const struct reader *r,
                                   const struct timestamps_source *source, const struct roles *roles);
/* *end is the end of the last call that has own times; ns. */
enum refrain_status run_end_find(uint64_t *end, const struct reader *r,
                                 const struct timestamps_source *source);

/* Returns the part of an interval that lies after `begin`. */
static inline uint64_t run_part(uint64_t begin, uint64_t from, uint64_t to)
{
    const uint64_t first = from > begin ? from : begin;
    return to > first ? to - first : 0;
}

#endif
