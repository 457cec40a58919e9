/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of otf2_events.h: messages and collective operations, windows, files. */
#ifndef REFRAIN_OTF2_EVENTS_IMPL_H
#define REFRAIN_OTF2_EVENTS_IMPL_H

#include "otf2_events.h"

/* A request that an event has named. */
struct otf2_pending {
    bool open;
    enum operation_kind kind;
    uint64_t id;
    /* Of a collective operation; */
    OTF2_CollectiveOp operation;
    OTF2_CommRef comm;
    uint32_t root;
    /* of a file operation, or an access: */
    uint32_t object; /* number of the handle or window */
    uint64_t access; /* the identity of the access */
};

/* An access to a window. */
struct otf2_issued {
    uint32_t window;
    int64_t target; /* rank in the run */
    uint64_t id;
    bool fetches; /* local completion means completion at the target */
    bool local;   /* completed locally */
};

/* A split operation on a file. A handle has at most one at a time. */
struct otf2_begun {
    uint32_t handle;
    uint64_t id, bytes;
};

/* The call whose records are being written. */
struct otf2_context {
    struct otf2_writer *w;
    struct otf2_flight *f;
    const struct otf2_shared *x;
    const struct call *call;
    uint64_t time; /* not before that */
    /* Set at the begin of the call, for its end: */
    bool collective; /* a collective operation is to be written: */
    struct otf2_pending description;
    /* the identity of an operation on a file, and how much it is to move; a call has one at most of each: */
    uint64_t file_operation, file_bytes;
};

#define RECORD(c, what, ...)                                                                                 \
    otf2_check(OTF2_EvtWriter_##what((c)->w->writer, NULL, otf2_timestamp((c)->w, (c)->time), ##__VA_ARGS__))

/* Opens the request that an event names. Returns NULL if memory is short. */
struct otf2_pending *otf2_open_request(struct otf2_flight *f, const struct operation *op);
/* Gets the number of a scope's window or file handle. */
enum refrain_status otf2_number_of(const struct otf2_context *c, enum otf2_object_kind kind,
                                   const struct operation_scope *scope, uint32_t *number);
/* Returns the scope of the object that a collective operation made: its number is that of the operation, + 1,
 * on the same communicator. */
struct operation_scope otf2_made_by(const struct operation *op);
/* Is the operation on a window or file whose communicator is known? */
bool otf2_has_object(const struct otf2_context *c, const struct operation *op);

/* Windows: at the beginning or end of a collective operation; an access, and its completion by its request;
 * the beginning of the call that opens an epoch, and its end; the end of an epoch, a test whether it has
 * ended, a flush. */
enum refrain_status otf2_put_window_collective(struct otf2_context *c, const struct operation *op,
                                               bool begin);
enum refrain_status otf2_put_access(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_complete_access(struct otf2_context *c, const struct otf2_pending *p);
enum refrain_status otf2_request_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_open_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_close_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_flush(struct otf2_context *c, const struct operation *op);

/* Files: the end of a collective operation that opens or closes one; reading, writing and the like; deleting
 * one. */
enum refrain_status otf2_put_file_collective(struct otf2_context *c, const struct operation *op);
/* Records the file that a call opens, even if the call is not in the archive. */
enum refrain_status otf2_note_file(struct otf2_context *c, const struct operation *op, uint32_t *handle);
enum refrain_status otf2_delete_file(struct otf2_context *c);
enum refrain_status otf2_begin_file_operation(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_end_file_operation(struct otf2_context *c, const struct operation *op);

#endif
