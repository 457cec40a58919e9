/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variables of Refrain: one table. The tracer obeys them (src/settings/config.c);
 * the command sets some of them by options of `refrain record`, obeys the numbers of threads
 * (decoder/util/thread_pool.h) and processes (decoder/processes), and prints all of them (`refrain config`). */
#ifndef REFRAIN_VARIABLE_H
#define REFRAIN_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>

enum variable_id {
    VARIABLE_OUTPUT,
    VARIABLE_VERIFY,
    VARIABLE_TIMING,
    VARIABLE_TIMING_BASE,
    VARIABLE_TIME_BUDGET,
    VARIABLE_CALLPATH,
    VARIABLE_FUNCTIONS,
    VARIABLE_START,
    VARIABLE_CHECKPOINT,
    VARIABLE_INIT_TIMEOUT,
    VARIABLE_MEMORY,
    VARIABLE_LOG,
    VARIABLE_CHECK,
    VARIABLE_THREADS,
    VARIABLE_PROCESSES,
    VARIABLE_LIBRARY,
    VARIABLE_FORTRAN_NAMES,
    VARIABLE_PROCESS,
    VARIABLES
};

enum variable_kind {
    VARIABLE_PATH,     /* any text */
    VARIABLE_WORD,     /* one of the words in `values`, separated by bars */
    VARIABLE_SECONDS,  /* also fractions */
    VARIABLE_ID,       /* an integer from 1 on */
    VARIABLE_PATTERNS, /* names of functions with wildcards, see variable_pick */
    VARIABLE_BEGIN,    /* a number of calls, or the name of a signal */
    VARIABLE_TIMES,    /* aggregate, aggregate:rank, off, or a mode of time_mode.h */
    VARIABLE_BASES,    /* bases of functions, see time_mode.h */
    VARIABLE_SHARES,   /* bytes, for a rank and for all, or none */
    VARIABLE_LEVELS    /* levels of messages, see log.h */
};

/* The words of VARIABLE_TIMES are numbers 0, 1, 2. */
#define TIMES_OF_CALLS 3

struct variable {
    const char *name;
    enum variable_kind kind;
    const char *values;   /* allowed values, for people; for VARIABLE_WORD, its words */
    const char *standard; /* the default, for people if it is a path; "": none */
    const char *meaning;  /* one line */
};

extern const struct variable variables[VARIABLES];

struct variable_value {
    const char *text; /* the user's text; NULL: not set */
    /* The index of the word, TIMES_OF_CALLS for a mode of time_mode.h; or nanoseconds; the integer;
     * calls; bytes, for VARIABLE_SHARES UINT64_MAX if there is no limit. */
    uint64_t number;
    uint64_t all; /* VARIABLE_SHARES: bytes of all ranks; UINT64_MAX: no limit */
    int signal;   /* VARIABLE_BEGIN: number of the signal; 0: calls */
};

/* Parse a non-empty text. False if it is invalid; then *out is unchanged. */
bool variable_parse(const struct variable *v, const char *text, struct variable_value *out);
/* The default value. */
struct variable_value variable_default(const struct variable *v);

/* Does a list like "MPI_*,!MPI_Wtime" pick a function? Commas separate the patterns. A pattern
 * after '!' excludes functions, any other pattern includes functions; the last pattern that fits
 * decides. A function that fits no pattern is included if the first pattern excludes, otherwise
 * excluded: "!MPI_Wtime" picks all other functions. Case does not matter. */
bool variable_pick(const char *patterns, const char *function);

#endif
