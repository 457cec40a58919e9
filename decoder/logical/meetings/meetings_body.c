/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs the sends and receives of one body. */
#include "meetings_impl.h"

#include "moving.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

/* Open loops of a body have at most this many acts, together. */
#define OPEN_MOST MOVING_ACTS_MOST
/* After this many attempts all loops that could not be paired completely are closed. */
#define ATTEMPTS 4

struct body_search {
    const struct meetings *m;
    struct map counts; /* (channel, side) -> number of acts */
    struct map acts;   /* act number n of a channel -> the act that sends */
    struct mates *mates;
};

void mates_free(struct mates *m)
{
    body_acts_free(&m->acts);
    free(m->of);
    *m = (struct mates){0};
}

bool mates_moves(const struct mates *m, uint32_t act, const struct body_act *a)
{
    return moving_is(a->step) && !m->acts.open[m->acts.step_of[act]];
}

static enum refrain_status start(struct body_search *b, const struct steps *body, const bool *closed)
{
    bool *open = calloc(body->n + 1, sizeof *open);
    uint64_t left = OPEN_MOST;
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; open && i < body->n; i++) {
        const struct step *s = body->items[i];
        if ((closed && closed[i]) || !moving_opens(b->m, s) || body_acts_inside(s) > left)
            continue;
        open[i] = true;
        left -= body_acts_inside(s);
    }
    if (open)
        status = body_acts_create(&b->mates->acts, body, open);
    if (status == REFRAIN_OK &&
        !(b->mates->of = malloc(((size_t)b->mates->acts.n + 1) * sizeof *b->mates->of)))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        log_error("out of memory: the messages of %zu steps", body->n);
    for (uint32_t act = 0; status == REFRAIN_OK && act < b->mates->acts.n; act++)
        b->mates->of[act] = NO_MATE;
    free(open);
    return status;
}

/* Finds the act's number among the acts on the same side of its channel. */
static bool count(struct body_search *b, bool sends, const struct end *e, uint64_t *user)
{
    const uint64_t side = mix(e->channel, sends);
    const uint32_t before = map_get(&b->counts, side), number = before == MAP_NONE ? 0 : before;
    *user = mix(e->channel, number);
    return map_set(&b->counts, side, number + 1);
}

/* Are the numbers equal, whatever the indices of the loops around the body are? */
static bool same_numbers(const struct body_act *a, const struct body_act *b, uint32_t depth)
{
    bool same = a->step->n == b->step->n;
    for (uint32_t n = 0; n < a->step->n && same; n++) {
        const struct number *x = &a->step->numbers[n], *y = &b->step->numbers[n];
        const bool listed = x->cells > 1 && x->level<depth, other = y->cells> 1 && y->level < depth;
        same = listed == other && memcmp(x->coefs, y->coefs, depth * sizeof *x->coefs) == 0;
        if (same && listed)
            same = x->cells == y->cells && x->level == y->level &&
                   memcmp(x->values + (size_t)a->place * x->cells, y->values + (size_t)b->place * y->cells,
                          x->cells * sizeof *x->values) == 0;
        else if (same)
            same = body_act_number(a, x) == body_act_number(b, y);
    }
    return same;
}

static bool pair(struct body_search *b, uint32_t act, const struct body_act *to, const struct end *e)
{
    uint64_t user;
    if (!count(b, false, e, &user))
        return false;
    const uint32_t mate = map_get(&b->acts, user);
    if (mate == MAP_NONE)
        return true;
    const struct body_acts *acts = &b->mates->acts;
    const struct body_act from = body_acts_at(acts, mate);
    const uint32_t depth = acts->body->items[0]->depth;
    if (b->m->forms[from.step->form].tail == b->m->forms[to->step->form].tail &&
        same_numbers(&from, to, depth)) {
        b->mates->of[act] = mate;
        b->mates->of[mate] = act;
    }
    return true;
}

/* Pairs the acts. It is called for sends first, then for receives. */
static enum refrain_status pair_all(struct body_search *b, bool sends)
{
    const struct meetings *m = b->m;
    bool ok = true;
    for (uint32_t act = 0; act < b->mates->acts.n && ok; act++) {
        const struct body_act a = body_acts_at(&b->mates->acts, act);
        if (!meetings_is_message(m, a.step) || (m->forms[a.step->form].kind == FORM_SENDS) != sends ||
            mates_moves(b->mates, act, &a))
            continue;
        const struct end e = end_find(m, &a);
        uint64_t user;
        if (!end_is_known(m, &e))
            continue;
        ok = sends ? count(b, true, &e, &user) && map_set(&b->acts, user, act) : pair(b, act, &a, &e);
    }
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Pairs the messages whose partners move. The mate of a send is the receive of the next process; any other
 * process would do. */
static void pair_moving(struct body_search *b)
{
    const struct body_acts *acts = &b->mates->acts;
    for (size_t i = 0, to; i < acts->body->n; i++) {
        const struct step *s = acts->body->items[i];
        if (!meetings_is_message(b->m, s) || !moving_is(s) || b->m->forms[s->form].kind != FORM_SENDS ||
            !moving_mate(b->m, acts->body, i, &to))
            continue;
        for (uint32_t k = 0; k < s->n_processes; k++) {
            const uint32_t from = acts->first[i] + k, act = acts->first[to] + (k + 1) % s->n_processes;
            b->mates->of[from] = act;
            b->mates->of[act] = from;
        }
    }
}

enum refrain_status meetings_pair(const struct meetings *m, const struct steps *body, const bool *closed,
                                  struct mates *out)
{
    struct body_search b = {.m = m, .mates = out};
    *out = (struct mates){0};
    enum refrain_status status = start(&b, body, closed);
    if (status == REFRAIN_OK)
        status = pair_all(&b, true);
    if (status == REFRAIN_OK)
        status = pair_all(&b, false);
    if (status == REFRAIN_OK)
        pair_moving(&b);
    map_free(&b.counts);
    map_free(&b.acts);
    return status;
}

/* ---- the pairs that hold in all bodies ------------------------------------------------------- */

/* Takes the mates from acts on broken channels. Closes the loops with messages that have no mate; returns
 * whether there were any. */
static bool check(const struct meetings *m, struct mates *mates, bool *closed)
{
    bool any = false;
    for (uint32_t act = 0; act < mates->acts.n; act++) {
        const struct body_act a = body_acts_at(&mates->acts, act);
        const uint32_t step = mates->acts.step_of[act];
        if (!meetings_is_message(m, a.step))
            continue;
        if (mates->of[act] != NO_MATE && end_is_broken(m, &a, mates_moves(mates, act, &a)))
            mates->of[act] = NO_MATE;
        if (mates->of[act] == NO_MATE && mates->acts.open[step])
            any = closed[step] = true;
    }
    return any;
}

enum refrain_status meetings_find(const struct meetings *m, const struct steps *body, bool *closed,
                                  struct mates *out)
{
    enum refrain_status status = REFRAIN_OK;
    bool again = true;
    for (int attempt = 0; again && status == REFRAIN_OK; attempt++) {
        for (size_t i = 0; attempt == ATTEMPTS && i < body->n; i++)
            closed[i] = true;
        status = meetings_pair(m, body, closed, out);
        again = status == REFRAIN_OK && check(m, out, closed);
        if (again || status != REFRAIN_OK)
            mates_free(out);
    }
    return status;
}
