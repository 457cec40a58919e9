/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_permute.h"

#include "src/core/base/log.h"
#include "src/core/passes/codec_domains.h"
#include "src/core/passes/torus_permutation.h"

#include <stdlib.h>

static enum refrain_status find_map(struct permuted_table *table, const struct torus_map *m, uint64_t *number)
{
    for (*number = 0; *number < table->maps.n; ++*number) {
        if (torus_map_equal(&table->maps.items[*number], m))
            return REFRAIN_OK;
    }
    return array_push(&table->maps, *m) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Move the bases to the tables; number[i] becomes the place of base i in `made`. */
static enum refrain_status take_bases(struct torus_permutations *found, struct codec_tables *tables,
                                      uint64_t *number)
{
    for (size_t i = 0; i < found->bases.n; i++) {
        if (!found->bases.items[i])
            continue;
        number[i] = tables->made.n;
        if (!array_push(&tables->made, found->bases.items[i]))
            return REFRAIN_ERR_MEMORY;
        found->bases.items[i] = NULL;
    }
    return REFRAIN_OK;
}

/* Add the permuted lists. All are different, so each gets the next number. Until all have a number,
 * `base` is a place in `made`. */
static enum refrain_status add_permuted(const struct rank_lists *lists, struct torus_permutations *found,
                                        struct codec_tables *tables)
{
    uint64_t *number = calloc(found->bases.n + 1, sizeof *number);
    if (!number) {
        log_error("out of memory: %zu lists", found->bases.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = take_bases(found, tables, number);
    for (size_t i = 0; i < found->lists.n && status == REFRAIN_OK; i++) {
        const struct permuted_list *l = &found->lists.items[i];
        struct permuted permuted = {.base = number[l->base],
                                    .row = l->at.row,
                                    .column = l->at.column,
                                    .scale = l->scale,
                                    .shift = l->shift,
                                    .slope = l->slope};
        uint32_t series;
        status = find_map(&tables->permuted, &found->maps.items[l->map], &permuted.map);
        if (status == REFRAIN_OK)
            status = codec_intern_series(tables, lists->items[l->list].series, &series);
        if (status == REFRAIN_OK && !array_push(&tables->permuted.lists, permuted))
            status = REFRAIN_ERR_MEMORY;
    }
    free(number);
    return status;
}

static enum refrain_status permute_domain(const struct domains *all, const struct domain *domain,
                                          struct codec_tables *tables)
{
    struct rank_lists lists = {.n_ranks = (uint32_t)series_length(domain->ranks)};
    struct torus_permutations found = {.saved = 0};
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = domain->first; i != DOMAIN_END && status == REFRAIN_OK; i = all->lists.items[i].next)
        status = rank_lists_add(&lists, all->lists.items[i].series);
    if (status == REFRAIN_OK)
        status = torus_permutations_find(&lists, &found);
    if (status == REFRAIN_OK && found.saved > 0)
        status = add_permuted(&lists, &found, tables);
    torus_permutations_free(&found);
    rank_lists_free(&lists);
    return status;
}

/* Number the bases after all permuted lists. */
static enum refrain_status number_bases(struct codec_tables *tables)
{
    struct permuted_table *table = &tables->permuted;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < table->lists.n && status == REFRAIN_OK; i++) {
        uint64_t *base = &table->lists.items[i].base;
        status = codec_intern_base(tables, tables->made.items[*base], base);
    }
    return status;
}

enum refrain_status codec_permute(const struct trace *t, struct codec_tables *tables)
{
    struct domains all;
    enum refrain_status status = domains_collect(t, tables, &all);
    for (size_t i = 0; i < all.domains.n && status == REFRAIN_OK; i++)
        status = permute_domain(&all, &all.domains.items[i], tables);
    if (status == REFRAIN_OK)
        status = number_bases(tables);
    domains_free(&all);
    return status;
}
