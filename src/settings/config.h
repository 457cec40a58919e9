/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's settings as the tracer uses them; variable.h lists the environment variables. */
#ifndef REFRAIN_CONFIG_H
#define REFRAIN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/log.h"
#include "src/core/settings/launched_rank.h"
#include "src/core/time/time_mode.h"

/* How times are kept, in the order of the variable's words. */
enum config_timing {
    CONFIG_TIMING_AGGREGATE, /* for each (site, row), over all ranks */
    CONFIG_TIMING_RANK,      /* also the sum for each function and rank */
    CONFIG_TIMING_OFF,
    /* Aggregates, and the times of each call by config.times. */
    CONFIG_TIMING_CALLS
};

struct config {
    /* Path of the trace; NULL: STEM.refrain, or STEM.2.refrain … if that exists. */
    const char *output;
    const char *stem;      /* the program's name, in the working directory; or a path */
    bool moved;            /* the trace goes to another place than the user wants */
    const char *verify;    /* directory for uncompressed records; NULL: none */
    const char *functions; /* functions to record, for variable_pick; NULL: all */
    const char *start;     /* when recording starts, as the user wrote it; NULL: at once */
    uint64_t start_calls;  /* after this many calls */
    int start_signal;      /* at this signal; 0: start_calls decides */
    enum config_timing timing;
    struct time_mode times; /* for CONFIG_TIMING_CALLS … */
    /* … with the most bytes that they may take in the file, for a rank and for all ranks;
     * UINT64_MAX: no limit. */
    uint64_t times_of_rank, times_of_all;
    uint64_t checkpoint; /* least nanoseconds between two checkpoints; 0: none */
    /* Nanoseconds that MPI_Init waits for all ranks to have the tracer; 0: no limit. */
    uint64_t init_timeout;
    bool callpath; /* call sites have all callers, not only the innermost */
    bool memory;   /* track the heap and mmap */
    bool check;    /* walk the trace's invariants before it is written */
    long process;  /* id of the process that `refrain record` became; 0: not started by it */
};

/* Valid after config_read. Strings are copies that live as long as the process, since programs
 * change their environment. */
extern struct config config;

/* Read the environment; only the first call has an effect. An invalid value causes a warning, and
 * the default is used. */
void config_read(void);
/* Write the trace to another place: `stem` is a path without suffix and is copied. */
void config_move_output(const char *stem);
/* Warn about settings once in a job: on rank 0, if the launcher shows the rank. */
#define config_warning(...)                                                                                  \
    do {                                                                                                     \
        if (launched_rank() <= 0)                                                                            \
            log_warning(__VA_ARGS__);                                                                        \
    } while (0)

/* Log every variable with its meaning and its value as debug messages. */
void config_log(void);

#endif
