#include "codec_sums.h"

#include "codec_whole.h"
#include "log.h"

#include <stdlib.h>

#define LENGTH_MIN 4                   /* of the arrays: what is written for them has five bytes */
#define VALUES_MAX (UINT64_C(1) << 23) /* looked at in all: bounds the time that this takes */

struct search {
    struct codec_sums *sums;
    int64_t *ranks; /* of the group at hand; and room for as many values, three times */
    uint64_t n_ranks, room;
    uint64_t budget;
};

void codec_sums_free(struct codec_sums *s)
{
    map_free(&s->of_slot);
}

uint32_t codec_sums_get(const struct codec_sums *s, const struct rankfn *slot)
{
    const uint32_t distance = map_get(&s->of_slot, codec_slot_key(slot));
    return distance == MAP_NONE ? 0 : distance;
}

static enum refrain_status start_group(struct search *s, const struct group *g)
{
    s->n_ranks = series_length(g->ranks);
    if (s->n_ranks > s->room) {
        free(s->ranks);
        s->room = s->n_ranks;
        if (!(s->ranks = malloc(4 * s->room * sizeof *s->ranks))) {
            log_error("out of memory: %llu ranks", (unsigned long long)s->room);
            s->room = 0;
            return REFRAIN_ERR_MEMORY;
        }
    }
    series_values(g->ranks, 0, s->n_ranks, s->ranks);
    return REFRAIN_OK;
}

/* Is slot number `at` the sum on the first rank? Tells most others from sums. */
static bool first_fits(const struct search *s, const struct rankfn *slots, uint32_t at, uint32_t distance)
{
    const int64_t rank = s->ranks[0];
    return (uint64_t)rankfn_at(&slots[at], 0, rank) ==
           (uint64_t)rankfn_at(&slots[at - 1], 0, rank) + (uint64_t)rankfn_at(&slots[at - distance], 0, rank);
}

/* On all ranks? */
static bool all_fit(struct search *s, const struct rankfn *slots, uint32_t at, uint32_t distance)
{
    int64_t *sum = s->ranks + s->room, *before = sum + s->room, *added = before + s->room;
    if (3 * s->n_ranks > s->budget)
        return false;
    s->budget -= 3 * s->n_ranks;
    rankfn_values(&slots[at], s->ranks, s->n_ranks, sum);
    rankfn_values(&slots[at - 1], s->ranks, s->n_ranks, before);
    rankfn_values(&slots[at - distance], s->ranks, s->n_ranks, added);
    for (uint64_t i = 0; i < s->n_ranks; i++) {
        if ((uint64_t)sum[i] != (uint64_t)before[i] + (uint64_t)added[i])
            return false;
    }
    return true;
}

/* How long is the array whose number of elements is in slot `at`, if there is another of this length right
 * before it? 0 if there is none. */
static uint32_t array_length(const struct row *row, uint32_t at)
{
    const struct rankfn *f = &row->slots[at];
    const int64_t n = f->constant;
    if (f->forms != RANKFN_CONSTANT || n < LENGTH_MIN || n >= row->n_slots - at || n >= at)
        return 0;
    const struct rankfn *other = &row->slots[at - 1 - (uint32_t)n];
    return other->forms == RANKFN_CONSTANT && other->constant == n ? (uint32_t)n : 0;
}

static enum refrain_status find_in_row(struct search *s, const struct row *row)
{
    for (uint32_t at = 0; at < row->n_slots; at++) {
        const uint32_t n = array_length(row, at), first = at + 2, end = at + 1 + n, distance = n + 2;
        uint32_t k = first;
        if (n == 0)
            continue;
        while (k < end && first_fits(s, row->slots, k, distance))
            k++;
        if (k < end)
            continue;
        for (k = first; k < end && all_fit(s, row->slots, k, distance);)
            k++;
        if (k < end)
            continue;
        for (k = first; k < end; k++) {
            if (!map_add(&s->sums->of_slot, codec_slot_key(&row->slots[k]), distance))
                return REFRAIN_ERR_MEMORY;
        }
        at = end - 1;
    }
    return REFRAIN_OK;
}

static enum refrain_status find_in_entry(struct search *s, const struct entry *e)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t g = 0; g < e->groups.n && status == REFRAIN_OK; g++) {
        const struct group *group = &e->groups.items[g];
        status = start_group(s, group);
        for (size_t r = 0; r < group->rows.n && status == REFRAIN_OK; r++)
            status = find_in_row(s, &group->rows.items[r]);
    }
    return status;
}

enum refrain_status codec_sums_find(const struct trace *t, struct codec_sums *sums)
{
    struct search s = {.sums = sums, .budget = VALUES_MAX};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->shapes.n; i++) {
        for (size_t k = 0; k < t->shapes.items[i].entries.n && status == REFRAIN_OK; k++)
            status = find_in_entry(&s, &t->shapes.items[i].entries.items[k]);
    }
    free(s.ranks);
    return status;
}
