/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for people, on stderr, one line each: "refrain: …" or "refrain: warning: …".
 *
 * REFRAIN_LOG says which messages are printed (default: notice): one level for all messages, or levels for
 * domains. A domain is a part of Refrain in which users may have to look for a fault.
 *
 *     REFRAIN_LOG=info                      all messages but those for debugging
 *     REFRAIN_LOG=match,merge:debug         all of these two domains; notices and worse of the others
 *     REFRAIN_LOG=error;clock:debug         semicolons separate clauses; the last clause that fits decides
 *
 * A file whose messages belong to a domain defines LOG_DOMAIN before it includes this header. Messages may be
 * logged before main and from any thread: each is one write(2), without allocation. errno is preserved. */
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

/* The names of the domains are in log_levels.c. */
enum log_domain { LOG_GENERAL, LOG_LAUNCH, LOG_CLOCK, LOG_ENDING, LOG_MERGE, LOG_MATCH, LOG_DOMAINS };

#ifndef LOG_DOMAIN
#define LOG_DOMAIN LOG_GENERAL
#endif

/* Parse a value of REFRAIN_LOG into the least important level that each domain prints. False if the value is
 * invalid; then *levels does not change. */
struct log_levels {
    enum log_level of[LOG_DOMAINS];
};
bool log_levels_parse(const char *text, struct log_levels *levels);
/* "merge"; "" for LOG_GENERAL. */
const char *log_domain_name(enum log_domain domain);

/* Set the text after "refrain" in every message, for example " text" in the command or "[3]" for a rank. The
 * text is kept by reference. NULL: no text. */
void log_set_context(const char *context);

/* Set the subject of this thread's messages, which is printed before each of them: "run.refrain: section
 * SHAP: ". Both texts are kept by reference. NULL: no subject. */
void log_set_subject(const char *file, const char *section);

/* Processes that start together, such as the ranks of a job on a node, print a common message once:
 * from now on a line is left out if another child of the same process has printed it in the last
 * `milliseconds`. The process that prints it waits that long. */
void log_share(unsigned milliseconds);

/* Return the number of errors that were logged; tests use it to be sure that no failure is silent. */
unsigned log_error_count(void);

COLD void log_message(enum log_domain domain, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define log_error(...)   log_message(LOG_DOMAIN, LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_message(LOG_DOMAIN, LOG_WARNING, __VA_ARGS__)
#define log_notice(...)  log_message(LOG_DOMAIN, LOG_NOTICE, __VA_ARGS__)
#define log_info(...)    log_message(LOG_DOMAIN, LOG_INFO, __VA_ARGS__)
#define log_debug(...)   log_message(LOG_DOMAIN, LOG_DEBUG, __VA_ARGS__)

#endif
