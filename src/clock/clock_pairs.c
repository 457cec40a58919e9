/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_pairs.h"

#include <assert.h>
#include <stdbool.h>

/* The distance of b from the line through a and c, plus b's own error. */
static uint64_t error_of_line(const struct clock_pair *a, const struct clock_pair *b,
                              const struct clock_pair *c)
{
    const double part = (double)(b->local - a->local) / (double)(c->local - a->local);
    const double off = (double)(int64_t)(b->node - a->node) - (double)(int64_t)(c->node - a->node) * part;
    return (uint64_t)(off < 0 ? -off : off) + 1 + b->error;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Remove every other pair, except the first and the last one. The neighbours of a removed pair take
 * over its distance from their line as error. */
static void thin_out(struct clock_pairs *p)
{
    size_t n = 1;
    for (size_t i = 2; i < p->n; i += 2) {
        struct clock_pair *before = &p->items[n - 1], next = p->items[i];
        const uint64_t error = error_of_line(before, &p->items[i - 1], &next);
        before->error = larger(before->error, error);
        next.error = larger(next.error, error);
        p->items[n++] = next;
    }
    if (p->n % 2 == 0)
        p->items[n++] = p->items[p->n - 1];
    p->n = n;
}

void clock_pairs_add(struct clock_pairs *p, struct clock_pair pair)
{
    const struct clock_pair *last = p->n > 0 ? &p->items[p->n - 1] : NULL;
    if (last && (pair.local <= last->local || pair.node <= last->node))
        return;
    if (p->n == CLOCK_PAIRS_MAX)
        thin_out(p);
    p->items[p->n++] = pair;
}

/* The slope counts as known if the errors of both ends are at most this fraction of their
 * difference. */
#define SLOPE_KNOWN 8

static bool is_slope_known(const struct clock_offset *a, const struct clock_offset *b)
{
    const uint64_t differ = (uint64_t)(b->ahead > a->ahead ? b->ahead - a->ahead : a->ahead - b->ahead);
    return differ / SLOPE_KNOWN >= a->error + b->error;
}

/* The offset at a time of the node's clock: on the line between the offsets at the run's beginning
 * and end. Outside of the two, the line is continued only if its slope is known, since the ends'
 * errors grow with the distance there. */
static struct clock_offset offset_at(const struct clock_offsets *offsets, uint64_t node)
{
    const struct clock_offset *a = &offsets->items[0], *b = &offsets->items[1];
    if (offsets->n == 0)
        return (struct clock_offset){.error = CLOCK_UNKNOWN};
    if (offsets->n == 1 || b->at <= a->at)
        return *a;
    const double part = ((double)node - (double)a->at) / (double)(b->at - a->at);
    const double beyond = part < 0 ? -part : part > 1 ? part - 1 : 0;
    struct clock_offset o = {.error = larger(a->error, b->error)};
    if (beyond > 0 && !is_slope_known(a, b)) {
        o.ahead = part < 0 ? a->ahead : b->ahead;
    } else {
        o.ahead = a->ahead + (int64_t)((double)(b->ahead - a->ahead) * part);
        o.error += (uint64_t)((double)(a->error + b->error) * beyond);
    }
    return o;
}

enum refrain_status clock_pairs_points(const struct clock_pairs *p, const struct clock_offsets *offsets,
                                       struct rank_clock *out)
{
    assert(p->n > 0 && p->n <= CLOCK_PAIRS_MAX);
    if (!array_reserve(&out->points, p->n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < p->n; i++) {
        const struct clock_pair *pair = &p->items[i];
        const struct clock_offset o = offset_at(offsets, pair->node);
        const int64_t ahead = (int64_t)(pair->node - pair->local) + o.ahead;
        const struct clock_point *last = out->points.n > 0 ? &out->points.items[out->points.n - 1] : NULL;
        if (!last || (int64_t)(pair->local - last->local) + ahead > last->ahead)
            out->points.items[out->points.n++] = (struct clock_point){
                pair->local, ahead, o.error == CLOCK_UNKNOWN ? CLOCK_UNKNOWN : o.error + pair->error};
    }
    return REFRAIN_OK;
}
