/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the matrix for a command: of a trace, of constructs of its model (--at), or of one-sided
 * communication (--rma). */
#ifndef REFRAIN_MATRIX_SOURCE_H
#define REFRAIN_MATRIX_SOURCE_H

#include "decoder/matrix/matrix.h"
#include "options.h"

/* The first operand is the trace. Options that would have no effect together are refused. */
enum refrain_status matrix_source_read(struct matrix *m, const struct options *o);
/* If the command counted messages, found none, and the trace has one-sided communication, says so. */
enum refrain_status matrix_source_hint(const struct options *o);

#endif
