#include "shifts.h"

#include "src/core/time/timing.h"

#include <string.h>

void shifts_free(struct shifts *s)
{
    array_free(&s->items);
}

/* How many have begun by t. */
static size_t begun(const struct shifts *s, uint64_t t)
{
    size_t low = 0, high = s->items.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->items.items[middle].at <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What is left of a shift at t. */
static uint64_t left(const struct shift *s, uint64_t t)
{
    const uint64_t made_up = (t - s->at) / SHIFTS_RATE;
    return made_up < s->by ? s->by - made_up : 0;
}

uint64_t shifts_time(const struct shifts *s, uint64_t t)
{
    const size_t n = begun(s, t);
    return n > 0 ? timing_sum(t, left(&s->items.items[n - 1], t)) : t;
}

bool shifts_raise(struct shifts *s, uint64_t t, uint64_t least)
{
    if (shifts_time(s, t) >= least)
        return true;
    if (!array_reserve(&s->items, 1))
        return false;
    struct shift *items = s->items.items;
    const struct shift shift = {t, least - t};
    size_t i = begun(s, t), end = i;
    if (i > 0 && items[i - 1].at == t)
        i--;
    /* Later ones that are no larger than what is left of it are none any more. */
    while (end < s->items.n && items[end].by <= left(&shift, items[end].at))
        end++;
    memmove(items + i + 1, items + end, (s->items.n - end) * sizeof *items);
    s->items.n = s->items.n - end + i + 1;
    items[i] = shift;
    return true;
}

void rank_shifts_free(struct rank_shifts *r)
{
    for (size_t i = 0; i < r->threads.n; i++)
        shifts_free(&r->threads.items[i].shifts);
    array_free(&r->threads);
}

struct shifts *rank_shifts_find(const struct rank_shifts *r, uint32_t thread)
{
    size_t low = 0, high = r->threads.n;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (r->threads.items[middle].thread <= thread)
            low = middle;
        else
            high = middle;
    }
    return &r->threads.items[low].shifts;
}
