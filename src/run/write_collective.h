/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI_Finalize leaves: the file. Its sections come together on rank 0, its annex (annex.h) does not:
 *
 *     1. up the tree     traces, merged on the way; of pieces only the index
 *     2. rank 0          writes header and sections, under another name for now
 *     3. down            where that is, and for each rank which of its pieces go where
 *     4. all             write them there, at the same time; up: did all succeed?
 *     5. rank 0          gives the file its name; down: there it is
 *
 * Where a rank does not reach the file, as without a common file system, pieces go to rank 0 one rank after
 * the other and are written there. Should that fail as well, the file is written without the times of calls,
 * or, if there are columns in the annex, not at all: then each rank leaves its part. */
#ifndef REFRAIN_WRITE_COLLECTIVE_H
#define REFRAIN_WRITE_COLLECTIVE_H

#include <stdbool.h>

#include "src/core/trace/trace.h"

/* Is the trace of the run in its file? All ranks hear of it. Uses up `t`, this rank's if `own` is REFRAIN_OK,
 * whose annex is *pieces. Collective. */
bool write_collective(struct trace *t, const struct bytes *pieces, enum refrain_status own_status);

#endif
