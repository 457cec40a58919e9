/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends how much to whom: messages and bytes from each rank to each other one, of a whole run or of
 * constructs of its model.
 *
 *     from  to  messages  bytes       A message counts at its send, in all modes, also of MPI_Sendrecv, of
 *        0   1       100    800       partitioned sends, and of each start of a persistent one, with the
 *        1   0       100    800       bytes that are sent. Ranks are those of the run, whatever the
 *        1   2         1     64       communicator. Nothing goes to MPI_PROC_NULL, and nothing is sent by a
 *                                     call that failed or has not returned.
 *
 * Or the same of one-sided communication: each access to a window is a message of the origin, the target, or
 * both, to the other one, with what goes there.
 *
 * Collective operations and files are not in it. Pairs without messages have no cell. */
#ifndef REFRAIN_MATRIX_H
#define REFRAIN_MATRIX_H

#include "decoder/event/call_event.h"
#include "decoder/model/construct_path.h"
#include "decoder/model/model.h"

#define MATRIX_OUTSIDE UINT32_MAX /* a process that the trace does not tell of */

struct matrix {
    uint32_t first_rank, n_ranks; /* of the trace */
    ARRAY(struct matrix_cell {
        uint32_t from;
        uint32_t to; /* ranks; either may be MATRIX_OUTSIDE */
        uint64_t messages;
        uint64_t bytes;
    })
    cells;                   /* once finished by from and to, outside last */
    struct map cell_numbers; /* of cells */
    /* Starts of persistent requests of which nothing tells what they were made for: they may have been sends
     * that are not in the cells. (While a run is counted, also accesses to windows of which nothing tells.)
     */
    uint64_t unclear;
};

void matrix_free(struct matrix *m); /* also of a zeroed struct */
void matrix_clear(struct matrix *m);
enum refrain_status matrix_add(struct matrix *m, uint32_t from, uint32_t to, uint64_t messages,
                               uint64_t bytes);
/* All of `from`, as often. */
enum refrain_status matrix_add_all(struct matrix *m, const struct matrix *from, uint64_t times);
/* Is c time number k of something that comes several times, where a is time 0 and b time 1? Each has as many
 * messages in each cell, and bytes that grow by the same each time. */
bool matrix_continues(const struct matrix *a, const struct matrix *b, const struct matrix *c, uint64_t k);
/* Add so many times of it. */
enum refrain_status matrix_add_progress(struct matrix *m, const struct matrix *a, const struct matrix *b,
                                        uint64_t times);
void matrix_finish(struct matrix *m);

/* Of all calls of a trace, counted on its grammar: how often each row of each site comes, and what columns
 * repeat, in time that does not grow with the number of iterations. A rank that starts persistent requests,
 * or accesses windows, of which their numbers alone do not tell what they are is walked call by call. `mode`:
 * CALL_EVENT_SENT for messages, CALL_EVENT_ACCESSES for one-sided communication. (matrix_trace.c) */
enum refrain_status matrix_of_trace(struct matrix *m, const struct reader *r, const struct definitions *d,
                                    enum call_event_mode mode);

/* Of all occurrences of constructs of the trace's model (without --calls). Which messages these are is told
 * by the model; what each has in bytes, by walking the sends of the ranks in it side by side with the
 * model's. (matrix_construct.c) */
enum refrain_status matrix_of_constructs(struct matrix *m, const struct reader *r,
                                         const struct definitions *d, const struct model *model,
                                         const struct construct_range *range);

/* ---- what the two share (matrix_site.c) ------------------------------------------------------ */

/* Add an event of CALL_EVENT_SENT or CALL_EVENT_ACCESSES, so many times. */
enum refrain_status matrix_add_event(struct matrix *m, const struct event_templates *templates,
                                     const struct event_list *list, size_t at, uint64_t times);
/* Add what a rank's calls of a site send, `calls` in all. The source has one of these modes, and the lane. */
enum refrain_status matrix_add_site(struct matrix *m, struct call_event_source *source,
                                    const struct lane_ref *lane, const struct entry *entry, uint64_t calls);

#endif
