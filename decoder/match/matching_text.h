/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines and JSON of what is matched (docs/TEXT.md), and of what is not. */
#ifndef REFRAIN_MATCHING_TEXT_H
#define REFRAIN_MATCHING_TEXT_H

#include "matching.h"

/* What they are put with. */
struct matching_text {
    const struct functable *functions;
    bool as_json;
};

/* MPI_COMM_WORLD, comm3, or unknown. */
void matching_put_comm(const struct matching_text *t, int64_t comm, struct bytes *out);
/* One line each. */
void matching_put_message(const struct matching_text *t, const struct matching_message *m, struct bytes *out);
void matching_put_collective(const struct matching_text *t, const struct matching_collective *c,
                             struct bytes *out);
void matching_put_unmatched(const struct matching_text *t, const struct matching_unmatched *u,
                            struct bytes *out);

#endif
