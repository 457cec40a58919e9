/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize in every language binding: the tracer's work before and after the library's
 * procedure. */
#ifndef REFRAIN_FINALIZE_H
#define REFRAIN_FINALIZE_H

/* Record the call, store this rank's trace, and take part in the merge, which needs MPI. Until
 * finalize_end, nothing that the library calls is recorded. */
void finalize_begin(const void *return_address);
void finalize_end(void);

#endif
