/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of the program without MPI_Finalize: the calls so far are written as a part (part.h). The
 * first column is the end, the last one how the part describes it.
 *
 *     MPI_Abort                       its wrapper                      "MPI_Abort", error code
 *     an error that is fatal          fatal.c, in the MPI library      "MPI error", class (< 0: internal)
 *     a signal                        signals.c                        "signal", number
 *     exit, _exit, return from main   exit.h                           "exit", 0
 *     MPI_Finalize without a trace    finalize.c                       "MPI_Finalize", 0
 *     sessions alone, all finalized   last_rank_merge.c: this is no bad end   "MPI_Session_finalize", 0
 *     SIGKILL                         nothing can run: the last checkpoint is what remains
 *
 * The part ends with the calls that have not returned and a record `@end` (definition_records.def).
 * Without that record it is a checkpoint. */
#ifndef REFRAIN_ENDING_H
#define REFRAIN_ENDING_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is a part to write if the program ended now. */
bool ending_matters(void);
/* Write the part. A thread that comes later, with the same end, waits until the part exists. Does
 * nothing if the tracer does not record, before MPI_Init, and after MPI_Finalize. Allocates nothing
 * from the heap and always returns: a fault in here ends the writing and the recording. Safe in
 * signal handlers. True if this call has tried to write the part.
 *
 * Recording goes on, since a process may survive: MPI_Abort of an invalid communicator, or a signal
 * whose handler returns. If it survives, calls that were open stay unreturned in the trace, and an
 * empty `@end` follows. A call soon afterwards may come from a handler of exit; then the part is
 * written again, with all calls and with the first cause. `how` is kept by reference. */
bool ending_write(const char *how, int64_t detail);
/* The same, if as far as is known the process ends. Prints on stderr, once for the run, how to make
 * a trace of the parts; also if the part was written before, by a possible end. */
bool ending_write_last(const char *how, int64_t detail);
/* Whether the final part has been written, and nothing since then shows that the process goes on.
 * Then the part stays; a checkpoint would replace it. Threads must be paused. */
bool ending_is_expected(void);
/* For signal handlers: if the fault happened while this thread writes the part, do not return, but
 * abandon the writing. */
void ending_escape(void);
/* Call this before MPI_Abort. `of_any` is false without a valid communicator: then MPI may return
 * an error instead. */
void ending_abort(bool of_any, int code);

#endif
