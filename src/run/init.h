/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init and MPI_Init_thread: the tracer's work once MPI is initialized. */
#ifndef REFRAIN_INIT_H
#define REFRAIN_INIT_H

#include "src/core/base/status.h"

struct call;

/* Connect the ranks and start. Call it within the recorded call, after the library's success. */
void init_up(struct call *call);
/* Start everything that needs only the rank. Only the first call has an effect. */
enum refrain_status init_process(void);
/* Call it with the result of an init call that is not recorded. If the tracer has stopped after an
 * error, it still connects, since the other ranks would wait for this one. Returns `result`. */
int init_passed(int result);

#endif
