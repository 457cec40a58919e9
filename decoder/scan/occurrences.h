/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a construct of a model (system.h) occurs among the events of one of its processes.
 *
 *     for i0 = 0 to 9   [0-1]                        process 0    a b  a b b  a b b b  …
 *       0 local a
 *       for i1 = 0 to i0   [0]                       of construct 1.2
 *         0 local b                                    start       1 + 3/2*i0 + 1/2*i0^2
 *       done                                           end         1 + 5/2*i0 + 1/2*i0^2
 *       1 local c                                      iteration   1 + 3/2*i0 + 1/2*i0^2 + i1
 *     done
 *
 * What the model has of a process is all of its events, in order. So the number of an event is how many
 * events the constructs before it have, of this process: those before it in each body around, and those of
 * the iterations before. Bounds of loops are affine, so these numbers are polynomials in the indices; the
 * place is one, too.
 *
 * They are not where a bound may be less than 0 for some indices, since the loop is empty then, or where a
 * coefficient has no room. There events are counted, loop by loop. */
#ifndef REFRAIN_OCCURRENCES_H
#define REFRAIN_OCCURRENCES_H

#include "decoder/model/construct_path.h"
#include "polynomial.h"

enum occurrence_point {
    OCCURRENCE_START,     /* the first event of a loop */
    OCCURRENCE_END,       /* its last one */
    OCCURRENCE_ITERATION, /* the first event of each iteration */
    OCCURRENCE_EVENT      /* of a construct that is no loop */
};

/* How many events of the process something has, for the indices around it. */
struct event_count {
    const struct system *system;
    size_t first, end; /* of the system's constructs, these */
    uint32_t depth;    /* loops around */
    struct polynomial events;
};

/* The top level, or the body of a loop around, and what lies in it on the way inside. */
struct occurrence_level {
    struct event_count before; /* in the same body */
    const uint64_t *bound;     /* of the loop that comes then, affine in the indices of those around it; */
    struct event_count each;   /* in an iteration of that loop. The last level has none */
};

struct occurrences {
    uint32_t process;
    enum occurrence_point point;
    uint32_t depth;                        /* loops around, those whose indices tell which occurrence it is */
    ARRAY(struct occurrence_level) levels; /* depth + 1 */
    struct event_count
        inside; /* in the construct, or its iteration; none for some indices: it does not occur */
    struct polynomial position; /* number of the event, from 0 */
};

/* Of a point of the construct that the path names; a loop has no EVENT, and an event nothing else. The system
 * that the path begins in has to stay. To be freed in any case. */
enum refrain_status occurrences_find(struct occurrences *o, const struct system *top,
                                     const struct construct_path *path, enum occurrence_point point,
                                     uint32_t process);
void occurrences_free(struct occurrences *o);

/* ---- constructs of a body, one after the other ----------------------------------------------- */

/* The loops around something. */
struct surroundings {
    uint32_t process;
    const uint64_t *bounds[SYSTEM_DEPTH_MAX];
};

/* A construct among others of the same body, or of the top level. Going on counts what is passed, and not
 * again what is around all of them. */
struct construct_occurrences {
    const struct system *body;
    size_t at; /* body->n: behind the last */
    struct surroundings around;
    struct occurrences outside; /* `position` is where the body begins, and the last level's `before` is what
                                   it has before this construct */
};

/* That which the path names. To be freed in any case. */
enum refrain_status construct_occurrences_find(struct construct_occurrences *p, const struct system *top,
                                               const struct construct_path *path, uint32_t process);
void construct_occurrences_free(struct construct_occurrences *p);
/* The same as occurrences_find. */
enum refrain_status construct_occurrences_of(struct construct_occurrences *p, enum occurrence_point point,
                                             struct occurrences *o);
/* On to the next one. */
void construct_occurrences_pass(struct construct_occurrences *p);

/* ---- what they say --------------------------------------------------------------------------- */

/* Is `position` of use, and the polynomial of what is inside? */
bool occurrences_are_polynomial(const struct occurrences *o);

/* Is there something inside whatever the indices? */
bool occurrences_are_certain(const struct occurrences *o);

/* One after the other, in the order of the process, by what each iteration adds: `found` gets the indices,
 * which count from 0, and the number of the event. What it returns, unless all is well, ends the walk. */
enum refrain_status occurrences_walk(const struct occurrences *o,
                                     enum refrain_status (*found)(void *context, const uint64_t *indices,
                                                                  uint64_t event),
                                     void *context);

#endif
