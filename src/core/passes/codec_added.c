/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_added.h"

#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

#define COST_MIN  10 /* bytes; shorter lists are not worth it */
#define NONE      UINT32_MAX
#define TRIES_MAX (UINT64_C(1) << 18) /* pairs looked at: bounds the time that this takes */

struct search {
    const struct class_lists *lists;
    uint64_t *prints;
    bool *settled;   /* nothing more is looked for: it may be added to others */
    uint32_t *order; /* those that are settled, in the order in which they were */
    size_t n_settled;
    struct map of_print; /* fingerprint of a settled list → its number */
    struct added_lists *out;
    uint64_t tries;
};

static uint64_t fingerprint(const struct class_lists *c, const struct class_list *list)
{
    uint64_t print = 0;
    for (uint32_t i = 0; i < c->n_ranks; i++)
        print += (mix(0, i) | 1) * (uint64_t)list->values[i];
    return print;
}

static void settle(struct search *s, uint32_t list)
{
    s->settled[list] = true;
    s->order[s->n_settled++] = list;
}

static bool is_sum(const struct search *s, const struct added_list *sum)
{
    const struct class_list *items = s->lists->items;
    for (uint32_t i = 0; i < s->lists->n_ranks; i++) {
        if ((uint64_t)items[sum->list].values[i] !=
            (uint64_t)items[sum->a].values[i] + (uint64_t)sum->factor * (uint64_t)items[sum->b].values[i])
            return false;
    }
    return true;
}

/* Is there a settled list with that fingerprint that makes the sum true? It is to be b, or a if that is NONE.
 */
static enum refrain_status try_print(struct search *s, uint64_t print, struct added_list sum, bool *found)
{
    size_t at;
    uint32_t *missing = sum.a == NONE ? &sum.a : &sum.b;
    for (uint32_t i = map_first(&s->of_print, print, &at); i != MAP_NONE && !*found;
         i = map_next(&s->of_print, print, &at)) {
        *missing = i;
        *found = is_sum(s, &sum);
    }
    if (!*found)
        return REFRAIN_OK;
    settle(s, sum.list);
    return array_push(s->out, sum) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Is an open list a sum or difference of one that has just been settled and another that is, too? */
static enum refrain_status try_list(struct search *s, uint32_t list, uint32_t fresh)
{
    const uint64_t x = s->prints[list], y = s->prints[fresh];
    bool found = false;
    enum refrain_status status = try_print(s, x - y, (struct added_list){list, fresh, NONE, 1}, &found);
    if (status == REFRAIN_OK && !found)
        status = try_print(s, y - x, (struct added_list){list, fresh, NONE, -1}, &found);
    if (status == REFRAIN_OK && !found)
        status = try_print(s, x + y, (struct added_list){list, NONE, fresh, -1}, &found);
    return status;
}

/* Each list that is settled may be what was missing to others. When all have been looked at, the first open
 * list is as it is. So none is made of one that is made of it. */
static enum refrain_status search(struct search *s)
{
    const size_t n = s->lists->n;
    enum refrain_status status = REFRAIN_OK;
    uint32_t open = 0;
    for (size_t k = 0; k < n && status == REFRAIN_OK && s->tries < TRIES_MAX; k++) {
        while (open < n && s->settled[open])
            open++;
        if (k == s->n_settled)
            settle(s, open);
        const uint32_t a = s->order[k];
        if (!map_add(&s->of_print, s->prints[a], a))
            return REFRAIN_ERR_MEMORY;
        for (uint32_t list = open; list < n && status == REFRAIN_OK; list++) {
            s->tries++;
            if (!s->settled[list])
                status = try_list(s, list, a);
        }
    }
    return status;
}

enum refrain_status added_find(const struct class_lists *c, struct added_lists *out)
{
    struct search s = {.lists = c,
                       .out = out,
                       .prints = malloc((c->n + 1) * sizeof *s.prints),
                       .order = malloc((c->n + 1) * sizeof *s.order),
                       .settled = calloc(c->n + 1, sizeof *s.settled)};
    enum refrain_status status = REFRAIN_OK;
    *out = (struct added_lists){0};
    if (!s.prints || !s.order || !s.settled) {
        log_error("out of memory: %zu lists", c->n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        s.prints[i] = fingerprint(c, &c->items[i]);
        if (c->items[i].done || c->items[i].cost < COST_MIN)
            settle(&s, i);
    }
    if (status == REFRAIN_OK && s.n_settled < c->n)
        status = search(&s);
    free(s.prints);
    free(s.order);
    free(s.settled);
    map_free(&s.of_print);
    return status;
}
