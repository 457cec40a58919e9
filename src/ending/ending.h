/* SPDX-License-Identifier: BSD-3-Clause */
/* How the program ends when it does not call MPI_Finalize: what is recorded by then becomes a part (part.h).
 *
 *     MPI_Abort                       its wrapper                      "MPI_Abort", error code
 *     an error that is fatal          fatal.c, in the MPI library      "MPI error", error class
 *     a signal                        signals.c                        "signal", number
 *     exit, _exit, return from main   exit.h                           "exit", 0
 *     MPI_Finalize without a trace    finalize.c                       "MPI_Finalize", 0
 *     sessions alone, all finalized   last_rank_merge.c: this is no bad end   "MPI_Session_finalize", 0
 *     SIGKILL                         nothing can run: the last checkpoint is what remains
 *
 * The part ends with the calls that have not returned and a record `@end` (definition_records.def). Without
 * that record it is a checkpoint. */
#ifndef REFRAIN_ENDING_H
#define REFRAIN_ENDING_H

#include <stdbool.h>
#include <stdint.h>

/* Is there a part to write, should the program end now? */
bool ending_matters(void);
/* Writes the part: who comes later, on the way to the same end, waits until it is there. Does nothing when the
 * tracer does not record, and from before MPI_Init has returned until after MPI_Finalize. Allocates nothing
 * from the heap, and returns in any case: a fault in here ends the writing and the recording. In signal
 * handlers, too. True if this call has tried to write it.
 *
 * Recording goes on: a process may survive what looks like its end, as MPI_Abort of a communicator that is
 * none, or a signal whose handler returns. If it does, calls that were open then have not returned in the
 * trace, and an `@end` that says nothing follows. But a call soon afterwards may be one that a handler of exit
 * makes: what ends the process then is in the part with all calls, and with the first cause. `how` is kept by
 * reference. */
bool ending_write(const char *how, int64_t detail);
/* The same, where nothing is known that keeps the process from ending. Says on stderr, once for the run, what
 * makes a trace of the parts; also if the part was written before, by what might have been no end. */
bool ending_write_last(const char *how, int64_t detail);
/* Has the part of the end been written, without a sign since then that the process goes on? Then it stays
 * there, and a checkpoint would take its place. Threads have to be paused. */
bool ending_is_expected(void);
/* In a signal handler: is this a fault while this thread writes the part? Then it does not return. */
void ending_escape(void);
/* MPI_Abort, before it happens: of a communicator, or of none, which may be an error that is returned. */
void ending_abort(bool of_any, int code);

#endif
