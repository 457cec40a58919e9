/* Tags that change: a program that counts its messages in the tag uses a channel once, and then another one.
 *
 *     process 0  for i0 = 1 to 100 { send 1 tag(5+i0)  send 1 tag3 }
 *     process 1  for i0 = 1 to 100 { recv 0 tag3  recv 0 tag(5+i0) }
 *
 * If the values of such tags come in the same order at both ends of a line, the first message with such a tag
 * is the first that is received with one, whatever the tags are; that makes one channel of all of them. Other
 * messages of the line may have none of these values. Whether that is so is found by walking the events in
 * question, one by one, as long as they are not too many; sequences are compared by two hashes. */
#include "model_channels.h"

#include "log.h"
#include "mix.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define STEPS_MAX (UINT64_C(1) << 24) /* events and iterations walked, of all processes */

/* The values at one end of a line. */
struct order_end {
    uint32_t line, topic;
    uint64_t n, hash, other_hash;
};

struct order {
    struct channels *channels;
    bool *changes;    /* by topic: some event's numbers depend on an index */
    bool *failed;     /* by topic */
    struct map fixed; /* hashes of (line, numbers) of events whose numbers depend on none */
    struct event_forms lines, ends;
    ARRAY(struct order_end) items;
    uint64_t steps;
    uint64_t indices[SYSTEM_DEPTH_MAX];
};

/* Do the numbers that tell the channel, but for the partner, depend on any index? */
static bool depends(const struct channels *c, const struct act *act, uint32_t depth)
{
    if (!channels_uses(c, act))
        return false;
    for (uint32_t k = c->forms[act->form].first; k < act->n; k++) {
        for (uint32_t d = 0; d < depth; d++) {
            if (act->words[(size_t)k * (depth + 1) + 1 + d] != 0)
                return true;
        }
    }
    return false;
}

/* What is done at each event of a process's own system. */
typedef enum refrain_status (*visit)(struct order *o, struct act *act, uint32_t depth);

static enum refrain_status visit_once(struct order *o, const struct system *s, visit at_event)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts && status == REFRAIN_OK; k++)
            status = at_event(o, &c->acts[k], c->depth);
        if (construct_is_loop(c) && status == REFRAIN_OK)
            status = visit_once(o, c->body, at_event);
    }
    return status;
}

static enum refrain_status note_change(struct order *o, struct act *act, uint32_t depth)
{
    if (depends(o->channels, act, depth))
        o->changes[o->channels->forms[act->form].topic] = true;
    return REFRAIN_OK;
}

static uint64_t hash_of_key(const struct channels *c)
{
    return XXH3_64bits(c->key.data, c->key.n);
}

static bool in_question(const struct order *o, const struct act *act)
{
    return channels_uses(o->channels, act) && o->changes[o->channels->forms[act->form].topic];
}

static enum refrain_status count_step(struct order *o)
{
    o->steps++;
    return REFRAIN_OK;
}

/* All times that an event comes whose numbers depend on indices, or not. */
static enum refrain_status walk(struct order *o, const struct system *s, bool dependent, visit at_event);

static enum refrain_status walk_loop(struct order *o, const struct construct *loop, bool dependent,
                                     visit at_event)
{
    const int64_t count = (int64_t)affine_value(loop->count, loop->depth, o->indices);
    enum refrain_status status = REFRAIN_OK;
    for (int64_t i = 0; i < count && status == REFRAIN_OK && o->steps < STEPS_MAX; i++) {
        o->indices[loop->depth] = (uint64_t)i;
        count_step(o);
        status = walk(o, loop->body, dependent, at_event);
    }
    return status;
}

static bool has_any(const struct order *o, const struct system *s, bool dependent)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts; k++) {
            if (in_question(o, &c->acts[k]) && depends(o->channels, &c->acts[k], c->depth) == dependent)
                return true;
        }
        if (construct_is_loop(c) && has_any(o, c->body, dependent))
            return true;
    }
    return false;
}

static enum refrain_status walk(struct order *o, const struct system *s, bool dependent, visit at_event)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK && o->steps < STEPS_MAX; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts && status == REFRAIN_OK; k++) {
            struct act *act = &c->acts[k];
            if (!in_question(o, act) || depends(o->channels, act, c->depth) != dependent)
                continue;
            count_step(o);
            status = at_event(o, act, c->depth);
        }
        if (construct_is_loop(c) && status == REFRAIN_OK && has_any(o, c->body, dependent))
            status = walk_loop(o, c, dependent, at_event);
    }
    return status;
}

static enum refrain_status note_fixed(struct order *o, struct act *act, uint32_t depth)
{
    struct channels *c = o->channels;
    channels_put_line(c, act, depth, o->indices);
    channels_put_numbers(c, act, depth, o->indices);
    if (c->key.failed)
        return REFRAIN_ERR_MEMORY;
    return map_set(&o->fixed, hash_of_key(c), 0) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status find_end(struct order *o, const struct act *act, uint32_t depth, uint32_t *end)
{
    struct channels *c = o->channels;
    uint32_t line;
    channels_put_line(c, act, depth, o->indices);
    if (c->key.failed)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = event_forms_intern(&o->lines, (const char *)c->key.data, c->key.n, &line);
    if (status != REFRAIN_OK)
        return status;
    c->key.n = 0;
    bytes_put_u32(&c->key, line);
    bytes_put_u32(&c->key, act->process);
    bytes_put_u8(&c->key, c->forms[act->form].part == CHANNEL_RECEIVE);
    status = c->key.failed ? REFRAIN_ERR_MEMORY
                           : event_forms_intern(&o->ends, (const char *)c->key.data, c->key.n, end);
    if (status != REFRAIN_OK || *end < o->items.n)
        return status;
    const struct order_end fresh = {.line = line, .topic = c->forms[act->form].topic};
    return array_push(&o->items, fresh) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status note_value(struct order *o, struct act *act, uint32_t depth)
{
    struct channels *c = o->channels;
    uint32_t number;
    enum refrain_status status = find_end(o, act, depth, &number);
    if (status != REFRAIN_OK)
        return status;
    struct order_end *end = &o->items.items[number];
    end->n++;
    for (uint32_t k = c->forms[act->form].first; k < act->n; k++) {
        const uint64_t v = affine_value(act->words + (size_t)k * (depth + 1), depth, o->indices);
        end->hash = mix(end->hash, v);
        end->other_hash = mix(end->other_hash, ~v);
    }
    channels_put_line(c, act, depth, o->indices);
    channels_put_numbers(c, act, depth, o->indices);
    if (c->key.failed)
        return REFRAIN_ERR_MEMORY;
    if (map_get(&o->fixed, hash_of_key(c)) != MAP_NONE)
        o->failed[end->topic] = true;
    return REFRAIN_OK;
}

/* Every line has two ends or more, and the same values at all of them. */
static enum refrain_status compare_ends(struct order *o)
{
    uint32_t *ends = calloc(o->lines.items.n + 1, sizeof *ends);
    const struct order_end **first = calloc(o->lines.items.n + 1, sizeof *first);
    enum refrain_status status = REFRAIN_OK;
    if (!ends || !first) {
        log_error("out of memory: %zu lines of messages", o->lines.items.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < o->items.n && status == REFRAIN_OK; i++) {
        const struct order_end *e = &o->items.items[i], *f = first[e->line] ? first[e->line] : e;
        first[e->line] = f;
        ends[e->line]++;
        if (e->n != f->n || e->hash != f->hash || e->other_hash != f->other_hash)
            o->failed[e->topic] = true;
    }
    for (size_t i = 0; i < o->lines.items.n && status == REFRAIN_OK; i++) {
        if (ends[i] < 2)
            o->failed[first[i]->topic] = true;
    }
    free(first);
    free(ends);
    return status;
}

static enum refrain_status mark(struct order *o, struct act *act, uint32_t depth)
{
    act->in_line = depends(o->channels, act, depth) && !o->failed[o->channels->forms[act->form].topic];
    return REFRAIN_OK;
}

/* Something at each process in turn. */
static enum refrain_status each(struct order *o, visit once, visit always, bool dependent)
{
    const struct model *m = o->channels->model;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        const struct system *s = m->processes.items[i].own;
        status = once ? visit_once(o, s, once) : walk(o, s, dependent, always);
    }
    return status;
}

enum refrain_status channels_find_order(struct channels *c)
{
    const size_t topics = c->topics.items.n;
    struct order o = {.channels = c};
    enum refrain_status status = REFRAIN_OK;
    o.changes = calloc(topics + 1, sizeof *o.changes);
    o.failed = calloc(topics + 1, sizeof *o.failed);
    if (!o.changes || !o.failed) {
        log_error("out of memory: %zu topics", topics);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = each(&o, note_change, NULL, false);
    if (status == REFRAIN_OK)
        status = each(&o, NULL, note_fixed, false);
    if (status == REFRAIN_OK)
        status = each(&o, NULL, note_value, true);
    if (status == REFRAIN_OK)
        status = compare_ends(&o);
    if (status == REFRAIN_OK && o.steps < STEPS_MAX)
        status = each(&o, mark, NULL, false);
    free(o.changes);
    free(o.failed);
    map_free(&o.fixed);
    event_forms_free(&o.lines);
    event_forms_free(&o.ends);
    array_free(&o.items);
    return status;
}
