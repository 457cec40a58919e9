/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the cause for each member of a collective operation: the last member that gives it something.
 *
 *     MPI_Bcast, root 1        MPI_Scan                  MPI_Alltoall
 *     0 ████▒▒▒▒               0 ████                    0 ██▒▒▒▒▒▒      ▒ waiting
 *     1     ████  <- cause     1       ████  <- of 2     1       ██  <- cause of 0 and 2
 *     2   ██▒▒▒▒               2   ██▒▒▒▒██              2     ▒▒▒▒
 *
 * The bytes that members send and receive say who gives something to whom. If the operation does not say who
 * has to come before a member may leave (neighbours; MPI_Alltoallv; creation of communicators …), it is
 * `loose`: then the cause is the last member that came before this one left.
 *
 * Libraries pass data on through other members, in a tree that the trace does not show. A member that comes late
 * makes those below it wait, though the root came before:
 *
 *     0 root  ██                       0 sends to 1, which sends to 2
 *     1              ██
 *     2  █▒▒▒▒▒▒▒▒▒▒▒▒██               after 1 came, 2 leaves soon */
#ifndef REFRAIN_WAIT_MEETING_H
#define REFRAIN_WAIT_MEETING_H

#include "decoder/call/groups.h"
#include "decoder/call/role.h"
#include "wait_event.h"

#define MEETING_NOBODY SIZE_MAX
#define MEETING_LATER  (SIZE_MAX - 1)

/* The event kind of the operation's members; is the operation loose? */
enum wait_event_kind meeting_kind(const struct role *role);
bool meeting_is_loose(const struct role *role);

/* The members that give something, in the order in which they came. Members whose wait is still to come hold
 * it. */
struct arrivals {
    size_t n_holders, n;
    bool inter;
    struct arrival {
        struct call_ref call;
        size_t member; /* in the operation */
        bool second;
    } items[];
};

/* Returns the last arrival up to `time` that a member with this rank and group has to wait for; NULL:
 * none. */
const struct arrival *arrivals_last(const struct arrivals *a, uint32_t rank, bool second, uint64_t time);
/* Releases one hold; frees the struct when there are none left. */
void arrivals_release(struct arrivals *a); /* also NULL */

/* Scratch memory for meeting_find_causes; a zeroed struct is empty. */
struct meeting_causes {
    ARRAY(size_t) of_member; /* the member that each waits for; MEETING_NOBODY */
    ARRAY(bool) gives;
    ARRAY(size_t) in_order; /* for prefix operations: members by rank in their group; otherwise empty */
    /* Used by wait_search_meeting.c: */
    ARRAY(uint32_t) joints; /* for each member, the joint that it depends on; 0: none */
    ARRAY(uint32_t) made;   /* all joints that were made */
    ARRAY(const struct call_ref *) calls;
};

/* Finds the causes in a complete operation. If the operation is loose and not all members have left
 * (`blocking` is false), *later has the arrivals, and members that take something get MEETING_LATER as their
 * cause; otherwise *later is NULL. */
enum refrain_status meeting_find_causes(struct meeting_causes *out, const struct groups *groups,
                                        const struct role *role, const struct matching_collective *c,
                                        bool blocking, struct arrivals **later);
/* Did number i of a blocking operation wait for another member after `cause` (MEETING_NOBODY: after its own enter) had
 * come at *from? *late is the last one that came meanwhile, if number i left soon after that. */
bool meeting_find_late(const struct matching_collective *c, size_t i, size_t cause, size_t *late,
                       uint64_t *from);
void meeting_causes_free(struct meeting_causes *m);

#endif
