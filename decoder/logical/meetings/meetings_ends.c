/* SPDX-License-Identifier: BSD-3-Clause */
/* The channels that messages use. */
#include "meetings_impl.h"

#include "src/core/base/mix.h"

/* What keys are of: a pair of ranks; a tag, with any number, with these numbers, with some number; … */
enum { LINE = 1, TAIL, TAIL_NUMBERS, TAIL_SOME, CHANNEL, OWNER, UNEVEN };

bool meetings_is_message(const struct meetings *m, const struct step *s)
{
    return s->kind == STEP_EVENT && s->has_partner && m->forms[s->form].kind != FORM_IS_NO_MESSAGE;
}

uint32_t meetings_first_of(const struct meetings *m, uint32_t process)
{
    if (m->logical->sections.n == 1)
        return process;
    const uint32_t first = map_get(&m->of_rank, logical_rank(m->logical, process));
    return first == MAP_NONE ? process : first;
}

struct end end_find(const struct meetings *m, const struct body_act *a)
{
    const struct step *s = a->step;
    struct end e = {.process = a->process};
    e.partner = map_get(&m->of_rank, body_act_partner(m->logical, a));
    const bool sends = m->forms[s->form].kind == FORM_SENDS;
    const uint32_t here = meetings_first_of(m, e.process);
    e.line = mix(mix(LINE, sends ? here : e.partner), sends ? e.partner : here);
    e.channel = mix(mix(CHANNEL, e.line), m->forms[s->form].tail);
    for (uint32_t k = 0; k < s->n; k++)
        e.channel = mix(e.channel, body_act_number(a, &s->numbers[k]));
    if (m->varying.n > 0 && map_get(&m->varying, e.line) != MAP_NONE)
        e.channel = e.line;
    return e;
}

bool end_is_known(const struct meetings *m, const struct end *e)
{
    return e->partner != MAP_NONE && !m->apart[meetings_first_of(m, e->process)] && !m->apart[e->partner];
}

/* Returns one key for all channels whose events agree with the act in the text after the partner and, if
 * `numbers`, also in the numbers. */
static uint64_t tail_key(const struct meetings *m, const struct body_act *a, bool numbers)
{
    uint64_t key = mix(numbers ? TAIL_NUMBERS : TAIL, m->forms[a->step->form].tail);
    for (uint32_t k = 0; numbers && k < a->step->n; k++)
        key = mix(key, body_act_number(a, &a->step->numbers[k]));
    return key;
}

static bool mark(struct meetings *m, uint64_t key)
{
    return map_set(&m->broken, key, 0);
}

bool end_break(struct meetings *m, const struct step *s, const struct end *e)
{
    return mark(m, e->channel) && mark(m, mix(UNEVEN, m->forms[s->form].tail));
}

bool end_break_all(struct meetings *m, const struct body_act *a, bool any_number)
{
    return mark(m, tail_key(m, a, !any_number)) && mark(m, mix(TAIL_SOME, m->forms[a->step->form].tail));
}

bool end_is_broken(const struct meetings *m, const struct body_act *a, bool moves)
{
    const uint64_t tail = m->forms[a->step->form].tail;
    if (m->broken.n == 0)
        return false;
    const struct end e = moves ? (struct end){0} : end_find(m, a);
    const bool some = moves ? meetings_changes(a->step, a->step->depth) : e.channel == e.line;
    return map_get(&m->broken, moves ? mix(UNEVEN, tail) : e.channel) != MAP_NONE ||
           map_get(&m->broken, tail_key(m, a, false)) != MAP_NONE ||
           map_get(&m->broken, tail_key(m, a, true)) != MAP_NONE ||
           (some && map_get(&m->broken, mix(TAIL_SOME, tail)) != MAP_NONE);
}

bool end_own(struct meetings *m, const struct end *e, bool sends)
{
    if (m->logical->sections.n == 1)
        return true;
    const uint64_t side = mix(mix(OWNER, e->channel), sends);
    const uint32_t owner = map_get(&m->owners, side);
    if (owner == MAP_NONE)
        return map_set(&m->owners, side, e->process);
    return owner == e->process || mark(m, e->channel);
}
