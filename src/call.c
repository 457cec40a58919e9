#include "call.h"

#include <errno.h>
#include <stdlib.h>
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

_Thread_local struct scratch scratch;

static uint64_t serial; /* of the last call that was begun; under the tracer's lock */

/* ---- the frame of a call ------------------------------------------------------------------------------- */

/* Into the list of open calls, at its end. */
static void open_call(const struct call *call)
{
    struct open_call *open = &scratch.open;
    *open = (struct open_call){.link = tracer.open_end,
                               .site = call->site,
                               .slots = scratch.slots.items,
                               .n = scratch.n_before,
                               .recorded = call->recorded};
    *tracer.open_end = open;
    tracer.open_end = &open->next;
}

static void close_call(struct open_call *open)
{
    if (!open->link)
        return;
    *open->link = open->next;
    if (open->next)
        open->next->link = open->link;
    else
        tracer.open_end = open->link;
    open->link = NULL;
}

/* A thread other than the first gives its scratch memory back when it ends. */
static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;
static bool scratch_has_key;

static void scratch_release(struct scratch *s)
{
    array_free(&s->slots);
    array_free(&s->watched);
    array_free(&s->statuses);
    arena_free(&s->arena);
}

static void scratch_free(void *thread_scratch)
{
    struct scratch *s = thread_scratch;
    if (s->open.link) { /* it ended within a call */
        tracer_lock();
        close_call(&s->open);
        tracer_unlock();
    }
    scratch_release(s);
}

static void scratch_create_key(void)
{
    scratch_has_key = pthread_key_create(&scratch_key, scratch_free) == 0;
}

static bool scratch_prepare(void)
{
    close_call(&scratch.open); /* of a call that was left by a jump: its slots are about to be used again */
    if (scratch.slots.cap == 0) {
        pthread_once(&scratch_once, scratch_create_key);
        if (scratch_has_key)
            pthread_setspecific(scratch_key, &scratch);
        if (!array_reserve(&scratch.slots, 64))
            return false;
    }
    scratch.slots.n = 0;
    scratch.watched.n = 0;
    scratch.n_before = 0;
    arena_reset(&scratch.arena);
    return true;
}

void call_fail(struct call *call)
{
    call->failed = true;
    tracer_stop();
}

/* The wrapper of the call that this thread is in. */
struct wrapper {
    const char *frame;          /* NULL: in no call, or in one of Fortran */
    const void *return_address; /* as it stands in the frame; NULL: where that is, is not known */
};

static _Thread_local struct wrapper outer __attribute__((tls_model("initial-exec")));

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

/* While the library runs a callback of the application, which makes a call of its own, what the thread
 * remembers of the call around that waits here. */
static _Thread_local struct waiting {
    struct scratch scratch;
    struct wrapper wrapper;
    struct waiting *around; /* of a callback within a callback */
} * waiting __attribute__((tls_model("initial-exec")));

/* The place of an open call has changed. */
static void relink(struct open_call *open)
{
    if (!open->link)
        return;
    *open->link = open;
    if (open->next)
        open->next->link = &open->next;
    else
        tracer.open_end = &open->next;
}

/* False when memory is short: the tracer is to stop. Needs the lock. */
static bool put_aside(void)
{
    struct waiting *w = malloc(sizeof *w);
    if (!w) {
        log_error("no memory for a call in a callback");
        tracer_stop();
        return false;
    }
    *w = (struct waiting){scratch, outer, waiting};
    relink(&w->scratch.open);
    scratch = (struct scratch){0};
    waiting = w;
    return true;
}

/* Back to the call around, which must be there. Needs the lock. */
static void resume_waiting(void)
{
    struct waiting *w = waiting;
    close_call(&scratch.open);
    scratch_release(&scratch);
    scratch = w->scratch;
    relink(&scratch.open);
    outer = w->wrapper;
    waiting = w->around;
    free(w);
}

/* A callback may have left the call by longjmp, or an exception of C++, never to return. Its frame is gone
 * when another wrapper's is not below it, for the stack grows down; or when there is another return address
 * in it. A call that is gone and not found out is no harm but to itself: those that follow seem to come from
 * its callback. */
static bool is_abandoned(const char *frame)
{
    return outer.frame && frame &&
           (frame >= outer.frame ||
            (outer.return_address && return_address_in(outer.frame) != outer.return_address));
}

static void leave_abandoned(const char *frame)
{
    while (guard_depth > 0 && is_abandoned(frame)) {
        if (waiting) {
            tracer_lock();
            resume_waiting();
            tracer_unlock();
            guard_depth--;
        } else {
            guard_depth = 0;
        }
        log_warning("a call was left by a jump out of a callback; it is not in the trace");
    }
}

/* Is the call to be recorded? In a callback, if the application makes it; but not while the tracer itself
 * calls MPI. */
static bool is_wanted(const void *return_address)
{
    return (guard_depth == 0 || (!tracer_holds_lock() && callback_calls(return_address))) &&
           tracer_is_recording();
}

bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                   const void *stack)
{
    leave_abandoned(frame);
    if (!is_wanted(return_address))
        return false;
    const int saved_errno = errno;
    const bool inner = guard_depth > 0;
    guard_depth++;
    tracer_lock();
    /* Another thread may have stopped or finished it meanwhile. */
    if (atomic_load(&tracer.state) == TRACER_RECORDING && (!inner || put_aside())) {
        const struct callsite *site;
        *call = (struct call){
            .function = function,
            .recorded = recording_wants(function),
            .inner = inner,
            .saved_errno = saved_errno,
            .serial = ++serial,
            .comm_slot = HANDLE_UNKNOWN,
            .stack = (uintptr_t)stack,
        };
        tracer.changing = 1; /* maybe */
        const bool found = scratch_prepare() && callsite_find(&tracer.sites, tracer.calls, function,
                                                              gen_functable.functions.items[function].name,
                                                              return_address, &site) == REFRAIN_OK;
        tracer.changing = 0;
        if (found) {
            call->site = (uint32_t)(site - tracer.sites.sites.items);
            call->class_key = call->memory_class = site->caller;
            outer = wrapper_of(frame, return_address);
            return true;
        }
        if (inner)
            resume_waiting();
        tracer_stop();
    }
    tracer_unlock();
    guard_depth--;
    errno = saved_errno;
    return false;
}

void call_enter(struct call *call)
{
    scratch.n_before = (uint32_t)scratch.slots.n;
    open_call(call);
    tracer_unlock();
    errno = call->saved_errno;
    call->enter = scratch.open.enter = clock_now();
}

void call_returned(struct call *call)
{
    call->leave = clock_now();
    call->saved_errno = errno;
    tracer_lock();
    /* Not open any more: it was taken for one that was left by a jump, and another has used its slots. */
    if (!scratch.open.link || atomic_load(&tracer.state) != TRACER_RECORDING)
        call->failed = true;
    close_call(&scratch.open);
}

void call_leave(struct call *call)
{
    call_returned(call);
    call_settle(call);
}

void call_end(struct call *call)
{
    const bool done = !call->failed && atomic_load(&tracer.state) == TRACER_RECORDING;
    if (done && !call->recorded)
        tracer_pass(call->leave);
    else if (done)
        tracer_record(&tracer.sites.sites.items[call->site], scratch.slots.items, (uint32_t)scratch.slots.n,
                      call->enter, call->leave);
    outer = (struct wrapper){0};
    if (call->inner)
        resume_waiting();
    tracer_unlock();
    guard_depth--;
    errno = call->saved_errno;
}

/* ---- values -------------------------------------------------------------------------------------------- */

bool call_reserve(struct call *call, size_t n)
{
    if (!call->failed && scratch.slots.n + n > scratch.slots.cap && !array_reserve(&scratch.slots, n))
        call_fail(call);
    return !call->failed;
}

void call_put(struct call *call, int64_t slot)
{
    if (call_reserve(call, 1))
        scratch.slots.items[scratch.slots.n++] = slot;
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
    int64_t *out = scratch.slots.items + scratch.slots.n;
    if (size == sizeof(int32_t)) {
        const int32_t *in = array;
        for (int64_t i = 0; i < n; i++)
            out[i] = in[i];
    } else {
        memcpy(out, array, (size_t)n * sizeof *out);
    }
    scratch.slots.n += (size_t)n;
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
