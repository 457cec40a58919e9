/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends to a grammar; grammar_impl.h describes the stages. */
#include "grammar_impl.h"
#include "src/core/base/placement.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"

struct grammar *grammar_create(void)
{
    struct grammar *g = calloc(1, sizeof *g);
    uint32_t start;

    if (!g) {
        log_error("no memory for a grammar");
        return NULL;
    }
    g->free_node = g->free_rule = g->at = GRAMMAR_NONE;
    if (grammar_add_rule(g, &start) != REFRAIN_OK) {
        grammar_free(g);
        return NULL;
    }
    return g;
}

void grammar_free(struct grammar *g)
{
    if (!g)
        return;
    array_free(&g->nodes);
    array_free(&g->rules);
    map_free(&g->digrams);
    array_free(&g->work);
    array_free(&g->path);
    array_free(&g->held);
    free(g);
}

/* Process one whole run. */
HOT static enum refrain_status feed(struct grammar *g, struct rules_item run)
{
    while (!grammar_follow(g, run)) {
        enum refrain_status status;
        bool changed = true;

        if (g->at != GRAMMAR_NONE)
            status = grammar_unfollow(g);
        else
            status = grammar_close(g, &changed);
        if (status != REFRAIN_OK)
            return status;
        if (!changed)
            return grammar_link_last(g, run.symbol, run.count);
    }
    return REFRAIN_OK;
}

/* The commonest case of grammar_follow: inside a rule, neither at its beginning nor at its end. */
static inline bool follow_inside(struct grammar *g, struct rules_item run)
{
    const struct grammar_node *node = g->nodes.items + g->at;

    if (g->at == GRAMMAR_NONE || node->symbol != run.symbol || node->count != run.count ||
        g->nodes.items[node->next].count == 0)
        return false;
    g->at = node->next;
    return true;
}

HOT enum refrain_status grammar_append(struct grammar *g, uint32_t terminal, uint64_t count)
{
    assert(g->work.n == 0 && g->held.n == 0);
    const struct rules_item complete = g->run;

    if (terminal >= RULES_REF || count == 0) {
        log_error("symbol %#x with count %llu cannot be appended to a grammar", (unsigned)terminal,
                  (unsigned long long)count);
        return REFRAIN_ERR_USAGE;
    }
    if (count > GRAMMAR_LENGTH_MAX - g->length) {
        log_error("a sequence is longer than 2^62 symbols");
        return REFRAIN_ERR_USAGE;
    }
    g->length += count;
    if (complete.count > 0 && complete.symbol == terminal) {
        g->run.count += count;
        return REFRAIN_OK;
    }
    g->run = (struct rules_item){.symbol = terminal, .count = count};
    return complete.count == 0 || follow_inside(g, complete) ? REFRAIN_OK : feed(g, complete);
}

enum refrain_status grammar_finish(struct grammar *g)
{
    enum refrain_status status = REFRAIN_OK;
    bool changed = true;

    if (g->run.count > 0)
        status = feed(g, g->run);
    g->run = (struct rules_item){0};
    if (status == REFRAIN_OK)
        status = grammar_unfollow(g);
    while (status == REFRAIN_OK && changed)
        status = grammar_close(g, &changed);
    return status;
}

uint64_t grammar_length(const struct grammar *g)
{
    return g->length;
}

HOT size_t grammar_size(const struct grammar *g)
{
    return g->nodes.n;
}

size_t grammar_bytes(const struct grammar *g)
{
    return sizeof *g + g->nodes.cap * sizeof *g->nodes.items + g->rules.cap * sizeof *g->rules.items +
           g->digrams.cap * sizeof *g->digrams.entries + g->work.cap * sizeof *g->work.items +
           g->path.cap * sizeof *g->path.items + g->held.cap * sizeof *g->held.items;
}
