/* SPDX-License-Identifier: BSD-3-Clause */
#include "meetings.h"

#include "logical_impl.h"
#include "moving.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

/* Loops around a body, the innermost first. */
struct around {
    const struct step *loop;
    const struct around *next;
};

/* ---- forms ----------------------------------------------------------------------------------- */

static bool has_text(const char *text, size_t n, const char *word)
{
    return memmem(text, n, word, strlen(word)) != NULL;
}

static bool begins(const char *text, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Parses "send @ tag# comm#". These messages are not matched: those with wildcards ("any"), those on
 * communicators that each process numbers for itself ("comm?…", "@"), and partitioned messages of several
 * requests ("partitioned?"). */
static enum refrain_status read_form(struct meetings *m, uint32_t form)
{
    const struct form_pieces p = form_split(m->logical, form);
    const size_t n = p.n_middle + p.n_end;
    const bool sends = p.n_verb == 4 && begins(p.verb, p.n_verb, "send"),
               receives = p.n_verb == 4 && begins(p.verb, p.n_verb, "recv");
    if ((!sends && !receives) || has_text(p.middle, n, "any") || has_text(p.middle, n, "?") ||
        has_text(p.middle, n, "@"))
        return REFRAIN_OK;
    m->forms[form].kind = sends ? FORM_SENDS : FORM_RECEIVES;
    return text_table_intern(&m->tails, p.middle, n, &m->forms[form].tail);
}

static bool is_message(const struct meetings *m, const struct step *s)
{
    return s->kind == STEP_EVENT && s->has_partner && m->forms[s->form].kind != FORM_IS_NO_MESSAGE;
}

/* Is it a receive with a wildcard, or a call that cancels? */
static bool takes_any(const struct meetings *m, const struct step *s)
{
    const char *text = text_table_at(&m->logical->forms, s->form);
    const size_t n = m->logical->forms.items.items[s->form].n;
    return begins(text, n, "local MPI_Cancel") || (begins(text, n, "recv ") && has_text(text, n, "any"));
}

static bool is_zero(const uint64_t *coefs, uint32_t n)
{
    for (uint32_t d = 0; d < n; d++) {
        if (coefs[d] != 0)
            return false;
    }
    return true;
}

static bool changes(const struct step *s)
{
    bool any = false;
    for (uint32_t k = 0; k < s->n; k++)
        any = any || s->numbers[k].cells > 1 || !is_zero(s->numbers[k].coefs, s->depth);
    return any;
}

/* ---- channels -------------------------------------------------------------------------------- */

enum { LINE = 1, TAIL, TAIL_NUMBERS, CHANNEL, USER, OWNER, UNEVEN };

/* One end of a message: a send or receive of one process, with a partner that does not change. */
struct end {
    uint32_t process; /* the process that sends or receives */
    uint32_t partner; /* the first process of the partner's rank; MAP_NONE: not a process of the program */
    uint64_t line;    /* key of the pair of sending and receiving rank */
    uint64_t channel; /* key of the channel */
};

/* Returns the first process of the rank of a process. */
static uint32_t first_of(const struct meetings *m, uint32_t process)
{
    const uint32_t first = map_get(&m->of_rank, logical_rank(m->logical, process));
    return first == MAP_NONE ? process : first;
}

static struct end find_end(const struct meetings *m, const struct step *s, size_t place)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    struct end e = {.process = s->processes[place]};
    e.partner = map_get(&m->of_rank, step_partner(m->logical, s, e.process, none));
    const bool sends = m->forms[s->form].kind == FORM_SENDS;
    const uint32_t here = first_of(m, e.process);
    e.line = mix(mix(LINE, sends ? here : e.partner), sends ? e.partner : here);
    e.channel = mix(mix(CHANNEL, e.line), m->forms[s->form].tail);
    for (uint32_t k = 0; k < s->n; k++)
        e.channel = mix(e.channel, s->numbers[k].values[place * s->numbers[k].cells]);
    if (map_get(&m->varying, e.line) != MAP_NONE)
        e.channel = e.line;
    return e;
}

static bool is_known(const struct meetings *m, const struct end *e)
{
    return e->partner != MAP_NONE && !m->apart[first_of(m, e->process)] && !m->apart[e->partner];
}

/* Returns the key of all channels whose events have the same text after the partner as the step and, if
 * `numbers`, the same numbers. */
static uint64_t tail_key(const struct meetings *m, const struct step *s, size_t place, bool numbers)
{
    uint64_t key = mix(numbers ? TAIL_NUMBERS : TAIL, m->forms[s->form].tail);
    for (uint32_t k = 0; numbers && k < s->n; k++)
        key = mix(key, s->numbers[k].values[place * s->numbers[k].cells]);
    return key;
}

/* Where the partner moves, any channel of the tag may be the one. */
static bool is_broken(const struct meetings *m, const struct step *s, size_t place, const struct end *e)
{
    return (moving_is(s) ? map_get(&m->broken, mix(UNEVEN, m->forms[s->form].tail)) != MAP_NONE
                         : map_get(&m->broken, e->channel) != MAP_NONE) ||
           map_get(&m->broken, tail_key(m, s, place, false)) != MAP_NONE ||
           map_get(&m->broken, tail_key(m, s, place, true)) != MAP_NONE;
}

static bool same_numbers(const struct step *a, size_t i, const struct step *b, size_t k)
{
    bool same = a->n == b->n;
    for (uint32_t n = 0; n < a->n && same; n++) {
        const struct number *x = &a->numbers[n], *y = &b->numbers[n];
        same = x->cells == y->cells && (x->cells == 1 || x->level == y->level) &&
               memcmp(x->coefs, y->coefs, a->depth * sizeof *x->coefs) == 0 &&
               memcmp(x->values + i * x->cells, y->values + k * y->cells, x->cells * sizeof *x->values) == 0;
    }
    return same;
}

/* Do all enclosing loops have equal numbers of iterations for both? */
static bool same_counts(const struct around *around, uint32_t p, uint32_t q)
{
    bool same = true;
    for (; around && same; around = around->next) {
        const struct step *loop = around->loop;
        const struct number *n = &loop->count;
        same = step_has(loop, p) && step_has(loop, q) &&
               memcmp(n->values + step_place(loop, p) * n->cells, n->values + step_place(loop, q) * n->cells,
                      n->cells * sizeof *n->values) == 0;
    }
    return same;
}

/* ---- one body -------------------------------------------------------------------------------- */

/* The state of the search in one body. */
struct body_search {
    const struct meetings *m;
    const struct steps *body;
    struct map counts; /* (channel, side) -> number of acts */
    struct map acts;   /* act number n of a channel -> the act that sends */
    struct mates *mates;
    uint32_t *step_of; /* by act */
};

void mates_free(struct mates *m)
{
    free(m->first);
    free(m->of);
    *m = (struct mates){0};
}

static enum refrain_status start_search(struct body_search *b)
{
    const size_t n = b->body->n;
    uint64_t acts = 0;
    b->mates->first = calloc(n + 1, sizeof *b->mates->first);
    for (size_t i = 0; b->mates->first && i < n; i++) {
        b->mates->first[i] = (uint32_t)acts;
        acts += b->body->items[i]->n_processes;
    }
    if (b->mates->first && acts < NO_MATE) {
        b->mates->first[n] = (uint32_t)acts;
        b->mates->of = malloc((acts + 1) * sizeof *b->mates->of);
        b->step_of = malloc((acts + 1) * sizeof *b->step_of);
    }
    if (!b->mates->of || !b->step_of) {
        log_error("out of memory: the messages of %zu steps", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        for (uint32_t act = b->mates->first[i]; act < b->mates->first[i + 1]; act++) {
            b->mates->of[act] = NO_MATE;
            b->step_of[act] = (uint32_t)i;
        }
    return REFRAIN_OK;
}

static void end_search(struct body_search *b)
{
    map_free(&b->counts);
    map_free(&b->acts);
    free(b->step_of);
}

/* Finds the act's number among those of its side of the channel. */
static bool count(struct body_search *b, bool sends, const struct end *e, uint64_t *user)
{
    const uint64_t side = mix(e->channel, sends);
    const uint32_t before = map_get(&b->counts, side), number = before == MAP_NONE ? 0 : before;
    *user = mix(mix(USER, e->channel), number);
    return map_set(&b->counts, side, number + 1);
}

static bool pair(struct body_search *b, uint32_t act, const struct end *e)
{
    uint64_t user;
    if (!count(b, false, e, &user))
        return false;
    const uint32_t mate = map_get(&b->acts, user);
    if (mate == MAP_NONE)
        return true;
    const uint32_t i = b->step_of[mate], k = b->step_of[act];
    const struct step *from = b->body->items[i], *to = b->body->items[k];
    if (b->m->forms[from->form].tail == b->m->forms[to->form].tail &&
        same_numbers(from, mate - b->mates->first[i], to, act - b->mates->first[k])) {
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
    for (size_t i = 0; i < b->body->n && ok; i++) {
        const struct step *s = b->body->items[i];
        if (!is_message(m, s) || moving_is(s) || (m->forms[s->form].kind == FORM_SENDS) != sends)
            continue;
        for (uint32_t k = 0; k < s->n_processes && ok; k++) {
            const uint32_t act = b->mates->first[i] + k;
            const struct end e = find_end(m, s, k);
            uint64_t user;
            if (!is_known(m, &e))
                continue;
            ok = sends ? count(b, true, &e, &user) && map_set(&b->acts, user, act) : pair(b, act, &e);
        }
    }
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Of messages whose partners move, any other process stands for the partner. */
static void pair_moving(struct body_search *b)
{
    for (size_t i = 0, to; i < b->body->n; i++) {
        const struct step *s = b->body->items[i];
        if (!is_message(b->m, s) || !moving_is(s) || b->m->forms[s->form].kind != FORM_SENDS ||
            !moving_mate(b->m, b->body, i, &to))
            continue;
        for (uint32_t k = 0; k < s->n_processes; k++) {
            const uint32_t from = b->mates->first[i] + k;
            const uint32_t act = b->mates->first[to] + (k + 1) % s->n_processes;
            b->mates->of[from] = act;
            b->mates->of[act] = from;
        }
    }
}

static enum refrain_status search(struct body_search *b)
{
    enum refrain_status status = start_search(b);
    if (status == REFRAIN_OK)
        status = pair_all(b, true);
    if (status == REFRAIN_OK)
        status = pair_all(b, false);
    if (status == REFRAIN_OK)
        pair_moving(b);
    return status;
}

enum refrain_status meetings_find(const struct meetings *m, const struct steps *body, struct mates *out)
{
    struct body_search b = {.m = m, .body = body, .mates = out};
    *out = (struct mates){0};
    const enum refrain_status status = search(&b);
    for (size_t i = 0; status == REFRAIN_OK && i < body->n; i++) {
        const struct step *s = body->items[i];
        for (uint32_t k = 0; is_message(m, s) && k < s->n_processes; k++) {
            const struct end e = moving_is(s) ? (struct end){0} : find_end(m, s, k);
            uint32_t *mate = &out->of[out->first[i] + k];
            if (*mate != NO_MATE && is_broken(m, s, k, &e))
                *mate = NO_MATE;
        }
    }
    end_search(&b);
    if (status != REFRAIN_OK)
        mates_free(out);
    return status;
}

/* ---- all bodies ------------------------------------------------------------------------------ */

static bool mark(struct meetings *m, uint64_t key)
{
    return map_set(&m->broken, key, 0);
}

/* Notes that the process uses this side of the channel. If another thread of its rank does so too, the order
 * of the messages is unknown, and the channel is marked. */
static bool own(struct meetings *m, const struct end *e, bool sends)
{
    const uint64_t side = mix(mix(OWNER, e->channel), sends);
    const uint32_t owner = map_get(&m->owners, side);
    if (owner == MAP_NONE)
        return map_set(&m->owners, side, e->process);
    return owner == e->process || mark(m, e->channel);
}

static uint32_t process_of(const struct body_search *b, uint32_t act)
{
    const uint32_t i = b->step_of[act];
    return b->body->items[i]->processes[act - b->mates->first[i]];
}

/* Marks the channel of each message that has no mate in the body, or whose mate's process runs the enclosing
 * loops another number of times. */
static bool mark_step(struct meetings *m, const struct body_search *b, size_t i, const struct around *around)
{
    const struct step *s = b->body->items[i];
    bool ok = true;
    for (uint32_t k = 0; k < s->n_processes && ok; k++) {
        const uint32_t mate = b->mates->of[b->mates->first[i] + k];
        if (moving_is(s)) {
            const bool meets = mate != NO_MATE && same_counts(around, s->processes[k], s->processes[0]);
            ok = meets || mark(m, tail_key(m, s, k, !changes(s)));
            continue;
        }
        const struct end e = find_end(m, s, k);
        ok = own(m, &e, m->forms[s->form].kind == FORM_SENDS);
        if (ok && is_known(m, &e) &&
            (mate == NO_MATE || !same_counts(around, e.process, process_of(b, mate))))
            ok = mark(m, e.channel) && mark(m, mix(UNEVEN, m->forms[s->form].tail));
    }
    return ok;
}

static enum refrain_status mark_body(struct meetings *m, const struct steps *body,
                                     const struct around *around)
{
    struct mates mates = {0};
    struct body_search b = {.m = m, .body = body, .mates = &mates};
    enum refrain_status status = search(&b);
    for (size_t i = 0; i < body->n && status == REFRAIN_OK; i++) {
        if (is_message(m, body->items[i]) && !mark_step(m, &b, i, around))
            status = REFRAIN_ERR_MEMORY;
    }
    end_search(&b);
    mates_free(&mates);
    for (size_t i = 0; i < body->n && status == REFRAIN_OK; i++) {
        const struct around inside = {body->items[i], around};
        if (inside.loop->kind == STEP_LOOP)
            status = mark_body(m, &inside.loop->body, &inside);
    }
    return status;
}

static bool note_lines(struct meetings *m, const struct step *s)
{
    bool ok = true;
    for (uint32_t k = 0; k < s->n_processes && ok; k++) {
        const struct end e = find_end(m, s, k);
        ok = map_set(&m->varying, e.line, 0);
    }
    return ok;
}

/* Marks the processes whose messages cannot be matched, and notes the pairs of sending and receiving rank
 * between which a message has numbers that change with a loop index. */
static enum refrain_status look_at(struct meetings *m, const struct steps *body, const struct around *around)
{
    (void)around;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < body->n && status == REFRAIN_OK; i++) {
        const struct step *s = body->items[i];
        const struct procedure *called =
            s->kind == STEP_CALL ? &m->logical->procedures.items[s->procedure] : NULL;
        for (uint32_t k = 0; called && called->n_processes != s->n_processes && k < called->n_processes; k++)
            m->apart[first_of(m, called->processes[k])] = true;
        for (uint32_t k = 0; s->kind == STEP_EVENT && takes_any(m, s) && k < s->n_processes; k++)
            m->apart[first_of(m, s->processes[k])] = true;
        if (is_message(m, s) && !moving_is(s) && changes(s) && !note_lines(m, s))
            status = REFRAIN_ERR_MEMORY;
        if (s->kind == STEP_LOOP && status == REFRAIN_OK)
            status = look_at(m, &s->body, NULL);
    }
    return status;
}

typedef enum refrain_status (*visit)(struct meetings *m, const struct steps *body,
                                     const struct around *around);

static enum refrain_status visit_all(struct meetings *m, visit at_body)
{
    const struct logical *l = m->logical;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++)
        status = at_body(m, &l->sections.items[i].body, NULL);
    for (size_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++)
        status = at_body(m, &l->procedures.items[i].body, NULL);
    return status;
}

static enum refrain_status find_processes(struct meetings *m)
{
    const struct model *model = m->logical->model;
    bool ok = true;
    for (uint32_t i = 0; i < model->processes.n && ok; i++) {
        const uint32_t rank = model->processes.items[i].rank, first = map_get(&m->of_rank, rank);
        if (model->processes.items[i].own->n == 0)
            continue;
        if (first == MAP_NONE)
            ok = map_set(&m->of_rank, rank, i);
    }
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status meetings_create(struct meetings *m, const struct logical *l)
{
    *m = (struct meetings){.logical = l};
    m->forms = calloc(l->forms.items.n + 1, sizeof *m->forms);
    m->apart = calloc(l->model->processes.n + 1, sizeof *m->apart);
    enum refrain_status status = m->forms && m->apart ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        log_error("out of memory: the messages of %zu processes", l->model->processes.n);
    for (uint32_t form = 0; form < l->forms.items.n && status == REFRAIN_OK; form++)
        status = read_form(m, form);
    if (status == REFRAIN_OK)
        status = find_processes(m);
    if (status == REFRAIN_OK)
        status = visit_all(m, look_at);
    if (status == REFRAIN_OK)
        status = visit_all(m, mark_body);
    if (status != REFRAIN_OK)
        meetings_free(m);
    return status;
}

void meetings_free(struct meetings *m)
{
    free(m->forms);
    free(m->apart);
    text_table_free(&m->tails);
    map_free(&m->of_rank);
    map_free(&m->owners);
    map_free(&m->varying);
    map_free(&m->broken);
    *m = (struct meetings){0};
}
