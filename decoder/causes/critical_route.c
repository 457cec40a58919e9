/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_route.h"

enum { JUMPS_MOST = 1 << 21 }; /* 32 MB */

bool critical_route_add(struct critical_route *r, struct critical_jump jump)
{
    if (!r->wanted || r->cut)
        return true;
    if (r->jumps.n == JUMPS_MOST) {
        r->cut = true;
        array_free(&r->jumps);
        return true;
    }
    return array_push(&r->jumps, jump);
}

void critical_route_free(struct critical_route *r)
{
    array_free(&r->jumps);
    *r = (struct critical_route){0};
}

static void reverse(struct critical_stays *s)
{
    for (size_t i = 0; i < s->n / 2; i++) {
        const struct critical_stay first = s->items[i];
        s->items[i] = s->items[s->n - 1 - i];
        s->items[s->n - 1 - i] = first;
    }
}

/* Gives stays shorter than `grain` to those before them. */
static void coarsen(struct critical_stays *s, uint64_t grain)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct critical_stay stay = s->items[i];
        if (n > 0 && (s->items[n - 1].lane == stay.lane || stay.to - stay.from < grain))
            s->items[n - 1].to = stay.to;
        else
            s->items[n++] = stay;
    }
    s->n = n;
}

enum refrain_status critical_route_find(const struct critical_route *r, uint32_t lane, uint64_t begin,
                                        uint64_t end, size_t most, struct critical_stays *stays)
{
    struct critical_stay now = {.from = begin, .to = end, .lane = lane};
    *stays = (struct critical_stays){0};
    if (!r->wanted || r->cut || begin >= end)
        return REFRAIN_OK;
    for (size_t i = r->jumps.n; i-- > 0 && now.to > begin;) {
        const struct critical_jump *jump = &r->jumps.items[i];
        if (jump->lane != now.lane || jump->at > now.to)
            continue;
        now.from = jump->at > begin ? jump->at : begin;
        if (now.from < now.to && !array_push(stays, now)) {
            array_free(stays);
            return REFRAIN_ERR_MEMORY;
        }
        now = (struct critical_stay){.from = begin, .to = now.from, .lane = jump->other};
    }
    if (now.to > begin && !array_push(stays, now)) {
        array_free(stays);
        return REFRAIN_ERR_MEMORY;
    }
    reverse(stays);
    coarsen(stays, 0);
    for (uint64_t grain = (end - begin) / most; stays->n > most; grain *= 2)
        coarsen(stays, grain + 1);
    return REFRAIN_OK;
}
