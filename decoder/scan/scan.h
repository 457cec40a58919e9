/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of `refrain scan` (refrain-scan(1)): the occurrences of constructs, process by process. Formats: CSV
 * rows with values of their calls, polynomials for people, and a C program that prints the same rows. */
#ifndef REFRAIN_SCAN_H
#define REFRAIN_SCAN_H

#include "decoder/loops/event_lane.h"
#include "decoder/model/model.h"
#include "decoder/util/output.h"
#include "occurrences.h"

struct scan {
    const struct reader *reader;
    bool calls;     /* events are calls (CALL_EVENT_CALLS) */
    uint32_t world; /* of the trace's file */
    ARRAY(struct event_value) values;
    bool several;                  /* several constructs: each row names its construct */
    struct construct_range range;  /* all constructs, of the process that was added last */
    ARRAY(struct scan_part) parts; /* in the order of the model's processes, then of the constructs */
    uint32_t depth;                /* indices of each occurrence */
};

/* A construct in one process that has it. */
struct scan_part {
    uint32_t rank, thread;
    size_t member; /* of the range */
    struct occurrences occurrences;
};

void scan_free(struct scan *s); /* not the reader; also of a zeroed struct */

/* Adds the constructs that `range` (a path or range in `top`) names for a process. `top` is the model's
 * system or the process's own. Constructs without events of the process are skipped. `point` NULL: iterations
 * of loops, and events. */
enum refrain_status scan_add(struct scan *s, const struct model *m, uint32_t process,
                             const struct system *top, const char *range, const enum occurrence_point *point);

/* "rank,thread,i0,event,call,tag", with "construct" after the thread if there are several; and a line for
 * each occurrence (scan_rows.c). The source belongs to the reader. */
enum refrain_status scan_put_rows(struct scan *s, struct call_event_source *source, struct output *out);
/* Writes the loops around and the number of the event. Processes with equal results are printed together. */
enum refrain_status scan_put_positions(const struct scan *s, struct output *out);
/* Writes a C program that prints the rows with refrain_reader.h (scan_emit.c). */
enum refrain_status scan_put_c(const struct scan *s, struct output *out);

/* ---- shared by the files --------------------------------------------------------------------- */

void scan_put_header(const struct scan *s, struct bytes *out);
/* Appends the path of the part's construct. */
void scan_put_path(const struct scan *s, const struct scan_part *p, struct bytes *out);
/* Appends the part's loops, number and condition as one text, which is equal for equal parts. Returns false
 * if they are no polynomials. */
bool scan_put_nest(const struct scan_part *p, struct bytes *out);
/* Returns the bound of loop number `level`, for indices that count from 1. The caller frees it. */
struct polynomial scan_bound(const struct occurrences *o, uint32_t level);

#endif
