/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for people, on stderr, one line each: "refrain: …" or "refrain: warning: …".
 *
 * REFRAIN_LOG says which are printed (default notice): a level for all, or levels for domains, the parts of
 * Refrain where a fault in the field is looked for.
 *
 *     REFRAIN_LOG=info                      all messages but those for debugging
 *     REFRAIN_LOG=match,merge:debug         all of these two domains; notices and worse of the others
 *     REFRAIN_LOG=error;clock:debug         clauses stand between semicolons, a later one holds
 *
 * A file whose messages belong to a domain defines LOG_DOMAIN before it includes this header. Safe to call
 * before main and from any thread: one write(2) a message, no allocation. errno is preserved. */
#ifndef REFRAIN_LOG_H
#define REFRAIN_LOG_H

#include "placement.h"

#include <stdbool.h>

enum log_level {
    LOG_ERROR,
    LOG_WARNING,
    LOG_NOTICE, /* a result of the whole run, printed without the context */
    LOG_INFO,
    LOG_DEBUG
};

/* Their names are in log_levels.c. */
enum log_domain { LOG_GENERAL, LOG_LAUNCH, LOG_CLOCK, LOG_ENDING, LOG_MERGE, LOG_MATCH, LOG_DOMAINS };

#ifndef LOG_DOMAIN
#define LOG_DOMAIN LOG_GENERAL
#endif

/* Read a value of REFRAIN_LOG into the least important level that each domain prints. False if it makes no
 * sense; *levels is as before then. */
struct log_levels {
    enum log_level of[LOG_DOMAINS];
};
bool log_levels_parse(const char *text, struct log_levels *levels);
/* "merge"; "" for LOG_GENERAL. */
const char *log_domain_name(enum log_domain domain);

/* Text put after "refrain" in every message, for example " text" in the command or "[3]" for a rank. It
 * is kept by reference. NULL for none. */
void log_set_context(const char *context);

/* What this thread's messages are about, put before each: "run.refrain: section SHAP: ". Both are kept
 * by reference. NULL for nothing in particular. */
void log_set_subject(const char *file, const char *section);

/* Processes that start together, such as the ranks of a job on a node, print a common message once:
 * from now on a line is left out if another child of the same process has printed it in the last
 * `milliseconds`. The process that prints it waits that long. */
void log_share(unsigned milliseconds);

/* How many errors were logged so far; tests use it to be sure that no failure is silent. */
unsigned log_error_count(void);

COLD void log_message(enum log_domain domain, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define log_error(...)   log_message(LOG_DOMAIN, LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_message(LOG_DOMAIN, LOG_WARNING, __VA_ARGS__)
#define log_notice(...)  log_message(LOG_DOMAIN, LOG_NOTICE, __VA_ARGS__)
#define log_info(...)    log_message(LOG_DOMAIN, LOG_INFO, __VA_ARGS__)
#define log_debug(...)   log_message(LOG_DOMAIN, LOG_DEBUG, __VA_ARGS__)

#endif
