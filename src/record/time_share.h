/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the file the times of this rank's calls may take up: the user's share for a rank, or its part of
 * that for all, if that is less. */
#ifndef REFRAIN_TIME_SHARE_H
#define REFRAIN_TIME_SHARE_H

#include "src/core/time/time_log.h"

/* Of all threads' logs; NULL: any number. */
struct time_budget *time_share_budget(void);
/* There are so many ranks. The budget is made smaller by what is the others'. */
void time_share_ranks(int size);
/* Bytes; UINT64_MAX: any number. */
uint64_t time_share_bytes(void);

#endif
