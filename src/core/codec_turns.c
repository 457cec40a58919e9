#include "codec_turns.h"

#include "log.h"
#include "map.h"
#include "mix.h"

#include <stdlib.h>

#define RANKS_MAX 4096
#define COST_MIN  16                  /* bytes; shorter lists are not worth a turn */
#define TRIES_MAX (UINT64_C(1) << 24) /* values compared: bounds the time that this takes */

struct search {
    const struct class_lists *lists;
    struct turns *out;
    struct map bases; /* hash of the values in no order → number of the list */
    uint64_t tries;
};

void turns_free(struct turns *t)
{
    for (size_t i = 0; i < t->turns.n; i++)
        series_free(t->turns.items[i].places);
    array_free(&t->turns);
    array_free(&t->lists);
}

static uint32_t place(const struct turn *t, uint32_t n, uint32_t i)
{
    const uint32_t row = (i / t->length + t->rows) % (n / t->length),
                   column = (i % t->length + t->columns) % t->length;
    return row * t->length + column;
}

static bool is_turned(struct search *s, const int64_t *list, const int64_t *base, const struct turn *t)
{
    const uint32_t n = s->lists->n_ranks;
    for (uint32_t i = 0; i < n && s->tries < TRIES_MAX; i++, s->tries++) {
        if (list[i] != base[place(t, n, i)])
            return false;
    }
    return s->tries < TRIES_MAX;
}

/* The places as a series that the turn owns. */
static enum refrain_status make_places(uint32_t n, struct turn *t)
{
    enum refrain_status status = (t->places = series_create()) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = series_append(t->places, place(t, n, i));
    return status;
}

/* Some turn that makes the list of the base; its length is 0 if there is none. */
static struct turn find_turn(struct search *s, const int64_t *list, const int64_t *base)
{
    const uint32_t n = s->lists->n_ranks;
    struct turn t;
    for (t.length = 2; t.length <= n; t.length++) {
        for (t.rows = 0; n % t.length == 0 && t.rows < n / t.length; t.rows++) {
            for (t.columns = 0; t.columns < t.length; t.columns++) {
                if (t.rows + t.columns > 0 && is_turned(s, list, base, &t))
                    return t;
            }
        }
    }
    return (struct turn){0};
}

static enum refrain_status note(struct search *s, uint32_t list, uint32_t base, uint32_t turn)
{
    const struct turned_list turned = {list, base, turn};
    return array_push(&s->out->lists, turned) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Turns that are there cost nothing more, so they are tried first. */
static enum refrain_status try_base(struct search *s, uint32_t list, uint32_t base, bool *found)
{
    const int64_t *values = s->lists->items[list].values, *of = s->lists->items[base].values;
    *found = true;
    for (uint32_t i = 0; i < s->out->turns.n; i++) {
        if (is_turned(s, values, of, &s->out->turns.items[i]))
            return note(s, list, base, i);
    }
    struct turn t = find_turn(s, values, of);
    t.places = NULL;
    *found = t.length > 0;
    if (!*found)
        return REFRAIN_OK;
    if (!array_push(&s->out->turns, t))
        return REFRAIN_ERR_MEMORY;
    const uint32_t fresh = (uint32_t)s->out->turns.n - 1;
    enum refrain_status status = make_places(s->lists->n_ranks, &s->out->turns.items[fresh]);
    return status == REFRAIN_OK ? note(s, list, base, fresh) : status;
}

/* A list that no other one makes is a base for those that follow. */
static enum refrain_status try_list(struct search *s, uint32_t list)
{
    const struct class_list *l = &s->lists->items[list];
    uint64_t key = 0;
    size_t at;
    if (l->done || l->cost < COST_MIN)
        return REFRAIN_OK;
    for (uint32_t i = 0; i < s->lists->n_ranks; i++)
        key += mix(0, (uint64_t)l->values[i]);
    for (uint32_t base = map_first(&s->bases, key, &at); base != MAP_NONE;
         base = map_next(&s->bases, key, &at)) {
        bool found;
        enum refrain_status status = try_base(s, list, base, &found);
        if (status != REFRAIN_OK || found)
            return status;
    }
    return map_add(&s->bases, key, list) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Drop turns whose lists do not pay for them, and these lists. */
static enum refrain_status keep_paying(const struct class_lists *c, struct turns *t)
{
    int64_t *saved = malloc((t->turns.n + 1) * sizeof *saved);
    size_t kept = 0;
    if (!saved) {
        log_error("out of memory: %zu turns of lists", t->turns.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->turns.n; i++)
        saved[i] = -(int64_t)series_cost(t->turns.items[i].places);
    for (size_t i = 0; i < t->lists.n; i++)
        saved[t->lists.items[i].turn] += (int64_t)c->items[t->lists.items[i].list].cost - COMPOSITION_COST;
    for (size_t i = 0; i < t->lists.n; i++) {
        if (saved[t->lists.items[i].turn] > 0)
            t->lists.items[kept++] = t->lists.items[i];
    }
    t->lists.n = kept;
    for (size_t i = 0; i < t->turns.n; i++)
        t->saved += saved[i] > 0 ? saved[i] : 0;
    free(saved);
    return REFRAIN_OK;
}

enum refrain_status turns_find(const struct class_lists *c, struct turns *out)
{
    struct search s = {.lists = c, .out = out};
    enum refrain_status status = REFRAIN_OK;
    *out = (struct turns){.saved = 0};
    if (c->n_ranks > RANKS_MAX)
        return REFRAIN_OK;
    for (uint32_t i = 0; i < c->n && status == REFRAIN_OK; i++)
        status = try_list(&s, i);
    map_free(&s.bases);
    return status == REFRAIN_OK ? keep_paying(c, out) : status;
}
