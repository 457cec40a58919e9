/* What the parts of otf2_events.h share: messages and collective operations, windows, files. */
#ifndef REFRAIN_OTF2_EVENTS_IMPL_H
#define REFRAIN_OTF2_EVENTS_IMPL_H

#include "otf2_events.h"

/* A request that an event told of. */
struct otf2_pending {
    bool open;
    enum operation_kind kind;
    uint64_t id;
    /* Of a collective operation; */
    OTF2_CollectiveOp operation;
    OTF2_CommRef comm;
    uint32_t root;
    /* of a file operation: */
    uint32_t object;
};

struct otf2_issued {
    uint32_t window;
    int64_t target; /* rank in the run */
    uint64_t id;
};

/* The call whose records are being written. */
struct otf2_context {
    struct otf2_writer *w;
    struct otf2_flight *f;
    const struct otf2_shared *x;
    const struct call *call;
    uint64_t time; /* not before that */
    /* What its beginning leaves for its end: */
    bool collective; /* there is a collective operation to tell of, */
    struct otf2_pending description;
    uint64_t file_operation; /* the identity of one on a file; a call has at most one of each */
};

#define RECORD(c, what, ...)                                                                                 \
    otf2_check(OTF2_EvtWriter_##what((c)->w->writer, NULL, otf2_stamp((c)->w, (c)->time), ##__VA_ARGS__))

/* A request that an event tells of; NULL when memory is short. */
struct otf2_pending *otf2_open_request(struct otf2_flight *f, const struct operation *op);
/* The number of the window or file that a scope is. `name` is that of a file, or "". */
enum refrain_status otf2_number_of(const struct otf2_context *c, enum otf2_object_kind kind,
                                   const struct operation_scope *scope, const char *name, uint32_t *number);
/* What a collective operation made: it has the number of that operation, + 1, on the same communicator. */
struct operation_scope otf2_made_by(const struct operation *op);
/* Is the operation on a window or file whose communicator is known? */
bool otf2_has_object(const struct otf2_context *c, const struct operation *op);

/* Windows: at the beginning or end of a collective operation; an access; the end of an epoch, or a flush,
 * which completes what was issued to its target; the lock of one target. */
enum refrain_status otf2_put_window_collective(struct otf2_context *c, const struct operation *op,
                                               bool begin);
enum refrain_status otf2_put_access(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_complete_accesses(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_put_lock(struct otf2_context *c, const struct operation *op, bool acquire);

/* Files: the end of a collective operation that opens or closes one; reading and writing. */
enum refrain_status otf2_put_file_collective(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_begin_file_operation(struct otf2_context *c, const struct operation *op);
enum refrain_status otf2_end_file_operation(struct otf2_context *c, const struct operation *op);

#endif
