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

/* What the program itself tells apart: the call site that sends, the communicator and the tag. */
struct matrix_label {
    uint32_t site; /* MATRIX_NO_SITE: not known */
    int64_t comm;  /* as in group_view; -1 if nothing tells which */
    int64_t
        tag; /* what a tag that varies from call to call begins with; -1 for any other that is not known */
};
#define MATRIX_NO_SITE UINT32_MAX

struct matrix_labels {
    ARRAY(struct matrix_label) items;
    struct map by_hash;
};

struct matrix {
    uint32_t first_rank, n_ranks; /* of the trace */
    ARRAY(struct matrix_cell {
        uint32_t from;
        uint32_t to;    /* ranks; either may be MATRIX_OUTSIDE */
        uint64_t label; /* 0 in a matrix without labels; otherwise a cell is of one of them */
        uint64_t messages;
        uint64_t bytes;
    })
    cells;                        /* once finished by from, to and label, outside last */
    struct map cell_numbers;      /* of cells */
    struct matrix_labels *labels; /* the caller's; NULL: none */
    uint32_t site;                /* while a site is counted: of the labels */
    /* Starts of persistent requests of which nothing tells what they were made for: they may have been sends
     * that are not in the cells. (While a run is counted, also accesses to windows of which nothing tells.)
     */
    uint64_t unclear;
};

void matrix_free(struct matrix *m); /* also of a zeroed struct */
void matrix_clear(struct matrix *m);
enum refrain_status matrix_add(struct matrix *m, uint32_t from, uint32_t to, uint64_t messages,
                               uint64_t bytes);
/* In a matrix with labels. */
enum refrain_status matrix_add_labelled(struct matrix *m, const struct matrix_label *label, uint32_t from,
                                        uint32_t to, uint64_t messages, uint64_t bytes);
void matrix_labels_free(struct matrix_labels *l); /* also of a zeroed struct */
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

/* The messages of a trace by label. The labels, empty at first, have to stay as long as the matrix. */
enum refrain_status matrix_of_trace_labelled(struct matrix *m, struct matrix_labels *labels,
                                             const struct reader *r, const struct definitions *d);

/* Of all occurrences of constructs of the trace's model (without --calls). Which messages these are is told
 * by the model; what each has in bytes, by walking the sends of the ranks in it side by side with the
 * model's. (matrix_construct.c) */
enum refrain_status matrix_of_constructs(struct matrix *m, const struct reader *r,
                                         const struct definitions *d, const struct model *model,
                                         const struct construct_range *range);

/* Of n ranges of one body, ascending, each into a matrix of its own, in one walk. */
enum refrain_status matrix_of_ranges(struct matrix *m, const struct reader *r, const struct definitions *d,
                                     const struct model *model, const struct construct_range *ranges,
                                     size_t n);

/* ---- what the two share (matrix_site.c) ------------------------------------------------------ */

/* Add an event of CALL_EVENT_SENT or CALL_EVENT_ACCESSES, or of CALL_EVENT_LABELLED if m has labels, so many times. */
enum refrain_status matrix_add_event(struct matrix *m, const struct event_templates *templates,
                                     const struct event_list *list, size_t at, uint64_t times);
/* Add what a rank's calls of a site send, `calls` in all. The source has one of these modes, and the lane. */
enum refrain_status matrix_add_site(struct matrix *m, struct call_event_source *source,
                                    const struct lane_ref *lane, const struct entry *entry, uint64_t calls);

#endif
