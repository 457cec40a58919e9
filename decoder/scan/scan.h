/* SPDX-License-Identifier: BSD-3-Clause */
/* What occurs where (docs/SCAN.md): the occurrences of constructs, process by process, as rows of CSV with
 * values of their calls, as polynomials for people, and as a program in C that prints the same rows. */
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
    bool several;                  /* constructs: each row says of which it is */
    struct construct_range range;  /* all of them, as of the process added last */
    ARRAY(struct scan_part) parts; /* processes in the order of the model, of each the constructs */
    uint32_t depth;                /* indices of each occurrence */
};

/* A construct in a process in which it occurs. */
struct scan_part {
    uint32_t rank, thread;
    size_t member; /* of the range */
    struct occurrences occurrences;
};

void scan_free(struct scan *s); /* not the reader; also of a zeroed struct */

/* Add a process of a model, by a path or range in `top`, which is the model's or the process's own. Nothing
 * is added where a construct has nothing of the process. `point`: NULL: the iterations of a loop, or the
 * event. */
enum refrain_status scan_add(struct scan *s, const struct model *m, uint32_t process,
                             const struct system *top, const char *range, const enum occurrence_point *point);

/* "rank,thread,i0,event,call,tag", with "construct" behind the thread if there are several; and a line for
 * each occurrence (scan_rows.c). The source is of the reader. */
enum refrain_status scan_put_rows(struct scan *s, struct call_event_source *source, struct output *out);
/* The loops around and the number of the event; processes in which a construct has the same together. */
enum refrain_status scan_put_positions(const struct scan *s, struct output *out);
/* A program that prints the rows (scan_emit.c), with refrain_reader.h. */
enum refrain_status scan_put_c(const struct scan *s, struct output *out);

/* ---- what these share ------------------------------------------------------------------------ */

void scan_put_header(const struct scan *s, struct bytes *out);
/* The path of the part's construct. */
void scan_put_path(const struct scan *s, const struct scan_part *p, struct bytes *out);
/* Its loops, its number and its condition, all as one text: equal for parts that have the same. False if they
 * are no polynomials. */
bool scan_put_nest(const struct scan_part *p, struct bytes *out);
/* The bound of loop number `level` around, for indices that count from 1. To be freed. */
struct polynomial scan_bound(const struct occurrences *o, uint32_t level);

#endif
