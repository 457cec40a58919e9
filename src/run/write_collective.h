/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize writes the file. Rank 0 collects the sections; the annex (annex.h) stays on the
 * ranks:
 *
 *     1. up the tree     traces, merged on the way, with the index of pieces
 *     2. rank 0          writes header and sections under a temporary name
 *     3. down            that name, and for each rank where its pieces go
 *     4. all             write their pieces there at the same time; up: did all succeed?
 *     5. rank 0          gives the file its final name; down: the file exists
 *
 * If a rank cannot reach the file (no common file system), the ranks send their pieces to rank 0,
 * one after the other, and rank 0 writes them. If that fails too, the file is written without the
 * times of calls. If the annex has columns, there is no file: each rank writes its part. */
#ifndef REFRAIN_WRITE_COLLECTIVE_H
#define REFRAIN_WRITE_COLLECTIVE_H

#include <stdbool.h>

#include "src/core/trace/trace.h"

/* Merge the traces of all ranks and write the file; returns whether it exists, on all ranks the
 * same. Frees `t`. *pieces are this rank's bytes of the annex; *t is valid if `own_status` is
 * REFRAIN_OK. Collective. */
bool write_collective(struct trace *t, const struct bytes *pieces, enum refrain_status own_status);

#endif
