/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "call_impl.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/memory/address_offset.h"
#include "src/memory/memory.h"
#include "src/record/comm.h"
#include "src/record/predefined.h"
#include "src/record/recording.h"
#include "src/record/tracer.h"
#include "src/site/callback.h"

/* ---- the frame of a call --------------------------------------------------------------------- */

void call_fail(struct call *call)
{
    call->failed = true;
    tracer_stop();
}

/* Read the return address from a frame: on most processors it follows the word to which the frame
 * pointer points. */
static const void *return_address_in(const char *frame)
{
    const void *address;
    memcpy(&address, frame + sizeof address, sizeof address);
    return address;
}

/* whether a frame has shown that return_address_in is right on this processor */
static atomic_bool frames_tell;

static void learn_frames(const char *frame, const void *return_address)
{
    if (frame && return_address_in(frame) == return_address)
        atomic_store_explicit(&frames_tell, true, memory_order_relaxed);
}

/* Whether the wrapper's call was left by longjmp or a C++ exception in a callback, and will never
 * return. Its frame is gone if another wrapper's frame is not below it (the stack grows down), or
 * if the frame now has another return address. If this goes unnoticed, the calls that follow are
 * recorded as made in the callback. */
static bool is_abandoned(const struct wrapper *w, const char *frame)
{
    return w->frame && frame &&
           (frame >= w->frame || (atomic_load_explicit(&frames_tell, memory_order_relaxed) &&
                                  return_address_in(w->frame) != w->return_address));
}

/* Record a call that will not return, with only its part before the call. The thread must be inside. */
static void record_unreturned(struct thread *t)
{
    const struct open_call *open = &t->scratch.open;
    if (open->open && !open->left_out && atomic_load(&tracer.state) == TRACER_RECORDING)
        tracer_record(t, &t->sites.sites.items[open->site], t->scratch.slots.items, open->n,
                      atomic_load(&open->enter), clock_now());
}

/* Abandon the innermost call of the thread. */
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

/* Whether the application makes this nested call, in a callback. False while the tracer itself
 * calls MPI. */
static bool is_in_callback(const void *return_address)
{
    return !thread_is_busy() && callback_calls(return_address);
}

/* End a call, or give up one that could not begin. */
static inline void let_go(struct scratch *s, bool inner)
{
    s->wrapper.frame = NULL;
    if (inner)
        scratch_resume(s);
    guard_depth--;
}

/* Leave the tracer; free the thread's data if recording has stopped. */
static inline void leave(struct thread *t)
{
    if (slow_path_is_required(SLOW_PATH_PASS) && atomic_load(&tracer.state) == TRACER_STOPPED)
        thread_clear(t);
    thread_leave(t);
}

/* Return this thread if the call is to be recorded, otherwise NULL: for a nested call or a thread's
 * first call. */
static __attribute__((noinline)) struct thread *begins(const void *return_address, const char *frame)
{
    leave_abandoned(frame);
    if (guard_depth > 0 && !is_in_callback(return_address))
        return NULL;
    const int saved_errno = errno;
    struct thread *t = tracer_thread();
    errno = saved_errno;
    return t;
}

/* Do not record this call. The thread has already entered the tracer. */
static __attribute__((noinline)) bool pass_through(struct call *call)
{
    leave(call->thread);
    *call->thread->errno_address = call->saved_errno;
    return false;
}

/* Do not record this call, because memory is short. */
static __attribute__((noinline)) bool give_up(struct call *call)
{
    tracer_stop();
    return pass_through(call);
}

/* Find a site that was not called recently; it may be new to the lane. */
static bool search_site(struct thread *t, uint32_t function, const void *return_address, uint32_t *site)
{
    t->changing = 1; /* until the search is over */
    const bool found = callsite_find(&t->sites, t->lane, function, return_address, site) == REFRAIN_OK;
    t->changing = 0;
    return found;
}

/* Begin the call, whose thread is inside and whose scratch is free. */
static inline void begin(struct call *call, struct thread *t, uint32_t function, uint32_t site,
                         const char *frame, const void *stack)
{
    struct scratch *s = &t->scratch;
    /* The last call may have been left by a jump; its slots are about to be reused. */
    s->open.open = false;
    s->open.left_out = false;
    s->open.site = site;
    s->watched.n = 0;
    s->wrapper.frame = frame;
    s->wrapper.return_address = frame ? return_address_in(frame) : NULL;
    s->call = call;
    call->next = s->slots.items;
    call->function = function;
    call->watched = 0;
    call->addresses = 0;
    call->failed = false;
    call->inner = false;
    call->comm_given = false;
    call->class_key = 0;
    call->stack = (uintptr_t)stack;
    t->serial++;
}

/* Begin any call on the slow path. `t` is NULL if the call is nested or the thread may be new. */
static __attribute__((noinline)) bool begin_slowly(struct call *call, struct thread *t, uint32_t function,
                                                   const void *return_address, const char *frame,
                                                   const void *stack)
{
    if (!t && !(t = begins(return_address, frame)))
        return false;
    call->thread = t;
    call->saved_errno = *t->errno_address;
    learn_frames(frame, return_address);
    thread_enter(t);
    if (atomic_load_explicit(&tracer.state, memory_order_acquire) != TRACER_RECORDING)
        return pass_through(call);
    const bool inner = guard_depth > 0;
    if (inner && !scratch_put_aside(&t->scratch))
        return give_up(call);
    guard_depth++;
    uint32_t site = callsite_recall(&t->sites, function, return_address);
    if (!scratch_prepare(&t->scratch, CALL_ROOM) ||
        (site == CALLSITE_NONE && !search_site(t, function, return_address, &site))) {
        let_go(&t->scratch, inner);
        return give_up(call);
    }
    begin(call, t, function, site, frame, stack);
    call->inner = inner;
    t->scratch.open.left_out = !recording_wants(function);
    t->scratch.open.told = false;
    return true;
}

/* The fast path compares and calls no function. A thread's first call takes the slow path, which
 * allocates the slots. */
HOT bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                       const void *stack)
{
    struct thread *t = guard_depth > 0 ? NULL : thread_self;
    uint32_t site;
    if (!t || !thread_try_enter(t, SLOW_PATH_ANY) || !scratch_is_empty(&t->scratch) ||
        (site = callsite_recall(&t->sites, function, return_address)) == CALLSITE_NONE)
        return begin_slowly(call, t, function, return_address, frame, stack);
    call->thread = t;
    call->saved_errno = *t->errno_address;
    guard_depth = 1;
    begin(call, t, function, site, frame, stack);
    return true;
}

HOT void call_enter(struct call *call)
{
    struct thread *t = call->thread;
    struct scratch *s = &t->scratch;
    assert(atomic_load(&t->inside) && call->next <= s->slots.items + s->slots.cap);
    s->open.open = true;
    s->open.n = (uint32_t)(call->next - s->slots.items);
    atomic_store_explicit(&s->open.enter, 0, memory_order_relaxed);
    thread_leave(t);
    *t->errno_address = call->saved_errno;
    call->enter = clock_now();
    atomic_store_explicit(&s->open.enter, call->enter, memory_order_relaxed);
}

/* Handle the return of a call whose slots are lost: it was taken for a call left by a jump, and other
 * calls have used its slots. */
static __attribute__((noinline)) void be_taken(struct call *call)
{
    call->failed = true;
    call->next = call->thread->scratch.slots.items;
}

/* Return from a call on the slow path (slow_path.h). */
static __attribute__((noinline)) void return_slowly(struct call *call)
{
    thread_enter(call->thread);
    if (atomic_load_explicit(&tracer.state, memory_order_acquire) != TRACER_RECORDING)
        call->failed = true;
}

static inline void returned(struct call *call)
{
    struct thread *t = call->thread;
    struct scratch *s = &t->scratch;
    call->leave = clock_now();
    call->saved_errno = *t->errno_address;
    while (s->call != call && s->around) /* calls in callbacks that were left by a jump */
        abandon(t);
    if (!thread_try_enter(t, SLOW_PATH_PAUSED | SLOW_PATH_FENCE | SLOW_PATH_PASS))
        return_slowly(call);
    if (s->call != call || !s->open.open)
        be_taken(call);
    else
        s->open.open = false;
}

HOT void call_returned(struct call *call)
{
    assert(!atomic_load(&call->thread->inside));
    returned(call);
}

HOT void call_leave(struct call *call)
{
    returned(call);
    if (call->thread->scratch.watched.n > 0)
        call_settle(call);
}

void call_prolong(struct call *call)
{
    call->leave = clock_now();
}

HOT void call_instant(struct call *call)
{
    call->enter = call->leave = clock_now();
}

/* End a call that is not recorded. */
static __attribute__((noinline)) void leave_out(const struct call *call)
{
    struct thread *t = call->thread;
    if (!call->failed)
        tracer_pass(t, call->leave, t->scratch.open.told);
}

HOT void call_end(struct call *call)
{
    struct thread *t = call->thread;
    struct scratch *s = &t->scratch;
    assert(atomic_load(&t->inside) && call->next <= s->slots.items + s->slots.cap);
    if (call->failed | s->open.left_out)
        leave_out(call);
    else
        tracer_record(t, &t->sites.sites.items[s->open.site], s->slots.items,
                      (uint32_t)(call->next - s->slots.items), call->enter, call->leave);
    if (s->call == call) {
        if (s->arena.used > 0)
            arena_reset(&s->arena);
        let_go(s, call->inner);
    }
    leave(t);
    *t->errno_address = call->saved_errno;
}

bool call_reserve(struct call *call, size_t n)
{
    struct scratch *s = &call->thread->scratch;
    s->slots.n = (size_t)(call->next - s->slots.items);
    if (!call->failed && (n > SIZE_MAX - CALL_ROOM || !array_reserve(&s->slots, n + CALL_ROOM)))
        call_fail(call);
    call->next = s->slots.items + s->slots.n;
    return !call->failed;
}
