/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of one rank's calls of a site, call by call, and their repetitions (repetition.h): of the
 * stream's rows, each with its events, and of the columns whose values are numbers in the events.
 *
 *     stream  (0 1)^500      rows  0: send 1 tag #   1: send 2 tag #      column tag  0 1 2 … 999
 *     repetitions at 0       rows {period 2, times 500}        column {period 1, times 1000}
 *
 * A site is silent if none of its rows has events. A site is fixed if all of its rows have the same events;
 * then it does not matter which call comes next. */
#ifndef REFRAIN_LIFT_SITE_H
#define REFRAIN_LIFT_SITE_H

#include "decoder/event/call_event.h"
#include "decoder/trace/row_walk.h"

/* A column whose values are numbers in events, or decide which events there are. */
struct lift_column {
    struct series_cursor cursor;
    uint32_t slot;
    bool still; /* only constant values count as a repetition; false: the values are numbers in events */
};

struct lift_site {
    const struct group *group;
    uint64_t ordinal;
    uint32_t rank, function;
    bool silent, fixed;
    struct event_list *rows; /* by row; not used if columns matter */
    int64_t **slots;         /* by row: this rank's slots without columns; only if columns matter */
    struct row_walk walk;
    struct lift_column *columns;
    size_t n_columns;
    struct event_list events; /* of the last call, if columns matter */
    ARRAY(int64_t) patched;
};

/* Opens a site. `lane` must be the source's lane (call_event_lane). */
enum refrain_status lift_site_open(struct lift_site *s, struct call_event_source *source,
                                   const struct lane_ref *lane, const struct entry *entry);
void lift_site_close(struct lift_site *s);

/* Returns the events of the next call, valid until the next use of this function. For a fixed site they are
 * the events of any call. */
enum refrain_status lift_site_next(struct lift_site *s, struct call_event_source *source,
                                   const struct event_list **out);

/* Lists the repetitions of the next calls: one list for the rows and one for each column, lift_site_lists in
 * total. */
size_t lift_site_lists(const struct lift_site *s);
void lift_site_repetitions(struct lift_site *s, struct repetitions *lists);
/* Passes over `calls` calls. `chosen` has one repetition of each list; `calls` is a multiple of each one's
 * period, and less than its length. */
void lift_site_pass(struct lift_site *s, const struct repetition *chosen, uint64_t calls);

#endif
