/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_places.h"

#include "decoder/waits/search/wait_event.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const struct delay *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->wait_site != y->wait_site)
        return x->wait_site < y->wait_site ? -1 : 1;
    return x->wait_kind < y->wait_kind ? -1 : x->wait_kind > y->wait_kind;
}

static int costliest_first(const void *a, const void *b)
{
    const struct delay_place *x = a, *y = b;
    const uint64_t of_x = x->direct + x->further, of_y = y->direct + y->further;
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return x->lanes.items[0].key < y->lanes.items[0].key ? -1 : 1;
}

void delay_places_free(struct delay_places *p)
{
    for (size_t i = 0; i < p->n; i++) {
        array_free(&p->items[i].lanes);
        array_free(&p->items[i].waits);
    }
    array_free(p);
}

static bool add(struct profile_entries *e, uint64_t key, uint64_t value)
{
    for (size_t i = e->n; i-- > 0;) {
        if (e->items[i].key == key) {
            e->items[i].value += value;
            return true;
        }
    }
    return array_push(e, ((struct profile_entry){.key = key, .value = value}));
}

static bool add_delay(struct delay_place *p, const struct delay *d)
{
    p->direct += d->direct;
    p->further += d->further;
    p->taken += d->taken;
    p->usual += d->usual;
    p->meanwhile += d->meanwhile;
    p->times += d->times;
    p->parts += d->parts;
    p->usual_parts += d->usual_parts;
    if (!add(&p->lanes, d->key, d->direct + d->further) ||
        !add(&p->waits, d->wait_site, d->direct + d->further))
        return false;
    for (size_t i = 0; i < p->waits.n; i++)
        p->worst = p->waits.items[i].value > p->waits.items[p->worst].value ? i : p->worst;
    return true;
}

bool delays_are_wanted(const struct delays_wanted *w, const struct delay *d)
{
    if ((w->site != DELAYS_ANYWHERE && d->wait_site != w->site) || !(w->kinds & EVENTS(d->wait_kind)))
        return false;
    const bool of_lanes = w->which != DELAYS_ALL && critical_activity(d->key) == CRITICAL_COMPUTING &&
                          w->lanes[critical_lane(d->key)];
    return w->which == DELAYS_ALL || of_lanes == (w->which == DELAYS_OF_LANES);
}

enum refrain_status delay_places_find(struct delay_places *out, const struct delays *d,
                                      const struct delays_wanted *wanted)
{
    ARRAY(struct delay) sorted = {0};
    *out = (struct delay_places){0};
    bool ok = array_reserve(&sorted, d->items.n);
    for (size_t i = 0; ok && i < d->items.n; i++) {
        const struct delay *this = &d->items.items[i];
        if (delays_are_wanted(wanted, this))
            sorted.items[sorted.n++] = *this;
    }
    if (sorted.n > 0)
        qsort(sorted.items, sorted.n, sizeof *sorted.items, by_place);
    for (size_t i = 0; ok && i < sorted.n; i++) {
        const struct delay *this = &sorted.items[i];
        if (i == 0 || this[-1].key >> 32 != this->key >> 32)
            ok = array_push(out, (struct delay_place){0});
        ok = ok && add_delay(&out->items[out->n - 1], this);
    }
    array_free(&sorted);
    if (ok && out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, costliest_first);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
