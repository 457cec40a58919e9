/* SPDX-License-Identifier: BSD-3-Clause */
/* Which part of the global model has which topology:
 *
 *     7-392       2x2x4 torus     what is between collective operations is a phase,
 *     395.1-192   2x2x4 torus     and so is a loop; but one that is no pattern is looked into
 *     396         16-node star */
#ifndef REFRAIN_PHASES_H
#define REFRAIN_PHASES_H

#include "decoder/model/construct_path.h"
#include "survey.h"

struct phase {
    struct construct_path first, last; /* of one body */
    char *name;                        /* of its topology */
    uint64_t edges;                    /* a hash of them: equal names may be of different pairs */
    char *directions;       /* if that is not exact: where it goes in the run's coordinates; NULL */
    struct traffic_sum sum; /* of all its occurrences */
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
