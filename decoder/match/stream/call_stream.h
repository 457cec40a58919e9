/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a rank as one stream of all its threads: each call with its timestamp and its operations
 * (operation.h).
 *
 *     thread  call               timestamp    operations
 *     0       17  MPI_Irecv      100 … 102    RECEIVE
 *     1        3  MPI_Comm_rank   95 …  96
 *     0       18  MPI_Waitall    105 … 200    COMPLETE of call 17   COMPLETE of call 12
 *
 * The calls of each thread come in their order. The trace says little about the order between threads: all
 * calls of a thread come after the calls that other threads made before it began; some calls of other threads
 * come after its end (definitions.h, precedences). Requests say more: one thread may complete a request that
 * another thread made. The order of the stream agrees with both. It is found as follows. The number of a
 * request may be reused when the request has completed (docs/TEXT.md). If the next call of a thread makes a
 * request whose number is in use, the thread waits until another thread has completed the older request. If
 * the next call completes a request of another thread, the thread waits until that other thread cannot
 * continue, because it may complete the request itself. If all threads wait (because calls were not
 * recorded), one of them continues. With `by_time` (struct operation_source), threads continue in the order
 * of timestamps. Calls that receive are ordered by their end, because the first one to return has the
 * message; other calls are ordered by their begin.
 *
 * Each call is decoded once. Memory is one cursor per thread, and grows with pending operations
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
    const struct timestamp *timestamp; /* zeros if the source has no timestamps */
    const struct nesting_call *around; /* the `n_around` calls that contain this call, the outermost first */
    size_t n_around;                   /* the stream returns these calls when they have ended */
    /* The `n_operations` operations of this call. If the call makes a request whose number is still in use,
     * the operations of the older request also come, as never completed (OPERATION_NEVER); they name the call
     * that made the older request. */
    const struct operation *operations;
    size_t n_operations;
};

struct operations;
struct timed_lane;

/* The stream of one rank. Opaque; the caller frees it. */
struct call_stream;
enum refrain_status call_stream_create(const struct operation_source *source, uint32_t rank,
                                       struct call_stream **out);
void call_stream_free(struct call_stream *s); /* also of NULL */

size_t call_stream_lanes(const struct call_stream *s);
uint32_t call_stream_thread(const struct call_stream *s, size_t lane); /* ascending */

/* Returns the next call. False at the end, and on an error (see *status). */
bool call_stream_next(struct call_stream *s, struct stream_call *out, enum refrain_status *status);
/* For callers that need operations only. Returns the next operation, which is valid until the stream's next
 * step. False at the end, on an error, and while no thread may continue. After the last call come the
 * completions of requests that were not completed. */
bool call_stream_next_operation(struct call_stream *s, const struct operation **out,
                                enum refrain_status *status);
bool call_stream_is_over(const struct call_stream *s); /* true: there are no more operations */
/* Stops a thread after its current call, or lets it continue. With `by_time`, other threads do not go beyond
 * the time of a stopped thread. */
void call_stream_stop(struct call_stream *s, uint32_t thread, bool stop);
/* For a stream of one thread: no call from number `call` on is taken or read until the next
 * call_stream_pause_at. `call` must not be below timed_lane_reach of the lane; UINT64_MAX: no pause. */
void call_stream_pause_at(struct call_stream *s, uint64_t call);
bool call_stream_is_paused(const struct call_stream *s);
/* The thread's calls; between those that were taken and those that were read, in a paused stream. */
struct timed_lane *call_stream_timed(struct call_stream *s);
/* The operations of the rank, with everything in flight. */
struct operations *call_stream_operations(struct call_stream *s);
/* Calls were passed by others, and the lane's cursor is behind them. */
void call_stream_pass(struct call_stream *s, uint64_t calls);
/* Lets another thread overtake a stopped one, up to the next call with operations. */
void call_stream_go_ahead(struct call_stream *s);

#endif
