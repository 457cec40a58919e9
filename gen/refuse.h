/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in the input: what is wrong, and how to correct it. Reading continues, so that one run reports all errors of a tree. */
#ifndef GEN_REFUSE_H
#define GEN_REFUSE_H

#include "interface_model.h"

/* Writes "file:line: message" to stderr, once for each message, and returns -1, for the caller to leave out what this
 * was about. */
int refuse(struct source_position at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes "file:line: warning: message". */
void warn(struct source_position at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From now on, what is refused in this file is only warned of. */
void refuse_only_warns(const char *file);

/* How many messages were refusals. */
size_t refuse_count(void);

#endif
