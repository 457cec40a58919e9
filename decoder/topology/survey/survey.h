/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies of a run's communication: one, or one for each component of the processes if they do not all hang together. */
#ifndef REFRAIN_SURVEY_H
#define REFRAIN_SURVEY_H

#include "rank_placement.h"

struct survey_choice {
    double threshold; /* 0 … 1: pairs below this share of the largest one are left out */
    bool by_messages;
    const struct placement
        *given;       /* coordinates that are known, by node; NULL: none. All ranks are one component then, */
    bool where_exact; /* but only if their communication is exactly a lattice on them, with few holes */
};

/* For some of the same messages: other patterns may be in them. */
struct survey_choice survey_choice_of_some(const struct survey_choice *c);

struct survey_component {
    uint32_t n_ranks, n_edges;
    uint32_t *ranks;   /* ascending; nodes of the traffic, by nodes of the topology */
    uint32_t *degrees; /* of these, ascending */
    struct topology topology;
};

struct survey {
    const struct traffic *traffic;
    struct graph graph;                        /* of the pairs that count */
    ARRAY(struct survey_component) components; /* the first one has the lowest rank */
    uint32_t *component_of;                    /* by node of the traffic; UINT32_MAX: no pair of it counts */
    uint32_t *node_of;                         /* by node of the traffic: its node in the component */
    uint32_t n_silent;                         /* ranks that are in no component */
    size_t n_weak;                             /* pairs that are left out */
    const struct placement *given;             /* the coordinates, if they were known and hold */
    struct traffic_sum inside; /* what goes along edges of the patterns, or to the sender itself */
};

enum refrain_status survey_create(struct survey *s, const struct traffic *t, const struct pattern_library *l,
                                  const struct survey_choice *choice);
void survey_free(struct survey *s); /* also of a zeroed struct */

/* "rank = 8*y + x" (numbering.h), of a component; of a communicator's members the rank is that in it. */
enum refrain_status survey_put_rule(const struct survey *s, const struct survey_component *p,
                                    struct bytes *out, bool *affine);

#endif
