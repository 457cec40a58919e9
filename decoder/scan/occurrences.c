/* SPDX-License-Identifier: BSD-3-Clause */
#include "occurrences.h"

#include "decoder/model/system_count.h"
#include "src/core/base/log.h"

#include <assert.h>

typedef __int128 wide;

/* ---- are bounds numbers of iterations? ------------------------------------------------------- */

/* Adds factor times the largest index of the loop at `level` to f, which is affine in the indices
 * before `level`. */
static bool add_last_index(wide *f, wide factor, const uint64_t *bound, uint32_t level)
{
    wide product;
    for (uint32_t d = 0; d <= level; d++) {
        const wide last = (wide)(int64_t)bound[d] - (d == 0);
        if (__builtin_mul_overflow(factor, last, &product) || __builtin_add_overflow(f[d], product, &f[d]))
            return false;
    }
    return true;
}

/* An affine number is extreme where each index is 0 or its loop's last one. The loops are replaced
 * from the inside outwards. */
static bool find_extreme(const struct surroundings *around, const uint64_t *words, uint32_t depth, bool most,
                         wide *value)
{
    wide f[SYSTEM_DEPTH_MAX + 1];
    for (uint32_t d = 0; d <= depth; d++)
        f[d] = (int64_t)words[d];
    for (uint32_t l = depth; l-- > 0;) {
        const wide factor = f[1 + l];
        if (factor != 0 && (factor > 0) == most && !add_last_index(f, factor, around->bounds[l], l))
            return false;
    }
    *value = f[0];
    return true;
}

/* Is a loop count between 0 and the largest possible index for all indices around it? */
static bool is_count(const struct surroundings *around, const uint64_t *words, uint32_t depth)
{
    wide least, most;
    return find_extreme(around, words, depth, false, &least) && least >= 0 &&
           find_extreme(around, words, depth, true, &most) && most < INT64_MAX;
}

/* ---- polynomials ----------------------------------------------------------------------------- */

static void add_events(struct polynomial *p, struct surroundings *around, const struct system *s,
                       size_t first, size_t end, uint32_t depth);

static void add_loop(struct polynomial *p, struct surroundings *around, const struct construct *c)
{
    struct polynomial body = {0}, times = {0};
    around->bounds[c->depth] = c->count;
    add_events(&body, around, c->body, 0, c->body->n, c->depth + 1);
    polynomial_add_affine(&times, c->count, c->depth);
    times.inexact = times.inexact || !is_count(around, c->count, c->depth);
    polynomial_add_sum(p, &body, c->depth, &times);
    polynomial_free(&body);
    polynomial_free(&times);
}

static void add_events(struct polynomial *p, struct surroundings *around, const struct system *s,
                       size_t first, size_t end, uint32_t depth)
{
    for (size_t i = first; i < end && !p->failed; i++) {
        const struct construct *c = s->items[i];
        if (!construct_has(c, around->process))
            continue;
        if (construct_is_loop(c) && depth + 1 < SYSTEM_DEPTH_MAX)
            add_loop(p, around, c);
        else if (construct_is_loop(c))
            p->inexact = true;
        else
            polynomial_add_constant(p, 1);
    }
}

static struct event_count count_events(struct surroundings *around, const struct system *s, size_t first,
                                       size_t end, uint32_t depth)
{
    struct event_count c = {.system = s, .first = first, .end = end, .depth = depth};
    add_events(&c.events, around, s, first, end, depth);
    return c;
}

/* ---- counting, for some indices -------------------------------------------------------------- */

static uint64_t events_at(const struct occurrences *o, const struct event_count *c, const uint64_t *indices)
{
    int64_t value;
    if (polynomial_value(&c->events, indices, &value))
        return (uint64_t)value;
    uint64_t scratch[SYSTEM_DEPTH_MAX + 1];
    for (uint32_t d = 0; d < c->depth; d++)
        scratch[d] = indices[d];
    const struct system_part part = {c->system, c->first, c->end, o->process};
    return system_part_events(&part, c->depth, scratch);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Whoever uses the count reports failed allocations. */
static struct event_count copy_count(const struct event_count *c)
{
    struct event_count copy = *c;
    copy.events = (struct polynomial){0};
    polynomial_add(&copy.events, &c->events);
    return copy;
}

/* Enters the body of a loop: adds the size of one iteration and its position. */
static bool enter_loop(struct occurrences *o, struct surroundings *around, const struct construct *loop)
{
    struct occurrence_level *level = &o->levels.items[o->depth];
    struct polynomial index = {0};
    polynomial_add(&o->position, &level->before.events);
    level->bound = around->bounds[o->depth] = loop->count;
    level->each = count_events(around, loop->body, 0, loop->body->n, o->depth + 1);
    polynomial_add_index(&index, o->depth);
    polynomial_add_sum(&o->position, &level->each.events, o->depth, &index);
    polynomial_free(&index);
    o->depth++;
    return array_push(&o->levels, (struct occurrence_level){0});
}

enum refrain_status construct_occurrences_find(struct construct_occurrences *p, const struct system *top,
                                               const struct construct_path *path, uint32_t process)
{
    struct occurrences *o = &p->outside;
    *p = (struct construct_occurrences){.body = top, .around.process = process, .outside.process = process};
    bool enough = array_push(&o->levels, (struct occurrence_level){0});
    for (uint32_t l = 0; l < path->n && enough; l++) {
        p->at = (size_t)path->levels[l].number - 1;
        o->levels.items[l].before = count_events(&p->around, p->body, 0, p->at, l);
        if (l + 1 < path->n) {
            enough = enter_loop(o, &p->around, path->levels[l].construct);
            p->body = path->levels[l].construct->body;
        }
    }
    return enough ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void construct_occurrences_free(struct construct_occurrences *p)
{
    occurrences_free(&p->outside);
}

void construct_occurrences_pass(struct construct_occurrences *p)
{
    assert(p->at < p->body->n);
    struct event_count *before = &p->outside.levels.items[p->outside.depth].before;
    add_events(&before->events, &p->around, p->body, p->at, p->at + 1, p->outside.depth);
    before->end = ++p->at;
}

static enum refrain_status check_point(const struct construct_occurrences *p, enum occurrence_point point)
{
    const bool loop = construct_is_loop(p->body->items[p->at]);
    if (loop == (point == OCCURRENCE_EVENT)) {
        log_error(loop ? "--point event does not work for a loop: choose start, end or iteration"
                       : "--point start, end and iteration work only for loops: choose event");
        return REFRAIN_ERR_USAGE;
    }
    if (p->outside.depth + 1 + (point == OCCURRENCE_ITERATION) > SYSTEM_DEPTH_MAX) {
        log_error("this construct is inside more than %d nested loops", SYSTEM_DEPTH_MAX - 1);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Copies what all constructs of the body share, with what comes before it. */
static bool copy_outside(struct occurrences *o, const struct occurrences *outside)
{
    if (!array_reserve(&o->levels, outside->levels.n + 1))
        return false;
    for (size_t l = 0; l < outside->levels.n; l++) {
        const struct occurrence_level *level = &outside->levels.items[l];
        o->levels.items[o->levels.n++] =
            (struct occurrence_level){copy_count(&level->before), level->bound, copy_count(&level->each)};
    }
    o->depth = outside->depth;
    polynomial_add(&o->position, &outside->position);
    return true;
}

enum refrain_status construct_occurrences_of(struct construct_occurrences *p, enum occurrence_point point,
                                             struct occurrences *o)
{
    assert(p->at < p->body->n);
    const struct construct *c = p->body->items[p->at];
    *o = (struct occurrences){.process = p->around.process, .point = point};
    const enum refrain_status status = check_point(p, point);
    if (status != REFRAIN_OK)
        return status;
    if (!copy_outside(o, &p->outside) || (point == OCCURRENCE_ITERATION && !enter_loop(o, &p->around, c)))
        return REFRAIN_ERR_MEMORY;
    if (point == OCCURRENCE_ITERATION) {
        o->inside = copy_count(&o->levels.items[o->depth - 1].each);
    } else {
        polynomial_add(&o->position, &o->levels.items[o->depth].before.events);
        o->inside = count_events(&p->around, p->body, p->at, p->at + 1, o->depth);
    }
    if (point == OCCURRENCE_END) {
        polynomial_add(&o->position, &o->inside.events);
        polynomial_add_constant(&o->position, -1);
    }
    for (uint32_t d = 0; d < o->depth; d++)
        o->position.inexact = o->position.inexact || !is_count(&p->around, o->levels.items[d].bound, d);
    return o->position.failed || o->inside.events.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

enum refrain_status occurrences_find(struct occurrences *o, const struct system *top,
                                     const struct construct_path *path, enum occurrence_point point,
                                     uint32_t process)
{
    struct construct_occurrences p;
    *o = (struct occurrences){0};
    enum refrain_status status = construct_occurrences_find(&p, top, path, process);
    if (status == REFRAIN_OK)
        status = construct_occurrences_of(&p, point, o);
    construct_occurrences_free(&p);
    return status;
}

void occurrences_free(struct occurrences *o)
{
    for (size_t l = 0; l < o->levels.n; l++) {
        polynomial_free(&o->levels.items[l].before.events);
        polynomial_free(&o->levels.items[l].each.events);
    }
    array_free(&o->levels);
    polynomial_free(&o->inside.events);
    polynomial_free(&o->position);
    *o = (struct occurrences){0};
}

bool occurrences_are_polynomial(const struct occurrences *o)
{
    return !o->position.inexact && !o->inside.events.inexact;
}

bool occurrences_are_certain(const struct occurrences *o)
{
    struct surroundings around = {.process = o->process};
    uint64_t words[SYSTEM_DEPTH_MAX + 1];
    wide least;
    for (uint32_t d = 0; d < o->depth; d++)
        around.bounds[d] = o->levels.items[d].bound;
    return polynomial_is_affine(&o->inside.events, o->depth, words) &&
           find_extreme(&around, words, o->depth, false, &least) && least > 0;
}

/* ---- walking --------------------------------------------------------------------------------- */

struct walk {
    const struct occurrences *o;
    enum refrain_status (*found)(void *context, const uint64_t *indices, uint64_t event);
    void *context;
    uint64_t indices[SYSTEM_DEPTH_MAX];
};

/* `event`: position of the body that is on this level. */
static enum refrain_status walk_level(struct walk *w, uint32_t level, uint64_t event)
{
    const struct occurrences *o = w->o;
    const struct occurrence_level *here = &o->levels.items[level];
    enum refrain_status status = REFRAIN_OK;
    event += events_at(o, &here->before, w->indices);
    if (level == o->depth) {
        const uint64_t inside = events_at(o, &o->inside, w->indices);
        if (inside == 0)
            return REFRAIN_OK;
        return w->found(w->context, w->indices, o->point == OCCURRENCE_END ? event + inside - 1 : event);
    }
    const uint64_t times = system_iterations(here->bound, level, w->indices);
    for (uint64_t k = 0; k < times && status == REFRAIN_OK; k++) {
        w->indices[level] = k;
        status = walk_level(w, level + 1, event);
        event += events_at(o, &here->each, w->indices);
    }
    return status;
}

enum refrain_status occurrences_walk(const struct occurrences *o,
                                     enum refrain_status (*found)(void *context, const uint64_t *indices,
                                                                  uint64_t event),
                                     void *context)
{
    struct walk w = {.o = o, .found = found, .context = context};
    return walk_level(&w, 0, 0);
}
