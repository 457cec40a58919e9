/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of a lane's calls while it runs: exactly as they were; rounded and coded later.
 *
 *     done: coded blocks | open: complete blocks … | the block at hand     | staged: TIME_STAGE calls
 *                          3 to 10 bytes a call                            as they came
 *
 * A call costs no more than being staged; what was staged is put into the open blocks together. When these take
 * up TIME_LOG_OPEN bytes, those that are complete are rounded (time_round.h) and coded (time_code.h). The times
 * of a rank may have a budget: then a log is full when that is used up, and takes no more calls. */
#ifndef REFRAIN_TIME_LOG_H
#define REFRAIN_TIME_LOG_H

#include <stdatomic.h>

#include "src/core/base/timestamp.h"
#include "time_mode.h"

#define TIME_LOG_OPEN ((size_t)4 << 20)
#define TIME_STAGE    64

/* What the logs of a rank may still take up. While they are open that is memory: TIME_BUDGET_OPEN bytes for
 * each that the code will have at the end. */
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

/* The mode has to stay, and the budget (NULL: none). NULL when memory is short, which is logged. */
struct time_log *time_log_create(const struct time_mode *mode, struct time_budget *budget);
void time_log_free(struct time_log *l);

/* Where calls are staged; the same as long as the log is there. */
struct time_stage *time_log_stage(struct time_log *l);
/* Takes in what is staged. */
enum refrain_status time_log_take(struct time_log *l);
/* No more calls are taken. */
bool time_log_is_full(const struct time_log *l);

/* The next call of the lane, from a call site with any number, of a function with this grid. True: the stage
 * is full, time_log_take has to be called. Timestamps that go back are moved: a call neither ends before the
 * one before it nor before it began. */
static inline bool time_log_note(struct time_stage *s, uint32_t site, uint32_t grid,
                                 struct timestamp timestamps)
{
    s->calls[s->n] = (struct time_entry){site, grid, timestamps};
    return ++s->n == TIME_STAGE;
}

uint64_t time_log_calls(const struct time_log *l); /* that were taken, and are staged */
size_t time_log_bytes(const struct time_log *l);   /* memory held */
/* What there is so far, as a piece of an annex (time_piece.h), appended. `coded`: otherwise what is open
 * stays as it is, which takes next to no time. limit: bytes that the piece may have if it is coded, of which
 * those that it has are taken away; later calls are left out. NULL: none. Nothing is appended for no call. */
enum refrain_status time_log_store(struct time_log *l, bool coded, uint64_t *limit, struct bytes *out);

#endif
