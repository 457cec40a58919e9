/* SPDX-License-Identifier: BSD-3-Clause */
/* One model of a whole program, from the loop models of its processes (docs/MODEL.md).
 *
 *     process 0  for 10 { send 1 a }  send 1 b           for i0 = 1 to 10   [0-1]   0 -> 1 a   done
 *     process 1  for 10 { recv 0 a }  recv 0 b           0 -> 1 b
 *
 * The idea and most names are those of A. Ketterlin, "Loop-based modeling of parallel communication traces",
 * INRIA 2014: loops of processes that communicate are split where the partner changes (model_regularize.c),
 * and then become one loop, whose body is modelled in the same way (model_coalesce.c). The model is
 * executable: expanded for one process, it gives exactly that process's sequence of events. */
#ifndef REFRAIN_MODEL_H
#define REFRAIN_MODEL_H

#include "decoder/loops/loop_groups.h"
#include "system.h"

struct model {
    const struct event_templates *templates;
    struct arena arena;
    ARRAY(struct model_process {
        uint32_t rank;
        uint32_t thread;
        const struct system *own; /* the process's constructs, with their original numbers */
    })
    processes;
    const struct system *all;
};

/* Makes the model of all members of `groups`, in their order. The groups are needed only during this call;
 * the templates must live as long as the model. */
enum refrain_status model_create(struct model *m, const struct loop_groups *groups);
/* Makes only the processes, each with its own system; `all` is not made. */
enum refrain_status model_create_processes(struct model *m, const struct loop_groups *groups);
void model_free(struct model *m); /* also of a zeroed struct */

/* A position in the events of a process. */
struct model_path {
    uint32_t process;
    uint32_t depth; /* loops around the last event */
    uint64_t indices[SYSTEM_DEPTH_MAX];
    struct model_frame {
        const struct system *system;
        size_t at;
        uint64_t count; /* of the loop whose body it is */
    } frames[SYSTEM_DEPTH_MAX + 1];
};

/* Starts a walk over all events of a process in a system, in order. The model must outlive the walk. */
void model_path_start(struct model_path *p, const struct system *system, uint32_t process);
/* Returns the next event, at the indices of the path; NULL at the end. */
const struct act *model_path_next(struct model_path *p);

#endif
