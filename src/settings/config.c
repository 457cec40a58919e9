/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/settings/variable.h"
#include "src/memory/memory.h"

struct config config;

/* Copy the text, since the program may change its environment. If memory is short, keep the
 * original. */
static const char *keep(const char *text)
{
    const char *copy = text ? strdup(text) : NULL;
    return copy ? copy : text;
}

/* The value in the environment, or the default if it is unset or invalid. */
static struct variable_value read_variable(enum variable_id id)
{
    const struct variable *v = &variables[id];
    struct variable_value value = variable_default(v);
    const char *text = getenv(v->name);
    if (text && *text && !variable_parse(v, text, &value))
        config_warning("%s=%s: wanted %s; using %s", v->name, text, v->values,
                       *v->standard ? v->standard : "unset");
    return value;
}

/* The default budget applies only if the user does not ask for times: with REFRAIN_TIMING set and
 * no budget set, all times are stored. */
static void read_times(void)
{
    const struct variable_value times = read_variable(VARIABLE_TIMING),
                                budget = read_variable(VARIABLE_TIME_BUDGET);
    const char *mode = times.text ? times.text : variables[VARIABLE_TIMING].standard;
    const char *bases = read_variable(VARIABLE_TIMING_BASE).text;
    const bool all = times.text && !budget.text;
    config.times_of_rank = all ? UINT64_MAX : budget.number;
    config.times_of_all = all ? UINT64_MAX : budget.all;
    if (config.timing == CONFIG_TIMING_CALLS && time_mode_parse(mode, bases, &config.times))
        /* Memory is short; time_mode_parse has reported it. */
        config.timing = CONFIG_TIMING_AGGREGATE;
    if (bases && (config.timing != CONFIG_TIMING_CALLS || config.times.unit > 0))
        config_warning("REFRAIN_TIMING_BASE is ignored: REFRAIN_TIMING is not lossy");
}

void config_read(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    const struct variable_value start = read_variable(VARIABLE_START);
    config = (struct config){
        .stem = program_invocation_short_name,
        .output = keep(read_variable(VARIABLE_OUTPUT).text),
        .verify = keep(read_variable(VARIABLE_VERIFY).text),
        .functions = keep(read_variable(VARIABLE_FUNCTIONS).text),
        .start = keep(start.text),
        .start_calls = start.number,
        .start_signal = start.signal,
        .timing = (enum config_timing)read_variable(VARIABLE_TIMING).number,
        .checkpoint = read_variable(VARIABLE_CHECKPOINT).number,
        .init_timeout = read_variable(VARIABLE_INIT_TIMEOUT).number,
        .callpath = read_variable(VARIABLE_CALLPATH).number == 1,
        .memory = read_variable(VARIABLE_MEMORY).number == 0,
        .check = read_variable(VARIABLE_CHECK).number == 1,
        .process = (long)read_variable(VARIABLE_PROCESS).number,
    };
    read_times();
    /* log.c reads this variable itself, before config_read is called; this call only reports a bad
     * value. */
    read_variable(VARIABLE_LOG);
    if (!config.memory)
        atomic_store(&memory_tracking, false);
}

void config_move_output(const char *stem)
{
    assert(stem[0]);
    config.output = NULL;
    config.stem = keep(stem);
    config.moved = true;
}

void config_log(void)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        const struct variable *v = &variables[i];
        const char *text = getenv(v->name);
        log_debug("%s=%s (%s: %s)", v->name, text && *text ? text : v->standard, v->values, v->meaning);
    }
}
