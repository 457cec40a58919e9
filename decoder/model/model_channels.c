/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_channels.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- templates ----------------------------------------------------------------------------------- */

static const char *skip(const char *at, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0 ? at + n : NULL;
}

/* Returns the end of the first word of a text. */
static const char *end_of_word(const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    return blank ? blank : end;
}

static const char *next_word(const char *at, const char *end)
{
    const char *blank = end_of_word(at, end);
    return blank < end ? blank + 1 : end;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    return skip(at, end, word) == end;
}

/* Handles that each process numbers for itself (docs/TEXT.md): equal names do not mean the same
 * object. */
static bool is_own(const char *name, const char *end)
{
    return is_word(name, end, "MPI_COMM_SELF") || skip(name, end, "win") || skip(name, end, "file") ||
           skip(name, end, "comm?") || memchr(name, '@', (size_t)(end - name));
}

/* Is the partner or the tag a wildcard (any)? */
static bool is_any(const char *at, const char *end)
{
    const char *peer_end = end_of_word(at, end), *tag = next_word(at, end), *tag_end = end_of_word(tag, end);
    return is_word(at, peer_end, "any") || is_word(tag, tag_end, "any") || is_word(tag, tag_end, "tagany");
}

/* Reads the part after the partner: a tag, and the communicator unless it is MPI_COMM_WORLD. Is it
 * a message that no channel can take? */
static bool is_apart(const char *at, const char *end)
{
    const char *tag = next_word(at, end), *comm = next_word(tag, end);
    return skip(tag, end, "partitioned?") ||
           (comm < end && is_own(comm, end) && !is_word(comm, end, "MPI_COMM_SELF"));
}

/* Parses "@ send @ tag# comm2": process, part, partner, topic. A partner that is a word is any
 * process, or none of this run. */
static enum refrain_status read_form(struct channels *c, uint32_t template)
{
    static const struct {
        const char *verb;
        enum channel_part part;
    } verbs[] = {{" send ", CHANNEL_SEND}, {" recv ", CHANNEL_RECEIVE}, {" sync ", CHANNEL_SYNC}};
    const struct event_template *f = &c->model->templates->items.items[template];
    const char *text = event_template_text(c->model->templates, f), *end = text + f->n, *at = NULL;
    struct channel_template *out = &c->templates[template];
    *out = (struct channel_template){0};
    out->cancels = f->n > 0 && text[0] == EVENT_RANK && is_word(text + 1, end, " local MPI_Cancel");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0] && !at && f->n > 0 && text[0] == EVENT_RANK; i++) {
        at = skip(text + 1, end, verbs[i].verb);
        out->part = at ? verbs[i].part : CHANNEL_NOTHING;
    }
    if (!at)
        return REFRAIN_OK;
    out->first = 1;
    if (out->part != CHANNEL_SYNC) {
        out->peer = 1;
        out->first = 2;
        const bool known = at < end && *at == EVENT_RANK && (at + 1 == end || at[1] == ' ');
        out->any = out->part == CHANNEL_RECEIVE && is_any(at, end);
        at += known;
        if (!known || out->any || is_apart(at, end))
            out->part = CHANNEL_NOTHING;
    } else if (is_own(next_word(at, end), end)) {
        out->part = CHANNEL_NOTHING;
    }
    if (out->part == CHANNEL_NOTHING)
        return REFRAIN_OK;
    at--; /* a topic includes the character before it, so it is never empty */
    return event_templates_intern(&c->topics, at, (size_t)(end - at), &out->topic);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Finds out whether the system has a send, receive or collective operation, a receive with a
 * wildcard, or a cancel. */
static void look_at_system(const struct channels *c, const struct system *s, bool *uses, bool *any,
                           bool *cancels)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *in = s->items[i];
        for (uint32_t k = 0; k < in->n_acts; k++) {
            *uses = *uses || channels_uses(c, &in->acts[k]);
            *any = *any || c->templates[in->acts[k].template].any;
            *cancels = *cancels || c->templates[in->acts[k].template].cancels;
        }
        if (construct_is_loop(in))
            look_at_system(c, in->body, uses, any, cancels);
    }
}

/* Threads that do not communicate are ignored. */
static enum refrain_status look_at_processes(struct channels *c)
{
    const struct model *m = c->model;
    for (size_t i = 0; i < m->processes.n; i++) {
        const uint32_t rank = m->processes.items[i].rank, first = map_get(&c->of_rank, rank);
        bool uses = false, any = false, cancels = false;
        look_at_system(c, m->processes.items[i].own, &uses, &any, &cancels);
        if (!uses && !any)
            continue;
        const size_t of = first == MAP_NONE ? i : first;
        c->any[of] = c->any[of] || any || cancels;
        c->cancels[of] = c->cancels[of] || cancels;
        if (first == MAP_NONE && !map_set(&c->of_rank, rank, (uint32_t)i))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

enum refrain_status channels_create(struct channels *c, const struct model *m)
{
    *c = (struct channels){.model = m};
    c->templates = calloc(m->templates->items.n + 1, sizeof *c->templates);
    c->any = calloc(m->processes.n + 1, sizeof *c->any);
    c->cancels = calloc(m->processes.n + 1, sizeof *c->cancels);
    enum refrain_status status = REFRAIN_OK;
    if (!c->templates || !c->any || !c->cancels) {
        log_error("out of memory: channels of %zu processes", m->processes.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < m->templates->items.n && status == REFRAIN_OK; i++)
        status = read_form(c, (uint32_t)i);
    if (status == REFRAIN_OK)
        status = look_at_processes(c);
    if (status == REFRAIN_OK)
        status = channels_find_order(c);
    if (status != REFRAIN_OK)
        channels_free(c);
    return status;
}

void channels_free(struct channels *c)
{
    free(c->templates);
    free(c->any);
    free(c->cancels);
    event_templates_free(&c->topics);
    event_templates_free(&c->keys);
    event_templates_free(&c->end_keys);
    array_free(&c->items);
    array_free(&c->ends);
    map_free(&c->of_rank);
    map_free(&c->synced);
    *c = (struct channels){0};
}

/* ---- ends ------------------------------------------------------------------------------------ */

bool channels_uses(const struct channels *c, const struct act *act)
{
    return c->templates[act->template].part != CHANNEL_NOTHING;
}

void channels_put_line(const struct channels *c, const struct act *act, uint32_t depth,
                       const uint64_t *indices, struct bytes *key)
{
    const struct channel_template *f = &c->templates[act->template];
    const uint32_t rank = c->model->processes.items[act->process].rank;
    key->n = 0;
    if (f->part == CHANNEL_SYNC) {
        bytes_put_u8(key, 's');
    } else {
        const uint64_t peer = affine_value(act->words + (size_t)f->peer * (depth + 1), depth, indices);
        bytes_put_u8(key, 'm');
        bytes_put_u64(key, f->part == CHANNEL_SEND ? rank : peer);
        bytes_put_u64(key, f->part == CHANNEL_SEND ? peer : rank);
    }
    bytes_put_u32(key, f->topic);
}

void channels_put_numbers(const struct channels *c, const struct act *act, uint32_t depth,
                          const uint64_t *indices, struct bytes *key)
{
    for (uint32_t k = c->templates[act->template].first; k < act->n; k++)
        bytes_put_u64(key, affine_value(act->words + (size_t)k * (depth + 1), depth, indices));
}

/* Finds the number of a key; MAP_NONE if the key is new and channels are settled. */
static enum refrain_status find_key(const struct channels *c, struct event_templates *in,
                                    const struct bytes *key, uint32_t *number)
{
    if (key->failed)
        return REFRAIN_ERR_MEMORY;
    if (!c->settled)
        return event_templates_intern(in, (const char *)key->data, key->n, number);
    *number = event_templates_find(in, (const char *)key->data, key->n);
    return REFRAIN_OK;
}

static bool is_unclear(const struct channels *c, const struct channel *channel)
{
    const uint32_t from = map_get(&c->of_rank, channel->from), to = map_get(&c->of_rank, channel->to);
    return (from != MAP_NONE && c->cancels[from]) || (to != MAP_NONE && c->any[to]);
}

static enum refrain_status find_channel(struct channels *c, const struct act *act, uint32_t depth,
                                        const uint64_t *indices, const struct bytes *key, uint32_t *out)
{
    const struct channel_template *f = &c->templates[act->template];
    const uint32_t rank = c->model->processes.items[act->process].rank;
    enum refrain_status status = find_key(c, &c->keys, key, out);
    if (status != REFRAIN_OK || *out < c->items.n || *out == MAP_NONE)
        return status;
    struct channel fresh = {.sync = f->part == CHANNEL_SYNC};
    if (!fresh.sync) {
        const uint64_t peer = affine_value(act->words + (size_t)f->peer * (depth + 1), depth, indices);
        fresh.from = f->part == CHANNEL_SEND ? rank : (uint32_t)peer;
        fresh.to = f->part == CHANNEL_SEND ? (uint32_t)peer : rank;
        fresh.unclear = is_unclear(c, &fresh);
    }
    return array_push(&c->items, fresh) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Adds an end of a process. */
static bool add_end(struct channels *c, uint32_t channel, uint32_t process, bool receives)
{
    struct channel *in = &c->items.items[channel];
    const uint64_t key = (uint64_t)channel << 32 | c->model->processes.items[process].rank;
    bool *has = receives ? &in->has_receiver : &in->has_sender;
    const bool taken = in->sync ? map_get(&c->synced, key) != MAP_NONE : *has;
    const struct channel_end fresh = {channel, process, receives};
    in->n_ends++;
    in->unclear = in->unclear || taken;
    *has = true;
    *(receives ? &in->receiver : &in->sender) = process;
    return (!in->sync || map_set(&c->synced, key, process)) && array_push(&c->ends, fresh);
}

enum refrain_status channels_end(struct channels *c, const struct act *act, uint32_t depth,
                                 const uint64_t *indices, struct bytes *key, uint32_t *end)
{
    const bool receives = c->templates[act->template].part == CHANNEL_RECEIVE;
    uint32_t channel;
    *end = CHANNEL_NO_END;
    if (!channels_uses(c, act))
        return REFRAIN_OK;
    channels_put_line(c, act, depth, indices, key);
    if (!act->in_line)
        channels_put_numbers(c, act, depth, indices, key);
    enum refrain_status status = find_channel(c, act, depth, indices, key, &channel);
    if (status != REFRAIN_OK || channel == MAP_NONE)
        return status;
    key->n = 0;
    bytes_put_u32(key, channel);
    bytes_put_u32(key, act->process);
    bytes_put_u8(key, receives);
    status = find_key(c, &c->end_keys, key, end);
    if (status != REFRAIN_OK || *end < c->ends.n || *end == CHANNEL_NO_END)
        return status;
    return add_end(c, channel, act->process, receives) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

bool channels_varies(const struct channels *c, const struct act *act, uint32_t depth, uint32_t level)
{
    const struct channel_template *f = &c->templates[act->template];
    const uint32_t n = f->part == CHANNEL_NOTHING ? 0 : act->in_line ? f->first : act->n;
    for (uint32_t k = 1; k < n; k++) {
        if (act->words[(size_t)k * (depth + 1) + 1 + level] != 0)
            return true;
    }
    return false;
}
