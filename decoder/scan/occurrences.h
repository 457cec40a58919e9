/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the occurrences of a model's construct (system.h) among the events of one process.
 *
 *     for i0 = 0 to 9   [0-1]                        process 0    a b  a b b  a b b b  …
 *       0 local a
 *       for i1 = 0 to i0   [0]                       of construct 1.2
 *         0 local b                                    start       1 + 3/2*i0 + 1/2*i0^2
 *       done                                           end         1 + 5/2*i0 + 1/2*i0^2
 *       1 local c                                      iteration   1 + 3/2*i0 + 1/2*i0^2 + i1
 *     done
 *
 * The model has all events of a process, in order. So the number of an event is the count of the process's
 * events before it: of the constructs before it in each body around, and of the earlier iterations. Bounds of
 * loops are affine, so these counts are polynomials in the indices, and so is the event's number.
 *
 * This fails if a bound may be negative for some indices, since the loop is then empty, or if a coefficient
 * overflows. In these cases events are counted loop by loop. */
#ifndef REFRAIN_OCCURRENCES_H
#define REFRAIN_OCCURRENCES_H

#include "decoder/model/construct_path.h"
#include "polynomial.h"

enum occurrence_point {
    OCCURRENCE_START,     /* the first event of a loop */
    OCCURRENCE_END,       /* its last one */
    OCCURRENCE_ITERATION, /* the first event of each iteration */
    OCCURRENCE_EVENT      /* of a construct that is not a loop */
};

/* The number of the process's events in some constructs, for the indices of the loops around. */
struct event_count {
    const struct system *system;
    size_t first, end; /* constructs first … end - 1 of the system */
    uint32_t depth;    /* loops around */
    struct polynomial events;
};

/* One level of the path: the top level, or the body of a loop around the construct. */
struct occurrence_level {
    struct event_count before; /* in the same body */
    const uint64_t *bound;   /* bound of the next inner loop, affine in the indices of the loops around it */
    struct event_count each; /* in one iteration of that loop; not used in the last level */
};

struct occurrences {
    uint32_t process;
    enum occurrence_point point;
    uint32_t depth;                        /* loops around; their indices identify the occurrence */
    ARRAY(struct occurrence_level) levels; /* depth + 1 */
    struct event_count
        inside; /* in the construct or its iteration; 0 for some indices: no occurrence there */
    struct polynomial position; /* number of the event, from 0 */
};

/* Finds the occurrences of a point of the construct that the path names. A loop has all points except EVENT,
 * an event has only EVENT. `top` must outlive the occurrences. The caller frees *o, also after an error. */
enum refrain_status occurrences_find(struct occurrences *o, const struct system *top,
                                     const struct construct_path *path, enum occurrence_point point,
                                     uint32_t process);
void occurrences_free(struct occurrences *o);

/* ---- constructs of a body, one after the other ----------------------------------------------- */

/* The loops around a construct. */
struct surroundings {
    uint32_t process;
    const uint64_t *bounds[SYSTEM_DEPTH_MAX];
};

/* A position among the constructs of one body or the top level. A step to the next construct counts only the
 * construct that is passed, not the levels around again. */
struct construct_occurrences {
    const struct system *body;
    size_t at; /* body->n: after the last */
    struct surroundings around;
    struct occurrences outside; /* `position`: where the body begins; `before` of the last level: the events
                                   of the body before this construct */
};

/* Starts at the construct that the path names. The caller frees *p, also after an error. */
enum refrain_status construct_occurrences_find(struct construct_occurrences *p, const struct system *top,
                                               const struct construct_path *path, uint32_t process);
void construct_occurrences_free(struct construct_occurrences *p);
/* The same as occurrences_find. */
enum refrain_status construct_occurrences_of(struct construct_occurrences *p, enum occurrence_point point,
                                             struct occurrences *o);
/* Moves to the next construct. */
void construct_occurrences_pass(struct construct_occurrences *p);

/* ---- results --------------------------------------------------------------------------------- */

/* Are `position` and `inside` exact polynomials? */
bool occurrences_are_polynomial(const struct occurrences *o);

/* Does the construct have events for all indices? */
bool occurrences_are_certain(const struct occurrences *o);

/* Walks the occurrences in the order of the process. `found` gets the indices, which count from 0, and the
 * number of the event. If `found` returns an error, the walk ends with this error. */
enum refrain_status occurrences_walk(const struct occurrences *o,
                                     enum refrain_status (*found)(void *context, const uint64_t *indices,
                                                                  uint64_t event),
                                     void *context);

#endif
