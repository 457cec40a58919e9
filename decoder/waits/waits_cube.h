/* SPDX-License-Identifier: BSD-3-Clause */
/* A run's waiting as a CUBE 3 file: metrics, call tree, system, and the values of all three.
 *
 *     metrics   mpi_latesender …         each with those below
 *     program   main ─ exchange ─ MPI_Recv        of call sites, as far as callers are recorded
 *     system    machine ─ node ─ process ─ thread
 *
 * As CUBE has it, a value contains those of the metrics below, and not those of the calls below. */
#ifndef REFRAIN_WAITS_CUBE_H
#define REFRAIN_WAITS_CUBE_H

#include "waits_text.h"

/* Of all metrics; what a view selects does not matter. */
enum refrain_status waits_put_cube(const struct waits *w, const struct symbols *symbols, struct output *out);

#endif
