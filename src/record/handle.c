/* SPDX-License-Identifier: BSD-3-Clause */
#include "handle.h"

#include <assert.h>
#include <string.h>

#include "handle_constant.h"
#include "handle_registry.h"
#include "src/core/base/placement.h"
#include "src/core/trace/functable.h"
#include "thread.h"
#include "tracer.h"

#define STRIPES 64 /* a power of two */

static struct registry registries[HANDLE_KINDS]; /* by kind; the entry of requests is not used */
static struct registry stripes[STRIPES];         /* requests, distributed by value; not used if in_one */
HOT_DATA static struct registry sole;            /* all requests if in_one */
HOT_DATA static bool in_one;                     /* only one thread is in MPI at a time */

/* Functions with this mark are compiled separately for requests, the most frequent kind. */
#define FOR_A_KIND static inline __attribute__((always_inline))
HOT_DATA atomic_uint_fast64_t handle_generations[HANDLE_KINDS];

/* Several threads may call procedures of these kinds at once, whatever the level of thread support: the
 * standard allows it, or has a separate level for them. */
static const bool always_shared[HANDLE_KINDS] = {
    [HANDLE_ERRHANDLER] = true,     [HANDLE_INFO] = true,
    [HANDLE_SESSION] = true,        [HANDLE_CVAR] = true,
    [HANDLE_PVAR] = true,           [HANDLE_PVAR_SESSION] = true,
    [HANDLE_TOOLS_ENUM] = true,     [HANDLE_EVENT_REGISTRATION] = true,
    [HANDLE_EVENT_INSTANCE] = true,
};
/* The level of thread support of MPI_Init_thread lets only one thread into MPI at a time. */
static atomic_bool one_thread;
/* A session was created. It may have its own level of thread support, so one_thread may not hold for it. */
static atomic_bool has_sessions;
/* one_thread and no sessions: only the kinds in always_shared need a lock. */
HOT_DATA static atomic_bool unlocked;

/* ---- values ---------------------------------------------------------------------------------- */

/* Hash a handle's value, so that values spread over the stripes. Values are small numbers, or addresses of
 * objects, which are at least an object's size apart. */
static size_t spread(uint64_t value)
{
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(value >> 40);
}

/* ---- registries and numbers ------------------------------------------------------------------ */

void handle_start(void)
{
    for (size_t i = 0; i < HANDLE_KINDS; i++) {
        registry_init(&registries[i]);
        atomic_store(&handle_generations[i], 1);
    }
    for (size_t i = 0; i < STRIPES; i++)
        registry_init(&stripes[i]);
    registry_init(&sole);
}

void handle_clear(void)
{
    for (size_t i = 0; i < HANDLE_KINDS; i++)
        registry_clear(&registries[i]);
    handle_constants_clear();
    for (size_t i = 0; i < STRIPES; i++)
        registry_clear(&stripes[i]);
    registry_clear(&sole);
}

void handle_user_init(struct handle_user *u, uint32_t lane)
{
    handle_numbers_init(&u->requests, lane);
    handle_numbers_init(&u->messages, lane);
}

void handle_user_clear(struct handle_user *u)
{
    handle_numbers_clear(&u->requests);
    handle_numbers_clear(&u->messages);
}

bool handle_user_is_met(const struct handle_user *u)
{
    return atomic_load(&u->requests.met) || atomic_load(&u->messages.met);
}

void handle_expect_one_thread(void)
{
    atomic_store(&one_thread, true);
    atomic_store(&unlocked, !atomic_load(&has_sessions));
    in_one = !atomic_load(&has_sessions); /* with sessions, there may be requests already */
}

FOR_A_KIND struct registry *registry_of(enum handle_kind kind, uint64_t value)
{
    if (kind != HANDLE_REQUEST)
        return &registries[kind];
    return in_one ? &sole : &stripes[spread(value) & (STRIPES - 1)];
}

static inline bool is_shared(enum handle_kind kind)
{
    return !atomic_load_explicit(&unlocked, memory_order_relaxed) || always_shared[kind];
}

/* Lock the registry if necessary. Returns true if it was locked; pass this to unlock. */
static inline bool lock(struct registry *r, enum handle_kind kind)
{
    const bool shared = is_shared(kind);
    if (shared)
        registry_lock(r);
    return shared;
}

static inline void unlock(struct registry *r, bool locked)
{
    if (locked)
        registry_unlock(r);
}

/* Make the cached results of handle_find for a kind invalid. The registry must be locked. */
static void forget_cached(enum handle_kind kind)
{
    const uint64_t generation = atomic_load_explicit(&handle_generations[kind], memory_order_relaxed);
    atomic_store_explicit(&handle_generations[kind], generation + 1, memory_order_release);
}

/* ---- handles of a registry that is locked ---------------------------------------------------- */

/* Return the handle that a call has looked up, if it is still live; otherwise NULL. */
static inline struct handle *resolve(struct registry *r, const struct handle_ref *ref)
{
    struct handle *h = ref->handle == HANDLE_NONE ? NULL : registry_at(r, ref->handle);
    return h && h->made == ref->made ? h : NULL;
}

static inline int64_t slot_of(const struct handle *h)
{
    struct handle_numbers *numbers = h->numbers;
    const struct handle_user *own = &thread_self->handles;
    const int64_t slot = (int64_t)h->symbol << 1;
    if (numbers->lane == HANDLE_NONE || numbers == &own->requests || numbers == &own->messages)
        return slot;
    atomic_store_explicit(&numbers->met, true, memory_order_relaxed);
    return slot | ((int64_t)numbers->lane + 1) << HANDLE_LANE_SHIFT;
}

static inline struct handle_numbers *numbers_for(struct registry *r, enum handle_kind kind)
{
    return kind == HANDLE_REQUEST   ? &thread_self->handles.requests
           : kind == HANDLE_MESSAGE ? &thread_self->handles.messages
                                    : &r->numbers;
}

static inline void give_number(struct handle_numbers *numbers, enum handle_kind kind, uint32_t symbol)
{
    const struct handle_user *own = &thread_self->handles;
    if (numbers->lane == own->requests.lane || numbers->lane == HANDLE_NONE || !is_shared(kind))
        id_allocator_release(&numbers->numbers, symbol);
    else
        handle_numbers_return(numbers, symbol);
}

/* Add a new handle after the handles with the same value. On an error the tracer stops, so the number need
 * not be given back. */
FOR_A_KIND enum refrain_status add(struct registry *r, enum handle_kind kind, uint64_t value,
                                   uint64_t class_key, struct handle **out, bool *is_new)
{
    struct handle_numbers *numbers = numbers_for(r, kind);
    uint32_t symbol;
    enum refrain_status status = handle_numbers_acquire(numbers, class_key, &symbol, is_new);
    if (status)
        return status;
    const uint32_t new = registry_take(r);
    if (new == HANDLE_NONE)
        return REFRAIN_ERR_MEMORY;

    struct handle *h = registry_at(r, new);
    *h = (struct handle){
        .value = value,
        .numbers = numbers,
        .symbol = symbol,
        .references = 1,
        .made = ++r->made,
        .next = HANDLE_NONE,
        .previous = HANDLE_NONE,
        .last = new,
        .active = true,
    };
    if (!registry_link(r, new))
        return REFRAIN_ERR_MEMORY;
    *out = h;
    return REFRAIN_OK;
}

/* Drop one reference; with the last one the number becomes free. */
FOR_A_KIND void release(struct registry *r, enum handle_kind kind, uint32_t handle)
{
    struct handle *h = registry_at(r, handle);
    if (--h->references > 0)
        return;

    registry_unlink(r, handle);
    give_number(h->numbers, kind, h->symbol);
}

static void release_value(struct registry *r, enum handle_kind kind, uint64_t value)
{
    for (uint32_t h = map_get(&r->live, value); h != HANDLE_NONE; h = map_get(&r->live, value)) {
        registry_at(r, h)->references = 1;
        release(r, kind, h);
    }
}

/* ---- looking values up ----------------------------------------------------------------------- */

static int64_t find_live(struct registry *r, uint64_t value, uint32_t *handle)
{
    *handle = map_get(&r->live, value);
    return *handle == HANDLE_NONE ? HANDLE_UNKNOWN : slot_of(registry_at(r, *handle));
}

static inline bool is_current(const struct handle_cached *c)
{
    return c->generation == atomic_load_explicit(&handle_generations[c->kind], memory_order_acquire);
}

/* If two values fall into the same cache entry, the older one moves to the neighbouring entry. */
const struct handle_cached *handle_search(struct handle_user *u, enum handle_kind kind, uint64_t value)
{
    struct registry *r = &registries[kind];
    struct handle_cached *c = handle_cached(u, kind, value);
    struct handle_cached *beside = &u->cached[(c - u->cached) ^ 1];
    if (beside->value == value && beside->kind == kind && is_current(beside))
        return beside;
    if (is_current(c))
        *beside = *c;
    const bool locked = lock(r, kind);
    *c = (struct handle_cached){
        .kind = kind,
        .value = value,
        .generation = atomic_load_explicit(&handle_generations[kind], memory_order_relaxed),
        .handle = HANDLE_NONE,
    };
    if (!handle_constant_find(kind, value, &c->slot))
        c->slot = find_live(r, value, &c->handle);
    unlock(r, locked);
    return c;
}

/* Find the live request that a value in a call stands for. HANDLE_NONE: the call passes the value more often
 * than there are live requests with this value. MPI libraries may use one value for all requests that are
 * already complete when they are made. If requests of several threads have this value, each thread gets its
 * own requests first. */
static inline uint32_t find_request(struct registry *r, uint64_t value, uint64_t serial)
{
    const uint32_t head = map_get(&r->live, value);
    if (head == HANDLE_NONE)
        return HANDLE_NONE;
    struct handle *first = registry_at(r, head);
    if (first->next != HANDLE_NONE || first->busy)
        return registry_find_chained(r, head, serial);
    first->asked = &thread_self->handles;
    first->serial = serial;
    first->visited = head;
    return head;
}

/* Fill *ref for the handle that was found, if any, and return its slot. */
FOR_A_KIND int64_t refer(struct registry *r, struct handle_ref *ref, bool busy)
{
    if (ref->handle == HANDLE_NONE)
        return HANDLE_UNKNOWN;
    struct handle *h = registry_at(r, ref->handle);
    ref->made = h->made;
    ref->persistent = h->persistent;
    if (ref->kind == HANDLE_REQUEST && busy) {
        h->busy = true;
        if (h->active) /* for an inactive request MPI returns the empty status, whose fields are all valid */
            ref->status = (uint8_t)h->status;
    }
    return slot_of(h);
}

FOR_A_KIND int64_t meet(enum handle_kind kind, uint64_t value, uint64_t serial, bool busy,
                        struct handle_ref *ref)
{
    int64_t slot;
    handle_ref_none(ref, kind, value);
    if (handle_constant_find(kind, value, &slot))
        return slot;
    struct registry *r = registry_of(kind, value);
    const bool locked = lock(r, kind);
    ref->handle =
        kind == HANDLE_REQUEST && serial > 0 ? find_request(r, value, serial) : map_get(&r->live, value);
    slot = refer(r, ref, busy);
    unlock(r, locked);
    return slot;
}

HOT int64_t handle_meet_busy(uint64_t value, uint64_t serial, struct handle_ref *ref)
{
    return meet(HANDLE_REQUEST, value, serial, true, ref);
}

int64_t handle_meet(enum handle_kind kind, uint64_t value, uint64_t serial, bool busy, struct handle_ref *ref)
{
    return kind == HANDLE_REQUEST ? meet(HANDLE_REQUEST, value, serial, busy, ref)
                                  : meet(kind, value, serial, busy, ref);
}

/* ---- what calls do to handles ---------------------------------------------------------------- */

FOR_A_KIND void settle(enum handle_kind kind, const struct handle_ref *ref, uint64_t value)
{
    struct registry *r = registry_of(kind, ref->value);
    const bool locked = lock(r, kind);
    struct handle *h = resolve(r, ref);
    if (h)
        h->busy = false;
    if (h && value != ref->value) {
        release(r, kind, ref->handle);
        if (kind != HANDLE_REQUEST) /* requests are never found by handle_find */
            forget_cached(kind);
    }
    unlock(r, locked);
}

/* Give the handle a new value, which may belong to another registry. Does nothing if the handle is not
 * live any more. */
static void move(struct handle_ref *ref, uint64_t value)
{
    struct registry *r = registry_of(HANDLE_REQUEST, ref->value);
    struct handle moved = {0};
    bool locked = lock(r, HANDLE_REQUEST);
    const struct handle *h = resolve(r, ref);
    if (h) {
        moved = *h;
        registry_unlink(r, ref->handle);
    }
    unlock(r, locked);
    if (!moved.made)
        return;
    moved.value = value;
    moved.busy = false;
    moved.asked = NULL;
    moved.next = moved.previous = HANDLE_NONE;
    r = registry_of(HANDLE_REQUEST, value);
    locked = lock(r, HANDLE_REQUEST);
    const uint32_t place = moved.last = registry_take(r);
    moved.made = ++r->made;
    if (place != HANDLE_NONE)
        *registry_at(r, place) = moved;
    if (place == HANDLE_NONE || !registry_link(r, place)) {
        tracer_stop();
    } else {
        ref->value = value;
        ref->handle = place;
        ref->made = moved.made;
    }
    unlock(r, locked);
}

/* handle_settle, if the call has replaced the handle by another value that is not predefined. */
static __attribute__((noinline)) void settle_other(struct handle_ref *ref, uint64_t value, int64_t *slot)
{
    struct handle_ref new;
    if (ref->kind == HANDLE_REQUEST && ref->handle != HANDLE_NONE) {
        move(ref, value);
        return;
    }
    if (ref->handle != HANDLE_NONE)
        settle(ref->kind, ref, value);
    *slot = handle_meet(ref->kind, value, 0, false, &new);
}

HOT void handle_settle(struct handle_ref *ref, uint64_t value, int64_t *slot)
{
    assert(ref->kind < HANDLE_KINDS);
    if (value != ref->value && !handle_constant_find(ref->kind, value, slot)) {
        settle_other(ref, value, slot);
    } else if (ref->handle != HANDLE_NONE) {
        if (ref->kind == HANDLE_REQUEST)
            settle(HANDLE_REQUEST, ref, value);
        else
            settle(ref->kind, ref, value);
    }
}

static void set_active(const struct handle_ref *ref, bool started)
{
    struct registry *r = registry_of(ref->kind, ref->value);
    const bool locked = lock(r, ref->kind);
    struct handle *h = resolve(r, ref);
    if (h)
        h->active = started || !h->persistent;
    unlock(r, locked);
}

void handle_started(const struct handle_ref *ref)
{
    set_active(ref, true);
}

void handle_completed(const struct handle_ref *ref)
{
    set_active(ref, false);
}

enum refrain_status handle_make(enum handle_kind kind, uint64_t value, uint64_t class_key, int64_t *slot,
                                bool *is_new)
{
    struct registry *r = registry_of(kind, value);
    struct handle *h;
    if (kind == HANDLE_SESSION) {
        atomic_store(&has_sessions, true);
        atomic_store(&unlocked, false);
    }
    const bool locked = lock(r, kind);
    release_value(r, kind, value);
    const enum refrain_status status = add(r, kind, value, class_key, &h, is_new);
    if (!status)
        *slot = slot_of(h);
    forget_cached(kind);
    unlock(r, locked);
    return status;
}

HOT enum refrain_status handle_make_request(uint64_t value, uint64_t class_key, enum handle_status completion,
                                            bool persistent, int64_t *slot)
{
    if (handle_constant_find(HANDLE_REQUEST, value, slot))
        return REFRAIN_OK;
    struct registry *r = registry_of(HANDLE_REQUEST, value);
    struct handle *h;
    bool is_new;
    const bool locked = lock(r, HANDLE_REQUEST);
    const enum refrain_status status = add(r, HANDLE_REQUEST, value, class_key, &h, &is_new);
    if (!status) {
        h->status = completion;
        h->persistent = persistent;
        h->active = !persistent;
        *slot = slot_of(h);
    }
    unlock(r, locked);
    return status;
}

enum refrain_status handle_share(enum handle_kind kind, uint64_t value, bool lent, uint64_t class_key,
                                 int64_t *slot, bool *is_new)
{
    struct registry *r = registry_of(kind, value);
    enum refrain_status status = REFRAIN_OK;
    const bool locked = lock(r, kind);
    const uint32_t live = map_get(&r->live, value);
    struct handle *h = live == HANDLE_NONE ? NULL : registry_at(r, live);
    *is_new = false;
    if (h) {
        h->references += !lent;
    } else {
        status = add(r, kind, value, class_key, &h, is_new);
        forget_cached(kind);
    }
    if (!status)
        *slot = slot_of(h);
    unlock(r, locked);
    return status;
}
