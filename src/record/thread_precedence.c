/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread_precedence.h"

#include "definition_records.h"
#include "tracer.h"

#include <assert.h>

#define DEFINITIONS_MOST 64
#define PATIENCE         100 /* milliseconds; if another thread is busy for longer, nothing is recorded */

static atomic_uint definitions; /* definitions so far, failed ones included */

static bool has_others(const struct thread *t)
{
    return t->next || atomic_load(&threads.first) != t;
}

static uint64_t calls_of(const struct thread *t)
{
    return t->lane ? lane_calls(t->lane) : 0;
}

/* Record that the calls of `t` from its next one on come after all calls that `before` has made so far. */
static void tell(struct thread *t, struct thread *before)
{
    if (calls_of(before) == 0 || definitions++ >= DEFINITIONS_MOST)
        return;
    t->is_named = before->is_named = true;
    definition_records_order(t->handles.requests.lane, calls_of(t), before->handles.requests.lane,
                             calls_of(before));
}

static bool is_recording(void)
{
    return atomic_load(&tracer.state) == TRACER_RECORDING;
}

/* Pause the others: they begin no call and record none until they are resumed. */
static bool pause_others(const struct thread *t)
{
    if (!has_others(t) || !is_recording() || definitions >= DEFINITIONS_MOST)
        return false;
    if (!threads_pause(PATIENCE)) {
        definitions++;
        return false;
    }
    if (is_recording())
        return true;
    threads_resume();
    return false;
}

void thread_precedence_begin(struct thread *t)
{
    assert(t != thread_self && !atomic_load(&t->inside));
    if (!pause_others(t))
        return;
    for (struct thread *other = atomic_load(&threads.first); other; other = other->next) {
        if (other != t)
            tell(t, other);
    }
    threads_resume();
}

/* If another thread is in a call, that call began before this thread ended; only later calls come after
 * the end. */
void thread_precedence_end(struct thread *t)
{
    assert(!atomic_load(&t->inside));
    if (!pause_others(t))
        return;
    for (struct thread *other = atomic_load(&threads.first); other; other = other->next) {
        if (other != t && atomic_load(&other->taken) && !other->scratch.open.open && !other->scratch.around)
            tell(other, t);
    }
    threads_resume();
}
