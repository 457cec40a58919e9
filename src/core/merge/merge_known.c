/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers merged pairs, so that no pair is merged twice.
 *
 * A trace has few lists, each used in many rows: the same neighbours and sizes return in many calls.
 * Places with the same list share it (series_share), so equal addresses show that the same work was done
 * before. While two traces are merged, the merged pairs are kept here:
 *
 *     domain   number   ranks   more    both
 *                0      0 … 3   4 … 7   0 … 7      both: made when a group asks for it
 *                1      1 2     5 6     NULL
 *
 *     pair     domain   f                 g                both
 *                0      constant 2        constant 6       [2 2 2 2 6 6 6 6], [2 1 0 -1 2 1 0 -1]
 *                0      list a, list b    list c, list d   list e, list f
 *
 * The next row with f and g shares `both`. A list that is used in one place only cannot be in another
 * pair: it is not remembered, and is changed in place. So the pairs take less memory than the traces
 * themselves. */
#include "merge_parts.h"

#include "src/core/base/mix.h"

/* Number of remembered domains. Each shape has a domain, and usually its groups have the same one.
 * Programs whose ranks differ in all calls have very many domains, which rarely repeat. */
#define DOMAINS_MAX 8

struct known_domain {
    struct series *ranks, *more, *both; /* shared */
};

struct known_pair {
    uint32_t domain;
    struct rankfn f, g, both; /* shared */
};

static void forget(struct merge_known *k)
{
    for (size_t i = 0; i < k->domains.n; i++) {
        series_free(k->domains.items[i].ranks);
        series_free(k->domains.items[i].more);
        series_free(k->domains.items[i].both);
    }
    for (size_t i = 0; i < k->pairs.n; i++) {
        rankfn_free(&k->pairs.items[i].f);
        rankfn_free(&k->pairs.items[i].g);
        rankfn_free(&k->pairs.items[i].both);
    }
    k->domains.n = k->pairs.n = 0;
    map_clear(&k->by_key);
}

void merge_known_free(struct merge_known *k)
{
    forget(k);
    array_free(&k->domains);
    array_free(&k->pairs);
    map_free(&k->by_key);
}

/* ---- domains --------------------------------------------------------------------------------- */

static bool equal(const struct series *a, const struct series *b)
{
    return a == b || series_equal(a, b);
}

/* Search the latest domains first: groups usually have the ranks of their shape. */
static uint32_t find_domain(const struct merge_known *k, const struct series *ranks,
                            const struct series *more)
{
    uint32_t i = (uint32_t)k->domains.n;
    while (i-- > 0) {
        const struct known_domain *d = &k->domains.items[i];
        if (equal(d->ranks, ranks) && equal(d->more, more))
            return i;
    }
    return MAP_NONE;
}

enum refrain_status merge_known_domain(struct merge_known *k, struct series *ranks, struct series *more,
                                       struct merge_domain *d)
{
    uint32_t i = find_domain(k, ranks, more);
    if (i == MAP_NONE) {
        if (k->domains.n == DOMAINS_MAX)
            forget(k);
        i = (uint32_t)k->domains.n;
        if (!array_reserve(&k->domains, 1))
            return REFRAIN_ERR_MEMORY;
        k->domains.items[k->domains.n++] =
            (struct known_domain){.ranks = series_share(ranks), .more = series_share(more)};
    }
    *d = merge_domain_of(k->domains.items[i].ranks, k->domains.items[i].more);
    d->known = k;
    d->number = i;
    return REFRAIN_OK;
}

enum refrain_status merge_known_ranks(const struct merge_domain *d, struct series **ranks)
{
    struct known_domain *known = &d->known->domains.items[d->number];
    if (!known->both) {
        struct series *both = series_copy(known->ranks);
        enum refrain_status status = both ? merge_ranks(&both, known->more) : REFRAIN_ERR_MEMORY;
        if (status != REFRAIN_OK) {
            series_free(both);
            return status;
        }
        known->both = both;
    }
    series_free(*ranks);
    *ranks = series_share(known->both);
    return REFRAIN_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool stands_alone(const struct rankfn *f)
{
    return (f->plain && !series_is_shared(f->plain)) || (f->relative && !series_is_shared(f->relative));
}

enum refrain_status merge_known_rankfns(struct rankfn *f, const struct rankfn *g,
                                        const struct merge_domain *d)
{
    struct merge_known *k = d->known;
    struct merge_domain plainly = *d;
    plainly.known = NULL;
    if (rankfn_common_forms(f, g) != 0 || stands_alone(f) || stands_alone(g))
        return merge_rankfns(f, g, &plainly);

    const uint64_t key = mix(mix(mix(0, d->number), rankfn_share_key(f)), rankfn_share_key(g));
    size_t at;
    for (uint32_t i = map_first(&k->by_key, key, &at); i != MAP_NONE; i = map_next(&k->by_key, key, &at)) {
        const struct known_pair *p = &k->pairs.items[i];
        if (p->domain == d->number && rankfn_is_shared(&p->f, f) && rankfn_is_shared(&p->g, g)) {
            rankfn_free(f);
            *f = rankfn_share(&p->both);
            return REFRAIN_OK;
        }
    }

    const uint32_t fresh = (uint32_t)k->pairs.n;
    if (!array_reserve(&k->pairs, 1) || !map_add(&k->by_key, key, fresh))
        return REFRAIN_ERR_MEMORY;
    struct known_pair *p = &k->pairs.items[k->pairs.n++];
    *p = (struct known_pair){.domain = d->number, .f = rankfn_share(f), .g = rankfn_share(g)};
    enum refrain_status status = merge_rankfns(f, g, &plainly);
    if (status == REFRAIN_OK)
        p->both = rankfn_share(f);
    return status;
}
