/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of a final file: the times of all rows with the same signature are summed, across shapes
 * and groups.
 *
 * If rows of one group share a timing (merge.h, refinement), their times can no longer be
 * separated. If the signatures of these rows differ, the signatures become one class with one
 * timing. */
#ifndef REFRAIN_CODEC_FOLD_H
#define REFRAIN_CODEC_FOLD_H

#include "src/core/passes/codec_tables.h"

struct codec_fold {
    ARRAY(struct timing) times; /* of each signature that represents its class; empty for others */
    ARRAY(uint32_t) of_timing;  /* scratch: the first signature with each timing of a group */
};

void codec_fold_free(struct codec_fold *f);
/* Add a group's times; rows[i] is the index of row i's signature. */
enum refrain_status codec_fold_group(struct codec_fold *f, struct codec_tables *t, const struct group *g,
                                     const uint32_t *rows);
/* Write the TIME section; `order` lists all signatures in the order of the SIGN section. */
enum refrain_status codec_fold_encode(const struct codec_fold *f, const struct codec_tables *t,
                                      const uint32_t *order, struct bytes *out);

#endif
