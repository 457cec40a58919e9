/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init and MPI_Init_thread: what the tracer does when MPI is there. */
#ifndef REFRAIN_INIT_H
#define REFRAIN_INIT_H

#include "src/core/base/status.h"

struct call;

/* In the recorded call, after it has succeeded. */
void init_up(struct call *call);
/* What needs no more than the rank; the first time that it is known. */
enum refrain_status init_process(void);
/* The result of a call that is not recorded. When that is because of an error of the tracer's, it connects
 * with the other ranks all the same: they would wait for this one. Returns `result`. */
int init_passed(int result);

#endif
