/* SPDX-License-Identifier: BSD-3-Clause */
#include "repetition.h"

#include "gcd.h"

#include <assert.h>

/* The least common multiple; UINT64_MAX if it is beyond `most`. */
static uint64_t lcm(uint64_t a, uint64_t b, uint64_t most)
{
    if (a > most || b > most)
        return UINT64_MAX;
    const uint64_t factor = b / GCD(a, b);
    return factor <= most / a ? a * factor : UINT64_MAX;
}

/* How many values a repetition covers, at most `most`. */
static uint64_t extent_of(const struct repetition *r, uint64_t most)
{
    assert(r->period >= 1);
    return r->times <= most / r->period ? r->times * r->period : most;
}

void repetitions_keep_still(struct repetitions *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->items[i].still)
            list->items[kept++] = list->items[i];
    }
    list->n = kept;
}

void repetitions_in_units(const struct repetitions *given, uint64_t per_unit, struct repetitions *out)
{
    assert(per_unit >= 1);
    out->n = out->at = 0;
    for (uint32_t i = 0; i < given->n; i++) {
        const struct repetition *r = &given->items[i];
        const uint64_t period = r->period / GCD(r->period, per_unit);
        const uint64_t times = extent_of(r, INT64_MAX) / per_unit / period;
        if (times >= 2)
            out->items[out->n++] =
                (struct repetition){.period = period, .times = times, .still = r->still, .level = i};
    }
}

void repetitions_go_inside(struct repetitions *lists, size_t n)
{
    struct repetitions *longest = NULL;
    for (size_t i = 0; i < n; i++) {
        struct repetitions *l = &lists[i];
        if (l->at < l->n && (!longest || l->items[l->at].period > longest->items[longest->at].period))
            longest = l;
    }
    if (longest)
        longest->at++;
}

bool repetitions_agree(struct repetitions *lists, size_t n, uint64_t length, uint64_t least, uint64_t *period,
                       uint64_t *times)
{
    assert(n > 0 && least >= 1);
    for (;; repetitions_go_inside(lists, n)) {
        uint64_t common = 1, extent = length;
        for (size_t i = 0; i < n; i++) {
            if (lists[i].at == lists[i].n)
                return false;
            const struct repetition *r = &lists[i].items[lists[i].at];
            const uint64_t covered = extent_of(r, length);
            extent = covered < extent ? covered : extent;
            common = lcm(common, r->period, length);
        }
        if (common <= extent / least) {
            *period = common;
            *times = extent / common;
            return true;
        }
    }
}
