/* SPDX-License-Identifier: BSD-3-Clause */
/* Saying what is wrong with the input. */
#ifndef GEN_REFUSE_H
#define GEN_REFUSE_H

#include "interface_model.h"

/* Writes "file:line: message" to stderr and returns -1, for the caller to pass on: the first error ends gen.
 */
int refuse(struct source_position at, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
