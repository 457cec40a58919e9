/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a grammar to rules. It works on a copy, to which everything held back is added first. Copying
 * is simple, because all parts are arrays of indices. */
#include "grammar_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rules_build.h"
#include "src/core/base/log.h"

#define COPY_ARRAY(to, from)                                                                                 \
    ((from)->n == 0 ||                                                                                       \
     (array_reserve(to, (from)->n) &&                                                                        \
      (memcpy((to)->items, (from)->items, (from)->n * sizeof *(to)->items), (to)->n = (from)->n, true)))

static bool copy_map(struct map *to, const struct map *from)
{
    if (from->cap == 0)
        return true;
    to->entries = malloc(from->cap * sizeof *to->entries);
    if (!to->entries) {
        log_error("no memory to copy %zu digrams", from->cap);
        return false;
    }
    memcpy(to->entries, from->entries, from->cap * sizeof *to->entries);
    to->n = from->n;
    to->cap = from->cap;
    return true;
}

static enum refrain_status copy(const struct grammar *g, struct grammar **out)
{
    struct grammar *c = calloc(1, sizeof *c);

    if (!c) {
        log_error("no memory to copy a grammar");
        return REFRAIN_ERR_MEMORY;
    }
    c->free_node = g->free_node;
    c->free_rule = g->free_rule;
    c->run = g->run;
    c->length = g->length;
    c->at = g->at;
    if (!COPY_ARRAY(&c->nodes, &g->nodes) || !COPY_ARRAY(&c->rules, &g->rules) ||
        !COPY_ARRAY(&c->path, &g->path) || !array_reserve(&c->path, g->rules.n) ||
        !copy_map(&c->digrams, &g->digrams)) {
        grammar_free(c);
        return REFRAIN_ERR_MEMORY;
    }
    *out = c;
    return REFRAIN_OK;
}

/* Bodies as arrays, in the current numbering of the rules; bodies of free rules are empty. */
struct bodies {
    ARRAY(uint32_t) first;
    ARRAY(struct rules_item) items;
};

static bool list_bodies(const struct grammar *g, struct bodies *b)
{
    const struct grammar_node *nodes = g->nodes.items;

    if (!array_push(&b->first, 0))
        return false;
    for (uint32_t r = 0; r < g->rules.n; r++) {
        if (r == 0 || g->rules.items[r].uses > 0) {
            for (uint32_t i = nodes[g->rules.items[r].guard].next; nodes[i].count > 0; i = nodes[i].next) {
                struct rules_item item = {.symbol = nodes[i].symbol, .count = nodes[i].count};

                if (!array_push(&b->items, item))
                    return false;
            }
        }
        if (!array_push(&b->first, (uint32_t)b->items.n))
            return false;
    }
    return true;
}

static enum refrain_status write_down(const struct grammar *g, struct rules **out)
{
    struct bodies bodies = {0};
    struct rules_builder builder = {0};
    struct rules_source source = {0};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    uint32_t start;

    source.built = calloc(g->rules.n, sizeof *source.built);
    if (!source.built) {
        log_error("no memory to write down %zu rules", g->rules.n);
        goto out;
    }
    if (!list_bodies(g, &bodies))
        goto out;
    source.first = bodies.first.items;
    source.items = bodies.items.items;
    status = rules_builder_add(&builder, &source, 0, RULES_BUILD_TIDY, &start);
    if (status == REFRAIN_OK)
        status = rules_create(start + 1, builder.first.items, builder.items.items, out);
out:
    free(source.built);
    array_free(&bodies.first);
    array_free(&bodies.items);
    rules_builder_free(&builder);
    return status;
}

enum refrain_status grammar_rules(const struct grammar *g, struct rules **out)
{
    assert(g->work.n == 0 && g->held.n == 0);
    struct grammar *c;
    enum refrain_status status = copy(g, &c);

    if (status != REFRAIN_OK)
        return status;
    status = grammar_finish(c);
    if (status == REFRAIN_OK)
        status = write_down(c, out);
    grammar_free(c);
    return status;
}
