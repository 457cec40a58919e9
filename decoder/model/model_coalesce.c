/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the sequences of processes into one system. The events of a message or of a collective
 * operation become one construct; loops that communicate become one loop, whose body is joined in
 * the same way.
 *
 *     0:  for i0 = 1 to 20 { send 1 a }              for i0 = 1 to 10   [0-1]
 *     1:  for i0 = 1 to 10 { recv 0 a  recv 0 a }      0:  for i1 = 1 to 2 { send 1 a }
 *                                                      1:  recv 0 a  recv 0 a
 *
 * The number of iterations is the common divisor of the loops' counts; a loop with more iterations
 * is blocked. */
#include "model_sets.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

struct coalescer {
    struct sets sets;
    struct construct_list made;
    ARRAY(struct joined {
        uint32_t set; /* of several loops */
        uint64_t times;
        size_t position;    /* of the loop that they become */
        struct scope scope; /* its body's */
    })
    loops;
};

/* ---- events ---------------------------------------------------------------------------------- */

/* Makes one construct of the events of a set. For a message, the send is first. */
static struct construct *join_events(struct sets *s, const struct node_set *set)
{
    struct arena *a = &s->b->arena;
    struct construct *c = arena_array(a, 1, sizeof *c);
    struct act *acts = arena_array(a, set->nodes.n, sizeof *acts);
    if (!c || !acts)
        return NULL;
    *c = (struct construct){.depth = s->scope->depth, .n_acts = (uint32_t)set->nodes.n, .acts = acts};
    const struct node *first = &s->nodes.items[set->nodes.items[0]];
    const bool turned = s->b->channels->templates[first->construct->acts[0].template].part == CHANNEL_RECEIVE;
    for (uint32_t i = 0; i < c->n_acts; i++)
        acts[turned ? c->n_acts - 1 - i : i] = s->nodes.items[set->nodes.items[i]].construct->acts[0];
    return c;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Appends what one iteration of the joined loop, of `times` iterations, contains of this loop. */
static enum refrain_status put_body(struct arena *a, const struct construct *loop, uint64_t times,
                                    struct sequence *to)
{
    const uint64_t block = construct_times(loop) / times;
    const struct system *body = loop->body;
    struct construct_list list = {0};
    struct construct *inner;
    if (block > 1) {
        const struct reindex r = {REINDEX_BLOCK, loop->depth, block};
        const uint64_t count[SYSTEM_DEPTH_MAX + 1] = {block};
        const enum refrain_status status = system_reindex(a, body, r, &list);
        body = status == REFRAIN_OK ? system_of(a, &list) : NULL;
        inner = body ? construct_loop(a, loop->depth + 1, count, body) : NULL;
        array_free(&list.all);
        return inner && array_push(&to->items, ((struct sequence_item){inner, 0})) ? REFRAIN_OK
                                                                                   : REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < body->n; i++) {
        if (!array_push(&to->items, ((struct sequence_item){body->items[i], 0})))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static int compare_uses(const void *a, const void *b)
{
    const struct use *x = *(const struct use *const *)a, *y = *(const struct use *const *)b;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* Finds the channels whose ends are all in the set, with the same users. Their users meet in each
 * iteration. */
static enum refrain_status find_channels(const struct sets *s, const struct node_set *set, struct scope *out)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < set->nodes.n; i++)
        n += s->nodes.items[set->nodes.items[i]].n_uses;
    const struct use **uses = calloc(n + 1, sizeof *uses);
    if (!uses) {
        log_error("out of memory: %zu uses of channels", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < set->nodes.n; i++) {
        const struct node *node = &s->nodes.items[set->nodes.items[i]];
        for (size_t k = 0; k < node->n_uses; k++)
            uses[at++] = node->uses + k;
    }
    qsort(uses, n, sizeof *uses, compare_uses);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        const uint32_t channel = uses[i]->channel;
        bool same = uses[i]->last <= s->links->limits[uses[i]->position];
        for (end = i + 1; end < n && uses[end]->channel == channel; end++)
            same = same && uses[end]->first == uses[i]->first && uses[end]->last == uses[i]->last;
        same = same && end - i == s->b->channels->items.items[channel].n_ends;
        if (same && !array_push(&out->channels, channel))
            status = REFRAIN_ERR_MEMORY;
    }
    free(uses);
    return status;
}

/* Collects the bodies of loops, in any thread. It reads the sets and links, which do not change during this
 * time. */
static enum refrain_status collect_bodies(void *context, size_t number, unsigned thread)
{
    struct coalescer *c = context;
    struct sets *s = &c->sets;
    struct joined *loop = &c->loops.items[number];
    const struct node_set *set = &s->items.items[loop->set];
    struct scope *scope = &loop->scope;
    *scope = (struct scope){.depth = s->scope->depth + 1};
    loop->times = set->times;
    loop->position = s->nodes.items[set->nodes.items[0]].position;
    scope->sequences = calloc(set->nodes.n, sizeof *scope->sequences);
    if (!scope->sequences) {
        log_error("out of memory: the bodies of %zu loops", set->nodes.n);
        return REFRAIN_ERR_MEMORY;
    }
    scope->n = set->nodes.n;
    enum refrain_status status = find_channels(s, set, scope);
    for (size_t i = 0; i < set->nodes.n && status == REFRAIN_OK; i++) {
        const struct node *node = &s->nodes.items[set->nodes.items[i]];
        scope->sequences[i].process = s->scope->sequences[node->sequence].process;
        status = put_body(&s->b->all[thread].arena, node->construct, loop->times, &scope->sequences[i]);
    }
    return status;
}

/* Makes one loop of its bodies, in any thread. */
static enum refrain_status join_loops(void *context, size_t number, unsigned thread)
{
    struct coalescer *c = context;
    struct joined *loop = &c->loops.items[number];
    struct builder *b = &c->sets.b->all[thread];
    const uint64_t count[SYSTEM_DEPTH_MAX + 1] = {loop->times};
    const struct system *body = NULL;
    const enum refrain_status status = model_build(b, &loop->scope, &body);
    scope_free(&loop->scope);
    if (status != REFRAIN_OK)
        return status;
    struct construct *made = construct_loop(&b->arena, c->sets.scope->depth, count, body);
    c->made.all.items[loop->position] = made;
    return made ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool is_linked(const struct coalescer *c, const struct use *u, bool receives)
{
    const struct channels *channels = c->sets.b->channels;
    return c->sets.links->limits[u->position] > u->first && !channels->items.items[u->channel].sync &&
           channels->ends.items[u->end].receives == receives;
}

/* A use with its construct. */
struct placed_use {
    const struct use *use;
    size_t position;
};

static int compare_placed(const void *a, const void *b)
{
    const struct use *x = ((const struct placed_use *)a)->use, *y = ((const struct placed_use *)b)->use;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static struct placed_use *sort_uses(const struct coalescer *c, bool receives, size_t *n)
{
    const struct links *l = c->sets.links;
    struct placed_use *out = calloc(l->n_uses + 1, sizeof *out);
    *n = 0;
    if (!out) {
        log_error("out of memory: %zu uses of channels", l->n_uses);
        return NULL;
    }
    for (size_t i = 0; i < c->sets.nodes.n; i++) {
        const struct node *node = &c->sets.nodes.items[i];
        for (size_t k = 0; k < node->n_uses; k++) {
            const struct use *u = node->uses + k;
            if (is_linked(c, u, receives))
                out[(*n)++] = (struct placed_use){u, node->position};
        }
    }
    if (*n > 0)
        qsort(out, *n, sizeof *out, compare_placed);
    return out;
}

typedef ARRAY(struct system_link) link_list;

static enum refrain_status put_link(const struct placed_use *from, const struct placed_use *to,
                                    uint64_t limit, link_list *out)
{
    const struct use *a = from->use, *b = to->use;
    uint64_t first = a->first > b->first ? a->first : b->first;
    uint64_t last = a->last < b->last ? a->last : b->last;
    last = last < limit ? last : limit;
    if (first >= last || (from->position == to->position && a->first == b->first && a->last == b->last))
        return REFRAIN_OK;
    const struct system_link link = {.from = from->position,
                                     .to = to->position,
                                     .first = first,
                                     .n = last - first,
                                     .sent_each = a->each,
                                     .received_each = b->each,
                                     .sent_before = first - a->first,
                                     .received_before = first - b->first};
    return array_push(out, link) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Finds the messages between constructs of the system. Walks both ends of each channel in
 * parallel. */
static enum refrain_status find_links(struct coalescer *c, struct system *out)
{
    size_t n = 0, m = 0, k = 0;
    struct placed_use *sends = sort_uses(c, false, &n), *receives = sort_uses(c, true, &m);
    enum refrain_status status = sends && receives ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    link_list links = {0};
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct use *s = sends[i].use;
        while (k < m && (receives[k].use->channel < s->channel ||
                         (receives[k].use->channel == s->channel && receives[k].use->last <= s->first)))
            k++;
        for (size_t j = k; j < m && receives[j].use->channel == s->channel && status == REFRAIN_OK &&
                           receives[j].use->first < s->last;
             j++)
            status = put_link(&sends[i], &receives[j], c->sets.links->limits[s->position], &links);
    }
    if (status == REFRAIN_OK && links.n > 0) {
        struct system_link *kept = arena_array(&c->sets.b->arena, links.n, sizeof *kept);
        if (kept)
            memcpy(kept, links.items, links.n * sizeof *kept);
        out->links = kept;
        out->n_links = links.n;
        status = kept ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    array_free(&links);
    free(sends);
    free(receives);
    return status;
}

/* ---- the system ------------------------------------------------------------------------------ */

/* Emits a set. For loops that become one loop, only the position is recorded for now. */
static enum refrain_status emit(void *context, uint32_t number)
{
    struct coalescer *c = context;
    struct sets *s = &c->sets;
    const struct node_set *set = &s->items.items[number];
    struct construct *made = s->nodes.items[set->nodes.items[0]].construct;
    const bool loops = set->nodes.n > 1 && construct_is_loop(made);
    if (loops)
        made = NULL;
    else if (set->nodes.n > 1 && !(made = join_events(s, set)))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < set->nodes.n; i++)
        s->nodes.items[set->nodes.items[i]].position = c->made.all.n;
    if (loops && !array_push(&c->loops, ((struct joined){.set = number})))
        return REFRAIN_ERR_MEMORY;
    return array_push(&c->made.all, made) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* What loops share is freed before their bodies are joined, because memory is short there. */
enum refrain_status model_coalesce(struct builder *b, struct scope *scope, struct links *links,
                                   const struct system **out)
{
    struct coalescer c = {0};
    struct system found = {0}, *made = NULL;
    enum refrain_status status = sets_find(b, scope, links, &c.sets);
    if (status != REFRAIN_OK)
        return status;
    status = sets_schedule(&c.sets, emit, &c);
    if (status == REFRAIN_OK)
        status = thread_pool_run(b->pool, b->thread, c.loops.n, collect_bodies, &c);
    sets_forget(&c.sets);
    if (status == REFRAIN_OK)
        status = find_links(&c, &found);
    sets_free(&c.sets);
    links_free(links);
    if (status == REFRAIN_OK)
        status = thread_pool_run(b->pool, b->thread, c.loops.n, join_loops, &c);
    if (status == REFRAIN_OK && !(made = system_of(&b->arena, &c.made)))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK) {
        made->links = found.links;
        made->n_links = found.n_links;
        *out = made;
    }
    for (size_t i = 0; i < c.loops.n; i++)
        scope_free(&c.loops.items[i].scope);
    array_free(&c.loops);
    array_free(&c.made.all);
    return status;
}
