/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that share the work of one command: mpirun -n K refrain waits …
 *
 *     process 0        does what the command line says, and asks the others for times (time_helpers.h)
 *     process 1 …      read what they are asked for (time_server.h); they print nothing but errors
 *
 * The launcher's environment says how many there are, and of which MPI library. Its plug-in (src/processes) is
 * beside its tracer: lib/refrain/NAME/refrain-processes.so. Without the plug-in process 0 works alone, which is
 * said once. REFRAIN_PROCESSES=off: each process works alone, as if no launcher had started it. */
#ifndef REFRAIN_PROCESSES_H
#define REFRAIN_PROCESSES_H

#include "src/core/base/messenger.h"
#include "src/core/base/status.h"

enum processes_role {
    PROCESSES_ALONE,  /* no other process takes part */
    PROCESSES_FIRST,  /* process 0 of several */
    PROCESSES_HELPER, /* another one: it is to call time_server_run */
    PROCESSES_IDLE    /* another one, but they cannot talk: it has nothing to do */
};

/* Called once, before anything else of the command, whose name it gets for messages. Errors are logged. */
enum refrain_status processes_start(const char *command, enum processes_role *role);
/* The messages of process 0, or of a helper; NULL: there is no other process. */
const struct messenger *processes_messenger(void);
/* Logs why the messenger has failed; returns REFRAIN_ERR_MPI. */
enum refrain_status processes_failed(void);
/* Ends the helpers, if there are any. The status is that of the command; returns the first error. */
enum refrain_status processes_end(enum refrain_status status);

/* Lets others work while no message comes; *times counts how often, and the caller sets it to 0 when one has
 * come. */
void processes_pause(unsigned *times);

/* ---- the launcher ------------------------------------------------------------------------------------ */

struct process_launch {
    unsigned number, n;       /* of this process; of all. n = 1: no launcher, or no other process */
    const char *libraries[4]; /* folders of plug-ins that may fit, in the order in which they are tried */
};

/* Asks the environment. */
void process_launch_find(struct process_launch *out);

#endif
