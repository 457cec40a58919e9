/* SPDX-License-Identifier: BSD-3-Clause */
#include "joint_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status joint_create(struct joint *j, const struct logical *l)
{
    *j = (struct joint){.logical = l};
    return meetings_create(&j->meetings, l);
}

void joint_free(struct joint *j)
{
    meetings_free(&j->meetings);
    arena_free(&j->arena);
    map_free(&j->of_body);
    array_free(&j->bodies);
    *j = (struct joint){0};
}

const struct joint_body *joint_of(struct joint *j, const struct steps *body)
{
    const uint64_t key = (uint64_t)(uintptr_t)body->items;
    const uint32_t known = map_get(&j->of_body, key);
    struct joint_body made = {0};
    if (known != MAP_NONE)
        return &j->bodies.items[known];
    if (joint_arrange(j, body, &made) != REFRAIN_OK || !array_push(&j->bodies, made) ||
        !map_set(&j->of_body, key, (uint32_t)j->bodies.n - 1))
        return NULL;
    return &j->bodies.items[j->bodies.n - 1];
}

/* ---- the steps of a process ------------------------------------------------------------------ */

/* A step of the process, and its place in a wave, or its iteration of visits. */
struct turn {
    const struct step *step;
    int64_t place;
    size_t item;
    bool receives;
};

struct turns {
    struct turn *items;
    size_t n, cap;
};

/* Returns the iteration of the loop that meets this process in the item. */
static int64_t find_iteration(const struct joint *j, const struct joint_group *g,
                              const struct joint_item *item, uint32_t process)
{
    uint64_t indices[SYSTEM_DEPTH_MAX + 1] = {0};
    for (size_t i = 0; i < g->n && !item->receive; i++)
        item = &g->items[i];
    const struct step *inside = joint_is_inside(g, item->step) ? item->step : item->receive;
    const uint32_t rank = logical_rank(j->logical, process);
    uint64_t *at = &indices[g->loop->depth];
    for (*at = 0; *at < g->loop->count.values[0]; ++*at)
        for (uint32_t k = 0; k < inside->n_processes; k++)
            if (step_partner(j->logical, inside, inside->processes[k], indices) == rank)
                return (int64_t)*at;
    return -1;
}

static int by_place(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return x->receives - y->receives;
}

static bool add_turn(const struct joint *j, const struct joint_group *g, size_t item, bool receives,
                     uint32_t process, struct turns *out)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    const struct step *s = receives ? g->items[item].receive : g->items[item].step;
    struct turn t = {.step = s, .item = item, .receives = receives};
    if (!s || !step_has(s, process))
        return true;
    if (g->kind == JOINT_WAVE) {
        const uint32_t who =
            receives ? step_partner(j->logical, s, process, none) : logical_rank(j->logical, process);
        t.place = wave_place(&g->wave, j->logical->compass, who);
    } else if (g->kind == JOINT_VISITS) {
        t.place = find_iteration(j, g, &g->items[item], process);
    }
    return array_push(out, t);
}

static bool add_group(const struct joint *j, const struct joint_group *g, uint32_t process, struct turns *out)
{
    const bool receives_first = g->kind == JOINT_RECEIVES_FIRST;
    const size_t before = out->n;
    bool ok = true;
    if (g->kind == JOINT_VISITS && step_has(g->loop, process))
        return array_push(out, (struct turn){.step = g->loop});
    for (size_t i = 0; i < g->n && ok; i++)
        ok = add_turn(j, g, i, receives_first, process, out) &&
             add_turn(j, g, i, !receives_first, process, out);
    if (ok && (g->kind == JOINT_WAVE || g->kind == JOINT_VISITS) && out->n > before)
        qsort(out->items + before, out->n - before, sizeof *out->items, by_place);
    return ok;
}

enum refrain_status joint_steps(struct joint *j, const struct joint_body *b, uint32_t process,
                                struct steps *out)
{
    struct turns turns = {0};
    bool ok = true;
    for (size_t g = 0; g < b->n && ok; g++)
        ok = add_group(j, &b->groups[g], process, &turns);
    out->items = ok ? arena_array(&j->arena, turns.n + 1, sizeof *out->items) : NULL;
    out->n = turns.n;
    for (size_t i = 0; out->items && i < turns.n; i++)
        out->items[i] = (struct step *)turns.items[i].step;
    array_free(&turns);
    return out->items ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
