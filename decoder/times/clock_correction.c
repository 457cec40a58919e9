/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_correction.h"

#include "src/core/base/bisect.h"
#include "src/core/time/timing.h"

#include <assert.h>
#include <string.h>

void clock_correction_free(struct clock_correction *s)
{
    array_free(&s->items);
}

/* Returns how many shifts have begun by time t. */
static size_t begun(const struct clock_correction *s, uint64_t t)
{
    return BISECT(i, s->items.n, s->items.items[i].at <= t);
}

/* Returns what remains of a shift at time t. */
static uint64_t left(const struct clock_correction_step *s, uint64_t t)
{
    const uint64_t made_up = (t - s->at) / CLOCK_CORRECTION_RATE;
    return made_up < s->by ? s->by - made_up : 0;
}

uint64_t clock_correction_time(const struct clock_correction *s, uint64_t t)
{
    const size_t n = begun(s, t);
    return n > 0 ? timing_sum(t, left(&s->items.items[n - 1], t)) : t;
}

bool clock_correction_raise(struct clock_correction *s, uint64_t t, uint64_t least)
{
    if (clock_correction_time(s, t) >= least)
        return true;
    if (!array_reserve(&s->items, 1))
        return false;
    struct clock_correction_step *items = s->items.items;
    const struct clock_correction_step shift = {t, least - t};
    size_t i = begun(s, t), end = i;
    if (i > 0 && items[i - 1].at == t)
        i--;
    /* Later shifts that are not larger than what remains of this one have no effect. */
    while (end < s->items.n && items[end].by <= left(&shift, items[end].at))
        end++;
    memmove(items + i + 1, items + end, (s->items.n - end) * sizeof *items);
    s->items.n = s->items.n - end + i + 1;
    items[i] = shift;
    return true;
}

void rank_corrections_free(struct rank_corrections *r)
{
    for (size_t i = 0; i < r->threads.n; i++)
        clock_correction_free(&r->threads.items[i].correction);
    array_free(&r->threads);
}

struct clock_correction *rank_corrections_find(const struct rank_corrections *r, uint32_t thread)
{
    assert(r->threads.n > 0);
    const size_t at = BISECT(i, r->threads.n - 1, r->threads.items[i + 1].thread <= thread);
    return &r->threads.items[at].correction;
}
