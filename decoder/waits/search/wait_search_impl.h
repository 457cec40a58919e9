/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of wait_search.h: wait_search.c takes the calls and operations of the walk, wait_search_values.c sums up,
 * wait_search_message.c handles messages, wait_search_meeting.c collective operations, wait_search_windows.c
 * windows, wait_search_progress.c late progress, wait_search_overlaps.c calls of several threads that overlap, wait_search_end.c the events after the last
 * call. */
#ifndef REFRAIN_WAIT_SEARCH_IMPL_H
#define REFRAIN_WAIT_SEARCH_IMPL_H

#include "wait_completions.h"
#include "wait_search.h"

/* A completion by the event's call is known. Publishes the call's event if this was the last completion of
 * the call. */
enum refrain_status wait_search_settle(struct wait_search *s, const struct wait_event *e);
/* The same for a completion that has waited for nobody. */
enum refrain_status wait_search_settle_none(struct wait_search *s, const struct call_ref *call);
/* Adds a completion to the lane's last call. */
enum refrain_status wait_search_expect(struct wait_search *s, const struct call_ref *call, bool is_send);
/* Publishes the event of a call whose completions are known. If polls at several sites have waited, each site gets
 * an event, with its part of the waiting. */
enum refrain_status wait_search_publish_completion(struct wait_search *s, const struct wait_event *e);
/* Of a time of all polls that waited for the event: the part of the call's own site. */
uint64_t wait_search_own_part(const struct wait_event *e, uint64_t time);

/* Returns the row of the values for a call of a lane (wait_search_place). */
static inline uint32_t wait_search_place_of(const struct wait_search *s, uint32_t lane, uint64_t call,
                                            uint32_t site)
{
    return s->places ? wait_places_find(s->places, lane, call) : site;
}

/* The lane's span is over: its times are known. */
enum refrain_status wait_search_end_span(struct wait_search *s, uint32_t lane, const struct wait_span *span);

/* Finds the functions that send in standard mode. */
enum refrain_status wait_search_find_standard(struct wait_search *s);
/* Callbacks of struct matching_sink: both ends of a message are known; the send is known to be complete. */
enum refrain_status wait_search_take_message(void *context, const struct matching_message *m);
enum refrain_status wait_search_take_sent(void *context, const struct matching_sent *m);

/* Uses what is known of the lane's sends, in their order. `end`: after the last call. */
enum refrain_status wait_search_tell_sends(struct wait_search *s, struct wait_lane *l, bool end);

/* A member begins a non-blocking operation; a member completes one; all members of an operation have come. */
enum refrain_status wait_search_begin_member(struct wait_search *s, const struct operation *op);
enum refrain_status wait_search_complete_member(struct wait_search *s, const struct operation *op);
enum refrain_status wait_search_meet(struct wait_search *s, const struct matching_collective *c);

/* Take any operation; ignore those that are not about epochs, or about locks, of windows. */
enum refrain_status wait_search_take_epoch(struct wait_search *s, const struct operation *op);
enum refrain_status wait_search_take_lock(struct wait_search *s, const struct operation *op);
/* Reports waiting for locks of windows that were given back until then, ns (wait_locks_compare). */
enum refrain_status wait_search_tell_locks(struct wait_search *s, uint64_t until);

/* Takes a lane's next call, after wait_lane_take, and reports which calls may have waited for other threads of
 * their rank. wait_search_end_overlaps: reports the rest, after the last call. */
enum refrain_status wait_search_take_overlap(struct wait_search *s, uint32_t lane, const struct call *call,
                                             const struct timestamp *t, const struct call_fields *f);
enum refrain_status wait_search_end_overlaps(struct wait_search *s);

enum refrain_status wait_search_start_progress(struct wait_search *s);
/* Takes a lane's next call, after the listener: the lane may return to MPI with it, and calls of other lanes may have
 * waited for that. `begins`: the call begins a state. */
enum refrain_status wait_search_take_return(struct wait_search *s, uint32_t lane, const struct call *call,
                                            const struct timestamp *t, const struct call_fields *f,
                                            bool begins);
/* All completions of a call are known, before the listener knows the last one: it may have waited for a partner's
 * return, too. */
enum refrain_status wait_search_look_for_progress(struct wait_search *s, const struct wait_event *e);
/* After the last call. */
enum refrain_status wait_search_end_progress(struct wait_search *s);

/* Call this after the last call: publishes the events that are still open or known only now. */
enum refrain_status wait_search_end(struct wait_search *s);

#endif
