/* In which order sets come: as if the processes ran, each at the first of its nodes that has not come yet. A
 * set comes when all its processes are there, and what it receives from others has been sent. So the order is
 * that of each process, and there is one: sets that would have to come before each other never all come.
 *
 *     0:  loop { send 1 a }  loop { send 1 b }        0 waits at {a} for 1, and 1 at {b} for 0
 *     1:  loop { recv 0 b }  loop { recv 0 a }
 *
 * When processes wait for each other in a circle, one of their sets is taken apart, which cannot be helped:
 * its node comes alone. One is taken that may come alone, since it receives nothing that has not been sent:
 * here process 0's {a}. Then {b} comes, and at last process 1's {a}. If there is none, receives come before
 * they can be completed: they have been posted, then. */
#include "model_sets.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

#define NOT_THERE       UINT32_MAX
#define DIVISIONS_TRIED 16 /* in a circle, since each may look at all pairs of loops of a set */

struct schedule {
    struct sets *sets;
    enum refrain_status (*emit)(void *context, uint32_t set);
    void *context;
    uint32_t *head;        /* by sequence: its first node that has not come */
    uint32_t *sequence_of; /* by process */
    uint64_t *sent;        /* by channel: users of the sending end that have come */
    uint32_t *sender;      /* by channel: the sending end */
    uint32_t *waits_for;   /* by sequence: another one; NOT_THERE if it is through */
    uint32_t *visited;     /* by sequence: when circles are looked for, the round */
    bool *posted;          /* by sequence: it has come to a receive that comes early */
};

/* ---- state ----------------------------------------------------------------------------------------------
 */

static enum refrain_status create(struct schedule *c)
{
    const struct sets *s = c->sets;
    const struct channels *channels = &s->b->channels;
    const size_t n = s->scope->n;
    c->head = calloc(n + 1, sizeof *c->head);
    c->waits_for = calloc(n + 1, sizeof *c->waits_for);
    c->visited = calloc(n + 1, sizeof *c->visited);
    c->posted = calloc(n + 1, sizeof *c->posted);
    c->sequence_of = calloc(s->b->model->processes.n + 1, sizeof *c->sequence_of);
    c->sent = calloc(channels->items.n + 1, sizeof *c->sent);
    c->sender = calloc(channels->items.n + 1, sizeof *c->sender);
    if (!c->head || !c->waits_for || !c->visited || !c->posted || !c->sequence_of || !c->sent || !c->sender) {
        log_error("out of memory: the order of %zu constructs", s->nodes.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t q = 0; q < n; q++) {
        c->head[q] = s->first_node[q];
        c->sequence_of[s->scope->sequences[q].process] = q;
    }
    for (uint32_t e = 0; e < channels->ends.n; e++) {
        if (!channels->ends.items[e].receives)
            c->sender[channels->ends.items[e].channel] = e;
    }
    return REFRAIN_OK;
}

static void destroy(struct schedule *c)
{
    free(c->head);
    free(c->waits_for);
    free(c->visited);
    free(c->posted);
    free(c->sequence_of);
    free(c->sent);
    free(c->sender);
}

static struct node *node_at(const struct schedule *c, uint32_t q)
{
    return c->head[q] < c->sets->first_node[q + 1] ? &c->sets->nodes.items[c->head[q]] : NULL;
}

static struct node_set *set_of(const struct schedule *c, const struct node *node)
{
    return &c->sets->items.items[node->set];
}

/* A node of the set that its sequence has not come to; NOT_THERE if there is none. */
static uint32_t find_absent(const struct schedule *c, const struct node_set *set)
{
    for (size_t i = 0; i < set->nodes.n; i++) {
        const uint32_t node = set->nodes.items[i];
        if (c->head[c->sets->nodes.items[node].sequence] != node)
            return node;
    }
    return NOT_THERE;
}

static bool is_message(const struct schedule *c, const struct use *u)
{
    return c->sets->links.limits[u->channel] > 0 && !c->sets->b->channels.items.items[u->channel].sync;
}

static bool receives(const struct schedule *c, const struct use *u)
{
    return is_message(c, u) && c->sets->b->channels.ends.items[u->end].receives;
}

/* Has all been sent that this receives? Of what is never sent nothing is waited for. */
static bool has_arrived(const struct schedule *c, const struct use *u)
{
    const uint64_t all = c->sets->links.totals[c->sender[u->channel]];
    return c->sent[u->channel] >= (u->last < all ? u->last : all);
}

static void add_sent(struct schedule *c, const struct node_set *set, bool take_back)
{
    for (size_t i = 0; i < set->nodes.n; i++) {
        const struct node *node = &c->sets->nodes.items[set->nodes.items[i]];
        const struct use *uses = node_uses(c->sets, node);
        for (size_t k = 0; k < node->n_uses; k++) {
            const uint64_t n = uses[k].last - uses[k].first;
            if (is_message(c, &uses[k]) && !receives(c, &uses[k]))
                c->sent[uses[k].channel] += take_back ? -n : n;
        }
    }
}

/* What of a set cannot be received before it comes, since it has not been sent; NULL if there is nothing. */
static const struct use *find_missing(struct schedule *c, const struct node_set *set)
{
    const struct use *missing = NULL;
    add_sent(c, set, false);
    for (size_t i = 0; i < set->nodes.n && !missing; i++) {
        const struct node *node = &c->sets->nodes.items[set->nodes.items[i]];
        const struct use *uses = node_uses(c->sets, node);
        for (size_t k = 0; k < node->n_uses && !missing; k++) {
            if (receives(c, &uses[k]) && !has_arrived(c, &uses[k]))
                missing = &uses[k];
        }
    }
    add_sent(c, set, true);
    return missing;
}

/* ---- coming ---------------------------------------------------------------------------------------------
 */

static enum refrain_status come(struct schedule *c, uint32_t number)
{
    const struct node_set *set = &c->sets->items.items[number];
    add_sent(c, set, false);
    for (size_t i = 0; i < set->nodes.n; i++)
        c->head[c->sets->nodes.items[set->nodes.items[i]].sequence]++;
    return c->emit(c->context, number);
}

/* Every process has its turn: what may come comes. */
static enum refrain_status turn(struct schedule *c, bool *any)
{
    enum refrain_status status = REFRAIN_OK;
    *any = false;
    for (uint32_t q = 0; q < c->sets->scope->n && status == REFRAIN_OK; q++) {
        const struct node *node = node_at(c, q);
        const struct node_set *set = node ? set_of(c, node) : NULL;
        /* the first of a set asks for all */
        if (!set || set->nodes.items[0] != c->head[q] || find_absent(c, set) != NOT_THERE ||
            find_missing(c, set))
            continue;
        status = come(c, node->set);
        *any = true;
    }
    return status;
}

/* ---- circles --------------------------------------------------------------------------------------------
 */

/* What may be done about a node whose set does not come, best first. The first three make less one construct,
 * and that is all; the others are for what has been posted. */
enum remedy { ALONE_EVENT, ALONE_LOOP, DIVIDED_LOOPS, WHOLE_SET, EARLY_EVENT, EARLY_LOOP };

/* Could the node come without its set, as far as what it receives is concerned? */
static bool may_come_alone(const struct schedule *c, const struct node *node)
{
    const struct use *uses = node_uses(c->sets, node);
    for (size_t k = 0; k < node->n_uses; k++) {
        const bool sync = c->sets->b->channels.items.items[uses[k].channel].sync;
        if (sync ? c->sets->links.limits[uses[k].channel] > uses[k].first
                 : receives(c, &uses[k]) && !has_arrived(c, &uses[k]))
            return false;
    }
    return true;
}

/* Does a node receive what the other one sends, or are they at the same collective operations? */
static bool needs(const struct schedule *c, const struct node *node, const struct node *other)
{
    const struct use *uses = node_uses(c->sets, node), *others = node_uses(c->sets, other);
    for (size_t k = 0; k < node->n_uses; k++) {
        for (size_t i = 0; i < other->n_uses; i++) {
            const struct use *u = &uses[k], *v = &others[i];
            if (u->channel == v->channel && u->first < v->last && v->first < u->last &&
                c->sets->links.limits[u->channel] > u->first && (receives(c, u) || !is_message(c, u)))
                return true;
        }
    }
    return false;
}

/* The node of the set that it waits for, or for whose messages: the others could come if it were not there.
 */
static uint32_t find_obstacle(struct schedule *c, const struct node_set *set)
{
    const uint32_t absent = find_absent(c, set);
    const struct use *missing = absent == NOT_THERE ? find_missing(c, set) : NULL;
    return missing ? c->sets->first_node[missing->sequence] + missing->at : absent;
}

/* Mark what the set could come without: the obstacle, and all that needs it. False, and nothing is marked, if
 * the node is among these. */
static bool mark_obstacles(struct schedule *c, const struct node_set *set, uint32_t obstacle, uint32_t node)
{
    struct node *nodes = c->sets->nodes.items;
    bool more = true;
    nodes[obstacle].leaves = true;
    while (more && !nodes[node].leaves) {
        more = false;
        for (size_t i = 0; i < set->nodes.n; i++) {
            struct node *n = &nodes[set->nodes.items[i]];
            for (size_t k = 0; k < set->nodes.n && !n->leaves; k++) {
                const struct node *other = &nodes[set->nodes.items[k]];
                n->leaves = other->leaves && needs(c, n, other);
                more = more || n->leaves;
            }
        }
    }
    if (!nodes[node].leaves)
        return true;
    for (size_t i = 0; i < set->nodes.n; i++)
        nodes[set->nodes.items[i]].leaves = false;
    return false;
}

/* Could the node's set come without its obstacle? */
static bool may_be_divided(struct schedule *c, const struct node_set *set, uint32_t node)
{
    const uint32_t obstacle = find_obstacle(c, set);
    if (obstacle == NOT_THERE || !construct_is_loop(c->sets->nodes.items[obstacle].construct) ||
        !mark_obstacles(c, set, obstacle, node))
        return false;
    for (size_t i = 0; i < set->nodes.n; i++)
        c->sets->nodes.items[set->nodes.items[i]].leaves = false;
    return true;
}

/* `divide`: whether to find out if the set may be divided, which takes the longest. */
static enum remedy remedy_of(struct schedule *c, uint32_t q, bool divide)
{
    const struct node *node = node_at(c, q);
    const struct node_set *set = set_of(c, node);
    const bool loop = construct_is_loop(node->construct), absent = find_absent(c, set) != NOT_THERE;
    if (absent && may_come_alone(c, node))
        return loop ? ALONE_LOOP : ALONE_EVENT;
    if (divide && may_be_divided(c, set, c->head[q]))
        return DIVIDED_LOOPS;
    return !absent ? WHOLE_SET : loop ? EARLY_LOOP : EARLY_EVENT;
}

static enum refrain_status apply(struct schedule *c, uint32_t q, enum remedy remedy)
{
    const uint32_t node = c->head[q];
    struct node *in = &c->sets->nodes.items[node];
    enum refrain_status status = REFRAIN_OK;
    if (remedy == DIVIDED_LOOPS) {
        mark_obstacles(c, set_of(c, in), find_obstacle(c, set_of(c, in)), node);
        return sets_divide(c->sets, in->set);
    }
    if (remedy != WHOLE_SET) {
        in->leaves = true;
        status = sets_divide(c->sets, in->set);
    }
    return status == REFRAIN_OK ? come(c, in->set) : status;
}

static bool is_posted_receive(const struct schedule *c, const struct node *node)
{
    return !construct_is_loop(node->construct) && node->n_uses > 0 && receives(c, node_uses(c->sets, node));
}

/* The receives of a circle that have been posted come all, with those of other circles. */
static void mark_posted(struct schedule *c, uint32_t first)
{
    uint32_t q = first;
    do {
        c->posted[q] = remedy_of(c, q, false) == EARLY_EVENT && is_posted_receive(c, node_at(c, q));
        q = c->waits_for[q];
    } while (q != first);
}

/* The best remedy for a sequence of the circle; of several the one with the smallest number. */
static enum remedy find_remedy(struct schedule *c, uint32_t first, unsigned divisions, uint32_t *chosen)
{
    enum remedy best = EARLY_LOOP;
    uint32_t q = first;
    *chosen = NOT_THERE;
    do {
        const enum remedy remedy = remedy_of(c, q, divisions > 0);
        divisions -= divisions > 0;
        if (*chosen == NOT_THERE || remedy < best || (remedy == best && q < *chosen)) {
            best = remedy;
            *chosen = q;
        }
        q = c->waits_for[q];
    } while (q != first);
    return best;
}

/* The sequences of a circle, from one of them on. */
static enum refrain_status open_circle(struct schedule *c, uint32_t first)
{
    uint32_t chosen;
    enum remedy best = find_remedy(c, first, 0, &chosen);
    if (best > DIVIDED_LOOPS)
        best = find_remedy(c, first, DIVISIONS_TRIED, &chosen);
    if (best != EARLY_EVENT || !is_posted_receive(c, node_at(c, chosen)))
        return apply(c, chosen, best);
    mark_posted(c, first);
    return REFRAIN_OK;
}

static void find_waits(struct schedule *c)
{
    const struct channels *channels = &c->sets->b->channels;
    for (uint32_t q = 0; q < c->sets->scope->n; q++) {
        const struct node *node = node_at(c, q);
        c->waits_for[q] = NOT_THERE;
        if (!node)
            continue;
        const uint32_t absent = find_absent(c, set_of(c, node));
        const struct use *missing = absent == NOT_THERE ? find_missing(c, set_of(c, node)) : NULL;
        c->waits_for[q] = missing ? c->sequence_of[channels->ends.items[c->sender[missing->channel]].process]
                                  : c->sets->nodes.items[absent].sequence;
    }
}

/* Nothing may come: each process waits for one that waits, too. All circles are opened. */
static enum refrain_status open_circles(struct schedule *c)
{
    enum refrain_status status = REFRAIN_OK;
    find_waits(c);
    memset(c->visited, 0, c->sets->scope->n * sizeof *c->visited);
    for (uint32_t start = 0; start < c->sets->scope->n && status == REFRAIN_OK; start++) {
        uint32_t q = start;
        while (c->waits_for[q] != NOT_THERE && c->visited[q] == 0) {
            c->visited[q] = start + 1;
            q = c->waits_for[q];
        }
        if (c->waits_for[q] != NOT_THERE && c->visited[q] == start + 1)
            status = open_circle(c, q);
    }
    for (uint32_t q = 0; q < c->sets->scope->n && status == REFRAIN_OK; q++) {
        if (c->posted[q])
            status = apply(c, q, EARLY_EVENT);
        c->posted[q] = false;
    }
    return status;
}

enum refrain_status sets_schedule(struct sets *s, enum refrain_status (*emit)(void *context, uint32_t set),
                                  void *context)
{
    struct schedule c = {.sets = s, .emit = emit, .context = context};
    enum refrain_status status = create(&c);
    bool any = true;
    while (status == REFRAIN_OK) {
        bool through = true;
        for (uint32_t q = 0; q < s->scope->n && through; q++)
            through = !node_at(&c, q);
        if (through)
            break;
        status = turn(&c, &any);
        if (status == REFRAIN_OK && !any)
            status = open_circles(&c);
    }
    destroy(&c);
    return status;
}
