/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain record: runs a program with the tracer preloaded. The command becomes the program
 * (execve), so process numbers, signals and exit status are the program's own, and mpirun sees no
 * difference. */
#include "commands.h"

#include "decoder/launch/launch.h"
#include "src/core/base/log.h"
#include "src/core/settings/variable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes `path` absolute, because the program may change its directory before the tracer opens the
 * path. Returns NULL on failure. */
static char *absolute(const char *path)
{
    char here[PATH_MAX], *result = NULL;
    if (path[0] == '/')
        result = strdup(path);
    else if (getcwd(here, sizeof here) && asprintf(&result, "%s/%s", here, path) < 0)
        result = NULL;
    if (!result)
        log_error("%s: cannot make this path absolute: %m", path);
    return result;
}

static enum refrain_status set_variable(const char *name, const char *value)
{
    if (setenv(name, value, 1) == 0)
        return REFRAIN_OK;
    log_error("cannot set %s in the environment: %m", name);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status set_path(const char *name, const char *path)
{
    if (!*path) {
        log_error("%s: the file name is empty", name);
        return REFRAIN_ERR_USAGE;
    }
    char *full = absolute(path);
    enum refrain_status status = full ? set_variable(name, full) : REFRAIN_ERR_IO;
    free(full);
    return status;
}

static enum refrain_status set_checked(const struct variable *v, const char *option, const char *text)
{
    struct variable_value value;
    if (*text && variable_parse(v, text, &value))
        return set_variable(v->name, text);
    log_error("--%s %s: wanted %s", option, text, v->values);
    return REFRAIN_ERR_USAGE;
}

/* Sets the variables that options stand for. */
static enum refrain_status set_variables(const struct options *o)
{
    static const struct {
        enum option_id option;
        enum variable_id variable;
        const char *text; /* value for an option without one */
    } settings[] = {
        {OPTION_LOG, VARIABLE_LOG, NULL},
        {OPTION_OUTPUT, VARIABLE_OUTPUT, NULL},
        {OPTION_VERIFY, VARIABLE_VERIFY, NULL},
        {OPTION_TIMING, VARIABLE_TIMING, NULL},
        {OPTION_TIME_BUDGET, VARIABLE_TIME_BUDGET, NULL},
        {OPTION_CALLPATH, VARIABLE_CALLPATH, "full"},
        {OPTION_FUNCTIONS, VARIABLE_FUNCTIONS, NULL},
        {OPTION_START, VARIABLE_START, NULL},
        {OPTION_CHECKPOINT, VARIABLE_CHECKPOINT, NULL},
        {OPTION_FORTRAN_NAMES, VARIABLE_FORTRAN_NAMES, NULL},
    };
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0] && status == REFRAIN_OK; i++) {
        const struct variable *v = &variables[settings[i].variable];
        const struct option_value *given = options_find(o, settings[i].option);
        if (!given)
            continue;
        const char *text = given->value ? given->value : settings[i].text;
        status = v->kind == VARIABLE_PATH ? set_path(v->name, text) : set_checked(v, given->spec->name, text);
    }
    return status;
}

/* The tracer comes before libraries that are already preloaded. */
static enum refrain_status set_preload(const struct launch *launch)
{
    const char *before = getenv("LD_PRELOAD"), *first = launch->first ? launch->first : "";
    char *list;
    if (!before)
        before = "";
    if (strpbrk(launch->library, " :")) {
        log_error("%s: the dynamic loader cannot preload from a path with a blank or a colon",
                  launch->library);
        return REFRAIN_ERR_USAGE;
    }
    if (asprintf(&list, "%s%s%s%s%s", first, *first ? ":" : "", launch->library, *before ? ":" : "", before) <
        0) {
        log_error("out of memory: LD_PRELOAD");
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = set_variable("LD_PRELOAD", list);
    free(list);
    return status;
}

/* A process that the program starts prints no warning if it does not call MPI: only the process
 * with this number does. For a script, no process warns, because it is not known which one should
 * call MPI. */
static enum refrain_status set_process(const struct launch *launch)
{
    char number[24];
    snprintf(number, sizeof number, "%ld", launch->script ? 1L : (long)getpid());
    return set_variable(variables[VARIABLE_PROCESS].name, number);
}

enum refrain_status cmd_record(const struct options *o)
{
    struct launch launch = {0};
    enum refrain_status status;
    if ((status = set_variables(o)) == REFRAIN_OK &&
        (status = launch_prepare(&launch, o->operands[0])) == REFRAIN_OK &&
        (status = set_process(&launch)) == REFRAIN_OK && (status = set_preload(&launch)) == REFRAIN_OK) {
        execv(launch.program, o->operands);
        log_error("%s: %m", launch.program);
        status = REFRAIN_ERR_IO;
    }
    launch_free(&launch);
    return status;
}
