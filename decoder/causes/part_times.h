/* SPDX-License-Identifier: BSD-3-Clause */
/* How long each lane is in each part of a program, as recorded and with a network that takes no time, and how
 * efficient the parts are.
 *
 *     lane 0   ═══ a ═══╪══ b ══      a lane may be in a part several times; its times there are added up
 *     lane 1   ══ a ══╪════ b ══
 *
 * Each moment of the run (run_begin.h), from its begin to its end, is in one part for each lane, and so is
 * each moment of the simulated run. So the times of a lane in all parts add up to the run, and its simulated
 * times to the simulated run.
 *
 * The efficiencies are those of efficiency.h, of the threads that are in the part; the time is that of the
 * thread that is in it longest. In an ideal network, a thread may wait in another part than it did: the ideal
 * time counts as no more than the recorded one. */
#ifndef REFRAIN_PART_TIMES_H
#define REFRAIN_PART_TIMES_H

#include "critical_route.h"
#include "efficiency.h"
#include "resimulation.h"

enum part_value { PART_TIME, PART_COMPUTING, PART_IDEAL, PART_PATH, PART_VALUES };

struct part_times {
    /* Set by the caller. Positions in a lane instead of calls: 2n is the time before call n, 2n + 1 the call.
     * Part 0 also has the time of the run before a lane's first call and after its last one. */
    struct wait_places *places;
    struct critical_stays path; /* of the critical path, by lane, then by time; none: it is not known */
    struct severities values;   /* the result, in ns: by enum part_value and by part */
    /* Internal, while the stream runs: */
    uint64_t begin;
    bool *begun;  /* by lane */
    size_t *stay; /* by lane: the first stay of the path that is not over */
    struct resimulation simulation;
};

/* A part, or several together. */
struct part_sum {
    struct efficiency efficiency; /* `begin` and `simulated` are 0; `threads` are those in the part */
    uint64_t time;                /* ns: of all threads together */
    uint64_t ideal;               /* ns: likewise, in an ideal network */
    uint64_t path;                /* ns of the critical path, if that is known */
};

/* Takes the stays: the next search finds which part of the path is in which part of the program. */
void part_times_take_path(struct part_times *t, struct critical_stays *stays);

/* For the walk of the search. `keeps` as of struct resimulation; it must stay valid. */
enum refrain_status part_times_start(struct part_times *t, const struct wait_search *s, const bool *keeps);
struct causal_sink part_times_sink(struct part_times *t);
/* When the search is over. */
enum refrain_status part_times_end(struct part_times *t, const struct wait_search *s);
void part_times_free(struct part_times *t); /* also of a zeroed struct; keeps `places` */

/* Adds up n different parts. */
enum refrain_status part_times_sum(const struct part_times *t, const uint32_t *parts, size_t n,
                                   struct part_sum *out);

#endif
