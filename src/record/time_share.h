/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits the bytes that the times of this rank's calls take in the file: the user's limit for each rank,
 * or this rank's part of the limit for all ranks, whichever is less. */
#ifndef REFRAIN_TIME_SHARE_H
#define REFRAIN_TIME_SHARE_H

#include "src/core/time/time_log.h"

/* Return the budget of all threads' logs; NULL: no limit. */
struct time_budget *time_share_budget(void);
/* Set the number of ranks. The budget shrinks by the other ranks' part. */
void time_share_ranks(int size);
/* The limit in bytes; UINT64_MAX: no limit. */
uint64_t time_share_bytes(void);

#endif
