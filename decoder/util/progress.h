/* SPDX-License-Identifier: BSD-3-Clause */
/* A progress bar for a user at a terminal:
 *
 *     refrain otf2: [#########               ]  37 %
 *
 * On stderr, if that is a terminal, from the first second on; gone when the command ends. Work is counted in
 * units of the caller's choice. Several threads may count. */
#ifndef REFRAIN_PROGRESS_H
#define REFRAIN_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    const char *what; /* "otf2" */
    atomic_bool on;   /* the bar is in use */
    uint64_t all;     /* total units; 0: no bar */
    _Atomic uint64_t done;
    _Atomic int shown; /* percent, + 1; 0: nothing yet */
    struct timespec start;
};

/* `what` is kept by reference. */
void progress_start(struct progress *p, const char *what, uint64_t all);
void progress_add(struct progress *p, uint64_t units);
/* Takes the bar away. Also of a zeroed struct. */
void progress_end(struct progress *p);

/* Call number `index` of a lane is done. Reading the clock costs more than a call, so calls are counted in
 * steps of PROGRESS_STEP. */
#define PROGRESS_STEP 4096
static inline void progress_call(struct progress *p, uint64_t index)
{
    if (index % PROGRESS_STEP == PROGRESS_STEP - 1)
        progress_add(p, PROGRESS_STEP);
}

#endif
