/* Collective operations that not all members have come to yet. */
#ifndef REFRAIN_INSTANCES_H
#define REFRAIN_INSTANCES_H

#include "matching.h"

struct instance {
    struct operation_scope scope;
    uint64_t number;
    uint32_t function, family, expected;
    bool used, agree, inter;
    ARRAY(struct matching_member) members; /* as they came; the memory is used again */
};

struct instances {
    struct map by_name;
    ARRAY(struct instance) items;
    ARRAY(uint32_t) unused;
};

void instances_free(struct instances *s);
/* A member comes. `family`: of its function (role.h). Its instance, valid until the next call; NULL when
 * memory is short. */
struct instance *instances_join(struct instances *s, const struct operation *op, uint32_t family);
/* Have all members come? Then it is to be removed. */
bool instance_is_complete(const struct instance *i);
/* A number that no other instance has at the time. */
size_t instances_number(const struct instances *s, const struct instance *i);
void instances_remove(struct instances *s, struct instance *i);
/* For the sink, with the members by rank. */
struct matching_collective instance_collective(struct instance *i);
/* Those that are left, by scope and number; the array is the caller's to free. NULL when memory is short. */
struct instance **instances_left(const struct instances *s, size_t *n);

#endif
