/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns in the annex (annex.h): large columns without a law. Each rank writes its own columns; the merge
 * and rank 0 never see their values.
 *
 *     columns of the trace   0 5 10 …    stand-in    7 7 3 …
 *                                            └── trace.away: column 1 is piece 0 of rank 2
 *
 * A stand-in is a series as long as the column. During merging the stand-in is an affine run whose start and
 * step are hashes of the values, so that equal columns of several ranks become one, like other columns; then
 * only the first rank's piece is written. In the final file it is a run of zeros. Only columns of slots can
 * be in the annex; orders, fillers and counts stay, because the merge needs them. */
#ifndef REFRAIN_ANNEX_COLUMNS_H
#define REFRAIN_ANNEX_COLUMNS_H

#include "trace.h"

/* A column moves to the annex if it has at least ANNEX_COLUMN_LEAST bytes in memory, and if columns of its
 * size on all ranks would together have at least ANNEX_COLUMNS_LEAST bytes. Other columns stay in the trace,
 * where they are compressed together. */
#define ANNEX_COLUMN_LEAST  (1 << 14)
#define ANNEX_COLUMNS_LEAST (UINT64_C(4) << 20)

/* Move large columns of a trace of one of `n_ranks` ranks to its annex: stand-ins replace them, and pieces
 * are added after the existing ones. The bytes are appended to *pieces. */
enum refrain_status annex_columns_detach(struct trace *t, int n_ranks, struct bytes *pieces);
/* Call this when next's columns have become columns of `into`: `to` has their new numbers, and those from
 * `fresh` on are new in `into`. Pieces of columns that `into` already had are dropped from next's annex. */
enum refrain_status annex_columns_unite(struct trace *into, struct trace *next, const uint32_t *to,
                                        size_t fresh);
/* Call this after the last merge. */
enum refrain_status annex_columns_finish(struct trace *t);
/* Read the columns from `annex`, which has t->annex.length bytes; then no stand-ins are left. *budget is
 * the memory in bytes that the columns may take; it is reduced by what they take. `name` is used in
 * messages. */
enum refrain_status annex_columns_attach(const char *name, struct trace *t, const uint8_t *annex,
                                         uint64_t *budget);
bool annex_column_is_away(const struct trace *t, uint32_t column);

/* Section COLS of docs/FORMAT.md; nothing if no column is away. */
void annex_columns_encode(const struct trace *t, struct bytes *out);
/* Decode into t->away; columns and pieces must exist. REFRAIN_ERR_FORMAT is not logged. */
enum refrain_status annex_columns_decode(struct bytes_reader *in, struct trace *t);

#endif
