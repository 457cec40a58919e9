/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of many ranks; equal models are kept once. Two models are equal if they have the same template and
 * all their numbers agree. A number that is a rank may be taken relative to the rank of the model:
 *
 *     rank 1  for 100 { send 2 tag5 }        rank 2  for 100 { send 3 tag5 }
 *     ranks 1-2  for 100 { send rank+1 tag5 } */
#ifndef REFRAIN_LOOP_GROUPS_H
#define REFRAIN_LOOP_GROUPS_H

#include "decoder/event/event_template.h"
#include "nlr.h"

/* How a value that is a rank agrees between the ranks of a group; both may hold. */
enum { LOOP_CONSTANT = 1, LOOP_RELATIVE = 2 };

struct loop_group {
    struct nlr *model; /* model of the first rank; owned */
    uint32_t thread;
    ARRAY(uint32_t) ranks;
    uint8_t *holds;  /* by word of the model: LOOP_ bits of a value that is a rank; 0 for other words;
                        owned */
    uint64_t events; /* of each rank */
};

struct loop_member {
    uint32_t rank, thread, group;
};

struct loop_groups {
    const struct event_templates *templates;
    ARRAY(struct loop_group) groups;
    ARRAY(struct loop_member) members; /* in the order in which they were added */
    struct map by_template;            /* hash of the parts that must be equal, or of these and a rank
                                          (loop_groups.c) -> index in `lists` */
    ARRAY(struct loop_group_list {
        uint32_t first; /* entries: the groups with this hash, ascending */
        uint32_t last;
        uint32_t n;
    })
    lists;
    ARRAY(struct loop_group_entry {
        uint32_t group;
        uint32_t next; /* entry; MAP_NONE after the last */
    })
    entries;
};

void loop_groups_free(struct loop_groups *g);
/* Adds a finished model. Takes ownership of the model, also after an error. */
enum refrain_status loop_groups_add(struct loop_groups *g, uint32_t rank, uint32_t thread, struct nlr *model);

/* Is number j of a template a rank? */
bool loop_is_rank(const struct event_templates *f, uint32_t template, uint32_t j);
/* Is the value in this word of the group's model relative to the rank? */
static inline bool loop_is_relative(const struct loop_group *g, size_t word)
{
    return g->holds[word] == LOOP_RELATIVE;
}

#endif
