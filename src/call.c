#include "call.h"

#include <errno.h>
#include <string.h>

#include "call_impl.h"
#include "callback.h"
#include "clock.h"
#include "comm.h"
#include "log.h"
#include "memory.h"
#include "places.h"
#include "predefined.h"
#include "recording.h"
#include "tracer.h"

/* ---- the frame of a call ------------------------------------------------------------------------------- */

void call_fail(struct call *call)
{
    call->failed = true;
    tracer_stop();
}

/* Behind what the frame pointer points to is the return address, on most processors. */
static const void *return_address_in(const char *frame)
{
    const void *address;
    memcpy(&address, frame + sizeof address, sizeof address);
    return address;
}

static inline struct wrapper wrapper_of(const char *frame, const void *return_address)
{
    const bool known = frame && return_address_in(frame) == return_address;
    return (struct wrapper){frame, known ? return_address : NULL};
}

/* A callback may have left the call by longjmp, or an exception of C++, never to return. Its frame is gone
 * when another wrapper's is not below it, for the stack grows down; or when there is another return address
 * in it. A call that is gone and not found out is no harm but to itself: those that follow seem to come from
 * its callback. */
static bool is_abandoned(const struct wrapper *w, const char *frame)
{
    return w->frame && frame &&
           (frame >= w->frame || (w->return_address && return_address_in(w->frame) != w->return_address));
}

/* As its part before the call: that is all there will be of it. The thread is inside. */
static void record_unreturned(struct thread *t)
{
    const struct open_call *open = &t->scratch.open;
    if (open->open && open->recorded && atomic_load(&tracer.state) == TRACER_RECORDING)
        tracer_record(t, &t->sites.sites.items[open->site], t->scratch.slots.items, open->n,
                      atomic_load(&open->enter), clock_now());
}

/* The innermost call that the thread is in. */
static void abandon(struct thread *t)
{
    thread_enter(t);
    record_unreturned(t);
    if (t->scratch.around) {
        scratch_resume(&t->scratch);
        guard_depth--;
    } else {
        t->scratch.open.open = false;
        t->scratch.wrapper = (struct wrapper){0};
        t->scratch.call = NULL;
        guard_depth = 0;
    }
    thread_leave(t);
}

static void leave_abandoned(const char *frame)
{
    struct thread *t = thread_self;
    while (guard_depth > 0 && t && is_abandoned(&t->scratch.wrapper, frame))
        abandon(t);
}

/* Within another call: does the application make this one, in a callback? Not while the tracer itself calls
 * MPI. */
static bool is_in_callback(const void *return_address)
{
    return !thread_is_busy() && callback_calls(return_address);
}

/* Of the call that ends, or could not begin. */
static inline void let_go(struct call *call)
{
    call->scratch->call = NULL;
    call->scratch->wrapper = (struct wrapper){0};
    if (call->inner)
        scratch_resume(call->scratch);
    guard_depth--;
}

/* A site that was not called lately: it may be new to the lane. */
static bool search_site(struct thread *t, uint32_t function, const void *return_address)
{
    t->changing = 1; /* maybe */
    const bool found = callsite_find(&t->sites, t->lane, function, return_address) == REFRAIN_OK;
    t->changing = 0;
    return found;
}

/* The thread is in the call, which has its scratch and a site in its lane; on an error nothing has changed.
 */
static inline bool prepare(struct call *call, uint32_t function, const void *return_address,
                           const char *frame)
{
    struct thread *t = call->thread;
    struct scratch *s = &t->scratch;
    if (call->inner && !scratch_put_aside(s))
        return false;
    guard_depth++;
    const struct callsite_recent *r = callsite_recent(&t->sites, return_address);
    if (!scratch_prepare(s) || ((r->address != return_address || r->function != function) &&
                                !search_site(t, function, return_address))) {
        let_go(call);
        return false;
    }
    call->site = r->callsite;
    call->class_key = call->memory_class = r->caller;
    s->wrapper = wrapper_of(frame, return_address);
    s->call = call;
    return true;
}

/* At the end of a call, or instead of one. */
static inline void leave(struct thread *t)
{
    if (atomic_load_explicit(&tracer.state, memory_order_relaxed) == TRACER_STOPPED)
        thread_clear(t);
    thread_leave(t);
}

/* In another call, or in the first one of the thread: is it to be recorded? Then *thread is this one. */
static __attribute__((noinline)) bool begins(const void *return_address, const char *frame,
                                             struct thread **thread)
{
    leave_abandoned(frame);
    if (guard_depth > 0 && !is_in_callback(return_address))
        return false;
    const int saved_errno = errno;
    *thread = tracer_thread();
    errno = saved_errno;
    return *thread;
}

bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                   const void *stack)
{
    struct thread *t = thread_self;
    if ((guard_depth > 0 || !t) && !begins(return_address, frame, &t))
        return false;
    call->errno_place = &errno;
    call->saved_errno = *call->errno_place;
    thread_enter(t);
    if (atomic_load_explicit(&tracer.state, memory_order_acquire) == TRACER_RECORDING) {
        call->thread = t;
        call->scratch = &t->scratch;
        call->function = function;
        call->recorded = recording_wants(function);
        call->failed = false;
        call->inner = guard_depth > 0;
        call->comm_given = false;
        call->comm = NULL;
        call->comm_slot = HANDLE_UNKNOWN;
        call->watched = 0;
        call->serial = ++t->serial;
        call->stack = (uintptr_t)stack;
        if (prepare(call, function, return_address, frame))
            return true;
        tracer_stop();
    }
    leave(t);
    *call->errno_place = call->saved_errno;
    return false;
}

void call_enter(struct call *call)
{
    struct scratch *s = call->scratch;
    s->n_before = (uint32_t)s->slots.n;
    s->open.open = true;
    s->open.recorded = call->recorded;
    s->open.site = call->site;
    s->open.n = s->n_before;
    atomic_store_explicit(&s->open.enter, 0, memory_order_relaxed);
    thread_leave(call->thread);
    *call->errno_place = call->saved_errno;
    call->enter = clock_now();
    atomic_store_explicit(&s->open.enter, call->enter, memory_order_relaxed);
}

static inline void returned(struct call *call)
{
    struct scratch *s = call->scratch;
    call->leave = clock_now();
    call->saved_errno = *call->errno_place;
    while (s->call != call && s->around) /* a call in a callback, which went on behind it */
        abandon(call->thread);
    thread_enter(call->thread);
    /* Not its own any more: it was taken for one that was left by a jump, and another has used its slots. */
    const bool own = s->call == call && s->open.open;
    if (!own || atomic_load_explicit(&tracer.state, memory_order_acquire) != TRACER_RECORDING)
        call->failed = true;
    if (own)
        s->open.open = false;
}

void call_returned(struct call *call)
{
    returned(call);
}

void call_leave(struct call *call)
{
    returned(call);
    if (call->scratch->watched.n > 0)
        call_settle(call);
}

void call_end(struct call *call)
{
    struct thread *t = call->thread;
    const struct scratch *s = call->scratch;
    if (!call->failed && !call->recorded)
        tracer_pass(t, call->leave);
    else if (!call->failed)
        tracer_record(t, &t->sites.sites.items[call->site], s->slots.items, (uint32_t)s->slots.n, call->enter,
                      call->leave);
    if (s->call == call)
        let_go(call);
    leave(t);
    *call->errno_place = call->saved_errno;
}

bool call_reserve(struct call *call, size_t n)
{
    if (!call->failed && call->scratch->slots.n + n > call->scratch->slots.cap &&
        !array_reserve(&call->scratch->slots, n))
        call_fail(call);
    return !call->failed;
}
