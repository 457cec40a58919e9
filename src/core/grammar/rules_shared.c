/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores many grammars in one list of rules; rules_build.h explains the order of the rules. */
#include <stdlib.h>
#include <string.h>

#include "rules_build.h"
#include "rules_impl.h"
#include "src/core/base/log.h"

void rules_shared_free(struct rules_shared *p)
{
    free(p->first);
    free(p->items);
    free(p->roots);
    *p = (struct rules_shared){0};
}

enum refrain_status rules_shared_add(struct rules_builder *b, uint32_t **roots, uint32_t n_roots,
                                     struct rules_shared *out)
{
    if (b->first.n == 0 && !array_push(&b->first, 0))
        return REFRAIN_ERR_MEMORY;
    *out = (struct rules_shared){.n_rules = rules_builder_count(b),
                                 .first = b->first.items,
                                 .items = b->items.items,
                                 .n_roots = n_roots,
                                 .roots = *roots};
    *roots = NULL;
    b->first.items = NULL;
    b->first.n = b->first.cap = 0;
    b->items.items = NULL;
    b->items.n = b->items.cap = 0;
    return REFRAIN_OK;
}

enum refrain_status rules_shared_create(struct rules *const *grammars, uint32_t n, struct rules_shared *out)
{
    struct rules_builder builder = {0};
    enum refrain_status status = REFRAIN_OK;
    uint32_t *roots = calloc(n > 0 ? n : 1, sizeof *roots), most = 1;
    struct rules_item *built = NULL;

    for (uint32_t i = 0; i < n; i++)
        most = grammars[i]->n_rules > most ? grammars[i]->n_rules : most;
    built = malloc(most * sizeof *built);
    if (!roots || !built) {
        log_error("no memory for the shared rules of %u grammars", n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct rules *r = grammars[i];
        struct rules_source source = {.first = r->first, .items = r->items, .built = built};

        memset(built, 0, r->n_rules * sizeof *built);
        status = rules_builder_add(&builder, &source, r->n_rules - 1, RULES_BUILD_SAME, &roots[i]);
    }
    if (status == REFRAIN_OK)
        status = rules_shared_add(&builder, &roots, n, out);
    free(roots);
    free(built);
    rules_builder_free(&builder);
    return status;
}

enum refrain_status rules_shared_extract(const struct rules_shared *p, uint32_t root, struct rules **out)
{
    struct rules_builder builder = {0};
    struct rules_source source = {.first = p->first, .items = p->items};
    enum refrain_status status;
    uint32_t start;

    if (root >= p->n_rules) {
        log_error("there is no rule %u among %u shared ones", root, p->n_rules);
        return REFRAIN_ERR_USAGE;
    }
    source.built = calloc(root + (size_t)1, sizeof *source.built);
    if (!source.built) {
        log_error("no memory to take a grammar from %u rules", p->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    status = rules_builder_add(&builder, &source, root, RULES_BUILD_SAME, &start);
    if (status == REFRAIN_OK)
        status = rules_create(start + 1, builder.first.items, builder.items.items, out);
    free(source.built);
    rules_builder_free(&builder);
    return status;
}
