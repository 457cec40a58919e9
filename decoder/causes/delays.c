/* SPDX-License-Identifier: BSD-3-Clause */
#include "delays.h"

#include "critical_path.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

enum refrain_status delays_create(struct delays *d, size_t n)
{
    *d = (struct delays){0};
    d->sums = calloc(n + 1, sizeof *d->sums);
    if (d->sums)
        return REFRAIN_OK;
    log_error("out of memory: delays at %zu places", n);
    return REFRAIN_ERR_MEMORY;
}

void delays_free(struct delays *d)
{
    for (size_t i = 0; i < d->items.n; i++)
        array_free(&d->items.items[i].windows);
    array_free(&d->items);
    map_free(&d->delay_of);
    free(d->sums);
    array_free(&d->entries);
    preceding_free(&d->preceding);
    *d = (struct delays){0};
}

static struct delay *delay_of(struct delays *d, uint64_t key, uint32_t wait_site, uint32_t wait_kind)
{
    const uint64_t hash = mix_lightly(mix_lightly(key, key >> 32), (uint64_t)wait_site << 32 | wait_kind);
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

/* Returns the sums of a place. They are zero at the beginning of each wait. */
static struct delay_sums *sums_of(struct delays *d, uint64_t key)
{
    struct delay_sums *p = &d->sums[key >> 32];
    if (p->last != d->waits)
        *p = (struct delay_sums){.last = d->waits};
    return p;
}

/* Sums up the waiting lane's path after the common past, by place. Returns the computing time in
 * it. */
static uint64_t add_own(struct delays *d, const struct genealogy *g, uint32_t piece, uint32_t common)
{
    uint64_t computing = 0;
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++) {
            struct delay_sums *place = sums_of(d, p->items[i].key);
            place->own += p->items[i].value;
            place->n_own += p->items[i].n;
            computing += critical_activity(p->items[i].key) == CRITICAL_COMPUTING ? p->items[i].value : 0;
        }
    }
    return computing;
}

static void add_other(struct delays *d, const struct genealogy *g, uint32_t piece, uint32_t common)
{
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++) {
            struct delay_sums *place = sums_of(d, p->items[i].key);
            place->other += p->items[i].value;
            place->n_other += p->items[i].n;
        }
    }
}

/* Returns what an entry of the other path takes longer than as many times on the waiting lane's path. If the other
 * path has more of them, the waiting lane's time is divided among all. */
static double longer(const struct delay_sums *place, const struct profile_entry *e)
{
    const uint64_t n = place->n_own > place->n_other ? place->n_own : place->n_other;
    const double usual = (double)place->own / (double)n * (double)e->n;
    return (double)e->value > usual ? (double)e->value - usual : 0;
}

/* Finds the entries of the other path that take longer, at places where it has extra time. */
static enum refrain_status find_longer(struct delays *d, const struct genealogy *g, uint32_t piece,
                                       uint32_t common)
{
    d->entries.n = 0;
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct piece *this = &g->pieces.items[at];
        const struct past_profile *p = &this->profile;
        const uint64_t from = this->before == PIECE_NONE ? 0 : g->pieces.items[this->before].until;
        for (size_t i = 0; i < p->n; i++) {
            const struct profile_entry *e = &p->items[i];
            struct delay_sums *place = &d->sums[e->key >> 32];
            const double more = place->other > place->own ? longer(place, e) : 0;
            if (more == 0)
                continue;
            if (!array_push(&d->entries, ((struct delay_excess){*e, more, from, this->until})))
                return REFRAIN_ERR_MEMORY;
            place->longer += more;
        }
    }
    return REFRAIN_OK;
}

/* Finds the entries of the other path at places where it has extra time, with their shares of the
 * extra time. *all is the sum of the shares. */
static enum refrain_status find_excess(struct delays *d, const struct genealogy *g, uint32_t piece,
                                       uint32_t common, double *all)
{
    const enum refrain_status status = find_longer(d, g, piece, common);
    *all = 0;
    for (size_t i = 0; i < d->entries.n; i++) {
        struct delay_excess *e = &d->entries.items[i];
        const struct delay_sums *place = &d->sums[e->of.key >> 32];
        e->excess *= (double)(place->other - place->own) / place->longer;
        *all += e->excess;
    }
    return status;
}

/* Returns the part of the entry that the waiting lane has, too. */
static uint64_t usual(const struct delay_excess *e)
{
    return e->of.value - (uint64_t)(e->excess + 0.5);
}

/* Divides the waiting among the entries, rounded so that the parts add up to the whole. */
static enum refrain_status share(struct delays *d, const struct delayed *wait, double all, uint64_t meanwhile)
{
    double sum = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < d->entries.n; i++) {
        const struct delay_excess *e = &d->entries.items[i];
        sum += e->excess;
        const uint64_t until = (uint64_t)((double)wait->time * (sum / all) + 0.5),
                       part = until > given ? until - given : 0;
        if (part == 0)
            continue;
        given += part;
        struct delay *delay = delay_of(d, e->of.key, wait->site, wait->kind);
        if (!delay)
            return REFRAIN_ERR_MEMORY;
        *((uint32_t)e->of.key == wait->other ? &delay->direct : &delay->further) += part;
        const struct delay_window window =
            delay_window_of(e->from, e->to, e->of.value, e->of.n, part, (uint32_t)e->of.key == wait->other);
        if (!delay_windows_add(&delay->windows, &window))
            return REFRAIN_ERR_MEMORY;
        delay->taken += e->of.value;
        delay->usual += usual(e);
        delay->parts += e->of.n;
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
    double all;
    d->waits++;
    d->waiting += wait->time;
    const uint64_t computing = add_own(d, g, wait->piece, common);
    add_other(d, g, wait->of, common);
    const enum refrain_status status = find_excess(d, g, wait->of, common, &all);
    if (status == REFRAIN_OK && all > 0)
        return share(d, wait, all, computing);
    d->unexplained += wait->time;
    return status;
}
