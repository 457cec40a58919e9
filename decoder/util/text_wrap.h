/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for a terminal: long ones are broken at spaces, and go on with an indent.
 *
 *     1  33.39 s  51.5 %  late sender in MPI_Sendrecv at exchange (halo.c:99), all     <- width
 *         ranks, rank 0 waits most: 55 %; the sender is rank 3 in 41 % of it
 *
 * Tables stay as they are: paragraphs whose first line has a gap of four spaces or more. A command at the end of a
 * line ("… refrain messages run.refrain") stays whole, so that it can be copied. */
#ifndef REFRAIN_TEXT_WRAP_H
#define REFRAIN_TEXT_WRAP_H

#include "src/core/base/bytes.h"

/* Adds n bytes of UTF-8 text, in lines of at most `width` characters where they have spaces. */
void text_wrap(struct bytes *out, const char *text, size_t n, size_t width);

#endif
