/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a rank as one stream of all its threads: each call with when it was made, and the operations
 * that it means (operation.h).
 *
 *     thread  call               timestamp    operations
 *     0       17  MPI_Irecv      100 … 102    RECEIVE
 *     1        3  MPI_Comm_rank   95 …  96
 *     0       18  MPI_Waitall    105 … 200    COMPLETE of call 17   COMPLETE of call 12
 *
 * The calls of each thread come in their order. Between threads a trace has little of one: a thread comes behind
 * what others had done when it began, and they go on behind it when it has ended (definitions.h, precedences).
 * Requests tell more: a thread completes one that another has made. The stream is such an order, found like this:
 * the numbers of handles may be used again when their requests complete (docs/TEXT.md). A thread whose next call
 * makes a request with a number that is in use waits until another thread has completed that; one that completes
 * another's request waits until that other thread cannot go on, since it may complete the request itself. Where
 * that leaves all waiting (calls that were not recorded), one of them goes on. By time (struct operation_source),
 * threads go on in the order of timestamps: calls that receive by when they end, since of two that may have one
 * message the first that is back has it, others by when they begin.
 *
 * Each call is decoded once. Memory is that of a cursor for each thread, and of what is in flight
 * (operation.h). */
#ifndef REFRAIN_CALL_STREAM_H
#define REFRAIN_CALL_STREAM_H

#include "decoder/trace/cursor.h"
#include "decoder/times/nesting.h"
#include "operation.h"

/* Valid until the stream's next step. */
struct stream_call {
    size_t lane; /* number of the thread in the stream */
    const struct call *call;
    const struct timestamp *timestamp; /* zeros, if the source has none */
    const struct nesting_call *around; /* `n_around` calls that it was made in, the outermost first; */
    size_t n_around;                   /* they come when they have ended */
    /* `n_operations` of this call. Where it makes a request with a number that is in use, there are also those
     * of that one, which has never completed (OPERATION_NEVER); they name the call that made it. */
    const struct operation *operations;
    size_t n_operations;
};

/* Of one rank; opaque, the caller's to free. */
struct call_stream;
enum refrain_status call_stream_create(const struct operation_source *source, uint32_t rank,
                                       struct call_stream **out);
void call_stream_free(struct call_stream *s); /* also of NULL */

size_t call_stream_lanes(const struct call_stream *s);
uint32_t call_stream_thread(const struct call_stream *s, size_t lane); /* ascending */

/* The next call; false at the end, and when something fails (then *status says so). */
bool call_stream_next(struct call_stream *s, struct stream_call *out, enum refrain_status *status);
/* For those who want operations alone: the next one, which is valid until the stream's next step; false also
 * while no thread may go on. Behind the last call come completions of requests that were not completed. */
bool call_stream_next_operation(struct call_stream *s, const struct operation **out,
                                enum refrain_status *status);
bool call_stream_is_over(const struct call_stream *s); /* there are no more operations */
/* Keep a thread from going on behind its present call, or no longer. By time, that keeps others from calls
 * that come later, too; */
void call_stream_stop(struct call_stream *s, uint32_t thread, bool stop);
/* but not from the next one with operations. */
void call_stream_go_ahead(struct call_stream *s);

#endif
