/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which events may share a statement. */
#include "merge_impl.h"

#include <string.h>

static int match_loops(struct merger *m, const struct construct *a, const struct construct *b)
{
    if (a == b)
        return SAME;
    const size_t coefs = m->depth * sizeof *a->count;
    if (memcmp(a->count + 1, b->count + 1, coefs) != 0)
        return 0;
    const uint64_t in_a = form_bits(m->forms, a->body), in_b = form_bits(m->forms, b->body);
    if (a->count[0] == b->count[0])
        return in_a & in_b ? BETTER : 0;
    return in_a == in_b ? POOR : 0;
}

/* Have all numbers the same coefficients? *equal: and the same values. */
static bool match_numbers(const struct merger *m, const struct form *f, const struct form *g,
                          const struct act *a, const struct act *b, bool *equal)
{
    const size_t coefs = m->depth * sizeof(uint64_t);
    *equal = f->comm == g->comm;
    for (uint32_t k = 0; k < f->n; k++) {
        const uint32_t place = m->forms->places.items[f->first + k];
        if (place == FORM_COMM)
            continue;
        const uint64_t *x = act_number(m, a, place), *y = act_number(m, b, place);
        if (memcmp(x + 1, y + 1, coefs) != 0)
            return false;
        *equal = *equal && x[0] == y[0];
    }
    return true;
}

static bool is_plain(const uint64_t *coefs, uint32_t depth)
{
    for (uint32_t d = 0; d < depth; d++) {
        if (coefs[d] != 0)
            return false;
    }
    return true;
}

struct direction merge_direction(const struct merger *m, uint32_t process, const struct act *act,
                                 uint32_t number)
{
    const uint64_t *words = act_number(m, act, number);
    struct direction d =
        compass_direction(m->logical->compass, logical_rank(m->logical, process), (uint32_t)words[0]);
    if (words[0] > UINT32_MAX || !is_plain(words + 1, m->depth)) {
        d.laws = 1U << DIRECTION_RANK | 1U << DIRECTION_DISTANCE;
        d.values[DIRECTION_RANK] = words[0];
        d.values[DIRECTION_DISTANCE] = words[0] - logical_rank(m->logical, process);
    }
    return d;
}

static int match_events(struct merger *m, const struct statement *s, uint32_t process, struct turn t)
{
    const struct turn first = s->turns.items[0].turn;
    const struct form *f = form_of(m->forms, first.act->template);
    const struct form *g = form_of(m->forms, t.act->template);
    bool equal;
    if (f->text != g->text || !match_numbers(m, f, g, first.act, t.act, &equal))
        return 0;
    if (f->partner == FORM_NONE)
        return first.construct == t.construct ? SAME : equal ? GOOD : POOR;
    if (memcmp(act_number(m, first.act, f->partner) + 1, act_number(m, t.act, f->partner) + 1,
               m->depth * sizeof(uint64_t)) != 0)
        return 0;
    struct direction d = s->partner;
    const struct direction other = merge_direction(m, process, t.act, f->partner);
    if (!direction_meet(&d, &other))
        return 0;
    if (direction_is_strong(d.laws))
        return equal ? GOOD : FAIR;
    const bool lost = direction_is_strong(s->partner.laws) || direction_is_strong(other.laws);
    return !equal ? 0 : lost ? POOR : FAIR;
}

int merge_match(struct merger *m, const struct statement *s, uint32_t process, struct turn t)
{
    const struct turn first = s->turns.items[0].turn;
    if (!first.act != !t.act)
        return 0;
    return t.act ? match_events(m, s, process, t) : match_loops(m, first.construct, t.construct);
}
