/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variables of Refrain: one table. The tracer obeys them (src/settings/config.c);
 * the command sets some of them by options of `refrain record`, obeys the number of threads
 * (decoder/util/thread_pool.h), and prints all of them (`refrain config`). */
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
    VARIABLE_LIBRARY,
    VARIABLE_FORTRAN_NAMES,
    VARIABLE_PROCESS,
    VARIABLES
};

enum variable_kind {
    VARIABLE_PATH,     /* any text */
    VARIABLE_WORD,     /* one of `values`, which stand between bars */
    VARIABLE_SECONDS,  /* also fractions */
    VARIABLE_ID,       /* an integer from 1 on */
    VARIABLE_PATTERNS, /* names of functions with wildcards, see variable_pick */
    VARIABLE_BEGIN,    /* a number of calls, or the name of a signal */
    VARIABLE_TIMES,    /* aggregate, aggregate:rank, off, or a mode of time_mode.h */
    VARIABLE_BASES,    /* of functions, see time_mode.h */
    VARIABLE_SHARES,   /* bytes, of a rank and of all, or none */
    VARIABLE_LEVELS    /* of messages, see log.h */
};

/* The words of VARIABLE_TIMES are numbers 0, 1, 2. */
#define TIMES_OF_CALLS 3

struct variable {
    const char *name;
    enum variable_kind kind;
    const char *values;   /* what it takes, for people; the words of VARIABLE_WORD */
    const char *standard; /* what holds when it is not set, for people where it is a path; "": nothing */
    const char *meaning;  /* one line */
};

extern const struct variable variables[VARIABLES];

struct variable_value {
    const char *text; /* as it was given; NULL: not given */
    uint64_t number;  /* which word, from 0, TIMES_OF_CALLS for a mode of time_mode.h; nanoseconds; the
                         integer; calls; bytes, of VARIABLE_SHARES UINT64_MAX for none */
    uint64_t all;     /* of VARIABLE_SHARES: bytes of all ranks; UINT64_MAX: as many as there are */
    int signal;       /* of VARIABLE_BEGIN: its number; 0: calls */
};

/* Reads a text that is not empty. False when it is invalid; *out is as before then. */
bool variable_parse(const struct variable *v, const char *text, struct variable_value *out);
/* What holds when it is not set. */
struct variable_value variable_default(const struct variable *v);

/* Is a function picked by a list like "MPI_*,!MPI_Wtime"? Patterns stand between commas; those after a '!'
 * leave out, the others take in; the last one that fits decides. What none fits is out, but in if the first
 * pattern leaves out: "!MPI_Wtime" is all but that. Upper and lower case are the same. */
bool variable_pick(const char *patterns, const char *function);

#endif
