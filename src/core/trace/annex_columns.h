/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns in the annex (annex.h): large ones, which have no law. Each rank writes its own; merging and rank 0
 * never see their values.
 *
 *     columns of the trace   0 5 10 …    stand-in    7 7 3 …
 *                                            └── trace.away: column 1 is piece 0 of rank 2
 *
 * A stand-in is as long as the column. While traces are merged it is a run that begins and goes on by a hash
 * of the values, so that equal columns of several ranks become one as they do otherwise; then only the first
 * rank's piece is written. In the final file it is a run of zeros. Only slots can be away: what merging looks
 * into, orders, fillers and counts, stays. */
#ifndef REFRAIN_ANNEX_COLUMNS_H
#define REFRAIN_ANNEX_COLUMNS_H

#include "trace.h"

/* Bytes in memory of a column that is worth a piece; and what columns of this size would come to on rank 0,
 * if all ranks had one: below that they stay, since compressing them together finds what they have in common.
 */
#define ANNEX_COLUMN_LEAST  (1 << 14)
#define ANNEX_COLUMNS_LEAST (UINT64_C(4) << 20)

/* Of a trace of one of `n_ranks` ranks: columns of that size become stand-ins, and pieces of its annex,
 * behind those that there are; the bytes are appended to *pieces. */
enum refrain_status annex_columns_detach(struct trace *t, int n_ranks, struct bytes *pieces);
/* next's columns have become columns of `into`, by `to`: those from number `fresh` on are new there. What was
 * there already is dropped from next's annex. */
enum refrain_status annex_columns_unite(struct trace *into, struct trace *next, const uint32_t *to,
                                        size_t fresh);
/* No traces are merged any more. */
enum refrain_status annex_columns_finish(struct trace *t);
/* The columns themselves, read from `annex`, which is of t->annex.length bytes; nothing is away then.
 * `budget`: bytes of memory that they may take, less what they have taken afterwards; `name` is for messages.
 */
enum refrain_status annex_columns_attach(const char *name, struct trace *t, const uint8_t *annex,
                                         uint64_t *budget);
bool annex_column_is_away(const struct trace *t, uint32_t column);

/* Section COLS of docs/FORMAT.md; nothing if no column is away. */
void annex_columns_encode(const struct trace *t, struct bytes *out);
/* Into t->away: columns and pieces that there are. REFRAIN_ERR_FORMAT without a message. */
enum refrain_status annex_columns_decode(struct bytes_reader *in, struct trace *t);

#endif
