/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints matched and unmatched operations as text lines or JSON (docs/TEXT.md). */
#ifndef REFRAIN_MATCHING_TEXT_H
#define REFRAIN_MATCHING_TEXT_H

#include "matching.h"

/* How to print. */
struct matching_text {
    const struct functable *functions;
    bool as_json;
};

/* Prints MPI_COMM_WORLD, comm3, or unknown. */
void matching_put_comm(const struct matching_text *t, int64_t comm, struct bytes *out);
/* Each of these prints one line. */
void matching_put_message(const struct matching_text *t, const struct matching_message *m, struct bytes *out);
void matching_put_collective(const struct matching_text *t, const struct matching_collective *c,
                             struct bytes *out);
void matching_put_unmatched(const struct matching_text *t, const struct matching_unmatched *u,
                            struct bytes *out);

#endif
