/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints why lanes wait, a line for each reason, and what the run would take without it:
 *
 *     because rank 3 (80 % of the delay), ranks 1-2 compute 4.3 times as long
 *     between MPI_Recv (p.c:13) and MPI_Send (p.c:18) (explains 58 % of this waiting: …)
 *     without that delay the run would take 6.911 s instead of 7.790 s
 *     also because MPI_Bcast (p.c:14) itself takes this time, on rank 3 (explains 31 % of this waiting: …) */
#ifndef REFRAIN_DELAY_REASON_TEXT_H
#define REFRAIN_DELAY_REASON_TEXT_H

#include "delay_reason.h"

/* How long the run takes after a change after which no rank waits for one of the reasons (removals.h). */
struct removal {
    uint64_t run;                   /* ns: the run, from MPI_Init on; 0: not known */
    uint64_t without[REASONS_MOST]; /* ns: the run after the change, by reason; 0: not known */
    uint64_t instant[REASONS_MOST]; /* REASON_TRANSFER: the run if these calls took no time; ns */
    uint64_t without_barrier;       /* ns: the run if no rank waits in this barrier; 0: the finding is no
                                       barrier, or without[0] says that already */
};

/* What a page has said before, so that it says it once. The loop that prints the findings owns it; it starts
 * as {0}. */
struct reasons_said {
    size_t finding; /* number of the finding that is printed now; the first one is 1. */
    struct {
        uint32_t place; /* a critical_key >> 32 */
        size_t finding; /* the first finding with this chain */
    } chains[8];        /* REASON_SERIALIZED; more chains are said in full each time */
    size_t n_chains;
};

struct reason_text {
    const struct causes_view *view;
    const struct reason_request *request;
    const struct removal *removal; /* NULL: not known */
    struct reasons_said *said;     /* text: what the page has said before; NULL: nothing */
    size_t most;                   /* text: at most so many reasons; 0: all */
    bool crowded;    /* text: more ranks than processors, so that calls wait for a processor, too */
    bool is_further; /* text: a reason of another kind was printed for this finding before */
};

/* Sorts the numbers of the reasons: those without whose delay the run is shortest first; reasons with unknown gain come before others, by their cost. */
void reasons_sort(const struct reasons *r, const struct removal *removal, size_t *order);

/* Prints nothing if there are no reasons. */
void reasons_put(const struct reasons *r, const struct reason_text *t, struct bytes *out);
/* A line for each reason of all waiting, the one whose removal gains most first:
 *
 *      58.1 %  rank 3 computes 2.2 times as long, 84 % of it between MPI_Recv (p.c:13) and MPI_Send (p.c:18), …; without
 *              that the run would take 6.911 s instead of 7.790 s */
void reasons_put_main(const struct reasons *r, const struct reason_text *t, struct bytes *out);
/* A member of the open object, in the same order: "reasons". */
void reasons_put_main_json(const struct reasons *r, const struct reason_text *t, struct json *j);
/* Members of the open object: "because", the first reason, null if there is none; "also", the others. */
void reasons_put_json(const struct reasons *r, const struct reason_text *t, struct json *j);

#endif
