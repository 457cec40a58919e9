/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of operation.h: call_stream.c walks the calls of a rank and takes them, operation_field.c reads
 * their fields, operation_take.c handles requests, operation_part.c sends, receives and the like,
 * operation_window.c epochs. */
#ifndef REFRAIN_OPERATION_IMPL_H
#define REFRAIN_OPERATION_IMPL_H

#include "decoder/call/call_fields.h"
#include "decoder/trace/cursor.h"
#include "process_groups.h"
#include "requests.h"
#include "windows_files.h"

/* How often something came: collective operations on a communicator, what they made, partitioned requests. */
struct counter {
    int64_t what[4];
    uint64_t n;
};

/* The state of a rank. */
struct operations {
    const struct operation_source *source;
    uint32_t rank;
    struct requests requests;
    struct windows_files windows_files;
    struct process_groups groups;
    struct map by_what; /* hash of what is counted -> counter */
    ARRAY(struct counter) counters;
    ARRAY(struct operation) queue; /* of the call that was taken last; the stream empties it */
};

void operations_start(struct operations *o, const struct operation_source *source, uint32_t rank);
void operations_stop(struct operations *o);
/* Put the operations of the rank's next call into the queue. */
enum refrain_status operations_take(struct operations *o, const struct call *call,
                                    const struct timestamp *timestamp, const struct call_fields *fields);
/* The counter of a scope's collective operations; NULL: none has begun. */
const struct counter *operations_counter(const struct operations *o, const struct operation_scope *scope);
/* After the last call: the completions of requests that are still in use. */
enum refrain_status operations_end(struct operations *o);

/* A request that a call completes. */
struct completion {
    int64_t handle;
    const int64_t *status; /* NULL: none */
};

/* The completions of a call:  for (size_t i = 0; operation_completion(o, call, f, &i, &c);) */
bool operation_completion(const struct operations *o, const struct call *call, const struct call_fields *f,
                          size_t *i, struct completion *c);
/* The key of a request or message that a thread's call names; false if the handle is a constant or not known.
 */
bool operation_key(const struct operations *o, uint32_t thread, int64_t handle, bool message, uint64_t *key);
/* The key of the request or message that a call makes; false if it makes none. */
bool operation_made(const struct operations *o, const struct call *call, const struct call_fields *f,
                    bool message, uint64_t *key);
/* The status that belongs to completion i; NULL: none. */
const int64_t *operation_status(const struct call *call, const struct call_fields *f, size_t i);

/* ---- while a call is taken ------------------------------------------------------------------- */

struct taking {
    struct operations *o;
    const struct operation_source *source;
    const struct call *call;
    const struct call_fields *fields;
    const int64_t *slots;
    struct call_ref ref; /* of the call */
};

/* The first value of a field before or after the call; `otherwise` if it has none. */
int64_t taking_before(const struct taking *t, enum role_field field, int64_t otherwise);
int64_t taking_after(const struct taking *t, enum role_field field, int64_t otherwise);
/* Adds an operation to the queue. Returns false when memory is short. */
bool taking_put(struct taking *t, const struct operation *op);
/* Adds the completion of an operation, by the call at `by` or by none. NULL when memory is short. */
struct operation *taking_complete(struct operations *o, const struct operation *part,
                                  const struct call_ref *by, uint32_t function);
/* The window or file that the call is about; NULL if nothing says. */
struct window_file *taking_window_file(const struct taking *t, bool is_file);

/* Returns a peer, given its rank in the communicator. */
int64_t part_peer(const struct taking *t, const struct group_view *v, int64_t rank);
/* What all parts of a kind have. */
void part_new(const struct taking *t, enum operation_kind kind, const struct group_view *v,
              struct operation *op);
/* What the call does: false when memory is short. *known: whether anything says who takes part. */
bool part_send(struct taking *t, const struct group_view *v, struct operation *op);
bool part_receive(struct taking *t, const struct group_view *v, struct operation *op);
void part_access(struct taking *t, bool is_file, struct operation *op);
bool part_collective(struct taking *t, struct operation *op, struct group_view *v, bool *known);
/* What the status of a receive says: who sent it. One that contradicts what was posted is of no message
 * (MPICH 4.0 sets none for MPI_Isendrecv). */
void part_resolve(const struct taking *t, const struct group_view *v, const int64_t *status,
                  struct operation *op);
void part_of_object(struct operation *op, const struct window_file *object);

/* Epochs that the call opens, closes or flushes. */
bool window_epochs(struct taking *t);
void window_join_epoch(struct operation *op, const struct epoch *e);

#endif
