/* SPDX-License-Identifier: BSD-3-Clause */
/* For whom the members of a collective operation wait: the last of those who have something for them.
 *
 *     MPI_Bcast, root 1        MPI_Scan                  MPI_Alltoall
 *     0 ████▒▒▒▒               0 ████                    0 ██▒▒▒▒▒▒      ▒ waiting
 *     1     ████  <- cause     1       ████  <- of 2     1       ██  <- cause of 0 and 2
 *     2   ██▒▒▒▒               2   ██▒▒▒▒██              2     ▒▒▒▒
 *
 * Who has something, and for whom, is told by the bytes that members send and receive. Where the operation alone does
 * not say who has to come before a member may leave (neighbours; MPI_Alltoallv; creation of communicators …), it is the last
 * one that came before it left: it is `loose`. */
#ifndef REFRAIN_WAIT_MEETING_H
#define REFRAIN_WAIT_MEETING_H

#include "decoder/call/groups.h"
#include "decoder/call/role.h"
#include "wait_event.h"

#define MEETING_NOBODY SIZE_MAX
#define MEETING_LATER  (SIZE_MAX - 1)

/* Which kind of event its members are, and is it loose? */
enum wait_event_kind meeting_kind(const struct role *role);
bool meeting_is_loose(const struct role *role);

/* Those who give something, in the order in which they came. Several hold it: members whose wait is to come. */
struct arrivals {
    size_t n_holders, n;
    bool inter;
    struct arrival {
        struct call_ref call;
        size_t member; /* in the operation */
        bool second;
    } items[];
};

/* The last that came by `time`, for a member of this rank, and group, to wait for; NULL: none. */
const struct arrival *arrivals_last(const struct arrivals *a, uint32_t rank, bool second, uint64_t time);
/* One less holds it, or, at 0, nobody does; then it is gone. */
void arrivals_release(struct arrivals *a); /* also NULL */

/* Scratch memory of it; zeroed it is empty. */
struct meeting_causes {
    ARRAY(size_t) of_member; /* the member that each waits for; MEETING_NOBODY */
    ARRAY(bool) gives;
    ARRAY(size_t) in_order; /* of a prefix: members by rank in their group; otherwise empty */
    /* Of wait_search_meeting.c: */
    ARRAY(uint32_t) joints; /* of each member: it depends on all of this one; 0: none */
    ARRAY(uint32_t) made;   /* all that were made */
    ARRAY(const struct call_ref *) calls;
};

/* Of a complete operation. Where members are loose, and not all have left (`blocking` is false), *later says who came
 * when, and causes of members that take something are MEETING_LATER; otherwise it is NULL. */
enum refrain_status meeting_find_causes(struct meeting_causes *out, const struct groups *groups,
                                        const struct role *role, const struct matching_collective *c,
                                        bool blocking, struct arrivals **later);
void meeting_causes_free(struct meeting_causes *m);

#endif
