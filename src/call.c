#include "call.h"

#include <errno.h>
#include <string.h>

#include "call_impl.h"
#include "callback.h"
#include "clock.h"
#include "comm.h"
#include "log.h"
#include "memory.h"
#include "mix.h"
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

static struct wrapper wrapper_of(const char *frame, const void *return_address)
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
static void let_go(struct call *call)
{
    call->scratch->call = NULL;
    call->scratch->wrapper = (struct wrapper){0};
    if (call->inner)
        scratch_resume(call->scratch);
    guard_depth--;
}

/* The thread is in the call, which has its scratch and a site in its lane; on an error nothing has changed.
 */
static bool prepare(struct call *call, const void *return_address, const char *frame)
{
    struct thread *t = call->thread;
    const struct callsite *site;
    if (call->inner && !scratch_put_aside(&t->scratch))
        return false;
    guard_depth++;
    t->changing = 1; /* maybe */
    const bool found =
        scratch_prepare(&t->scratch) &&
        callsite_find(&t->sites, t->lane, call->function, gen_functable.functions.items[call->function].name,
                      return_address, &site) == REFRAIN_OK;
    t->changing = 0;
    if (!found) {
        let_go(call);
        return false;
    }
    call->site = (uint32_t)(site - t->sites.sites.items);
    call->class_key = call->memory_class = site->caller;
    t->scratch.wrapper = wrapper_of(frame, return_address);
    t->scratch.call = call;
    return true;
}

/* At the end of a call, or instead of one. */
static void leave(struct thread *t)
{
    if (atomic_load_explicit(&tracer.state, memory_order_relaxed) == TRACER_STOPPED)
        thread_clear(t);
    thread_leave(t);
}

bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                   const void *stack)
{
    leave_abandoned(frame);
    const bool inner = guard_depth > 0;
    if (inner && !is_in_callback(return_address))
        return false;
    const int saved_errno = errno;
    struct thread *t = tracer_thread();
    if (!t) {
        errno = saved_errno;
        return false;
    }
    thread_enter(t);
    if (atomic_load_explicit(&tracer.state, memory_order_acquire) == TRACER_RECORDING) {
        *call = (struct call){
            .thread = t,
            .scratch = &t->scratch,
            .function = function,
            .recorded = recording_wants(function),
            .inner = inner,
            .saved_errno = saved_errno,
            .serial = ++t->serial,
            .comm_slot = HANDLE_UNKNOWN,
            .stack = (uintptr_t)stack,
        };
        if (prepare(call, return_address, frame))
            return true;
        tracer_stop();
    }
    leave(t);
    errno = saved_errno;
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
    errno = call->saved_errno;
    call->enter = clock_now();
    atomic_store_explicit(&s->open.enter, call->enter, memory_order_relaxed);
}

void call_returned(struct call *call)
{
    struct scratch *s = call->scratch;
    call->leave = clock_now();
    call->saved_errno = errno;
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

void call_leave(struct call *call)
{
    call_returned(call);
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
    errno = call->saved_errno;
}

/* ---- values -------------------------------------------------------------------------------------------- */

bool call_reserve(struct call *call, size_t n)
{
    if (!call->failed && call->scratch->slots.n + n > call->scratch->slots.cap &&
        !array_reserve(&call->scratch->slots, n))
        call_fail(call);
    return !call->failed;
}

void call_put(struct call *call, int64_t slot)
{
    if (call_reserve(call, 1))
        call->scratch->slots.items[call->scratch->slots.n++] = slot;
}

bool call_put_count(struct call *call, const void *array, int64_t n, size_t each)
{
    if (!array && n >= 0)
        n = ARRAY_NULL;
    call_put(call, n);
    return n > 0 && call_reserve(call, (size_t)n * each);
}

void call_int(struct call *call, int64_t value)
{
    call_put(call, value);
}

void call_rank(struct call *call, int64_t rank)
{
    call_put(call, rank);
    call->class_key = mix(call->class_key, (uint64_t)rank);
}

void call_real(struct call *call, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    call_put(call, bits);
}

static void put_address(struct call *call, enum predefined_set set, uint64_t address)
{
    struct memory_symbol symbol = {2, {ADDRESS_CONSTANT}};
    if (!predefined_address(set, address, &symbol.slots[1]) &&
        memory_find((uintptr_t)address, call->stack, ++call->memory_class, &symbol)) {
        call_fail(call);
        return;
    }
    for (uint32_t i = 0; i < symbol.n; i++)
        call_put(call, symbol.slots[i]);
}

void call_address(struct call *call, const void *address)
{
    put_address(call, PREDEFINED_ADDRESS, (uint64_t)(intptr_t)address);
}

void call_callback(struct call *call, uintptr_t function)
{
    put_address(call, PREDEFINED_FUNCTION, (uint64_t)function);
}

void call_value(struct call *call, const void *value)
{
    put_address(call, PREDEFINED_VALUE, (uint64_t)(intptr_t)value);
}

static const void *stored(const void *place)
{
    const void *pointer;
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

void call_stored_address(struct call *call, const void *place)
{
    call_address(call, stored(place));
}

void call_stored_value(struct call *call, const void *place)
{
    call_value(call, stored(place));
}

void call_nullable_int(struct call *call, const int *value)
{
    call_put(call, value ? 1 : ARRAY_NULL);
    if (value)
        call_put(call, *value);
}

void call_ints(struct call *call, const void *array, size_t size, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    int64_t *out = call->scratch->slots.items + call->scratch->slots.n;
    if (size == sizeof(int32_t)) {
        const int32_t *in = array;
        for (int64_t i = 0; i < n; i++)
            out[i] = in[i];
    } else {
        memcpy(out, array, (size_t)n * sizeof *out);
    }
    call->scratch->slots.n += (size_t)n;
}

void call_string(struct call *call, const char *s, int64_t max)
{
    if (max < 0 || !s) {
        call_put(call, max < 0 ? max : ARRAY_NULL);
        return;
    }
    const size_t n = strnlen(s, (size_t)max);
    const size_t n_slots = (n + 7) / 8;
    if (!call_reserve(call, 1 + n_slots))
        return;
    call_put(call, (int64_t)n);
    for (size_t i = 0; i < n_slots; i++) {
        uint64_t slot = 0;
        for (size_t b = 0; b < 8 && 8 * i + b < n; b++)
            slot |= (uint64_t)(unsigned char)s[8 * i + b] << 8 * b;
        call_put(call, (int64_t)slot);
    }
}

void call_strings(struct call *call, char *const *strings, int64_t n)
{
    if (n == CALL_TO_NULL && strings)
        for (n = 0; strings[n]; n++)
            ;
    else if (n == CALL_TO_NULL)
        n = ARRAY_NULL;
    if (!call_put_count(call, strings, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_string(call, strings[i], CALL_STRING_MAX);
}

void call_string_lists(struct call *call, char **const *lists, int64_t n)
{
    if (!call_put_count(call, lists, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_strings(call, lists[i], CALL_TO_NULL);
}

int64_t call_sum(const int *lengths, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; lengths && i < n; i++)
        sum += call_length(lengths[i]);
    return sum;
}

int64_t call_array_length(const char *kind, const void *array, int64_t n)
{
    int64_t sentinel;
    return predefined_sentinel(kind, array, &sentinel) ? ARRAY_CODE - sentinel : n;
}
