/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_domains.h"

#include "torus_permutation.h"

#define VALUES_MAX (UINT64_C(1) << 22) /* most values in all lists together */

void domains_free(struct domains *l)
{
    array_free(&l->lists);
    array_free(&l->domains);
    map_free(&l->list_index);
    map_free(&l->domain_index);
}

static enum refrain_status find_domain(struct domains *l, const struct series *ranks, uint32_t *number)
{
    uint64_t key = series_hash(ranks);
    size_t at;
    for (uint32_t i = map_first(&l->domain_index, key, &at); i != MAP_NONE;
         i = map_next(&l->domain_index, key, &at)) {
        if (series_equal(l->domains.items[i].ranks, ranks)) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    *number = (uint32_t)l->domains.n;
    struct domain fresh = {.ranks = ranks, .first = DOMAIN_END, .last = DOMAIN_END};
    return array_push(&l->domains, fresh) && map_add(&l->domain_index, key, *number) ? REFRAIN_OK
                                                                                     : REFRAIN_ERR_MEMORY;
}

/* Add a list to a domain. A list over several domains is added to the first one only. */
static enum refrain_status add_list(struct domains *l, uint32_t domain, const struct series *series)
{
    uint64_t key = series_hash(series);
    size_t at;
    for (uint32_t i = map_first(&l->list_index, key, &at); i != MAP_NONE;
         i = map_next(&l->list_index, key, &at)) {
        if (series_equal(l->lists.items[i].series, series))
            return REFRAIN_OK;
    }
    const uint64_t n = series_length(series);
    if (n > VALUES_MAX - l->values)
        return REFRAIN_OK;
    l->values += n;
    const uint32_t fresh = (uint32_t)l->lists.n;
    struct domain_list list = {.series = series, .next = DOMAIN_END};
    if (!array_push(&l->lists, list) || !map_add(&l->list_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    struct domain *d = &l->domains.items[domain];
    if (d->first == DOMAIN_END)
        d->first = fresh;
    else
        l->lists.items[d->last].next = fresh;
    d->last = fresh;
    return REFRAIN_OK;
}

static enum refrain_status collect_group(struct domains *l, const struct codec_tables *tables,
                                         const struct group *g)
{
    const uint64_t n = series_length(g->ranks);
    uint32_t domain;
    if (n < PERMUTED_RANKS_MIN || n > PERMUTED_RANKS_MAX)
        return REFRAIN_OK;
    enum refrain_status status = find_domain(l, g->ranks, &domain);
    for (size_t r = 0; r < g->rows.n; r++) {
        const struct row *row = &g->rows.items[r];
        for (uint32_t i = 0; i < row->n_slots && status == REFRAIN_OK; i++) {
            const struct rankfn *f = row_slot(row, i);
            if ((f->plain || f->relative) && !global_lists_get(&tables->global, f) &&
                !prefix_sums_get(&tables->sums, f))
                status = add_list(l, domain, f->plain ? f->plain : f->relative);
        }
    }
    return status;
}

enum refrain_status domains_collect(const struct trace *t, const struct codec_tables *tables,
                                    struct domains *out)
{
    *out = (struct domains){.values = 0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t s = 0; s < t->shapes.n; s++) {
        const struct shape *shape = &t->shapes.items[s];
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n && status == REFRAIN_OK; g++)
                status = collect_group(out, tables, &entry->groups.items[g]);
        }
    }
    return status;
}
