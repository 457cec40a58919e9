/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which constructs meet. The users of each channel end are numbered through the sequences,
 *
 *     process 0   for 10 { send 1 a }   send 1 a        users of the sending end     0-9, 10
 *     process 1   recv 0 a   for 10 { recv 0 a }        users of the receiving end   0, 1-10
 *                                                       bounds                       1, 10, 11
 *
 * A loop with a bound inside meets several constructs. */
#include "model_impl.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

void links_free(struct links *l)
{
    for (size_t q = 0; l->of_sequence && q < l->n_sequences; q++)
        array_free(&l->of_sequence[q]);
    for (size_t i = 0; l->bounds && i < l->n_channels; i++)
        array_free(&l->bounds[i]);
    free(l->of_sequence);
    free(l->bounds);
    free(l->open);
    free(l->limits);
    free(l->sent);
    *l = (struct links){0};
}

/* ---- uses ------------------------------------------------------------------------------------ */

static size_t count_channels(const struct builder *b, const struct scope *s)
{
    return s->all ? b->channels->items.n : s->channels.n;
}

static uint32_t channel_at(const struct scope *s, size_t position)
{
    return s->all ? (uint32_t)position : s->channels.items[position];
}

/* Returns the place of a channel among the scope's channels; their number if it is not among them. */
static size_t position_of(const struct scope *s, size_t n, uint32_t channel)
{
    if (s->all)
        return channel;
    const size_t position = BISECT(i, n, s->channels.items[i] < channel);
    return position < n && s->channels.items[position] == channel ? position : n;
}

/* The channels that irregular loops may use. Nothing is known of these channels. */
struct unknown {
    bool syncs, failed;
    struct map ranks; /* of messages from or to these ranks */
};

static void note_unknown(const struct builder *b, const struct system *s, struct unknown *u)
{
    const struct channels *c = b->channels;
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *in = s->items[i];
        for (uint32_t k = 0; k < in->n_acts; k++) {
            if (!channels_uses(c, &in->acts[k]))
                continue;
            if (c->templates[in->acts[k].template].part == CHANNEL_SYNC)
                u->syncs = true;
            else if (!map_set(&u->ranks, b->model->processes.items[in->acts[k].process].rank, 0))
                u->failed = true;
        }
        if (construct_is_loop(in))
            note_unknown(b, in->body, u);
    }
}

static bool is_unknown(const struct unknown *u, const struct channel *channel)
{
    return channel->sync
               ? u->syncs
               : map_get(&u->ranks, channel->from) != MAP_NONE || map_get(&u->ranks, channel->to) != MAP_NONE;
}

/* Finds by position whether the channel's users can be numbered. */
static bool *find_open(const struct builder *b, const struct scope *s, size_t n)
{
    struct unknown unknown = {0};
    bool *open = calloc(n + 1, sizeof *open);
    for (size_t q = 0; q < s->n; q++) {
        const struct sequence *in = &s->sequences[q];
        for (size_t at = 0; at < in->items.n; at++) {
            const struct construct *loop = in->items.items[at].construct;
            if (loop->flowing == FLOWS_IRREGULAR)
                note_unknown(b, loop->body, &unknown);
        }
    }
    for (size_t i = 0; i < n && open; i++) {
        const struct channel *channel = &b->channels->items.items[channel_at(s, i)];
        open[i] = !channel->unclear && !is_unknown(&unknown, channel);
    }
    if (!open || unknown.failed) {
        log_error("out of memory: %zu channels", n);
        free(open);
        open = NULL;
    }
    map_free(&unknown.ranks);
    return open;
}

/* Numbers the uses of open channels. The counts of ends remain, for the totals. */
static enum refrain_status number_uses(struct builder *b, const struct scope *s, struct links *l, uint32_t q)
{
    const struct sequence *in = &s->sequences[q];
    struct use_list *out = &l->of_sequence[q];
    enum refrain_status status = REFRAIN_OK;
    size_t most = 0;
    l->n_uses -= out->n;
    out->n = 0;
    for (size_t at = 0; at < in->items.n; at++)
        most += in->items.items[at].construct->n_flows;
    if (!array_reserve(out, most))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t at = 0; at < in->items.n && status == REFRAIN_OK; at++) {
        const struct construct *c = in->items.items[at].construct;
        for (size_t i = 0; i < c->n_flows && status == REFRAIN_OK; i++) {
            struct use use = {.sequence = q, .at = at, .end = c->flows[i].end, .each = c->flows[i].n};
            use.channel = b->channels->ends.items[use.end].channel;
            const size_t position = position_of(s, l->n_channels, use.channel);
            if (position == l->n_channels || !l->open[position])
                continue;
            if ((status = counts_reserve(b, use.end)) != REFRAIN_OK)
                break;
            use.position = (uint32_t)position;
            use.first = b->counts.of_end[use.end];
            use.last = b->counts.of_end[use.end] += use.each * construct_times(c);
            if (use.first < use.last && !array_push(out, use))
                status = REFRAIN_ERR_MEMORY;
        }
    }
    l->n_uses += out->n;
    return status;
}

/* Finds how many users meet: as many as the end with fewest users has. `ends`, by position: ends
 * that have users. Resets the counts of ends to 0. */
static void take_totals(struct builder *b, struct links *l, uint32_t q, uint32_t *ends)
{
    const struct use_list *in = &l->of_sequence[q];
    for (size_t i = 0; i < in->n; i++) {
        const struct use *u = &in->items[i];
        const uint64_t total = b->counts.of_end[u->end];
        b->counts.of_end[u->end] = 0;
        if (total == 0 || !ends)
            continue;
        if (!b->channels->ends.items[u->end].receives)
            l->sent[u->position] = total;
        if (ends[u->position]++ == 0 || total < l->limits[u->position])
            l->limits[u->position] = total;
    }
}

static enum refrain_status number_all(struct builder *b, const struct scope *s, struct links *l)
{
    uint32_t *ends = calloc(l->n_channels + 1, sizeof *ends);
    enum refrain_status status = ends ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!ends)
        log_error("out of memory: %zu channels", l->n_channels);
    for (uint32_t q = 0; q < s->n && status == REFRAIN_OK; q++) {
        status = number_uses(b, s, l, q);
        take_totals(b, l, q, ends);
    }
    for (size_t i = 0; i < l->n_channels && ends; i++) {
        if (ends[i] < b->channels->items.items[channel_at(s, i)].n_ends || ends[i] < 2)
            l->limits[i] = 0;
    }
    free(ends);
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Returns the first bound that is not less than `wanted`; the number of bounds if there is none. */
static size_t find_bound(const struct bound_list *in, uint64_t wanted)
{
    return BISECT(i, in->n, in->items[i] < wanted);
}

/* Adds the end of the use as a bound. *fresh says whether the bound is new. */
static enum refrain_status put_bound(struct links *l, const struct use *u, bool *fresh)
{
    const uint64_t limit = l->limits[u->position], at = u->last < limit ? u->last : limit;
    struct bound_list *to = &l->bounds[u->position];
    *fresh = false;
    if (u->first >= limit)
        return REFRAIN_OK;
    const size_t position = find_bound(to, at);
    if (position < to->n && to->items[position] == at)
        return REFRAIN_OK;
    if (!array_reserve(to, 1))
        return REFRAIN_ERR_MEMORY;
    memmove(to->items + position + 1, to->items + position, (to->n++ - position) * sizeof at);
    to->items[position] = at;
    *fresh = true;
    return REFRAIN_OK;
}

/* Makes room for the bounds of each channel, without more: most have one. */
static enum refrain_status reserve_bounds(struct links *l)
{
    for (size_t q = 0; q < l->n_sequences; q++)
        for (size_t i = 0; i < l->of_sequence[q].n; i++)
            l->bounds[l->of_sequence[q].items[i].position].cap++;
    for (size_t i = 0; i < l->n_channels; i++) {
        struct bound_list *in = &l->bounds[i];
        in->items = in->cap > 0 ? malloc(in->cap * sizeof *in->items) : NULL;
        if (in->cap > 0 && !in->items) {
            log_error("out of memory: the bounds of %zu channels", l->n_channels);
            in->cap = 0;
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

/* Finds all bounds at once: collects them, sorts them and removes repeats. */
static enum refrain_status find_bounds(struct links *l)
{
    if (reserve_bounds(l) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    for (size_t q = 0; q < l->n_sequences; q++) {
        const struct use_list *in = &l->of_sequence[q];
        for (size_t i = 0; i < in->n; i++) {
            const struct use *u = &in->items[i];
            const uint64_t limit = l->limits[u->position];
            if (u->first < limit && !array_push(&l->bounds[u->position], u->last < limit ? u->last : limit))
                return REFRAIN_ERR_MEMORY;
        }
    }
    for (size_t i = 0; i < l->n_channels; i++) {
        struct bound_list *in = &l->bounds[i];
        size_t n = 0;
        if (in->n > 1)
            qsort(in->items, in->n, sizeof *in->items, order_u64);
        for (size_t k = 0; k < in->n; k++) {
            if (n == 0 || in->items[n - 1] != in->items[k])
                in->items[n++] = in->items[k];
        }
        in->n = n;
    }
    return REFRAIN_OK;
}

uint64_t links_next_bound(const struct links *l, const struct use *u)
{
    const struct bound_list *in = &l->bounds[u->position];
    if (u->first >= l->limits[u->position])
        return u->last;
    /* The use's own end is such a bound, so there is always one. */
    const uint64_t at = in->items[find_bound(in, u->first + 1)];
    return at < u->last ? at : u->last;
}

uint64_t links_count_cuts(const struct links *l, const struct use *u, uint64_t most)
{
    const struct bound_list *in = &l->bounds[u->position];
    uint64_t n = 0, iteration = UINT64_MAX;
    if (u->first >= l->limits[u->position])
        return 0;
    for (size_t i = find_bound(in, u->first + 1); i < in->n && in->items[i] < u->last && n < most; i++) {
        const uint64_t at = (in->items[i] - u->first - 1) / u->each;
        n += at != iteration;
        iteration = at;
    }
    return n;
}

bool links_has_bound(const struct links *l, const struct use *u, uint64_t at)
{
    const struct bound_list *in = &l->bounds[u->position];
    const size_t found = find_bound(in, at);
    return at >= l->limits[u->position] || (found < in->n && in->items[found] == at);
}

/* ---- links ----------------------------------------------------------------------------------- */

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
    l->n_channels = count_channels(b, s);
    l->n_sequences = s->n;
    l->open = find_open(b, s, l->n_channels);
    l->sent = calloc(l->n_channels + 1, sizeof *l->sent);
    l->limits = calloc(l->n_channels + 1, sizeof *l->limits);
    l->bounds = calloc(l->n_channels + 1, sizeof *l->bounds);
    l->of_sequence = calloc(s->n + 1, sizeof *l->of_sequence);
    if (!l->open || !l->sent || !l->limits || !l->bounds || !l->of_sequence) {
        log_error("out of memory: links of %zu channels", l->n_channels);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = number_all(b, s, l);
    if (status == REFRAIN_OK)
        status = find_bounds(l);
    if (status != REFRAIN_OK)
        links_free(l);
    return status;
}

/* Adds the users of the channel. For a collective operation, these may be all sequences. */
static bool touch_users(const struct builder *b, const struct scope *s, const struct use *u,
                        struct sequence_set *touched)
{
    const struct channel *channel = &b->channels->items.items[u->channel];
    bool ok = true;
    if (!channel->sync)
        return sequence_set_add(touched, scope_find_sequence(s, channel->sender)) &&
               sequence_set_add(touched, scope_find_sequence(s, channel->receiver));
    for (uint32_t q = 0; q < s->n && ok; q++)
        ok = sequence_set_add(touched, q);
    return ok;
}

/* Finds the flows of constructs that were made by cutting. */
static enum refrain_status find_new_flows(struct builder *b, const struct sequence *in, bool *valid)
{
    enum refrain_status status = REFRAIN_OK;
    const size_t channels = b->channels->items.n, ends = b->channels->ends.n;
    for (size_t at = 0; at < in->items.n && status == REFRAIN_OK; at++) {
        struct construct *c = in->items.items[at].construct;
        status = model_find_flows(b, c);
        *valid = *valid && c->flowing != FLOWS_IRREGULAR;
    }
    *valid = *valid && b->channels->items.n == channels && b->channels->ends.n == ends;
    return status;
}

enum refrain_status links_update(struct builder *b, const struct scope *s, const struct sequence_set *cut,
                                 struct links *l, struct sequence_set *touched, bool *valid)
{
    enum refrain_status status = REFRAIN_OK;
    *valid = true;
    for (size_t i = 0; i < cut->list.n && *valid && status == REFRAIN_OK; i++)
        status = find_new_flows(b, &s->sequences[cut->list.items[i]], valid);
    for (size_t i = 0; i < cut->list.n && *valid && status == REFRAIN_OK; i++) {
        const uint32_t q = cut->list.items[i];
        status = number_uses(b, s, l, q);
        take_totals(b, l, q, NULL);
        if (!sequence_set_add(touched, q))
            status = REFRAIN_ERR_MEMORY;
        for (size_t k = 0; k < l->of_sequence[q].n && status == REFRAIN_OK; k++) {
            const struct use *u = &l->of_sequence[q].items[k];
            bool fresh;
            status = put_bound(l, u, &fresh);
            if (status == REFRAIN_OK && fresh && !touch_users(b, s, u, touched))
                status = REFRAIN_ERR_MEMORY;
        }
    }
    return status;
}
