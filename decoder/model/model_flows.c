/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a construct uses each channel end: an event once, a loop equally often in each iteration
 *
 *     for i0 = 1 to 10 { send 1 a  for i1 = 1 to 4 { send 2+i1 a }  send 1 a }
 *         0 -> 1 a: 2   0 -> 3 a: 1 …
 *
 * or it is irregular. Loops inside a loop may use other ends in each iteration: these are walked. */
#include "model_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX (UINT64_C(1) << 18) /* iterations and events walked for one construct */

/* The ends in use; b->counts has their numbers. */
struct tally {
    struct builder *b;
    ARRAY(uint32_t) ends;
    uint64_t steps;
};

/* Do the ends that a system's events use, or the number of events, depend on the index of loop
 * `level`? */
static bool varies(const struct channels *c, const struct system *s, uint32_t level)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *in = s->items[i];
        for (uint32_t k = 0; k < in->n_acts; k++) {
            if (channels_varies(c, &in->acts[k], in->depth, level))
                return true;
        }
        if (construct_is_loop(in) && varies(c, in->body, level))
            return true;
    }
    return false;
}

static bool communicates(const struct channels *c, const struct system *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *in = s->items[i];
        for (uint32_t k = 0; k < in->n_acts; k++) {
            if (channels_uses(c, &in->acts[k]))
                return true;
        }
        if (construct_is_loop(in) && communicates(c, in->body))
            return true;
    }
    return false;
}

/* Do counts of loops that communicate depend on this index? */
static bool counts_vary(const struct channels *c, const struct system *s, uint32_t level)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *in = s->items[i];
        if (construct_is_loop(in) && communicates(c, in->body) &&
            (in->count[1 + level] != 0 || counts_vary(c, in->body, level)))
            return true;
    }
    return false;
}

static bool is_same_each_time(const struct channels *c, const struct construct *loop)
{
    return !varies(c, loop->body, loop->depth) && !counts_vary(c, loop->body, loop->depth);
}

/* ---- counting -------------------------------------------------------------------------------- */

enum refrain_status counts_reserve(struct builder *b, uint32_t end)
{
    if (end < b->counts.n)
        return REFRAIN_OK;
    const size_t n = 2 * (size_t)end + 64;
    uint64_t *of_end = realloc(b->counts.of_end, n * sizeof *of_end);
    if (!of_end) {
        log_error("out of memory: counts of %zu ends of channels", n);
        return REFRAIN_ERR_MEMORY;
    }
    memset(of_end + b->counts.n, 0, (n - b->counts.n) * sizeof *of_end);
    b->counts.of_end = of_end;
    b->counts.n = n;
    return REFRAIN_OK;
}

/* Finds the end that an act uses. If it depends on no index, the act keeps it, as long as a single thread
 * runs. */
static enum refrain_status find_end(struct builder *b, struct act *act, uint32_t depth, uint32_t *end)
{
    bool fixed = !b->channels->settled;
    if (act->end > 0) {
        *end = act->end - 1;
        return REFRAIN_OK;
    }
    const enum refrain_status status = channels_end(b->channels, act, depth, b->indices, &b->key, end);
    for (uint32_t level = 0; level < depth && fixed; level++)
        fixed = !channels_varies(b->channels, act, depth, level);
    if (status == REFRAIN_OK && fixed && *end != CHANNEL_NO_END)
        act->end = *end + 1;
    return status;
}

static enum refrain_status count_act(struct tally *t, struct act *act, uint32_t depth, uint64_t times)
{
    struct builder *b = t->b;
    uint32_t end;
    enum refrain_status status = find_end(b, act, depth, &end);
    if (status != REFRAIN_OK || end == CHANNEL_NO_END || times == 0)
        return status;
    if ((status = counts_reserve(b, end)) != REFRAIN_OK)
        return status;
    if (b->counts.of_end[end] == 0 && !array_push(&t->ends, end))
        return REFRAIN_ERR_MEMORY;
    b->counts.of_end[end] += times;
    return REFRAIN_OK;
}

static enum refrain_status count_system(struct tally *t, const struct system *s, uint64_t times);

static enum refrain_status count_loop(struct tally *t, const struct construct *loop, uint64_t times)
{
    struct builder *b = t->b;
    const int64_t count = (int64_t)affine_value(loop->count, loop->depth, b->indices);
    enum refrain_status status = REFRAIN_OK;
    if (count <= 0 || !communicates(b->channels, loop->body))
        return REFRAIN_OK;
    if (is_same_each_time(b->channels, loop))
        return count_system(t, loop->body, times * (uint64_t)count);
    for (int64_t i = 0; i < count && status == REFRAIN_OK && t->steps < STEPS_MAX; i++) {
        b->indices[loop->depth] = (uint64_t)i;
        status = count_system(t, loop->body, times);
    }
    b->indices[loop->depth] = 0;
    return status;
}

static enum refrain_status count_system(struct tally *t, const struct system *s, uint64_t times)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        const struct construct *c = s->items[i];
        t->steps++;
        for (uint32_t k = 0; k < c->n_acts && status == REFRAIN_OK; k++)
            status = count_act(t, &c->acts[k], c->depth, times);
        if (construct_is_loop(c) && status == REFRAIN_OK)
            status = count_loop(t, c, times);
    }
    return status;
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* Stores the counted flows in the construct and resets the counts to 0. */
static enum refrain_status keep(struct tally *t, struct construct *c)
{
    const bool regular = t->steps < STEPS_MAX;
    struct flow *flows = arena_array(&t->b->arena, t->ends.n, sizeof *flows);
    for (size_t i = 0; i < t->ends.n; i++) {
        const uint32_t end = t->ends.items[i];
        if (flows)
            flows[i] = (struct flow){end, t->b->counts.of_end[end]};
        t->b->counts.of_end[end] = 0;
    }
    if (!flows)
        return REFRAIN_ERR_MEMORY;
    c->flows = flows;
    c->n_flows = regular ? t->ends.n : 0;
    c->flowing = regular ? FLOWS_REGULAR : FLOWS_IRREGULAR;
    return REFRAIN_OK;
}

/* A process's own loop may depend on enclosing loops only if it uses no channel. */
enum refrain_status model_find_flows(struct builder *b, struct construct *c)
{
    struct tally t = {.b = b};
    enum refrain_status status = REFRAIN_OK;
    if (c->flowing != FLOWS_UNKNOWN)
        return REFRAIN_OK;
    if (construct_is_loop(c) && !is_same_each_time(b->channels, c)) {
        c->flowing = FLOWS_IRREGULAR;
        return REFRAIN_OK;
    }
    if (construct_is_loop(c))
        status = count_system(&t, c->body, 1);
    else
        status = count_act(&t, &c->acts[0], c->depth, 1);
    const enum refrain_status kept = keep(&t, c);
    array_free(&t.ends);
    return status != REFRAIN_OK ? status : kept;
}

uint64_t construct_flow(const struct construct *c, uint32_t end)
{
    for (size_t i = 0; i < c->n_flows; i++) {
        if (c->flows[i].end == end)
            return c->flows[i].n;
    }
    return 0;
}
