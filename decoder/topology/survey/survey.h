/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies of a run's communication: one for each connected component of the processes. */
#ifndef REFRAIN_SURVEY_H
#define REFRAIN_SURVEY_H

#include "rank_placement.h"

struct survey_choice {
    double threshold; /* 0 … 1: pairs below this share of the largest one are left out */
    bool by_messages;
    const struct placement
        *given;       /* known coordinates, by node; NULL: none. With them, all ranks are one component */
    bool where_exact; /* use `given` only if the communication is exactly a lattice on these coordinates, with
                         few holes */
    bool with_periods; /* the user gave `given`, with its periods */
};

/* Returns the choice for a survey of a part of the messages, which may have other patterns. */
struct survey_choice survey_choice_of_some(const struct survey_choice *c);

struct survey_component {
    uint32_t n_ranks, n_edges;
    uint32_t *ranks;   /* by node of the topology: its node of the traffic; ascending */
    uint32_t *degrees; /* degrees of these nodes, ascending */
    struct topology topology;
};

struct survey {
    const struct traffic *traffic;
    struct graph graph;                        /* edges for the pairs that reach the threshold */
    ARRAY(struct survey_component) components; /* the first one has the lowest rank */
    uint32_t *component_of;                    /* by node of the traffic; UINT32_MAX: all pairs of the node
                                                  are below the threshold */
    uint32_t *node_of;                         /* by node of the traffic: its node in the component */
    uint32_t n_silent;                         /* ranks that are in no component */
    size_t n_weak;                             /* pairs below the threshold */
    const struct placement *given;             /* the known coordinates, if they are used */
    struct traffic_sum inside; /* messages along edges of the patterns, or to the sender itself */
};

enum refrain_status survey_create(struct survey *s, const struct traffic *t, const struct pattern_library *l,
                                  const struct survey_choice *choice);
void survey_free(struct survey *s); /* also of a zeroed struct */

/* Appends the rule of a component's numbering, such as "rank = 8*y + x" (numbering.h). If the traffic is of a
 * communicator, ranks are those in the communicator. */
enum refrain_status survey_put_rule(const struct survey *s, const struct survey_component *p,
                                    struct bytes *out, bool *affine);

#endif
