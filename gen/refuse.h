/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in the input. A message says what is wrong and how to correct it. Reading continues, so
 * that one run reports all errors of a tree. */
#ifndef GEN_REFUSE_H
#define GEN_REFUSE_H

#include "interface_model.h"

/* Write "file:line: message" to stderr, once for each message. Returns -1; the caller leaves out
 * the part with the error. */
int refuse(struct source_position at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write "file:line: warning: message". */
void warn(struct source_position at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From now on, errors in this file are only warnings. */
void refuse_only_warns(const char *file);

/* The number of errors. */
size_t refuse_count(void);

#endif
