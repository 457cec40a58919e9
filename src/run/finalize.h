/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize, from whatever binding: what comes before and after the library's own. */
#ifndef REFRAIN_FINALIZE_H
#define REFRAIN_FINALIZE_H

/* Records the call, then stores this rank's trace and takes part in the merge: MPI is needed for that. From
 * now on until finalize_end nothing that the library calls is recorded. */
void finalize_begin(const void *return_address);
void finalize_end(void);

#endif
