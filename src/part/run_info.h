/* SPDX-License-Identifier: BSD-3-Clause */
/* What the META section says about the run. It is gathered once, in MPI_Init, so that it can be
 * written at any time. */
#ifndef REFRAIN_RUN_INFO_H
#define REFRAIN_RUN_INFO_H

#include <stdint.h>

#include "src/core/trace/trace.h"

/* Collective over the tracer's communicator. */
enum refrain_status run_info_start(void);
/* The same without communication, by what the launcher passes to all ranks (launcher.h). */
void run_info_start_alone(void);
/* A number that all ranks of this run share, and no other run has. */
uint64_t run_info_id(void);
enum refrain_status run_info_describe(struct trace *t);

#endif
