/* SPDX-License-Identifier: BSD-3-Clause */
/* Find the lists of a final file that can be written as permuted lists (torus_permutation.h), among
 * the lists over each set of ranks (codec_domains.h). */
#ifndef REFRAIN_CODEC_PERMUTE_H
#define REFRAIN_CODEC_PERMUTE_H

#include "src/core/passes/codec_tables.h"

/* Put the permuted lists of the trace, and then their bases, into the tables, as their first
 * series. Running sums and transposed counts must have been found. */
enum refrain_status codec_permute(const struct trace *t, struct codec_tables *tables);

#endif
