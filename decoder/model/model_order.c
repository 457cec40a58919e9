/* SPDX-License-Identifier: BSD-3-Clause */
/* Tags that change: a program that counts its messages in the tag uses each channel only once.
 *
 *     process 0  for i0 = 1 to 100 { send 1 tag(5+i0)  send 1 tag3 }
 *     process 1  for i0 = 1 to 100 { recv 0 tag3  recv 0 tag(5+i0) }
 *
 * If the values of such tags come in the same order at both ends of a line, the first message with
 * such a tag is the first one received with such a tag, whatever the values are. Then all of them
 * are one channel. Other messages of the line must not have these values. This is checked by
 * walking the events, unless they are too many. Sequences are compared as hashes of their affine
 * runs,
 *
 *     5 6 7 8 3 3 9        (5, +1, 4 times)  (3, 0, 2 times)  (9, once)
 *
 * each as long as possible. So equal sequences have equal runs, and the first three values of a
 * loop represent the whole loop. */
#include "model_channels.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define STEPS_MAX (UINT64_C(1) << 24) /* events and iterations walked, of all processes together */

/* The values at one end of a line. A value consists of all numbers that events of the topic have
 * after the partner. */
struct order_end {
    uint32_t line, topic, numbers;
    uint64_t n, hash, other_hash; /* number of values; hashes of the ended runs */
    uint64_t run;                 /* number of values in the current run, and */
    size_t at;                    /* in order.values: its last value and its step */
};

struct order {
    struct channels *channels;
    bool *changes;    /* by topic: numbers of some event depend on an index */
    bool *failed;     /* by topic */
    bool *has_fixed;  /* by topic: numbers of some event depend on no index */
    struct map fixed; /* hashes of (line, numbers) of events whose numbers depend on no index */
    struct event_templates lines, ends;
    ARRAY(struct order_end) items;
    ARRAY(uint64_t) values;
    uint64_t steps;
    uint64_t indices[SYSTEM_DEPTH_MAX];
    struct bytes key; /* scratch */
};

/* Do the numbers that determine the channel, except for the partner, depend on any index? */
static bool depends(const struct channels *c, const struct act *act, uint32_t depth)
{
    if (!channels_uses(c, act))
        return false;
    for (uint32_t k = c->templates[act->template].first; k < act->n; k++) {
        for (uint32_t d = 0; d < depth; d++) {
            if (act->words[(size_t)k * (depth + 1) + 1 + d] != 0)
                return true;
        }
    }
    return false;
}

/* Called for each event of a process's own system. */
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
    if (channels_uses(o->channels, act))
        (depends(o->channels, act, depth) ? o->changes
                                          : o->has_fixed)[o->channels->templates[act->template].topic] = true;
    return REFRAIN_OK;
}

static uint64_t hash_of_key(const struct order *o)
{
    return XXH3_64bits(o->key.data, o->key.n);
}

static bool in_question(const struct order *o, const struct act *act)
{
    return channels_uses(o->channels, act) && o->changes[o->channels->templates[act->template].topic];
}

static enum refrain_status count_step(struct order *o)
{
    o->steps++;
    return REFRAIN_OK;
}

/* Visits all occurrences of events whose numbers depend on indices, or of those whose numbers do
 * not. */
static enum refrain_status walk(struct order *o, const struct system *s, bool dependent, visit at_event);

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

/* ---- loops whose iterations need not be walked ----------------------------------------------- */

/* Is the event one for which the walk is made? */
static bool is_wanted(const struct order *o, const struct act *act, uint32_t depth, bool dependent)
{
    return in_question(o, act) && depends(o->channels, act, depth) == dependent;
}

static bool has_loop(const struct order *o, const struct system *body, bool dependent)
{
    for (size_t i = 0; i < body->n; i++) {
        if (construct_is_loop(body->items[i]) && has_any(o, body->items[i]->body, dependent))
            return true;
    }
    return false;
}

/* Does the event's partner depend on the loop's index? */
static bool peer_varies(const struct order *o, const struct act *act, const struct construct *loop)
{
    const uint32_t peer = o->channels->templates[act->template].peer;
    return peer > 0 && act->words[(size_t)peer * (loop->depth + 2) + 1 + loop->depth] != 0;
}

/* Are the events of all iterations equal except for their numbers, none of them in an inner loop?
 * And does each event that is visited singly have its own end, and no fixed number to compare
 * with? */
static enum refrain_status find_whole(struct order *o, const struct construct *loop, bool dependent,
                                      bool *whole);

/* … then all iterations form one progression, or one value, at each end. */
static enum refrain_status take_whole(struct order *o, const struct construct *loop, uint64_t count,
                                      bool dependent, visit at_event);

static enum refrain_status walk_loop(struct order *o, const struct construct *loop, bool dependent,
                                     visit at_event)
{
    const int64_t count = (int64_t)affine_value(loop->count, loop->depth, o->indices);
    bool whole;
    o->indices[loop->depth] = 0;
    enum refrain_status status = count > 0 ? find_whole(o, loop, dependent, &whole) : REFRAIN_OK;
    if (status != REFRAIN_OK || count <= 0)
        return status;
    if (whole)
        return take_whole(o, loop, (uint64_t)count, dependent, at_event);
    for (int64_t i = 0; i < count && status == REFRAIN_OK && o->steps < STEPS_MAX; i++) {
        o->indices[loop->depth] = (uint64_t)i;
        count_step(o);
        status = walk(o, loop->body, dependent, at_event);
    }
    return status;
}

static enum refrain_status walk(struct order *o, const struct system *s, bool dependent, visit at_event)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK && o->steps < STEPS_MAX; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts && status == REFRAIN_OK; k++) {
            struct act *act = &c->acts[k];
            if (!is_wanted(o, act, c->depth, dependent))
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
    channels_put_line(c, act, depth, o->indices, &o->key);
    channels_put_numbers(c, act, depth, o->indices, &o->key);
    if (o->key.failed)
        return REFRAIN_ERR_MEMORY;
    return map_set(&o->fixed, hash_of_key(o), 0) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status find_end(struct order *o, const struct act *act, uint32_t depth, uint32_t *end)
{
    struct channels *c = o->channels;
    uint32_t line;
    channels_put_line(c, act, depth, o->indices, &o->key);
    if (o->key.failed)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status =
        event_templates_intern(&o->lines, (const char *)o->key.data, o->key.n, &line);
    if (status != REFRAIN_OK)
        return status;
    o->key.n = 0;
    bytes_put_u32(&o->key, line);
    bytes_put_u32(&o->key, act->process);
    bytes_put_u8(&o->key, c->templates[act->template].part == CHANNEL_RECEIVE);
    status = o->key.failed ? REFRAIN_ERR_MEMORY
                           : event_templates_intern(&o->ends, (const char *)o->key.data, o->key.n, end);
    if (status != REFRAIN_OK || *end < o->items.n)
        return status;
    const uint32_t numbers = act->n - c->templates[act->template].first;
    const struct order_end fresh = {
        .line = line, .topic = c->templates[act->template].topic, .numbers = numbers, .at = o->values.n};
    if (!array_reserve(&o->values, 2 * (size_t)numbers) || !array_push(&o->items, fresh))
        return REFRAIN_ERR_MEMORY;
    o->values.n += 2 * (size_t)numbers;
    return REFRAIN_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Adds the current run to the hashes: its length, its last value, and its step if it has one. */
static void end_run(struct order *o, struct order_end *end)
{
    const uint64_t *last = &o->values.items[end->at];
    end->hash = mix(end->hash, end->run);
    end->other_hash = mix(end->other_hash, ~end->run);
    for (uint32_t k = 0; k < (end->run > 1 ? 2 : 1) * end->numbers; k++) {
        end->hash = mix(end->hash, last[k]);
        end->other_hash = mix(end->other_hash, ~last[k]);
    }
    end->run = 0;
}

/* Returns the event's value plus `i` steps of loop number `level`. */
static uint64_t value_at(const struct order *o, const struct act *act, uint32_t depth, uint32_t k,
                         uint32_t level, uint64_t i)
{
    const uint32_t number = o->channels->templates[act->template].first + k;
    const uint64_t *words = act->words + (size_t)number * (depth + 1);
    return affine_value(words, depth, o->indices) + (i > 0 ? words[1 + level] * i : 0);
}

/* Adds a value. */
static void put_value(struct order *o, struct order_end *end, const struct act *act, uint32_t depth,
                      uint32_t level, uint64_t i)
{
    uint64_t *last = &o->values.items[end->at], *step = last + end->numbers;
    bool goes_on = end->run > 1;
    for (uint32_t k = 0; k < end->numbers && goes_on; k++)
        goes_on = value_at(o, act, depth, k, level, i) - last[k] == step[k];
    if (!goes_on && end->run > 1)
        end_run(o, end);
    for (uint32_t k = 0; k < end->numbers; k++) {
        const uint64_t v = value_at(o, act, depth, k, level, i);
        step[k] = end->run > 0 ? v - last[k] : 0;
        last[k] = v;
    }
    end->run++;
    end->n++;
}

static enum refrain_status note_value(struct order *o, struct act *act, uint32_t depth)
{
    struct channels *c = o->channels;
    uint32_t number;
    enum refrain_status status = find_end(o, act, depth, &number);
    if (status != REFRAIN_OK)
        return status;
    put_value(o, &o->items.items[number], act, depth, 0, 0);
    channels_put_line(c, act, depth, o->indices, &o->key);
    channels_put_numbers(c, act, depth, o->indices, &o->key);
    if (o->key.failed)
        return REFRAIN_ERR_MEMORY;
    if (map_get(&o->fixed, hash_of_key(o)) != MAP_NONE)
        o->failed[o->items.items[number].topic] = true;
    return REFRAIN_OK;
}

/* Adds all values that an event has in a loop. After three of them, the current run has their
 * step, whatever came before. */
static enum refrain_status note_values(struct order *o, const struct act *act, uint32_t depth, uint32_t level,
                                       uint64_t count)
{
    uint32_t number;
    enum refrain_status status = find_end(o, act, depth, &number);
    if (status != REFRAIN_OK)
        return status;
    struct order_end *end = &o->items.items[number];
    for (uint64_t i = 0; i < count && i < 3; i++)
        put_value(o, end, act, depth, level, i);
    if (count > 3) {
        for (uint32_t k = 0; k < end->numbers; k++)
            o->values.items[end->at + k] = value_at(o, act, depth, k, level, count - 1);
        end->run += count - 3;
        end->n += count - 3;
    }
    return REFRAIN_OK;
}

/* ---- whole loops ----------------------------------------------------------------------------- */

static enum refrain_status find_whole(struct order *o, const struct construct *loop, bool dependent,
                                      bool *whole)
{
    const uint32_t depth = loop->depth + 1;
    ARRAY(uint32_t) ends = {0};
    enum refrain_status status = REFRAIN_OK;
    *whole = !has_loop(o, loop->body, dependent);
    for (size_t i = 0; i < loop->body->n && *whole && status == REFRAIN_OK; i++) {
        const struct construct *c = loop->body->items[i];
        for (uint32_t k = 0; k < c->n_acts && *whole && status == REFRAIN_OK; k++) {
            const struct act *act = &c->acts[k];
            uint32_t end;
            if (!is_wanted(o, act, depth, dependent))
                continue;
            *whole = !peer_varies(o, act, loop) &&
                     !(dependent && o->has_fixed[o->channels->templates[act->template].topic]);
            if (!*whole || !dependent)
                continue;
            status = find_end(o, act, depth, &end);
            for (size_t e = 0; e < ends.n && status == REFRAIN_OK; e++)
                *whole = *whole && ends.items[e] != end;
            if (status == REFRAIN_OK && !array_push(&ends, end))
                status = REFRAIN_ERR_MEMORY;
        }
    }
    array_free(&ends);
    return status;
}

static enum refrain_status take_whole(struct order *o, const struct construct *loop, uint64_t count,
                                      bool dependent, visit at_event)
{
    const uint32_t depth = loop->depth + 1;
    enum refrain_status status = REFRAIN_OK;
    if (!dependent)
        return walk(o, loop->body, dependent, at_event);
    for (size_t i = 0; i < loop->body->n && status == REFRAIN_OK; i++) {
        const struct construct *c = loop->body->items[i];
        for (uint32_t k = 0; k < c->n_acts && status == REFRAIN_OK; k++) {
            if (!is_wanted(o, &c->acts[k], depth, dependent))
                continue;
            count_step(o);
            status = note_values(o, &c->acts[k], depth, loop->depth, count);
        }
    }
    return status;
}

/* Checks that every line has at least two ends, and the same values at all ends. */
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
        if (o->items.items[i].run > 0)
            end_run(o, &o->items.items[i]);
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
    act->in_line =
        depends(o->channels, act, depth) && !o->failed[o->channels->templates[act->template].topic];
    return REFRAIN_OK;
}

/* Calls a function for the events of each process in turn. */
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
    o.has_fixed = calloc(topics + 1, sizeof *o.has_fixed);
    if (!o.changes || !o.failed || !o.has_fixed) {
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
    free(o.has_fixed);
    array_free(&o.values);
    bytes_free(&o.key);
    map_free(&o.fixed);
    event_templates_free(&o.lines);
    event_templates_free(&o.ends);
    array_free(&o.items);
    return status;
}
