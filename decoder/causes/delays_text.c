/* SPDX-License-Identifier: BSD-3-Clause */
#include "delays_text.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>
#include <stdlib.h>

typedef ARRAY(struct profile_entry) entries;

/* What a place costs: of lanes that are late there, and in calls at sites where others wait. */
struct place {
    uint64_t direct, further, taken, usual;
    entries lanes; /* by key */
    entries waits; /* the key is the site; … */
    size_t worst;  /* … the one where most is waited */
};

typedef ARRAY(struct place) places;

static int by_place(const void *a, const void *b)
{
    const struct delay *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->wait_site != y->wait_site)
        return x->wait_site < y->wait_site ? -1 : 1;
    return x->wait_kind < y->wait_kind ? -1 : x->wait_kind > y->wait_kind;
}

static int dearest_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const uint64_t of_x = x->direct + x->further, of_y = y->direct + y->further;
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return x->lanes.items[0].key < y->lanes.items[0].key ? -1 : 1;
}

static void free_places(places *p)
{
    for (size_t i = 0; i < p->n; i++) {
        array_free(&p->items[i].lanes);
        array_free(&p->items[i].waits);
    }
    array_free(p);
}

static bool add(entries *e, uint64_t key, uint64_t value)
{
    for (size_t i = e->n; i-- > 0;) {
        if (e->items[i].key == key) {
            e->items[i].value += value;
            return true;
        }
    }
    return array_push(e, ((struct profile_entry){key, value}));
}

static bool add_delay(struct place *p, const struct delay *d)
{
    p->direct += d->direct;
    p->further += d->further;
    p->taken += d->taken;
    p->usual += d->usual;
    if (!add(&p->lanes, d->key, d->direct + d->further) ||
        !add(&p->waits, d->wait_site, d->direct + d->further))
        return false;
    for (size_t i = 0; i < p->waits.n; i++)
        p->worst = p->waits.items[i].value > p->waits.items[p->worst].value ? i : p->worst;
    return true;
}

/* Of those who wait at one site, in one of these kinds; or anywhere, in any. */
#define ANYWHERE UINT32_MAX
#define ANY_KIND UINT32_MAX
static enum refrain_status find_places(const struct delays *d, uint32_t site, uint32_t kinds, places *out)
{
    ARRAY(struct delay) sorted = {0};
    bool ok = array_reserve(&sorted, d->items.n);
    for (size_t i = 0; ok && i < d->items.n; i++) {
        const struct delay *this = &d->items.items[i];
        if ((site == ANYWHERE || this->wait_site == site) && kinds & EVENTS(this->wait_kind))
            sorted.items[sorted.n++] = *this;
    }
    if (sorted.n > 0)
        qsort(sorted.items, sorted.n, sizeof *sorted.items, by_place);
    for (size_t i = 0; ok && i < sorted.n; i++) {
        const struct delay *this = &sorted.items[i];
        if (i == 0 || this[-1].key >> 32 != this->key >> 32)
            ok = array_push(out, (struct place){0});
        ok = ok && add_delay(&out->items[out->n - 1], this);
    }
    array_free(&sorted);
    if (ok && out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, dearest_first);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* "1.790 s  computing before MPI_Send at …  rank 5; 1.580 s of it directly, 210 ms further on; most in MPI_Recv at …" */
static void put_place(const struct causes_view *v, const struct place *p, struct bytes *out)
{
    struct bytes time = {0};
    time_put(&time, p->direct + p->further);
    text_printf(out, "%10.*s  ", (int)time.n, (const char *)time.data);
    bytes_free(&time);
    causes_put_place(v, p->lanes.items[0].key, out);
    text_put(out, "  ");
    causes_put_lanes(v, p->lanes.items, p->lanes.n, out);
    text_put(out, "; ");
    time_put(out, p->direct);
    text_put(out, " directly, ");
    time_put(out, p->further);
    text_put(out, p->waits.n > 1 ? " further on; most in " : " further on; in ");
    site_put_call(v->search->reader, v->symbols, (uint32_t)p->waits.items[p->worst].key, out);
    text_putc(out, '\n');
}

enum refrain_status delays_put_text(const struct delays *d, const struct causes_view *v, struct bytes *out)
{
    places p = {0};
    uint64_t rest = 0;
    const enum refrain_status status = find_places(d, ANYWHERE, ANY_KIND, &p);
    if (status == REFRAIN_OK && p.n > 0) {
        text_put(out, "\nAll wait ");
        time_put(out, d->waiting);
        text_put(out, " for others, because these are longer there:\n");
    }
    for (size_t i = 0; status == REFRAIN_OK && i < p.n; i++) {
        if (i < v->top)
            put_place(v, &p.items[i], out);
        else
            rest += p.items[i].direct + p.items[i].further;
    }
    if (rest > 0) {
        text_printf(out, "  and %zu more: ", p.n - v->top);
        time_put(out, rest);
        text_put(out, " (--top)\n");
    }
    free_places(&p);
    return status;
}

/* ---- a reason ------------------------------------------------------------------------------------ */

/* A rank is named if it costs as much as this share of the one that costs most. */
#define SHARE 0.05
/* From here on, the others have almost nothing of it. */
#define MUCH 100

/* "ranks 5-7"; are they several? */
static bool put_late(const struct causes_view *v, const struct place *p, struct bytes *out)
{
    const struct wait_lanes *all = &v->search->lanes;
    uint64_t *by_rank = calloc(all->n_ranks + (size_t)1, sizeof *by_rank), most = 0;
    for (size_t i = 0; by_rank && i < p->lanes.n; i++) {
        uint64_t *rank = &by_rank[all->items[critical_lane(p->lanes.items[i].key)].rank - all->first_rank];
        *rank += p->lanes.items[i].value;
        most = *rank > most ? *rank : most;
    }
    const uint64_t least = (uint64_t)((double)most * SHARE);
    const bool several = by_rank && causes_put_ranks(by_rank, all->first_rank, all->n_ranks, least + 1, out);
    out->failed = out->failed || !by_rank;
    free(by_rank);
    return several;
}

/* "40 % longer", "3.2 times as long" */
static void put_excess(const struct place *p, struct bytes *out)
{
    const double ratio = p->usual > 0 ? (double)p->taken / (double)p->usual : MUCH;
    if (ratio >= MUCH)
        text_put(out, "much longer");
    else if (ratio >= 2)
        text_printf(out, "%.1f times as long", ratio);
    else
        text_printf(out, "%.0f %% longer", 100 * (ratio - 1));
}

static void put_reason(const struct causes_view *v, const struct place *p, struct bytes *out)
{
    const uint64_t key = p->lanes.items[0].key;
    const bool computes = critical_activity(key) == CRITICAL_COMPUTING;
    text_put(out, "              because ");
    const bool several = put_late(v, p, out);
    if (computes)
        text_put(out, several ? " compute " : " computes ");
    else
        text_put(out, several ? " are " : " is ");
    put_excess(p, out);
    text_put(out, computes ? " before " : " in ");
    site_put_call(v->search->reader, v->symbols, critical_site(key), out);
    text_put(out, " (costs ");
    time_put(out, p->direct);
    text_put(out, " directly, ");
    time_put(out, p->further);
    text_put(out, " further on)\n");
}

enum refrain_status delays_put_reason(const struct delays *d, const struct causes_view *v, uint32_t site,
                                      uint32_t kinds, struct bytes *out)
{
    places p = {0};
    const enum refrain_status status = find_places(d, site, kinds, &p);
    if (status == REFRAIN_OK && p.n > 0)
        put_reason(v, &p.items[0], out);
    free_places(&p);
    return status;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static void put_place_json(const struct causes_view *v, const struct place *p, const char *name,
                           struct json *j)
{
    const struct reader *r = v->search->reader;
    json_object(j, name);
    causes_put_place_json(v, p->lanes.items[0].key, j);
    json_real(j, "direct_seconds", (double)p->direct * 1e-9);
    json_real(j, "further_seconds", (double)p->further * 1e-9);
    json_real(j, "taken_seconds", (double)p->taken * 1e-9);
    json_real(j, "usual_seconds", (double)p->usual * 1e-9);
    causes_put_lanes_json(v, p->lanes.items, p->lanes.n, j);
    json_array(j, "waits");
    for (size_t i = 0; i < p->waits.n; i++) {
        const uint32_t site = (uint32_t)p->waits.items[i].key;
        json_object(j, NULL);
        json_string(j, "function", reader_function(r, site));
        site_put_json(&r->trace, v->symbols, site, j, "site");
        json_real(j, "seconds", (double)p->waits.items[i].value * 1e-9);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

enum refrain_status delays_put_json(const struct delays *d, const struct causes_view *v, struct json *j)
{
    places p = {0};
    const enum refrain_status status = find_places(d, ANYWHERE, ANY_KIND, &p);
    json_real(j, "waiting_seconds", (double)d->waiting * 1e-9);
    json_real(j, "unexplained_seconds", (double)d->unexplained * 1e-9);
    json_array(j, "delays");
    for (size_t i = 0; status == REFRAIN_OK && i < p.n; i++)
        put_place_json(v, &p.items[i], NULL, j);
    json_end(j);
    free_places(&p);
    return status;
}

enum refrain_status delays_put_reason_json(const struct delays *d, const struct causes_view *v, uint32_t site,
                                           uint32_t kinds, const char *name, struct json *j)
{
    places p = {0};
    const enum refrain_status status = find_places(d, site, kinds, &p);
    if (status == REFRAIN_OK && p.n > 0)
        put_place_json(v, &p.items[0], name, j);
    else
        json_null(j, name);
    free_places(&p);
    return status;
}
