/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of otf2_events.h: messages and collective operations, windows, files. */
#ifndef REFRAIN_OTF2_EVENTS_IMPL_H
#define REFRAIN_OTF2_EVENTS_IMPL_H

#include "otf2_events.h"

/* A request that an event has announced. */
struct otf2_pending {
    bool open;
    enum operation_kind kind;
    uint64_t id;
    /* Of a collective operation: */
    OTF2_CollectiveOp operation;
    OTF2_CommRef comm;
    uint32_t root;
    /* Of an operation on a file, or an access to a window: */
    uint32_t object; /* number of the file handle or window */
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
    uint64_t time; /* the call's next records get this timestamp or a later one */
    /* Set at the begin of the call, for its end: */
    bool collective;                 /* the call has a collective operation, which must be written: */
    struct otf2_pending description; /* the collective operation */
    uint64_t file_operation;         /* identity of the call's operation on a file; a call has at most one */
    uint64_t file_bytes;             /* bytes that this operation is meant to move */
};

#define RECORD(c, what, ...)                                                                                 \
    otf2_check(OTF2_EvtWriter_##what((c)->w->writer, NULL, otf2_timestamp((c)->w, (c)->time), ##__VA_ARGS__))

/* Opens the request that an event announces. Returns NULL if memory is short. */
struct otf2_pending *otf2_open_request(struct otf2_flight *f, const struct operation *op);
/* Gets the number of a scope's window or file handle. */
enum refrain_status otf2_number_of(const struct otf2_context *c, enum otf2_object_kind kind,
                                   const struct operation_scope *scope, uint32_t *number);
/* Returns the scope of the object that a collective operation made. The scope's communicator is that of the
 * operation; its number is one more than the number of the operation. */
struct operation_scope otf2_made_by(const struct operation *op);
/* Is the operation on a window or file whose communicator is known? */
bool otf2_has_object(const struct otf2_context *c, const struct operation *op);

/* Windows. In this order: the beginning or end of a collective operation; an access; the completion of an
 * access by its request; the beginning and the end of a call that opens an epoch; the end of an epoch, or a
 * test whether the epoch has ended; a flush. */
enum refrain_status otf2_put_window_collective(struct otf2_context *c, const struct operation *op,
                                               bool begin);
enum refrain_status otf2_put_access(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_complete_access(struct otf2_context *c, const struct otf2_pending *p);
enum refrain_status otf2_request_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_open_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_close_epoch(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_flush(struct otf2_context *c, const struct operation *op);

/* Files. In this order: the end of a collective operation that opens or closes a file; the call that opens a
 * file; a call that deletes a file; the beginning and the end of reading, writing and similar operations. */
enum refrain_status otf2_put_file_collective(struct otf2_context *c, const struct operation *op);
/* This function is also called if the call is not in the archive. */
enum refrain_status otf2_note_file(struct otf2_context *c, const struct operation *op, uint32_t *handle);
enum refrain_status otf2_delete_file(struct otf2_context *c);
enum refrain_status otf2_begin_file_operation(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_end_file_operation(struct otf2_context *c, const struct operation *op);

#endif
