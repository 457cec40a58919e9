/* SPDX-License-Identifier: BSD-3-Clause */
/* The sub-commands of `refrain` and their options: one table, from which the command line is read and --help
 * is printed. A man page and the completion go with it; tests/cli/options.sh checks that they miss nothing.
 */
#ifndef REFRAIN_OPTIONS_H
#define REFRAIN_OPTIONS_H

#include "decoder/util/output.h"
#include "src/core/base/array.h"
#include "src/core/base/status.h"

enum option_id {
    OPTION_HELP,
    OPTION_ARGS,
    OPTION_AT,
    OPTION_BY,
    OPTION_CALL,
    OPTION_CALLPATH,
    OPTION_CALLS,
    OPTION_CALLSITE,
    OPTION_CAUSALITY,
    OPTION_CHECKPOINT,
    OPTION_CLOCK,
    OPTION_COLOR,
    OPTION_COMM,
    OPTION_COMPAT,
    OPTION_COORDS,
    OPTION_CSV,
    OPTION_DEFINITIONS,
    OPTION_EMIT_C,
    OPTION_EVENTS,
    OPTION_EXPAND,
    OPTION_EXPLAIN,
    OPTION_FORTRAN_NAMES,
    OPTION_FROM,
    OPTION_FUNCTION,
    OPTION_FUNCTIONS,
    OPTION_INSTANCES,
    OPTION_JSON,
    OPTION_LOG,
    OPTION_LOOPS,
    OPTION_MATRIX,
    OPTION_MEAN,
    OPTION_MESSAGES,
    OPTION_METRIC,
    OPTION_MODULES,
    OPTION_NO_MESSAGES,
    OPTION_ORDER,
    OPTION_OUTPUT,
    OPTION_PATHS,
    OPTION_PATTERNS,
    OPTION_PHASES,
    OPTION_PNG,
    OPTION_POINT,
    OPTION_POSITIONS,
    OPTION_RANK,
    OPTION_RMA,
    OPTION_SITES,
    OPTION_SIZES,
    OPTION_SORT,
    OPTION_START,
    OPTION_SVG,
    OPTION_SUMMARY,
    OPTION_SYNTHETIC_TIME,
    OPTION_TEXT,
    OPTION_THREAD,
    OPTION_THRESHOLD,
    OPTION_TIMES,
    OPTION_TIME_BUDGET,
    OPTION_TIMING,
    OPTION_TO,
    OPTION_TOP,
    OPTION_TOPOLOGY,
    OPTION_VALUES,
    OPTION_VERIFY,
    OPTION_VIEW,
    OPTION_WIDTH,
    OPTION_WINDOW,
    OPTION_WORLD
};

struct option_spec {
    enum option_id id;
    char letter;          /* -o; 0: none */
    const char *name;     /* --output */
    const char *argument; /* "FILE"; NULL: takes none */
    const char *help;
};

struct options;

struct command {
    const char *name;
    const char *operands;            /* "TRACE DIR" */
    unsigned least, most;            /* operands wanted */
    const char *summary;             /* one line */
    const struct option_spec *specs; /* ended by one without a name */
    bool program; /* the first operand is a program: what follows it is the program's own */
    bool shares;  /* processes that one launcher started share the work (decoder/processes) */
    enum refrain_status (*run)(const struct options *o);
};

extern const struct command commands[]; /* ended by one without a name */

/* A command line that was read. */
struct options {
    const struct command *command;
    ARRAY(struct option_value {
        const struct option_spec *spec;
        const char *value; /* NULL when it takes none */
    })
    values;
    char **operands; /* into argv; NULL-terminated */
    unsigned n_operands;
};

/* argv[0] is the sub-command's name. What is wrong is logged, with a hint at --help. */
enum refrain_status options_parse(struct options *o, const struct command *command, int argc, char **argv);
void options_free(struct options *o);

/* Returns the last occurrence of the option; NULL if it was not given. Valid until options_free. */
const struct option_value *options_find(const struct options *o, enum option_id id);
bool options_has(const struct options *o, enum option_id id);
/* Returns the last value of the option; NULL if it was not given. */
const char *options_value(const struct options *o, enum option_id id);
/* Gets the last number given, which must be from `least` to `most`. If the option was not given, *number is
 * unchanged. */
enum refrain_status options_number(const struct options *o, enum option_id id, uint64_t least, uint64_t most,
                                   uint64_t *number);
/* Does a function's name match the value of one --function? */
bool options_function(const struct options *o, const char *function);
/* Says that no function matches a --function, and returns the error. */
enum refrain_status options_no_function(const char *path, const char *pattern);

const struct command *command_find(const char *name);                 /* NULL if there is none */
void command_help(const struct command *command, struct output *out); /* of one */
void command_overview(struct output *out);                            /* of all */

#endif
