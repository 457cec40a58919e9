/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user has set, by the environment variables of variable.h, as the tracer uses it. */
#ifndef REFRAIN_CONFIG_H
#define REFRAIN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/log.h"
#include "src/core/settings/launched_rank.h"
#include "src/core/time/time_mode.h"

enum config_timing {                          /* in the order of the variable's words */
                     CONFIG_TIMING_AGGREGATE, /* for each (site, row), over all ranks */
                     CONFIG_TIMING_RANK,      /* and the sum for each function and rank */
                     CONFIG_TIMING_OFF,
                     CONFIG_TIMING_CALLS /* aggregates, and those of each call, by config.times */
};

struct config {
    const char *output;    /* path of the trace; NULL: STEM.refrain, or STEM.2.refrain … if that is there */
    const char *stem;      /* the program's name, for the working directory; or a path */
    bool moved;            /* the trace goes elsewhere than it was to, under any name */
    const char *verify;    /* directory for uncompressed records; NULL: none */
    const char *functions; /* which are recorded, for variable_pick; NULL: all */
    const char *start;     /* when recording starts, as it was given; NULL: at once */
    uint64_t start_calls;  /* after this many calls */
    int start_signal;      /* at this signal; 0: start_calls holds */
    enum config_timing timing;
    struct time_mode times;               /* of CONFIG_TIMING_CALLS, … */
    uint64_t times_of_rank, times_of_all; /* … and the bytes that they may take up of the file, of a rank, and
                                             of all together; UINT64_MAX: any number */
    uint64_t checkpoint;                  /* nanoseconds between two checkpoints at least; 0: none */
    uint64_t init_timeout; /* nanoseconds for all ranks to come to the tracer in MPI_Init; 0: for ever */
    bool callpath;         /* call sites have all callers, not only the innermost */
    bool memory;           /* the heap and mmap are looked at */
    bool check;            /* walk the trace's invariants before it is written */
    long process;          /* id of the process that `refrain record` became; 0: not started by it */
};

/* Valid after config_read. Strings are copies that live as long as the process: programs write into their
 * environment. */
extern struct config config;

/* Reads the environment, the first time. A value that is invalid is warned about and the default kept. */
void config_read(void);
/* The trace cannot go to where it was to go: a path without suffix. A copy is kept. */
void config_move_output(const char *stem);
/* What is wrong with the settings is said once in a job: by rank 0, where the launcher tells ranks. */
#define config_warning(...)                                                                                  \
    do {                                                                                                     \
        if (launched_rank() <= 0)                                                                            \
            log_warning(__VA_ARGS__);                                                                        \
    } while (0)

/* Every variable with its meaning and its value, as debug messages. */
void config_log(void);

#endif
