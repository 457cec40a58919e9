/* SPDX-License-Identifier: BSD-3-Clause */
#include "causal_tee.h"

#include <assert.h>

void causal_tee_add(struct causal_tee *t, const struct causal_sink *sink)
{
    assert(t->n < CAUSAL_TEE_MOST);
    t->sinks[t->n++] = *sink;
}

#define TELL(what, ...)                                                                                      \
    const struct causal_tee *t = context;                                                                    \
    enum refrain_status status = REFRAIN_OK;                                                                 \
    for (size_t i = 0; i < t->n && status == REFRAIN_OK; i++) {                                              \
        if (t->sinks[i].what)                                                                                \
            status = t->sinks[i].what(t->sinks[i].context, __VA_ARGS__);                                     \
    }                                                                                                        \
    return status

static enum refrain_status tell_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    TELL(enter, call, mark);
}

static enum refrain_status tell_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    TELL(leave, call, causes, n);
}

static enum refrain_status tell_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    TELL(join, mark, members, n);
}

static void tell_forget(void *context, uint32_t mark)
{
    const struct causal_tee *t = context;
    for (size_t i = 0; i < t->n; i++)
        t->sinks[i].forget(t->sinks[i].context, mark);
}

struct causal_sink causal_tee_sink(struct causal_tee *t)
{
    return (struct causal_sink){t, tell_enter, tell_leave, tell_forget, tell_join};
}
