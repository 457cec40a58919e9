/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a site's calls by one rank, call by call, and what they repeat (repetition.h): the rows of a
 * stream, each with its events, and the columns whose values are numbers in them.
 *
 *     stream  (0 1)^500      rows  0: send 1 tag #   1: send 2 tag #      column tag  0 1 2 … 999
 *     repetitions at 0       rows {period 2, times 500}        column {period 1, times 1000}
 *
 * A site none of whose rows has events is silent; one all of whose rows have the same is fixed: then nobody
 * has to know which call comes next. */
#ifndef REFRAIN_LIFT_SITE_H
#define REFRAIN_LIFT_SITE_H

#include "decoder/event/call_event.h"
#include "decoder/trace/row_walk.h"

/* A column that matters. */
struct lift_column {
    struct series_cursor cursor;
    uint32_t slot;
    bool still; /* only what stays the same repeats; other columns' values are numbers of events */
};

struct lift_site {
    const struct group *group;
    uint64_t ordinal;
    uint32_t rank, function;
    bool silent, fixed;
    struct event_list *rows; /* by row; where columns matter, of no use */
    int64_t **slots; /* by row, as they are for this rank without columns; only where columns matter */
    struct row_walk walk;
    struct lift_column *columns;
    size_t n_columns;
    struct event_list events; /* of the last call, where columns matter */
    ARRAY(int64_t) patched;
};

/* The lane is the source's (call_event_lane). */
enum refrain_status lift_site_open(struct lift_site *s, struct call_event_source *source,
                                   const struct lane_ref *lane, const struct entry *entry);
void lift_site_close(struct lift_site *s);

/* The events of the next call, valid until the one after it; of a fixed site, of any. */
enum refrain_status lift_site_next(struct lift_site *s, struct call_event_source *source,
                                   const struct event_list **out);

/* What is to come repeats: one list for the rows, one for each column, lift_site_lists of them. */
size_t lift_site_lists(const struct lift_site *s);
void lift_site_repetitions(struct lift_site *s, struct repetitions *lists);
/* Pass so many calls: a multiple of the period of each repetition, one of each list, and fewer than it has.
 */
void lift_site_pass(struct lift_site *s, const struct repetition *chosen, uint64_t calls);

#endif
