/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI procedures that the program or a profiling tool also defines. The dynamic linker calls the
 * first definition of a name, which calls the MPI library by its PMPI name.
 *
 *     in front   program ──> its own MPI_Send ── PMPI_Send ──> MPI library      the tracer's is never called
 *     behind     program ──> the tracer's MPI_Send ── PMPI_Send ──> MPI library the tool's is never called
 *
 * The missing calls are not visible in the trace or in the tool's output. */
#ifndef REFRAIN_DEFINED_ELSEWHERE_H
#define REFRAIN_DEFINED_ELSEWHERE_H

/* Print a warning that names these procedures and the file that defines them, if there are any. */
void defined_elsewhere_tell(void);

#endif
