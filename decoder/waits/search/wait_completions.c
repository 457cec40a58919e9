/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_completions.h"

#include "src/core/base/bisect.h"

static struct open_call *find(struct wait_lane *l, uint64_t call)
{
    const size_t i = BISECT(k, l->open.n, l->open.items[k].call < call);
    return i < l->open.n && l->open.items[i].call == call ? &l->open.items[i] : NULL;
}

static bool end(struct wait_lane *l, struct open_call *o, struct wait_event *out)
{
    const bool told = o->has_best;
    if (told) {
        *out = o->best;
        out->receives = o->receives;
        l->partners = o->partners;
        out->partners = &l->partners;
        if (o->shares.n > 1) {
            l->shares = o->shares;
            out->shares = &l->shares;
        }
    }
    l->open.n--;
    for (size_t i = (size_t)(o - l->open.items); i < l->open.n; i++)
        l->open.items[i] = l->open.items[i + 1];
    return told;
}

bool wait_completions_expect(struct wait_lane *l, uint64_t call, uint64_t begin,
                             const struct wait_shares *shares)
{
    struct open_call *o = l->open.n > 0 ? &l->open.items[l->open.n - 1] : NULL;
    if (!o || o->call != call) {
        if (!array_push(&l->open, ((struct open_call){.call = call, .begin = begin, .shares = *shares})))
            return false;
        o = &l->open.items[l->open.n - 1];
    }
    if (begin < o->begin) { /* a receive after a send */
        o->begin = begin;
        o->shares = *shares;
    }
    o->left++;
    return true;
}

/* Of two equal ends, the receive wins: in an exchange, the partner's call both sends and receives,
 * and the late sender is the cause. */
static bool is_later(const struct wait_event *a, const struct wait_event *b)
{
    return a->until > b->until || (a->until == b->until && a->kind == EVENT_RECEIVE);
}

bool wait_completions_settle(struct wait_lane *l, uint64_t call, const struct wait_event *e,
                             struct wait_event *out)
{
    struct open_call *o = find(l, call);
    if (!o) {
        if (e) {
            *out = *e;
            out->begin = e->call.timestamp.enter;
            out->receives = e->kind == EVENT_RECEIVE;
        }
        return e;
    }
    o->receives += e && e->kind == EVENT_RECEIVE;
    if (e && e->deferred)
        o->partners.any = true;
    else if (e)
        wait_partners_add(&o->partners, e->cause.rank);
    if (e && (!o->has_best || is_later(e, &o->best))) {
        o->best = *e;
        o->best.begin = o->begin;
        o->has_best = true;
    }
    o->left -= o->left > 0;
    return o->closed && o->left == 0 && end(l, o, out);
}

bool wait_completions_close(struct wait_lane *l, struct wait_event *out)
{
    struct open_call *o = l->open.n > 0 ? &l->open.items[l->open.n - 1] : NULL;
    if (!o || o->closed)
        return false;
    o->closed = true;
    return o->left == 0 && end(l, o, out);
}

bool wait_completions_give_up(struct wait_lane *l, struct wait_event *out, bool *any)
{
    *any = l->open.n > 0;
    return *any && end(l, &l->open.items[l->open.n - 1], out);
}
