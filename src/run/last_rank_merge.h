/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that end well but without a common last call: the last rank to end merges the parts into
 * the trace. */
#ifndef REFRAIN_LAST_RANK_MERGE_H
#define REFRAIN_LAST_RANK_MERGE_H

/* Write this rank's final part at the end of the process; if all ranks have written theirs, merge
 * the parts into the trace of the run and remove them. After an error, which is logged, the parts
 * stay. Threads must be paused. */
void last_rank_merge(void);

#endif
