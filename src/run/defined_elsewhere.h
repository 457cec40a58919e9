/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of MPI that somebody else defines, too: the program itself, or a tool of the profiling interface.
 * Of those by one name the first is called, and that calls the MPI library by its other name.
 *
 *     in front   program ──> its own MPI_Send ── PMPI_Send ──> MPI library      the tracer's is never called
 *     behind     program ──> the tracer's MPI_Send ── PMPI_Send ──> MPI library the tool's is never called
 *
 * What the trace, or the tool, lacks then nobody can see in it. */
#ifndef REFRAIN_DEFINED_ELSEWHERE_H
#define REFRAIN_DEFINED_ELSEWHERE_H

/* Says which ones, and who defines them, if there are any. */
void defined_elsewhere_tell(void);

#endif
