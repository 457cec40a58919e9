/* SPDX-License-Identifier: BSD-3-Clause */
/* The communication matrix: messages and bytes from each rank to each other rank, for a whole run or for
 * constructs of its model.
 *
 *     from  to  messages  bytes       A message counts at its send, in all modes, also of MPI_Sendrecv, of
 *        0   1       100    800       partitioned sends, and of each start of a persistent one, with the
 *        1   0       100    800       bytes that are sent. Ranks are those of the run, whatever the
 *        1   2         1     64       communicator. Nothing goes to MPI_PROC_NULL, and nothing is sent by a
 *                                     call that failed or has not returned.
 *
 * The same exists for one-sided communication. Each access to a window counts as a message from the origin to
 * the target, or back, or both, with the bytes that go that way.
 *
 * Collective operations and files are not counted. Pairs without messages have no cell. */
#ifndef REFRAIN_MATRIX_H
#define REFRAIN_MATRIX_H

#include "decoder/event/call_event.h"
#include "decoder/model/construct_path.h"
#include "decoder/model/model.h"

#define MATRIX_OUTSIDE UINT32_MAX /* a process that the trace does not tell of */

/* A label that separates messages: the call site that sends, the communicator and the tag. */
struct matrix_label {
    uint32_t site; /* MATRIX_NO_SITE: not known */
    int64_t comm;  /* as in group_view; -1: not known */
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
        uint64_t label; /* the cell's label; 0 in a matrix without labels */
        uint64_t messages;
        uint64_t bytes;
    })
    cells;                        /* after matrix_finish sorted by from, to and label; outside last */
    struct map cell_numbers;      /* of cells */
    struct matrix_labels *labels; /* the caller's; NULL: none */
    uint32_t site;                /* while a site is counted: of the labels */
    /* Starts of persistent requests whose operation is unknown: they may be sends that the cells lack. (While
     * a run is counted, also accesses to unknown windows.) */
    uint64_t unclear;
};

void matrix_free(struct matrix *m); /* also of a zeroed struct */
void matrix_clear(struct matrix *m);
enum refrain_status matrix_add(struct matrix *m, uint32_t from, uint32_t to, uint64_t messages,
                               uint64_t bytes);
/* The same for a matrix with labels. */
enum refrain_status matrix_add_labelled(struct matrix *m, const struct matrix_label *label, uint32_t from,
                                        uint32_t to, uint64_t messages, uint64_t bytes);
void matrix_labels_free(struct matrix_labels *l); /* also of a zeroed struct */
/* Adds all cells of `from`, multiplied by `times`. */
enum refrain_status matrix_add_all(struct matrix *m, const struct matrix *from, uint64_t times);
/* Is c occurrence k of a series with a as occurrence 0 and b as occurrence 1? In each cell the messages must
 * be equal, and the bytes must grow by a constant step. */
bool matrix_continues(const struct matrix *a, const struct matrix *b, const struct matrix *c, uint64_t k);
/* Adds the first `times` occurrences of this series. */
enum refrain_status matrix_add_progress(struct matrix *m, const struct matrix *a, const struct matrix *b,
                                        uint64_t times);
void matrix_finish(struct matrix *m);

/* Counts all calls of a trace on its grammar: how often each row of each site comes, and what columns repeat,
 * in time that does not grow with the number of iterations. A rank whose persistent requests or windows have
 * ambiguous numbers is walked call by call. `mode`: CALL_EVENT_SENT for messages, CALL_EVENT_ACCESSES for
 * one-sided communication. (matrix_trace.c) */
enum refrain_status matrix_of_trace(struct matrix *m, const struct reader *r, const struct definitions *d,
                                    enum call_event_mode mode);

/* Counts the messages of a trace by label. The labels must be empty, and must outlive the matrix. */
enum refrain_status matrix_of_trace_labelled(struct matrix *m, struct matrix_labels *labels,
                                             const struct reader *r, const struct definitions *d);

/* Counts all occurrences of constructs of the trace's model (without --calls). The model gives the messages.
 * Their bytes are found by walking the sends of the ranks in parallel with the model's sends.
 * (matrix_construct.c) */
enum refrain_status matrix_of_constructs(struct matrix *m, const struct reader *r,
                                         const struct definitions *d, const struct model *model,
                                         const struct construct_range *range);

/* Counts n ascending ranges of one body, each into its own matrix, in one walk. */
enum refrain_status matrix_of_ranges(struct matrix *m, const struct reader *r, const struct definitions *d,
                                     const struct model *model, const struct construct_range *ranges,
                                     size_t n);

/* ---- shared by these (matrix_site.c) --------------------------------------------------------- */

/* Add an event of CALL_EVENT_SENT or CALL_EVENT_ACCESSES, or of CALL_EVENT_LABELLED if m has labels, so many
 * times. */
enum refrain_status matrix_add_event(struct matrix *m, const struct event_templates *templates,
                                     const struct event_list *list, size_t at, uint64_t times);
/* Adds the messages that a rank's `calls` calls of a site send. The source must have one of these modes, and
 * this lane. */
enum refrain_status matrix_add_site(struct matrix *m, struct call_event_source *source,
                                    const struct lane_ref *lane, const struct entry *entry, uint64_t calls);

#endif
