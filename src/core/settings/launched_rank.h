/* SPDX-License-Identifier: BSD-3-Clause */
/* The rank of this process according to the launcher's environment variables: known before
 * MPI_Init. */
#ifndef REFRAIN_LAUNCHED_RANK_H
#define REFRAIN_LAUNCHED_RANK_H

#include <stdint.h>

/* -1 if no launcher has set it. */
int64_t launched_rank(void);

#endif
