/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread_precedence.h"

#include "definition_records.h"
#include "tracer.h"

#define DEFINITIONS_MOST 64
#define PATIENCE         100 /* milliseconds: where another thread is busy for longer nothing is told */

static atomic_uint definitions; /* so far, and those that came to nothing */

static bool has_others(const struct thread *t)
{
    return t->next || atomic_load(&threads.first) != t;
}

static uint64_t calls_of(const struct thread *t)
{
    return t->lane ? lane_calls(t->lane) : 0;
}

/* From its next call on, `t` comes behind all calls that `before` has made so far. */
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

/* Others begin no call and record none until they are resumed. */
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
    if (!pause_others(t))
        return;
    for (struct thread *other = atomic_load(&threads.first); other; other = other->next) {
        if (other != t)
            tell(t, other);
    }
    threads_resume();
}

/* The next call of one that is in a call began before this thread has ended. */
void thread_precedence_end(struct thread *t)
{
    if (!pause_others(t))
        return;
    for (struct thread *other = atomic_load(&threads.first); other; other = other->next) {
        if (other != t && atomic_load(&other->taken) && !other->scratch.open.open && !other->scratch.around)
            tell(other, t);
    }
    threads_resume();
}
