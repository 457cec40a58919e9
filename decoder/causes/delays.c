/* SPDX-License-Identifier: BSD-3-Clause */
#include "delays.h"

#include "critical_path.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

enum refrain_status delays_create(struct delays *d, size_t n)
{
    *d = (struct delays){0};
    d->of_waiting = calloc(n + 1, sizeof *d->of_waiting);
    d->of_other = calloc(n + 1, sizeof *d->of_other);
    if (d->of_waiting && d->of_other)
        return REFRAIN_OK;
    log_error("out of memory: delays at %zu places", n);
    return REFRAIN_ERR_MEMORY;
}

void delays_free(struct delays *d)
{
    array_free(&d->items);
    map_free(&d->delay_of);
    free(d->of_waiting);
    free(d->of_other);
    array_free(&d->entries);
    preceding_free(&d->preceding);
    *d = (struct delays){0};
}

static struct delay *delay_of(struct delays *d, uint64_t key, uint32_t wait_site, uint32_t wait_kind)
{
    const uint64_t hash = mix(mix(key, wait_site), wait_kind);
    size_t at;
    for (uint32_t v = map_first(&d->delay_of, hash, &at); v != MAP_NONE;
         v = map_next(&d->delay_of, hash, &at)) {
        struct delay *this = &d->items.items[v];
        if (this->key == key && this->wait_site == wait_site && this->wait_kind == wait_kind)
            return this;
    }
    if (!array_push(&d->items,
                    ((struct delay){.key = key, .wait_site = wait_site, .wait_kind = wait_kind})) ||
        !map_add(&d->delay_of, hash, (uint32_t)(d->items.n - 1)))
        return NULL;
    return &d->items.items[d->items.n - 1];
}

/* What a path has behind the common past, by site and activity; its entries, if they are wanted. */
static enum refrain_status add_path(struct delays *d, const struct genealogy *g, uint32_t piece,
                                    uint32_t common, uint64_t *sums, bool keep)
{
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++) {
            sums[p->items[i].key >> 32] += p->items[i].value;
            if (keep && !array_push(&d->entries, p->items[i]))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

/* Of what a path has behind the common past. */
static uint64_t computing(const struct genealogy *g, uint32_t piece, uint32_t common)
{
    uint64_t sum = 0;
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++)
            sum += critical_activity(p->items[i].key) == CRITICAL_COMPUTING ? p->items[i].value : 0;
    }
    return sum;
}

static void clear_path(const struct genealogy *g, uint32_t piece, uint32_t common, uint64_t *sums)
{
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++)
            sums[p->items[i].key >> 32] = 0;
    }
}

/* Of an entry of the other's path: its part of what that has more of, at its place. */
static double excess(const struct delays *d, const struct profile_entry *e)
{
    const uint64_t own = d->of_waiting[e->key >> 32], other = d->of_other[e->key >> 32];
    return other > own ? (double)e->value * ((double)(other - own) / (double)other) : 0;
}

/* What of it is as long as for the one that waits. */
static uint64_t usual(const struct delays *d, const struct profile_entry *e)
{
    return e->value - (uint64_t)(excess(d, e) + 0.5);
}

/* Rounded so that the parts add up to the whole. */
static enum refrain_status share(struct delays *d, const struct delayed *wait, double all, uint64_t meanwhile)
{
    double sum = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < d->entries.n; i++) {
        const struct profile_entry *e = &d->entries.items[i];
        sum += excess(d, e);
        const uint64_t until = (uint64_t)((double)wait->time * (sum / all) + 0.5),
                       part = until > given ? until - given : 0;
        if (part == 0)
            continue;
        given += part;
        struct delay *delay = delay_of(d, e->key, wait->site, wait->kind);
        if (!delay)
            return REFRAIN_ERR_MEMORY;
        *((uint32_t)e->key == wait->other ? &delay->direct : &delay->further) += part;
        delay->taken += e->value;
        delay->usual += usual(d, e);
        if (delay->last == d->waits)
            continue;
        delay->last = d->waits;
        delay->times++;
        delay->meanwhile += meanwhile;
    }
    d->unexplained += wait->time > given ? wait->time - given : 0;
    return REFRAIN_OK;
}

enum refrain_status delays_take(struct delays *d, const struct genealogy *g, const struct delayed *wait)
{
    const uint32_t common = genealogy_common(g, wait->piece, wait->of);
    double all = 0;
    d->waits++;
    d->waiting += wait->time;
    d->entries.n = 0;
    enum refrain_status status = add_path(d, g, wait->piece, common, d->of_waiting, false);
    if (status == REFRAIN_OK)
        status = add_path(d, g, wait->of, common, d->of_other, true);
    for (size_t i = 0; i < d->entries.n; i++)
        all += excess(d, &d->entries.items[i]);
    if (status == REFRAIN_OK && all > 0)
        status = share(d, wait, all, computing(g, wait->piece, common));
    else
        d->unexplained += wait->time;
    clear_path(g, wait->piece, common, d->of_waiting);
    clear_path(g, wait->of, common, d->of_other);
    return status;
}
