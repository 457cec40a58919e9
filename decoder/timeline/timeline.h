/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a timeline, independent of its output format: the calls of each thread of each rank over time.
 *
 *     rank 0   |####   ##  ::::::####|        calls that are long enough are kept one by one (#),
 *     rank 1   |  ####  ## ::::::  ##|        of all others it is the time in each kind, in bins (:)
 *
 * Calls are kept until there are too many. Then calls shorter than `grain` go into the bins, and `grain`
 * grows as needed. If there are more lanes than lines, neighbouring lanes share a line, and all calls are in
 * bins. So memory is bounded by the request, not by the trace. All times are nanoseconds since the beginning
 * of the run. */
#ifndef REFRAIN_TIMELINE_H
#define REFRAIN_TIMELINE_H

#include "bins.h"
#include "decoder/call/role.h"
#include "decoder/trace/ranges.h"
#include "decoder/trace/symbols.h"
#include "timeline_regions.h"

/* The part of the trace to show, and limits. */
struct timeline_request {
    const struct ranges *ranks;
    uint64_t from, to; /* calls that begin before `to` and end after `from`; UINT64_MAX: to the end */
    bool synthetic;    /* timestamps.h */
    const char *clock; /* logical_clock_apply, which needs … */
    const struct definitions *definitions; /* … these */
    const struct symbols *symbols;         /* NULL: places in the source are not known */
    uint32_t lines;                        /* at most so many */
    uint32_t bins;                         /* of each line; even */
    size_t calls;                          /* limit of calls that are kept one by one */
};

struct timeline_lane {
    struct lane_ref ref;
    uint64_t begin; /* of its first call */
    uint64_t end;   /* of its last call */
};

struct timeline_call {
    uint64_t index; /* in its lane */
    uint64_t enter, leave;
    uint32_t lane, function;
    uint32_t depth; /* number of enclosing calls; their time includes its time */
};

struct timeline {
    const struct reader *reader;
    const struct symbols *symbols;
    uint64_t from, to; /* from < to */
    bool synthetic;
    ARRAY(struct timeline_lane) lanes; /* by rank, then thread */
    uint32_t n_lines;
    size_t per_line;                   /* lanes of each line; the last one may have fewer */
    struct roles roles;                /* of the functions */
    ARRAY(struct timeline_call) calls; /* the kept calls, by lane, then in the order in which they ended */
    uint64_t grain;                    /* shorter calls were not kept; 0: all calls were kept */
    struct bins bins;                  /* time of the other calls, by line */
    struct timeline_regions regions;   /* the program's own */
    uint64_t n_calls;                  /* number of all shown calls */
    uint64_t time[CALL_KINDS];         /* times of these calls, cut to what is shown */
    uint64_t span;                     /* of all lanes, what of begin … end is shown */
};

enum refrain_status timeline_create(struct timeline *t, const struct reader *r,
                                    const struct timeline_request *request);
void timeline_free(struct timeline *t); /* also of a zeroed struct */

/* Line i has lanes timeline_first_lane(i) … timeline_first_lane(i + 1) - 1. */
size_t timeline_first_lane(const struct timeline *t, uint32_t line);
uint32_t timeline_line(const struct timeline *t, size_t lane);
static inline bool timeline_shares(const struct timeline *t)
{
    return t->per_line > 1;
}

/* The time from the first to the last call of a line's lanes; begin > end if there are none. */
struct timeline_extent {
    uint64_t begin, end;
};
struct timeline_extent timeline_extent(const struct timeline *t, uint32_t line);

/* Returns the begin of the run: the time when the last thread left MPI_Init; t->from if no such call was
 * kept. */
uint64_t timeline_begin(const struct timeline *t);

/* Appends the name of a line: "3", "3.1" for a thread, "0-7" for ranks that share it. */
void timeline_label(const struct timeline *t, uint32_t line, struct bytes *out);
/* Appends a summary: "4 ranks, 5 lanes, 1.234 s, 567 calls". */
void timeline_about(const struct timeline *t, struct bytes *out);
/* Appends notes, such as that times are synthetic or that lanes share lines; one sentence per line. */
void timeline_notes(const struct timeline *t, struct bytes *out);

#endif
