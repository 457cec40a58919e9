/* SPDX-License-Identifier: BSD-3-Clause */
#include "moving.h"

#include <string.h>

/* Bodies with more steps are not searched. */
#define STEPS_MOST 2048

bool moving_is(const struct step *s)
{
    bool moves = false;
    for (uint32_t d = 0; s->has_partner && d < s->depth; d++)
        moves = moves || s->partner_coefs[d] != 0;
    return moves;
}

static enum direction_law law_of(const struct step *s)
{
    return direction_law(&s->partner, s->n_processes);
}

/* A message of all ranks, each once, at a distance from the rank or with other bits, and with the same numbers
 * everywhere. */
static bool is_uniform(const struct meetings *m, const struct step *s)
{
    const struct logical *l = m->logical;
    bool same = moving_is(s) && s->n_processes == l->compass->n_ranks && l->sections.n == 1 &&
                (law_of(s) == DIRECTION_CYCLIC || direction_flips(law_of(s)));
    for (uint32_t i = 0; i < s->n && same; i++) {
        const struct number *n = &s->numbers[i];
        same = n->cells == 1;
        for (uint32_t k = 1; k < s->n_processes && same; k++)
            same = n->values[k] == n->values[0];
    }
    for (uint32_t k = 0; k < s->n_processes && same; k++)
        same = !m->apart[s->processes[k]];
    return same;
}

/* The way back has the same bits, or the opposite distance. */
static bool are_opposite(const struct meetings *m, const struct step *a, const struct step *b)
{
    const enum direction_law law = law_of(a);
    const int64_t ranks = m->logical->compass->n_ranks, sign = direction_flips(law) ? -1 : 1;
    const int64_t x = (int64_t)a->partner.values[law], y = sign * (int64_t)b->partner.values[law];
    bool opposite = m->forms[a->form].kind != m->forms[b->form].kind && a->n == b->n && law == law_of(b) &&
                    (direction_flips(law) ? x + y == 0 : (x % ranks + y % ranks) % ranks == 0);
    for (uint32_t d = 0; d < a->depth; d++)
        opposite = opposite && (int64_t)a->partner_coefs[d] + sign * (int64_t)b->partner_coefs[d] == 0;
    for (uint32_t i = 0; i < a->n && opposite; i++)
        opposite = a->numbers[i].values[0] == b->numbers[i].values[0] &&
                   memcmp(a->numbers[i].coefs, b->numbers[i].coefs, a->depth * sizeof(uint64_t)) == 0;
    return opposite;
}

bool moving_mate(const struct meetings *m, const struct steps *body, size_t at, size_t *mate)
{
    const struct step *s = body->items[at];
    size_t others = 0;
    if (body->n > STEPS_MOST || !is_uniform(m, s))
        return false;
    for (size_t i = 0; i < body->n; i++) {
        const struct step *o = body->items[i];
        if (i == at || o->kind != STEP_EVENT || !o->has_partner ||
            m->forms[o->form].kind == FORM_IS_NO_MESSAGE || m->forms[o->form].tail != m->forms[s->form].tail)
            continue;
        others++;
        *mate = i;
    }
    return others == 1 && is_uniform(m, body->items[*mate]) && are_opposite(m, s, body->items[*mate]);
}

/* Do the step's partner and lists of numbers depend on the index of this loop alone? */
static bool is_open_message(const struct step *s, uint32_t level)
{
    bool opens = s->partner_coefs[level] != 0;
    for (uint32_t d = 0; d < level; d++)
        opens = opens && s->partner_coefs[d] == 0;
    for (uint32_t i = 0; i < s->n; i++)
        opens = opens && (s->numbers[i].cells == 1 || s->numbers[i].level == level);
    return opens;
}

static bool has_one_count(const struct step *loop)
{
    bool one = loop->count.cells == 1 && loop->count.values[0] > 1 && loop->n_processes > 0;
    for (uint32_t d = 0; d < loop->depth; d++)
        one = one && loop->count.coefs[d] == 0;
    for (uint32_t i = 1; i < loop->n_processes; i++)
        one = one && loop->count.values[i] == loop->count.values[0];
    return one;
}

bool moving_opens(const struct meetings *m, const struct step *loop)
{
    bool opens = loop->kind == STEP_LOOP && has_one_count(loop) && loop->body.n <= STEPS_MOST, any = false;
    for (size_t i = 0, mate; opens && i < loop->body.n; i++) {
        const struct step *s = loop->body.items[i];
        opens = s->kind == STEP_EVENT && s->n_processes == loop->n_processes;
        if (!opens || !s->has_partner || m->forms[s->form].kind == FORM_IS_NO_MESSAGE)
            continue;
        any = true;
        opens = is_open_message(s, loop->depth) && !moving_mate(m, &loop->body, i, &mate);
    }
    return opens && any && body_acts_inside(loop) <= MOVING_ACTS_MOST;
}
