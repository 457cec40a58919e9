/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays: why a lane L has to wait for a lane M. The paths that lead to the two lanes (critical_path.h) have
 * a common past. After it, the path of M is longer than the path of L by the waiting time. Compare the two
 * paths call site by call site: where the path of M has more time, the extra time is a delay. The waiting is
 * divided among the delays in proportion:
 *
 *                 common    after it,  until the wait begins
 *     path of L   ═══════╦═ solve 2 s ═ exchange 1 s ═▒▒▒▒▒▒ waits 3 s
 *                        ║
 *     path of M          ╚═ solve 4 s ═ exchange 1 s ═ output 1 s ═ the call that L waits for
 *
 *                           solve 2 s longer, output 1 s longer: they cost L 2 s and 1 s
 *
 * If the work at a place was done several times on the path of M, by one lane or several, the extra time is
 * that of the times which took longer than those on L's path, compared one by one back from the wait.
 *
 * The part of M's path that M did itself costs those that wait for M (`direct`). Other lanes did the rest,
 * and M had waited for them before: that part costs those that wait for M in turn (`further`). So waiting is
 * explained once, by the work of some lane at some call site, except where M's path is nowhere longer
 * (`unexplained`).
 *
 * After Böhme, Geimer, Wolf, Arnold: Identifying the root causes of wait states in large-scale parallel
 * applications (ICPP 2010); there, the intervals begin when the two lanes last synchronized, and waiting of M
 * within its interval is passed on backwards. */
#ifndef REFRAIN_DELAYS_H
#define REFRAIN_DELAYS_H

#include "delay_windows.h"
#include "genealogy.h"
#include "preceding.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"

/* Work at one place (`key`, a critical_key) makes others wait in calls at one site, with waiting of one kind
 * (enum wait_event_kind). */
struct delay {
    uint64_t key;
    uint32_t wait_site, wait_kind;
    uint64_t direct, further; /* ns of waiting */
    uint64_t taken;           /* ns: duration of the work */
    uint64_t usual;           /* ns: the duration if it were as long as on the path of the lane that waits */
    uint64_t meanwhile;       /* ns: computing of the lanes that wait, at all places, after the common past */
    uint64_t times;           /* how many waits the work causes */
    uint64_t parts;           /* how many calls, or gaps between calls, `taken` is made of */
    double usual_parts;       /* the same for `usual` */
    uint64_t last;            /* number of the last wait */
    struct delay_windows windows; /* when the work happens */
};

/* One path entry, its extra time over the other path, and when it happened. */
struct delay_excess {
    struct profile_entry of;
    double excess;
    uint64_t from, to;
};

/* Time of the two paths at one place, for wait number `last`, and how many times it was spent: `own` of the lane
 * that waits, `other` of the other lane. */
struct delay_sums {
    uint64_t last, own, other, n_own, n_other;
    uint64_t own_entries;      /* of the waiting lane's path */
    bool has_own;              /* entries in the list `own`: … */
    size_t next_own, last_own; /* … the next one, and the earliest */
    double longer;             /* what the entries of the other path took longer each time, summed up */
};

/* One entry of the waiting lane's path, and the number of the place's entry before it in time. */
struct delay_own {
    uint64_t value, n;
    size_t before;
};

struct delays {
    uint64_t waiting;     /* ns: all waiting */
    uint64_t unexplained; /* ns: the part that no path explains, because of rounding and clock errors */
    ARRAY(struct delay) items;
    uint64_t **
        costs; /* by site and activity: ns of waiting that work there causes, by lane that waits; NULL: none */
    struct preceding preceding; /* the calls after which the delayed computing happens */
    /* Internal, while the stream runs: */
    size_t n_places, n_lanes;
    struct map delay_of;
    uint64_t waits;                   /* number of waits so far */
    struct delay_sums *sums;          /* by site and activity */
    bool several;                     /* entries of the waiting lane's path at some place */
    ARRAY(struct delay_own) own;      /* the latest first */
    ARRAY(struct profile_entry) back; /* of one piece */
    ARRAY(struct delay_excess) entries;
};

/* `n`: number of places (site and activity), so keys are below n << 32. The caller creates `preceding`. */
enum refrain_status delays_create(struct delays *d, size_t n, size_t n_lanes);
void delays_free(struct delays *d); /* a zeroed struct is allowed */

struct delayed {
    uint32_t lane;  /* the lane that waits */
    uint32_t piece; /* its path */
    uint32_t of;    /* path of the other lane */
    uint32_t site;  /* site of the call that waits */
    uint32_t kind;  /* kind of the waiting (enum wait_event_kind) */
    uint32_t other; /* the lane that the call waits for */
    uint64_t time;  /* ns of waiting */
};
enum refrain_status delays_take(struct delays *d, const struct genealogy *g, const struct delayed *wait);

#endif
