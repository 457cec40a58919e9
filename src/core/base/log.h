/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for people, on stderr, one line each: "refrain: …" or "refrain: warning: …".
 *
 * The level is REFRAIN_LOG=error|warning|info|debug (default warning). Safe to call before main and from
 * any thread: one write(2) a message, no allocation. errno is preserved. */
#ifndef REFRAIN_LOG_H
#define REFRAIN_LOG_H

#include "placement.h"

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

/* Text put behind "refrain" in every message, for example " text" in the command or "[3]" for a rank. It
 * is kept by reference. NULL for none. */
void log_set_context(const char *context);

/* What this thread's messages are about, put in front of each: "run.refrain: section SHAP: ". Both are kept
 * by reference. NULL for nothing in particular. */
void log_set_subject(const char *file, const char *section);

/* Of processes that are started together, such as the ranks of a job on a node, one says what all have to say:
 * from now on a line is left out if another child of the same process has said it in the last so many
 * milliseconds. Who says it waits for so long. */
void log_share(unsigned milliseconds);

/* How many errors were logged so far; tests use it to be sure that no failure is silent. */
unsigned log_error_count(void);

COLD void log_message(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...)   log_message(LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_message(LOG_WARNING, __VA_ARGS__)
#define log_info(...)    log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...)   log_message(LOG_DEBUG, __VA_ARGS__)

#endif
