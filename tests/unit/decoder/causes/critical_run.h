/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path of calls that are said one by one, with their times: from the trace on. */
#ifndef REFRAIN_TEST_CRITICAL_RUN_H
#define REFRAIN_TEST_CRITICAL_RUN_H

#include "decoder/causes/critical_search.h"
#include "tests/unit/support/spoken.h"

struct found {
    struct spoken *spoken;
    struct metrics metrics;
    struct timestamps_source timestamps;
    struct wait_search search;
    struct critical_search critical;
};

/* A call that begins so long after the one before it, and lasts so long. */
#define CALL(s, gap_, duration_, rank, function, ...)                                                        \
    do {                                                                                                     \
        (s)->gap = gap_;                                                                                     \
        (s)->duration = duration_;                                                                           \
        SAY(s, rank, 0, function, __VA_ARGS__);                                                              \
    } while (0)
#define SEND(s, gap, duration, rank, dest, tag)                                                              \
    CALL(s, gap, duration, rank, SPOKEN_SEND, 1, TYPE, dest, tag, WORLD, 0)
#define RECV(s, gap, duration, rank, source, tag)                                                            \
    CALL(s, gap, duration, rank, SPOKEN_RECV, source, tag, WORLD, 0, STATUS(source, tag, 8))

/* The path is as long as the run, as it is when it is simulated, and its parts are all of it; delays explain all waiting; nothing is left over. */
void find(struct found *f, struct spoken *s);
/* The same, and fills the times of parts. */
void find_parts(struct found *f, struct spoken *s, struct part_times *parts);
void stop(struct found *f);
/* What the path has of a rank; ns. */
uint64_t of_rank(const struct found *f, uint32_t rank, enum critical_activity activity);

#endif
