/* SPDX-License-Identifier: BSD-3-Clause */
#include "match_hints.h"

#include "src/core/base/mix.h"

#include <assert.h>

void match_hints_free(struct match_hints *f)
{
    map_free(&f->by_post);
    array_free(&f->fates);
    *f = (struct match_hints){0};
}

static struct operation_post post_of(const struct operation *op)
{
    const struct call_ref *call = op->kind == OPERATION_COMPLETE ? &op->post : &op->call;
    return (struct operation_post){call->call, call->rank, call->thread, op->nth, op->of == OPERATION_SEND};
}

static uint64_t key_of(const struct operation_post *p)
{
    return mix(mix(p->call, (uint64_t)p->rank << 32 | p->thread), (uint64_t)p->nth << 1 | p->sends);
}

bool match_hints_add(struct match_hints *f, const struct operation *completion, bool taken)
{
    assert(completion->kind == OPERATION_COMPLETE);
    const struct fate fate = {post_of(completion), taken, completion->peer, completion->tag};
    if (f->fates.n == MATCH_HINTS_MAX)
        return true;
    return array_push(&f->fates, fate) &&
           map_add(&f->by_post, key_of(&fate.post), (uint32_t)(f->fates.n - 1));
}

const struct fate *match_hints_find(const struct match_hints *f, const struct operation *op)
{
    const struct operation_post p = post_of(op);
    const uint64_t key = key_of(&p);
    size_t at;
    for (uint32_t v = map_first(&f->by_post, key, &at); v != MAP_NONE; v = map_next(&f->by_post, key, &at)) {
        const struct fate *fate = &f->fates.items[v];
        if (fate->post.call == p.call && fate->post.rank == p.rank && fate->post.thread == p.thread &&
            fate->post.nth == p.nth && fate->post.sends == p.sends)
            return fate;
    }
    return NULL;
}
