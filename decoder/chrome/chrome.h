/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a trace in the Trace Event format (JSON), which Perfetto and chrome://tracing show: ranks are
 * its processes, calls are complete events ("X").
 *
 *     {"ph":"X","pid":3,"tid":0,"name":"MPI_Recv","cat":"MPI","ts":1234.567,"dur":8.900,"args":{"call":16}}
 *
 * So are the regions that the program has named; `call` is the one that begins it:
 *
 *     {"ph":"X","pid":3,"tid":0,"name":"sweep","cat":"region","ts":1200.000,"dur":99.000,"args":{"call":15}}
 *
 * Times are microseconds, to the nanosecond. */
#ifndef REFRAIN_CHROME_H
#define REFRAIN_CHROME_H

#include "decoder/match/stream/operation.h"
#include "decoder/region/region_stack.h"
#include "decoder/render/lines.h"
#include "decoder/trace/ranges.h"
#include "decoder/times/timestamps.h"
#include "decoder/util/output.h"
#include "decoder/util/progress.h"

struct chrome {
    struct renderer *renderer;
    struct output *out;
    struct progress *progress;
    const struct timestamps_source *timestamps;
    const struct operation_source *source; /* of operations; NULL: messages are not wanted */
    const struct roles *roles;             /* of the functions */
    const struct ranges *ranks;            /* that are printed */
    uint64_t from, to;                     /* nanoseconds; only calls wholly between */
    bool synthetic;                        /* timestamps (timestamps.h) */
    bool arguments;                        /* add to each call what `refrain text --json` prints of it */
    bool comma;                            /* the array has an event already */
    uint64_t n_calls;                      /* so far */
};

enum refrain_status chrome_open(struct chrome *c);
/* The comma between two events; a time as the format has it. */
void chrome_separate(struct chrome *c);
void chrome_put_microseconds(struct bytes *out, uint64_t nanoseconds);

/* Writes the calls of all threads of a rank. */
enum refrain_status chrome_put_rank(struct chrome *c, uint32_t rank);
void chrome_close(struct chrome *c);

#endif
