/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of a lane's calls while the lane runs. Times are exact at first, and are rounded and coded later.
 *
 *     done: coded blocks | open: complete blocks … | the current block     | staged: TIME_STAGE calls
 *                          3 to 10 bytes a call                            timestamps
 *
 * A call is only staged; staged calls are moved to the open blocks together. When the open blocks take
 * TIME_LOG_OPEN bytes, the complete ones are rounded (time_round.h) and coded (time_code.h). The times of
 * a rank may have a budget; when it is used up, the log is full and takes no more calls. Each log takes some calls,
 * even if other threads have used up the budget. */
#ifndef REFRAIN_TIME_LOG_H
#define REFRAIN_TIME_LOG_H

#include <assert.h>
#include <stdatomic.h>

#include "src/core/base/timestamp.h"
#include "time_mode.h"

#define TIME_LOG_OPEN ((size_t)4 << 20)
#define TIME_STAGE    64

/* The bytes that the logs of a rank may still take in the file. Open blocks are charged with one byte for
 * each TIME_BUDGET_OPEN bytes of memory. */
struct time_budget {
    _Atomic uint64_t left;
};

#define TIME_BUDGET_OPEN UINT64_C(4)

struct time_log;

/* Calls that are not in the log yet. */
struct time_stage {
    uint32_t n;
    struct time_entry {
        uint32_t site, grid;
        struct timestamp timestamps;
    } calls[TIME_STAGE];
};

/* Make a log. The mode and the budget (NULL: none) must outlive it. NULL when memory is short (logged). */
struct time_log *time_log_create(const struct time_mode *mode, struct time_budget *budget);
void time_log_free(struct time_log *l);

/* Return the stage of the log; it stays the same as long as the log exists. */
struct time_stage *time_log_stage(struct time_log *l);
/* Move the staged calls into the log. */
enum refrain_status time_log_take(struct time_log *l);
/* Is the log full? Then it takes no more calls. */
bool time_log_is_full(const struct time_log *l);

/* Stage the next call of the lane. `site` is any number of its call site, `grid` the number of its
 * function's grid. Returns true if the stage is full; then call time_log_take. Timestamps that go
 * backwards are moved: a call ends neither before the previous call's end nor before its own begin. */
static inline bool time_log_note(struct time_stage *s, uint32_t site, uint32_t grid,
                                 struct timestamp timestamps)
{
    assert(s->n < TIME_STAGE);
    s->calls[s->n] = (struct time_entry){site, grid, timestamps};
    return ++s->n == TIME_STAGE;
}

uint64_t time_log_calls(const struct time_log *l); /* calls taken, staged ones included */
size_t time_log_bytes(const struct time_log *l);   /* memory held */
/* Append all calls of the log as a piece of an annex (time_piece.h). Without `coded` the open blocks stay
 * uncoded, which is fast. *limit is the most bytes of a coded piece, and is reduced by its size; calls beyond
 * the limit are left out. NULL: no limit. Appends nothing if there are no calls. */
enum refrain_status time_log_store(struct time_log *l, bool coded, uint64_t *limit, struct bytes *out);

#endif
