/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a run whose ranks have all ended well, but one by one: whoever is the last makes the trace. */
#ifndef REFRAIN_LAST_RANK_MERGE_H
#define REFRAIN_LAST_RANK_MERGE_H

/* At the end of the process: writes this rank's last part, and, if all ranks have written theirs, the trace
 * of the run in place of the parts. What keeps that from happening is said; the parts stay then. Threads have
 * to be paused. */
void last_rank_merge(void);

#endif
