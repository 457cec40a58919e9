/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside wait_search.h: wait_search.c listens and adds up, wait_search_message.c has messages, wait_search_meeting.c collective
 * operations, wait_search_end.c what comes last. */
#ifndef REFRAIN_WAIT_SEARCH_IMPL_H
#define REFRAIN_WAIT_SEARCH_IMPL_H

#include "wait_completions.h"
#include "wait_search.h"

/* A completion by the event's call is known; the event is told when it is the call's last one. */
enum refrain_status wait_search_settle(struct wait_search *s, const struct wait_event *e);
/* A completion by the call has waited for nobody. */
enum refrain_status wait_search_settle_none(struct wait_search *s, const struct call_ref *call);
/* One more completion by the call that was taken last. */
enum refrain_status wait_search_expect(struct wait_search *s, const struct call_ref *call);

/* The lane's span is over: its times are known. */
enum refrain_status wait_search_end_span(struct wait_search *s, uint32_t lane, const struct wait_span *span);

/* Which functions send in the standard mode. */
enum refrain_status wait_search_find_standard(struct wait_search *s);
/* Both ends of a message are known, or when its receive was posted (struct matching_sink). */
enum refrain_status wait_search_take_message(void *context, const struct matching_message *m);
enum refrain_status wait_search_take_sent(void *context, const struct matching_sent *m);

/* A member begins an operation that does not block, completes one; all members of one have come. */
enum refrain_status wait_search_begin_member(struct wait_search *s, const struct operation *op);
enum refrain_status wait_search_complete_member(struct wait_search *s, const struct operation *op);
enum refrain_status wait_search_meet(struct wait_search *s, const struct matching_collective *c);

/* Behind the last call: what is still open, and what is known only now. */
enum refrain_status wait_search_end(struct wait_search *s);

#endif
