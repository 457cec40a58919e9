/* What meets what: the users of each end of a channel are numbered through the sequences,
 *
 *     process 0   for 10 { send 1 a }   send 1 a        users of the sending end     0-9, 10
 *     process 1   recv 0 a   for 10 { recv 0 a }        users of the receiving end   0, 1-10
 *                                                       bounds                       1, 10, 11
 *
 * and a loop inside of which there is a bound meets several constructs. */
#include "model_impl.h"

#include "log.h"

#include <stdlib.h>

void links_free(struct links *l)
{
    array_free(&l->uses);
    array_free(&l->bounds);
    free(l->limits);
    free(l->totals);
    *l = (struct links){0};
}

/* ---- uses -----------------------------------------------------------------------------------------------
 */

/* Channels of the scope, 1 for each; those with a user that cannot be numbered go out. */
static bool *open_channels(const struct builder *b, const struct scope *s)
{
    const size_t n = b->channels.items.n;
    bool *open = calloc(n + 1, sizeof *open);
    for (size_t i = 0; open && i < (s->all ? n : s->channels.n); i++) {
        const uint32_t channel = s->all ? (uint32_t)i : s->channels.items[i];
        open[channel] = !b->channels.items.items[channel].unclear;
    }
    return open;
}

/* Nothing is known of the channels that this event may use. */
static void close_channels(const struct builder *b, const struct act *act, bool *open)
{
    const struct channels *c = &b->channels;
    const uint32_t rank = b->model->processes.items[act->process].rank;
    const bool sync = c->forms[act->form].part == CHANNEL_SYNC;
    for (size_t i = 0; i < c->items.n && channels_uses(c, act); i++) {
        const struct channel *in = &c->items.items[i];
        if (in->sync == sync && (sync || in->from == rank || in->to == rank))
            open[i] = false;
    }
}

static void close_irregular(const struct builder *b, const struct system *s, bool *open)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts; k++)
            close_channels(b, &c->acts[k], open);
        if (construct_is_loop(c))
            close_irregular(b, c->body, open);
    }
}

static enum refrain_status number_uses(struct builder *b, const struct scope *s, struct links *l)
{
    for (uint32_t q = 0; q < s->n; q++) {
        const struct sequence *in = &s->sequences[q];
        for (uint32_t at = 0; at < in->items.n; at++) {
            const struct construct *c = in->items.items[at].construct;
            for (size_t i = 0; i < c->n_flows; i++) {
                struct use use = {.sequence = q, .at = at, .end = c->flows[i].end, .each = c->flows[i].n};
                use.channel = b->channels.ends.items[use.end].channel;
                use.first = l->totals[use.end];
                use.last = l->totals[use.end] += use.each * construct_times(c);
                if (use.first < use.last && !array_push(&l->uses, use))
                    return REFRAIN_ERR_MEMORY;
            }
        }
    }
    return REFRAIN_OK;
}

/* Users that meet: as many as the end with the fewest has. */
static enum refrain_status find_limits(const struct builder *b, const bool *open, struct links *l)
{
    const struct channels *c = &b->channels;
    uint32_t *ends = calloc(c->items.n + 1, sizeof *ends);
    if (!ends) {
        log_error("out of memory: %zu channels", c->items.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t e = 0; e < c->ends.n; e++) {
        const uint32_t channel = c->ends.items[e].channel;
        if (l->totals[e] == 0)
            continue;
        if (ends[channel]++ == 0 || l->totals[e] < l->limits[channel])
            l->limits[channel] = l->totals[e];
    }
    for (size_t i = 0; i < c->items.n; i++) {
        if (!open[i] || ends[i] < c->items.items[i].n_ends || ends[i] < 2)
            l->limits[i] = 0;
    }
    free(ends);
    return REFRAIN_OK;
}

/* ---- bounds ---------------------------------------------------------------------------------------------
 */

static int compare_bounds(const void *a, const void *b)
{
    const struct bound *x = a, *y = b;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static enum refrain_status find_bounds(struct links *l)
{
    for (size_t i = 0; i < l->uses.n; i++) {
        const struct use *u = &l->uses.items[i];
        const uint64_t limit = l->limits[u->channel];
        const struct bound bound = {u->channel, u->last < limit ? u->last : limit};
        if (limit > 0 && u->first < limit && !array_push(&l->bounds, bound))
            return REFRAIN_ERR_MEMORY;
    }
    size_t n = 0;
    if (l->bounds.n > 0)
        qsort(l->bounds.items, l->bounds.n, sizeof *l->bounds.items, compare_bounds);
    for (size_t i = 0; i < l->bounds.n; i++) {
        if (n == 0 || compare_bounds(&l->bounds.items[n - 1], &l->bounds.items[i]) != 0)
            l->bounds.items[n++] = l->bounds.items[i];
    }
    l->bounds.n = n;
    return REFRAIN_OK;
}

/* The first bound that is not less; the number of bounds if there is none. */
static size_t find_bound(const struct links *l, struct bound wanted)
{
    size_t low = 0, high = l->bounds.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_bounds(&l->bounds.items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t links_next_bound(const struct links *l, const struct use *u)
{
    if (u->first >= l->limits[u->channel])
        return u->last;
    /* the use has one of its own, at the latest */
    const struct bound *found = &l->bounds.items[find_bound(l, (struct bound){u->channel, u->first + 1})];
    return found->at < u->last ? found->at : u->last;
}

bool links_has_bound(const struct links *l, const struct use *u, uint64_t at)
{
    const struct bound wanted = {u->channel, at};
    const size_t found = find_bound(l, wanted);
    return at >= l->limits[u->channel] ||
           (found < l->bounds.n && compare_bounds(&l->bounds.items[found], &wanted) == 0);
}

enum refrain_status links_find(struct builder *b, const struct scope *s, struct links *l)
{
    enum refrain_status status = REFRAIN_OK;
    *l = (struct links){0};
    for (size_t q = 0; q < s->n; q++) {
        const struct sequence *in = &s->sequences[q];
        for (size_t at = 0; at < in->items.n && status == REFRAIN_OK; at++)
            status = model_find_flows(b, in->items.items[at].construct);
    }
    if (status != REFRAIN_OK)
        return status;
    bool *open = open_channels(b, s);
    l->totals = calloc(b->channels.ends.n + 1, sizeof *l->totals);
    l->limits = calloc(b->channels.items.n + 1, sizeof *l->limits);
    if (!open || !l->totals || !l->limits) {
        log_error("out of memory: links of %zu channels", b->channels.items.n);
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    for (size_t q = 0; q < s->n; q++) {
        const struct sequence *in = &s->sequences[q];
        for (size_t at = 0; at < in->items.n; at++) {
            const struct construct *c = in->items.items[at].construct;
            if (c->flowing == FLOWS_IRREGULAR)
                close_irregular(b, c->body, open);
        }
    }
    status = number_uses(b, s, l);
    if (status == REFRAIN_OK)
        status = find_limits(b, open, l);
    if (status == REFRAIN_OK)
        status = find_bounds(l);
out:
    free(open);
    if (status != REFRAIN_OK)
        links_free(l);
    return status;
}
