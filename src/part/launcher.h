/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that the program which started the ranks passes to each of them, so no communication is
 * needed. */
#ifndef REFRAIN_LAUNCHER_H
#define REFRAIN_LAUNCHER_H

#include <stddef.h>
#include <stdint.h>

/* A number that all ranks of this run share and hardly any other run has; 0 if unknown. */
uint64_t launcher_run(void);
/* Write the batch system's name for this job and its step: "Slurm 1234.0", for a task of an array
 * "Slurm 1234_7.0"; "" if there is none. */
void launcher_job(char *text, size_t size);
/* The number of ranks of the job on this node; 0 if unknown. */
int launcher_local_ranks(void);

#endif
