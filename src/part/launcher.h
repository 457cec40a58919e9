/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program that started the ranks tells each of them, without any message between them. */
#ifndef REFRAIN_LAUNCHER_H
#define REFRAIN_LAUNCHER_H

#include <stddef.h>
#include <stdint.h>

/* A number that all ranks of this run share, and hardly any other run has; 0 if nothing is known. */
uint64_t launcher_run(void);
/* What the batch system calls this job, and its step, into `size` bytes: "Slurm 1234.0", of an array's task
 * "Slurm 1234_7.0"; "" where there is none. */
void launcher_job(char *text, size_t size);
/* How many ranks of the job are on this node; 0 if nothing is known. */
int launcher_local_ranks(void);

#endif
