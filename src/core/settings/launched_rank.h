/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank the launcher has made this process, as it tells in the environment: known before MPI is. */
#ifndef REFRAIN_LAUNCHED_RANK_H
#define REFRAIN_LAUNCHED_RANK_H

#include <stdint.h>

/* -1 if no launcher has told. */
int64_t launched_rank(void);

#endif
