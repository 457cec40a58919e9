/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the events that a program has for one process. */
#ifndef REFRAIN_LOGICAL_WALK_H
#define REFRAIN_LOGICAL_WALK_H

#include "decoder/logical/joint/joint.h"
#include "decoder/util/output.h"

struct logical_walk {
    /* Set by the caller: */
    const struct logical *logical;
    uint32_t process;
    struct joint *joint; /* NULL: steps in their own order; otherwise in the order of its groups */
    bool once;           /* walk only the first iteration of each loop */
    /* Called for each event. `indices` are those of the loops around the step, without loops around a call.
     * Set `stop` to end the walk. */
    enum refrain_status (*visit)(struct logical_walk *w, const struct step *s, const uint64_t *indices);
    void *context;
    /* */
    bool stop;
    bool silent;                            /* events are only counted */
    uint64_t number;                        /* number of the visited event among the process's events */
    uint64_t indices[SYSTEM_DEPTH_MAX + 1]; /* of all loops around, including loops around calls */
    struct map of_body;                     /* steps -> index of the process's own steps … */
    ARRAY(struct steps) bodies;             /* … here, in the order of groups */
};

enum refrain_status logical_walk(struct logical_walk *w);

/* Writes every event of a process, one per line, as `refrain loops --expand` does. `joint` is as above. */
enum refrain_status logical_put_events(const struct logical *l, struct joint *joint, uint32_t process,
                                       struct output *out);

#endif
