/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays: why others have to wait. Where a lane waits for another, the paths that lead to the two (critical_path.h) have a past in
 * common; behind it, the other one's path is longer, by just the waiting. What it has more of than that of the lane that waits, call site by call
 * site, is the delay, and shares the waiting in proportion:
 *
 *                 common    behind it, until the wait begins
 *     path of L   ═══════╦═ solve 2 s ═ exchange 1 s ═▒▒▒▒▒▒ waits 3 s
 *                        ║
 *     path of M          ╚═ solve 4 s ═ exchange 1 s ═ output 1 s ═ the call that L waits for
 *
 *                           solve 2 s longer, output 1 s longer: they cost L 2 s and 1 s
 *
 * What of the path of M was done by M itself costs *directly*. The rest was done by others, for which M had waited before: it costs
 * *further on*. So all waiting is explained, once, by what is done at some call site of some lane.
 *
 * After Böhme, Geimer, Wolf, Arnold: Identifying the root causes of wait states in large-scale parallel applications (ICPP 2010); there, the
 * intervals are those since the two lanes met themselves, and what M had waited in its own is passed on backwards. */
#ifndef REFRAIN_DELAYS_H
#define REFRAIN_DELAYS_H

#include "delay_windows.h"
#include "genealogy.h"
#include "preceding.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"

/* What is done somewhere (critical_key) makes others wait in calls at a site, in waiting of a kind (enum wait_event_kind). */
struct delay {
    uint64_t key;
    uint32_t wait_site, wait_kind;
    uint64_t direct, further; /* ns of waiting */
    uint64_t taken, usual;    /* ns: what is done takes so long; had it been as long as for those who wait */
    uint64_t meanwhile;       /* ns: what those who wait compute, anywhere, behind the common past */
    uint64_t times, last;     /* so many waits; the last one's number */
    struct delay_windows windows; /* when */
};

/* Of an entry of a path, what that has more of than another; and when. */
struct delay_excess {
    struct profile_entry of;
    double excess;
    uint64_t from, to;
};

/* What the two paths have at a place, in the wait of number `last`. */
struct delay_sums {
    uint64_t last, own, other;
};

struct delays {
    uint64_t waiting,
        unexplained; /* ns: all; of it, what no path explains: rounding, and clocks that are off */
    ARRAY(struct delay) items;
    struct preceding preceding; /* behind which calls is computed what is late */
    /* Meanwhile: */
    struct map delay_of;
    uint64_t waits;          /* so far */
    struct delay_sums *sums; /* by site and activity */
    ARRAY(struct delay_excess) entries;
};

/* `n` sites and activities: keys are below n << 32. `preceding` is the caller's to create. */
enum refrain_status delays_create(struct delays *d, size_t n);
void delays_free(struct delays *d); /* also of a zeroed struct */

struct delayed {
    uint32_t piece, of;  /* the path of the lane that waits, and that of the other one */
    uint32_t site, kind; /* of the call that waits, … */
    uint32_t other;      /* … for this lane, … */
    uint64_t time;       /* … so long */
};
enum refrain_status delays_take(struct delays *d, const struct genealogy *g, const struct delayed *wait);

#endif
