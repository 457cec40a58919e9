/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations that not all members have come to yet. */
#ifndef REFRAIN_COLLECTIVE_INSTANCES_H
#define REFRAIN_COLLECTIVE_INSTANCES_H

#include "matching.h"

struct collective_instance {
    struct operation_scope scope;
    uint64_t number;
    uint32_t function, family, expected;
    bool used, agree, inter;
    ARRAY(struct matching_member) members; /* as they came; the memory is used again */
};

struct collective_instances {
    struct map by_name;
    ARRAY(struct collective_instance) items;
    ARRAY(uint32_t) unused;
};

void collective_instances_free(struct collective_instances *s);
/* A member comes. `family`: of its function (role.h). Its instance, valid until the next call; NULL when
 * memory is short. */
struct collective_instance *collective_instances_join(struct collective_instances *s,
                                                      const struct operation *op, uint32_t family);
/* Have all members come? Then it is to be removed. */
bool collective_instance_is_complete(const struct collective_instance *i);
/* A number that no other instance has at the time. */
size_t collective_instances_number(const struct collective_instances *s, const struct collective_instance *i);
void collective_instances_remove(struct collective_instances *s, struct collective_instance *i);
/* For the sink, with the members by rank. */
struct matching_collective collective_instance_collective(struct collective_instance *i);
/* Those that are left, by scope and number; the array is the caller's to free. NULL when memory is short. */
struct collective_instance **collective_instances_left(const struct collective_instances *s, size_t *n);

#endif
