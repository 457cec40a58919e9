#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

struct config config;

/* A copy; without memory for it, what the program may still change. */
static const char *keep(const char *text)
{
    const char *copy = strdup(text);
    return copy ? copy : text;
}

/* Each parser takes a non-empty text. False when it makes no sense; the setting is as before then. */

static bool parse_output(const char *text)
{
    config.output = keep(text);
    return true;
}

static bool parse_verify(const char *text)
{
    config.verify = keep(text);
    return true;
}

static bool parse_timing(const char *text)
{
    static const char *const modes[] = {
        [CONFIG_TIMING_AGGREGATE] = "aggregate",
        [CONFIG_TIMING_RANK] = "aggregate:rank",
        [CONFIG_TIMING_OFF] = "off",
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(text, modes[i]) == 0) {
            config.timing = (enum config_timing)i;
            return true;
        }
    }
    return false;
}

static bool parse_callpath(const char *text)
{
    if (strcmp(text, "caller") != 0 && strcmp(text, "full") != 0)
        return false;
    config.callpath = strcmp(text, "full") == 0;
    return true;
}

/* log.c reads the variable itself, since it has to work before anything else; here it is only judged. */
static bool parse_log(const char *text)
{
    static const char *const levels[] = {"error", "warning", "info", "debug"};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(text, levels[i]) == 0)
            return true;
    }
    return false;
}

static bool parse_check(const char *text)
{
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return false;
    config.check = text[0] == '1';
    return true;
}

static bool parse_process(const char *text)
{
    char *end;
    errno = 0;
    long id = strtol(text, &end, 10);
    if (errno || *end || id <= 0)
        return false;
    config.process = id;
    return true;
}

static bool parse_checkpoint(const char *text)
{
    char *end;
    const double seconds = strtod(text, &end);
    if (*end || !(seconds >= 0 && seconds <= 1e9))
        return false;
    config.checkpoint = (uint64_t)(seconds * 1e9);
    return true;
}

static const struct variable {
    const char *name, *default_value, *unit, *help;
    bool (*parse)(const char *text);
} variables[] = {
    {"REFRAIN_OUTPUT", "PROGRAM.refrain", "path", "the trace; a file of that name is replaced", parse_output},
    {"REFRAIN_VERIFY", "", "directory", "where every record is kept uncompressed, too", parse_verify},
    {"REFRAIN_TIMING", "aggregate", "aggregate|aggregate:rank|off", "what is kept of times", parse_timing},
    {"REFRAIN_CALLPATH", "caller", "caller|full", "who called: the innermost caller, or all of them",
     parse_callpath},
    {"REFRAIN_CHECKPOINT", "60", "seconds, or 0 for never",
     "how often a part is written, for runs that are killed", parse_checkpoint},
    {"REFRAIN_LOG", "warning", "error|warning|info|debug", "least important message to print", parse_log},
    {"REFRAIN_CHECK", "0", "0|1", "check the trace's invariants before it is written", parse_check},
    {"REFRAIN_PROCESS", "", "process id",
     "set by `refrain record`: other processes that call no MPI procedure do not mention it", parse_process},
};

void config_read(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    config = (struct config){.timing = CONFIG_TIMING_AGGREGATE, .checkpoint = UINT64_C(60000000000)};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const struct variable *v = &variables[i];
        const char *text = getenv(v->name);
        if (text && *text && !v->parse(text))
            log_warning("%s=%s is not one of %s; %s it is", v->name, text, v->unit,
                        *v->default_value ? v->default_value : "unset");
    }
}

void config_log(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const struct variable *v = &variables[i];
        const char *text = getenv(v->name);
        log_debug("%s=%s (%s: %s)", v->name, text && *text ? text : v->default_value, v->unit, v->help);
    }
}
