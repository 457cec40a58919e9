/* Windows and files of a rank that are in use: which collective operation made them, on what, and the epochs
 * of a window that are open. */
#ifndef REFRAIN_OBJECTS_H
#define REFRAIN_OBJECTS_H

#include "operation.h"

struct epoch {
    enum role_epoch kind;
    int64_t target; /* rank in the run, OPERATION_ANY: all */
    struct call_ref opened;
    uint32_t opened_by; /* the function */
    const struct process_group *partners;
};

struct object {
    uint64_t key;
    struct group_view members;
    struct operation_scope scope;
    uint64_t collectives; /* so far */
    ARRAY(struct epoch) epochs;
};

/* Few at a time. */
struct objects {
    ARRAY(struct object) items;
};

uint64_t object_key(bool file, int64_t handle);
/* NULL if there is none; valid until the next that is added or removed. */
struct object *objects_find(struct objects *o, uint64_t key);
/* In the place of the one with the key, if there is any. False when memory is short. */
bool objects_add(struct objects *o, const struct object *object);
void objects_remove(struct objects *o, uint64_t key);
void objects_free(struct objects *o);

bool object_open(struct object *o, const struct epoch *e);
/* The epoch of this kind and target; NULL if there is none. Valid until the next that is opened or closed. */
struct epoch *object_epoch(struct object *o, enum role_epoch kind, int64_t target);
/* The epoch that an access to the target belongs to; NULL if none is open. */
const struct epoch *object_access(struct object *o, int64_t target);
void object_close(struct object *o, const struct epoch *e);

#endif
