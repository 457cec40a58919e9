/* SPDX-License-Identifier: BSD-3-Clause */
#include "nesting.h"

#include "src/core/base/log.h"
#include "src/core/trace/lane_walk.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct nesting_call *x = a, *y = b;
    if (x->timestamp.enter != y->timestamp.enter)
        return x->timestamp.enter < y->timestamp.enter ? -1 : 1;
    return x->index > y->index ? -1 : x->index < y->index;
}

void nesting_sort(struct nesting *n)
{
    if (n->calls.n > 1)
        qsort(n->calls.items, n->calls.n, sizeof *n->calls.items, compare);
}

enum refrain_status nesting_find(struct nesting *n, const struct reader *r, const struct lane_ref *lane)
{
    struct lane_times times;
    bool there;
    uint64_t left = 0;
    struct nesting_call call = {0};
    *n = (struct nesting){0};
    enum refrain_status status = lane_times_start(&times, r, lane, &there);
    if (status != REFRAIN_OK || !there)
        return status;
    for (; lane_times_next(&times, &call.timestamp, &status); call.index++) {
        call.site = times.site;
        if (call.timestamp.enter < left && !array_push(&n->calls, call)) {
            status = REFRAIN_ERR_MEMORY;
            break;
        }
        left = call.timestamp.leave;
    }
    lane_times_stop(&times);
    nesting_sort(n);
    if (status != REFRAIN_OK)
        nesting_free(n);
    return status;
}

bool nesting_open(struct nesting *n, uint64_t index, const struct timestamp *present,
                  enum refrain_status *status)
{
    *status = REFRAIN_OK;
    while (n->next < n->calls.n && n->calls.items[n->next].index <= index)
        n->next++; /* it has no calls inside */
    if (n->next == n->calls.n)
        return false;
    const struct nesting_call *call = &n->calls.items[n->next];
    const uint64_t middle = present->enter + (present->leave - present->enter) / 2;
    if (call->timestamp.enter > middle || (n->open.n > 0 && call->index > n->open.items[n->open.n - 1].index))
        return false;
    if (!array_push(&n->open, *call)) {
        *status = REFRAIN_ERR_MEMORY;
        return false;
    }
    n->next++;
    return true;
}

bool nesting_close(struct nesting *n, uint64_t index, struct nesting_call *out)
{
    if (n->open.n == 0 || n->open.items[n->open.n - 1].index != index)
        return false;
    *out = n->open.items[--n->open.n];
    return true;
}

void nesting_free(struct nesting *n)
{
    array_free(&n->calls);
    array_free(&n->open);
    *n = (struct nesting){0};
}

/* Counts the lanes that begin with a call from each site. The caller frees the counts. */
static enum refrain_status count_firsts(const struct trace *t, uint64_t **firsts)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t *n = calloc(t->sites.n + 1, sizeof *n);
    if (!n) {
        log_error("out of memory: %zu sites", t->sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; status == REFRAIN_OK && i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        struct lane_walk walk;
        uint32_t site;
        if (shape->kind != LANE_THREAD)
            continue;
        status = lane_walk_start(&walk, t, shape, 0, (uint32_t)series_at(shape->ranks, 0));
        if (status == REFRAIN_OK && lane_walk_next(&walk, &site))
            n[site] += series_length(shape->ranks);
        lane_walk_stop(&walk);
    }
    if (status == REFRAIN_OK)
        *firsts = n;
    else
        free(n);
    return status;
}

/* Neither a call that began before the end of the previous one nor a lane's first call has a gap
 * (docs/FORMAT.md, 10). */
static bool has_nested(const struct group *g, uint64_t firsts)
{
    for (size_t i = 0; i < g->timings.n; i++) {
        const struct timing *t = &g->timings.items[i];
        if (t->gap.min == 0 && t->count > 0 && t->count != firsts)
            return true;
    }
    return false;
}

enum refrain_status nesting_is_possible(const struct trace *t, bool *possible)
{
    uint64_t *firsts;
    const enum refrain_status status = count_firsts(t, &firsts);
    if (status != REFRAIN_OK)
        return status;
    *possible = false;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++)
                *possible |= has_nested(&entry->groups.items[g], firsts[entry->site]);
        }
    }
    free(firsts);
    return REFRAIN_OK;
}
