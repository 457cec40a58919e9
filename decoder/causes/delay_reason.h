/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints why lanes wait: one line with the place that costs most of the waiting.
 *
 *     because rank 3 (80 % of the delay), ranks 1-2 compute 4.3 times as long
 *     between MPI_Recv (p.c:13) and MPI_Send (p.c:18) (explains 58 % of this waiting: …)
 *     without that delay the run would take 6.911 s instead of 7.790 s
 *
 * There are several reasons why a lane takes longer there than the lanes that wait (enum reason_kind). Each
 * reason needs a different remedy. */
#ifndef REFRAIN_DELAY_REASON_H
#define REFRAIN_DELAY_REASON_H

#include "delays_text.h"

enum reason_kind {
    REASON_LONGER,     /* some lanes have more work than others */
    REASON_ALTERNATES, /* a different lane has more work each time: the late lanes wait as long as the others,
                          at other times */
    REASON_SERIALIZED, /* all lanes have the same work, but the lanes that wait cannot do theirs at the same
                          time */
    REASON_TRANSFER    /* a call takes long although it waits for no other call any more */
};

/* The change after which no rank waits for this reason, and how long the run then takes (removals.h). */
struct removal {
    bool any;              /* some lane makes the ranks wait */
    enum reason_kind kind; /* REASON_SERIALIZED: simulated without the waiting; otherwise … */
    uint32_t place;        /* … with less time at this place, a critical_key >> 32 */
    uint64_t run;          /* ns: the run, from MPI_Init on; 0: not known */
    uint64_t without;      /* ns: the run after the change; 0: not known */
    uint64_t
        without_barrier; /* ns: the run if no rank waits in this barrier; 0: the finding is no barrier, or
                                 `without` says that already */
};

/* What a page has said before, so that it says it once. The loop that prints the findings owns it; it starts
 * as {0}. */
struct reasons_said {
    size_t finding; /* number of the finding that is printed now; the first one is 1 */
    struct {
        uint32_t place; /* a critical_key >> 32 */
        size_t finding; /* the first finding with this chain */
    } chains[8];        /* REASON_SERIALIZED; more chains are said in full each time */
    size_t n_chains;
};

/* The waiting whose reason is wanted. */
struct reason_request {
    uint32_t site;                 /* site of the calls that wait */
    uint64_t kinds;                /* kinds of waiting (EVENTS of wait_event.h) */
    uint64_t time;                 /* ns: the waiting of all lanes */
    const uint64_t *by_lane;       /* ns: the waiting of each lane */
    const struct removal *without; /* NULL: not known */
    struct reasons_said *said;     /* text: what the page has said before; NULL: nothing */
    bool is_second;                /* text: a reason of another kind was printed for this finding before */
};

/* Fills all members of *out except `run` and `without`. */
enum refrain_status delays_find_removal(const struct delays *d, const struct causes_view *v,
                                        const struct reason_request *r, struct removal *out);

/* Prints nothing if no lane causes the waiting. */
enum refrain_status delays_put_reason(const struct delays *d, const struct causes_view *v,
                                      const struct reason_request *r, struct bytes *out);
/* The same as a member of the open JSON object; null if no lane makes them wait. */
enum refrain_status delays_put_reason_json(const struct delays *d, const struct causes_view *v,
                                           const struct reason_request *r, const char *name, struct json *j);

#endif
