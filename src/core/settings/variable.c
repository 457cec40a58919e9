/* SPDX-License-Identifier: BSD-3-Clause */
#include "variable.h"

#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/time/time_mode.h"

const struct variable variables[VARIABLES] = {
    [VARIABLE_OUTPUT] =
        {"REFRAIN_OUTPUT", VARIABLE_PATH, "FILE", "PROGRAM.refrain",
         "the trace; FILE is replaced; by default the next free name is used, such as PROGRAM.2.refrain"},
    [VARIABLE_VERIFY] = {"REFRAIN_VERIFY", VARIABLE_PATH, "DIR", "",
                         "directory for uncompressed records, for refrain verify"},
    [VARIABLE_TIMING] = {"REFRAIN_TIMING", VARIABLE_TIMES,
                         "aggregate|aggregate:rank|off|lossy:BASE:FLOOR:BOUND|quantum:TIME|lossless", "lossy",
                         "which times are recorded"},
    [VARIABLE_TIMING_BASE] = {"REFRAIN_TIMING_BASE", VARIABLE_BASES, "FUNCTION=BASE,...", "",
                              "lossy mode: another factor for the times of these functions"},
    [VARIABLE_TIME_BUDGET] = {"REFRAIN_TIME_BUDGET", VARIABLE_SHARES, "BYTES|BYTES:BYTES|none", "1M:256M",
                              "most bytes for the times of single calls, for a rank and for all"},
    [VARIABLE_CALLPATH] = {"REFRAIN_CALLPATH", VARIABLE_WORD, "caller|full", "caller",
                           "record the innermost caller, or all of them"},
    [VARIABLE_FUNCTIONS] = {"REFRAIN_FUNCTIONS", VARIABLE_PATTERNS, "PATTERN,!PATTERN,...", "*",
                            "record these functions; ! leaves out"},
    [VARIABLE_START] = {"REFRAIN_START", VARIABLE_BEGIN, "CALLS|SIGUSR1|SIGUSR2", "0",
                        "start recording after so many calls, or at the signal"},
    [VARIABLE_CHECKPOINT] = {"REFRAIN_CHECKPOINT", VARIABLE_SECONDS, "SECONDS", "60",
                             "write a part this often, in case the run is killed; 0: never"},
    [VARIABLE_INIT_TIMEOUT] = {"REFRAIN_INIT_TIMEOUT", VARIABLE_SECONDS, "SECONDS", "30",
                               "longest time MPI_Init waits for ranks without a tracer; 0: no limit"},
    [VARIABLE_MEMORY] = {"REFRAIN_MEMORY", VARIABLE_WORD, "on|off", "on",
                         "give heap addresses symbols, by watching malloc and mmap"},
    [VARIABLE_LOG] = {"REFRAIN_LOG", VARIABLE_LEVELS, "error|warning|notice|info|debug|DOMAIN,...:LEVEL;...",
                      "notice",
                      "print messages from this level on; domains: launch clock ending merge match"},
    [VARIABLE_CHECK] = {"REFRAIN_CHECK", VARIABLE_WORD, "0|1", "0",
                        "check the trace's invariants before writing it"},
    [VARIABLE_THREADS] = {"REFRAIN_THREADS", VARIABLE_ID, "N", "",
                          "threads of a command; if not set, one for each processor"},
    [VARIABLE_PROCESSES] = {"REFRAIN_PROCESSES", VARIABLE_WORD, "on|off", "on",
                            "waits, critical, report, diff: processes of one mpirun share the work"},
    [VARIABLE_LIBRARY] = {"REFRAIN_LIBRARY", VARIABLE_PATH, "FILE", "",
                          "the tracer that `refrain record` preloads"},
    [VARIABLE_FORTRAN_NAMES] = {"REFRAIN_FORTRAN_NAMES", VARIABLE_WORD,
                                "default|none|underscore|plain|second|capitals|all", "default",
                                "names of Fortran procedures that are traced"},
    [VARIABLE_PROCESS] = {"REFRAIN_PROCESS", VARIABLE_ID, "ID", "",
                          "set by `refrain record`: the process that should call MPI"},
};

static bool parse_word(const char *values, const char *text, uint64_t *number)
{
    const size_t n = strlen(text);
    uint64_t i = 0;
    for (const char *at = values;; at++, i++) {
        const size_t length = strcspn(at, "|");
        if (length == n && memcmp(at, text, n) == 0) {
            *number = i;
            return true;
        }
        at += length;
        if (!*at)
            return false;
    }
}

static bool parse_times(const char *text, uint64_t *number)
{
    if (parse_word("aggregate|aggregate:rank|off", text, number))
        return true;
    *number = TIMES_OF_CALLS;
    return time_mode_is_sound(text);
}

static bool parse_seconds(const char *text, uint64_t *number)
{
    char *end;
    const double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0 && seconds <= 1e9))
        return false;
    *number = (uint64_t)(seconds * 1e9);
    return true;
}

/* Parse a number that consists of digits only. */
static bool parse_count(const char *text, uint64_t *number)
{
    if (text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    const unsigned long long count = strtoull(text, NULL, 10);
    if (errno)
        return false;
    *number = count;
    return true;
}

/* Parse "64", "64K", "1M" or "1G"; *at moves past it. */
static bool parse_bytes(const char **at, uint64_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(*at, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (!strchr("0123456789", **at) || !**at || errno || number > UINT64_MAX >> 1 >> shift)
        return false;
    *bytes = (uint64_t)number << shift;
    *at = end + (unit != NULL);
    return true;
}

static bool parse_shares(const char *text, struct variable_value *value)
{
    value->number = value->all = UINT64_MAX;
    if (strcmp(text, "none") == 0)
        return true;
    return parse_bytes(&text, &value->number) &&
           (*text != ':' || (text++, parse_bytes(&text, &value->all))) && !*text;
}

static bool parse_begin(const char *text, struct variable_value *value)
{
    value->signal = strcmp(text, "SIGUSR1") == 0 ? SIGUSR1 : strcmp(text, "SIGUSR2") == 0 ? SIGUSR2 : 0;
    return value->signal || parse_count(text, &value->number);
}

/* ---- patterns -------------------------------------------------------------------------------- */

#define PATTERN_BYTES 128 /* most bytes of a pattern, with its NUL */

/* Read the pattern at *at, without its '!'; *at moves to the next one or becomes NULL. False if the
 * pattern is empty, or too long for any function's name. */
static bool next_pattern(const char **at, bool *leaves_out, char pattern[PATTERN_BYTES])
{
    const size_t n = strcspn(*at, ",");
    *leaves_out = (*at)[0] == '!';
    const int written = snprintf(pattern, PATTERN_BYTES, "%.*s", (int)n - *leaves_out, *at + *leaves_out);
    *at = (*at)[n] ? *at + n + 1 : NULL;
    return written > 0 && written < PATTERN_BYTES;
}

static bool are_patterns(const char *text)
{
    char pattern[PATTERN_BYTES];
    bool leaves_out, fine = true;
    while (text && fine)
        fine = next_pattern(&text, &leaves_out, pattern);
    return fine;
}

bool variable_pick(const char *patterns, const char *function)
{
    char pattern[PATTERN_BYTES];
    bool leaves_out, picked = patterns[0] == '!';
    while (patterns) {
        if (next_pattern(&patterns, &leaves_out, pattern) && fnmatch(pattern, function, FNM_CASEFOLD) == 0)
            picked = !leaves_out;
    }
    return picked;
}

/* ---- values ---------------------------------------------------------------------------------- */

bool variable_parse(const struct variable *v, const char *text, struct variable_value *out)
{
    assert(text[0]);
    struct variable_value value = {.text = text};
    bool fine = true;
    switch (v->kind) {
    case VARIABLE_PATH:
        break;
    case VARIABLE_WORD:
        fine = parse_word(v->values, text, &value.number);
        break;
    case VARIABLE_SECONDS:
        fine = parse_seconds(text, &value.number);
        break;
    case VARIABLE_ID:
        fine = parse_count(text, &value.number) && value.number > 0;
        break;
    case VARIABLE_PATTERNS:
        fine = are_patterns(text);
        break;
    case VARIABLE_BEGIN:
        fine = parse_begin(text, &value);
        break;
    case VARIABLE_TIMES:
        fine = parse_times(text, &value.number);
        break;
    case VARIABLE_BASES:
        fine = time_bases_are_sound(text);
        break;
    case VARIABLE_SHARES:
        fine = parse_shares(text, &value);
        break;
    case VARIABLE_LEVELS:
        fine = log_levels_parse(text, &(struct log_levels){.of = {LOG_ERROR}});
        break;
    }
    if (fine)
        *out = value;
    return fine;
}

struct variable_value variable_default(const struct variable *v)
{
    struct variable_value value = {0};
    if (*v->standard)
        variable_parse(v, v->standard, &value);
    value.text = NULL;
    return value;
}
