/* SPDX-License-Identifier: BSD-3-Clause */
#include "delays.h"

#include "critical_path.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

#define SORT_BY_INSERTION 32 /* at most this many: most pieces are short */

enum refrain_status delays_create(struct delays *d, size_t n, size_t n_lanes)
{
    *d = (struct delays){.n_places = n, .n_lanes = n_lanes};
    d->sums = calloc(n + 1, sizeof *d->sums);
    d->costs = calloc(n + 1, sizeof *d->costs);
    if (d->sums && d->costs)
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
    for (size_t i = 0; d->costs && i < d->n_places; i++)
        free(d->costs[i]);
    free(d->costs);
    free(d->sums);
    array_free(&d->entries);
    array_free(&d->own);
    array_free(&d->back);
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
    d->several = false;
    for (uint32_t at = piece; at != common; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++) {
            struct delay_sums *place = sums_of(d, p->items[i].key);
            place->own += p->items[i].value;
            place->n_own += p->items[i].n;
            d->several = ++place->own_entries > 1 || d->several;
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

/* ---- which times took longer ------------------------------------------------------------------------ */

/* Is it known, at a place where the other path has extra time, when the waiting lane took how long? */
static bool is_uneven(const struct delay_sums *place)
{
    return place->other > place->own && place->own_entries > 1 && place->n_own >= place->n_other;
}

static int by_time_back(const void *a, const void *b)
{
    const struct profile_entry *x = a, *y = b;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void sort_by_time_back(struct profile_entry *items, size_t n)
{
    if (n > SORT_BY_INSERTION) {
        qsort(items, n, sizeof *items, by_time_back);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct profile_entry e = items[i];
        size_t at = i;
        for (; at > 0 && by_time_back(&e, &items[at - 1]) < 0; at--)
            items[at] = items[at - 1];
        items[at] = e;
    }
}

/* Fills d->back with the piece's entries at such places, the latest first. */
static enum refrain_status go_back(struct delays *d, const struct piece *piece)
{
    const struct past_profile *p = &piece->profile;
    d->back.n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (is_uneven(&d->sums[p->items[i].key >> 32]) && !array_push(&d->back, p->items[i]))
            return REFRAIN_ERR_MEMORY;
    }
    sort_by_time_back(d->back.items, d->back.n);
    return REFRAIN_OK;
}

/* Lists the waiting lane's entries at these places. */
static enum refrain_status list_own(struct delays *d, const struct genealogy *g, uint32_t piece,
                                    uint32_t common)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t at = piece; at != common && status == REFRAIN_OK; at = g->pieces.items[at].before) {
        status = go_back(d, &g->pieces.items[at]);
        for (size_t i = 0; status == REFRAIN_OK && i < d->back.n; i++) {
            const struct profile_entry *e = &d->back.items[i];
            struct delay_sums *place = &d->sums[e->key >> 32];
            const size_t number = d->own.n;
            if (place->has_own)
                d->own.items[place->last_own].before = number;
            else
                place->next_own = number;
            place->has_own = true;
            place->last_own = number;
            if (!array_push(&d->own, ((struct delay_own){e->value, e->n, number})))
                status = REFRAIN_ERR_MEMORY;
        }
    }
    return status;
}

/* Returns the sum of the first k of n values, all of the same size, that add up to `sum`. */
static uint64_t first_of(uint64_t sum, uint64_t k, uint64_t n)
{
    return sum / n * k + sum % n * k / n;
}

/* What `n` times take longer than `usual`, if they do; they are spent in (from, to]. */
static enum refrain_status add_excess(struct delays *d, const struct profile_entry *e, double usual,
                                      uint64_t from, uint64_t to)
{
    struct delay_sums *place = &d->sums[e->key >> 32];
    if ((double)e->value <= usual)
        return REFRAIN_OK;
    if (!array_push(&d->entries, ((struct delay_excess){*e, (double)e->value - usual, from, to})))
        return REFRAIN_ERR_MEMORY;
    place->longer += (double)e->value - usual;
    return REFRAIN_OK;
}

/* Adds what an entry of the other path takes longer than as many times on the waiting lane's path on average. If the
 * other path has more of them, the waiting lane's time is divided among all. */
static enum refrain_status add_longer(struct delays *d, const struct profile_entry *e, uint64_t from,
                                      uint64_t until)
{
    const struct delay_sums *place = &d->sums[e->key >> 32];
    const uint64_t n = place->n_own > place->n_other ? place->n_own : place->n_other;
    return add_excess(d, e, (double)place->own / (double)n * (double)e->n, from, until);
}

/* The same at an uneven place: as many times of the waiting lane's path counted back from the wait, one by one. The
 * times of an entry are taken for equal, and for evenly spread over the piece. */
static enum refrain_status add_each_longer(struct delays *d, const struct profile_entry *e, uint64_t from,
                                           uint64_t until)
{
    struct delay_sums *place = &d->sums[e->key >> 32];
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t some, k = 0; k < e->n && status == REFRAIN_OK; k += some) {
        struct delay_own *own = &d->own.items[place->next_own];
        some = e->n - k < own->n ? e->n - k : own->n;
        struct profile_entry part = {.key = e->key, .n = some};
        part.value = first_of(e->value, k + some, e->n) - first_of(e->value, k, e->n);
        const uint64_t usual = first_of(own->value, some, own->n);
        status = add_excess(d, &part, (double)usual, until - first_of(until - from, k + some, e->n),
                            until - first_of(until - from, k, e->n));
        own->value -= usual;
        own->n -= some;
        if (own->n == 0)
            place->next_own = own->before;
    }
    return status;
}

/* Finds the times of the other path that take longer, at places where it has extra time. */
static enum refrain_status find_longer(struct delays *d, const struct genealogy *g, uint32_t piece,
                                       uint32_t common)
{
    enum refrain_status status = REFRAIN_OK;
    d->entries.n = 0;
    for (uint32_t at = piece; at != common && status == REFRAIN_OK; at = g->pieces.items[at].before) {
        const struct piece *this = &g->pieces.items[at];
        const struct past_profile *p = &this->profile;
        const uint64_t from = this->before == PIECE_NONE ? 0 : g->pieces.items[this->before].until;
        for (size_t i = 0; i < p->n && status == REFRAIN_OK; i++) {
            const struct delay_sums *place = &d->sums[p->items[i].key >> 32];
            if (place->other > place->own && !is_uneven(place))
                status = add_longer(d, &p->items[i], from, this->until);
        }
        if (status == REFRAIN_OK && d->own.n > 0)
            status = go_back(d, this);
        for (size_t i = 0; status == REFRAIN_OK && d->own.n > 0 && i < d->back.n; i++)
            status = add_each_longer(d, &d->back.items[i], from, this->until);
    }
    return status;
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

/* Returns how many parts the waiting lane has for those of the entry. */
static double usual_parts(const struct delays *d, const struct delay_excess *e)
{
    const struct delay_sums *place = &d->sums[e->of.key >> 32];
    return (double)place->n_own * (double)e->of.n / (double)place->n_other;
}

static bool add_cost(struct delays *d, uint64_t key, uint32_t lane, uint64_t time)
{
    uint64_t **costs = &d->costs[key >> 32];
    if (!*costs && !(*costs = calloc(d->n_lanes + 1, sizeof **costs))) {
        log_error("out of memory: delays in %zu threads", d->n_lanes);
        return false;
    }
    (*costs)[lane] += time;
    return true;
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
        if (!delay_windows_add(&delay->windows, &window) || !add_cost(d, e->of.key, wait->lane, part))
            return REFRAIN_ERR_MEMORY;
        delay->taken += e->of.value;
        delay->usual += usual(e);
        delay->parts += e->of.n;
        delay->usual_parts += usual_parts(d, e);
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
    d->own.n = 0;
    d->waiting += wait->time;
    const uint64_t computing = add_own(d, g, wait->piece, common);
    add_other(d, g, wait->of, common);
    enum refrain_status status = d->several ? list_own(d, g, wait->piece, common) : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = find_excess(d, g, wait->of, common, &all);
    if (status == REFRAIN_OK && all > 0)
        return share(d, wait, all, computing);
    d->unexplained += wait->time;
    return status;
}
