/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says of a process, event by event. */
#ifndef REFRAIN_LOGICAL_WALK_H
#define REFRAIN_LOGICAL_WALK_H

#include "decoder/util/output.h"
#include "logical.h"

struct logical_walk {
    /* The caller's to set: */
    const struct logical *logical;
    uint32_t process;
    bool once; /* of each loop the first iteration only */
    /* `indices`: of the loops around as the step counts them. Ends the walk by setting `stop`. */
    enum refrain_status (*visit)(struct logical_walk *w, const struct step *s, const uint64_t *indices);
    void *context;
    /* */
    bool stop;
    bool silent;                            /* events are only counted */
    uint64_t number;                        /* of the event that is visited, among the process's */
    uint64_t indices[SYSTEM_DEPTH_MAX + 1]; /* of all loops around, through calls */
};

enum refrain_status logical_walk(struct logical_walk *w);

/* Every event of a process, a line each, as `refrain loops --expand` has it. */
enum refrain_status logical_put_events(const struct logical *l, uint32_t process, struct output *out);

#endif
