/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies of the parts of the global model:
 *
 *     7-392       2x2x4 torus     constructs between two collective operations are a phase;
 *     395.1-192   2x2x4 torus     a loop is a phase, too; if it has no pattern, its body is divided
 *     396         16-node star */
#ifndef REFRAIN_PHASES_H
#define REFRAIN_PHASES_H

#include "decoder/model/construct_path.h"
#include "survey.h"

struct phase {
    struct construct_path first, last; /* of one body */
    char *name;                        /* name of the topology */
    uint64_t edges;                    /* hash of the edges, because topologies with equal names may connect
                                          different pairs of ranks */
    char *directions;       /* if the topology is not exact: directions of the messages in the run's
                               coordinates; otherwise NULL */
    struct traffic_sum sum; /* messages of all occurrences of the phase */
};

struct phases {
    ARRAY(struct phase) items; /* in the order of the model; those without messages are left out */
};

/* `run` is the survey of all messages. */
enum refrain_status phases_create(struct phases *p, const struct reader *r, const struct definitions *d,
                                  const struct model *model, const struct pattern_library *l,
                                  const struct survey *run, const struct survey_choice *choice);
void phases_free(struct phases *p); /* also of a zeroed struct */
/* "395.1-192" */
void phase_put_path(const struct phase *p, struct bytes *out);

#endif
