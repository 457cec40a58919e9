/* Collective operations that not all members have come to yet. */
#ifndef REFRAIN_INSTANCES_H
#define REFRAIN_INSTANCES_H

#include "matching.h"

struct instance {
    struct operation_scope scope;
    uint64_t number;
    uint32_t function, family, expected;
    bool used, agree;
    ARRAY(struct call_ref) members; /* as they came; the memory is used again */
};

struct instances {
    struct map by_name;
    ARRAY(struct instance) items;
    ARRAY(uint32_t) unused;
};

void instances_free(struct instances *s);
/* A member comes. `family`: of its function (role.h). The instance if it is complete with that, to be
 * removed; valid until the next call; NULL otherwise, and when memory is short (*status). */
struct instance *instances_join(struct instances *s, const struct operation *op, uint32_t family,
                                enum refrain_status *status);
void instances_remove(struct instances *s, struct instance *i);
/* For the sink, with the members by rank. */
struct matching_collective instance_collective(struct instance *i);
/* Those that are left, by scope and number; the array is the caller's to free. NULL when memory is short. */
struct instance **instances_left(const struct instances *s, size_t *n);

#endif
