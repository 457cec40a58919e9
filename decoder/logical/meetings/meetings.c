/* SPDX-License-Identifier: BSD-3-Clause */
#include "meetings_impl.h"
#include "moving.h"

#include "decoder/logical/line.h"
#include "src/core/base/log.h"

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

bool meetings_changes(const struct step *s, uint32_t depth)
{
    bool any = false;
    for (uint32_t k = 0; k < s->n; k++)
        any = any || (s->numbers[k].cells > 1 && s->numbers[k].level < depth) ||
              !is_zero(s->numbers[k].coefs, depth);
    return any;
}

/* ---- all bodies ------------------------------------------------------------------------------ */

/* Do all enclosing loops have equal numbers of iterations for processes p and q? */
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

/* Marks the channel of a message that has no mate in the body, or that has a mate whose process runs the
 * enclosing loops a different number of times. */
static bool mark_act(struct meetings *m, const struct mates *mates, uint32_t act, const struct around *around)
{
    const struct body_act a = body_acts_at(&mates->acts, act);
    const uint32_t mate = mates->of[act];
    if (!meetings_is_message(m, a.step))
        return true;
    if (mates_moves(mates, act, &a))
        return (mate != NO_MATE && same_counts(around, a.process, a.step->processes[0])) ||
               end_break_all(m, &a, meetings_changes(a.step, a.step->depth));
    const struct end e = end_find(m, &a);
    if (!end_own(m, &e, m->forms[a.step->form].kind == FORM_SENDS))
        return false;
    if (!end_is_known(m, &e) ||
        (mate != NO_MATE && same_counts(around, a.process, body_acts_at(&mates->acts, mate).process)))
        return true;
    return end_break(m, a.step, &e);
}

static enum refrain_status mark_body(struct meetings *m, const struct steps *body,
                                     const struct around *around)
{
    struct mates mates = {0};
    enum refrain_status status = meetings_pair(m, body, NULL, &mates);
    for (uint32_t act = 0; status == REFRAIN_OK && act < mates.acts.n; act++)
        status = mark_act(m, &mates, act, around) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < body->n && status == REFRAIN_OK; i++) {
        const struct around inside = {body->items[i], around};
        if (inside.loop->kind == STEP_LOOP && !mates.acts.open[i])
            status = mark_body(m, &inside.loop->body, &inside);
    }
    mates_free(&mates);
    return status;
}

/* Notes the pair of ranks of an act. */
static bool note_line(struct meetings *m, const struct body_act *a)
{
    return map_set(&m->varying, end_find(m, a).line, 0);
}

/* Notes the pairs of ranks between which a message of a step of the body, or of an open loop, has numbers that
 * change with the index of a loop around the body. */
static bool note_lines(struct meetings *m, const struct step *s, uint64_t iterations, uint32_t depth)
{
    bool ok = true;
    if (!meetings_is_message(m, s) || !meetings_changes(s, depth))
        return true;
    for (uint64_t i = 0; i < iterations; i++)
        for (uint32_t k = 0; k < s->n_processes && ok; k++)
            ok = note_line(m, &(struct body_act){s, s->processes[k], k, 0, i});
    return ok;
}

static enum refrain_status note_body(struct meetings *m, const struct steps *body,
                                     const struct around *around)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < body->n && status == REFRAIN_OK; i++) {
        const struct step *s = body->items[i];
        const bool opens = moving_opens(m, s);
        bool ok = moving_is(s) || note_lines(m, s, 1, s->depth);
        for (size_t k = 0; opens && k < s->body.n && ok; k++)
            ok = note_lines(m, s->body.items[k], s->count.values[0], s->depth);
        status = !ok                              ? REFRAIN_ERR_MEMORY
                 : s->kind == STEP_LOOP && !opens ? note_body(m, &s->body, around)
                                                  : REFRAIN_OK;
    }
    return status;
}

/* Finds the ranks whose messages cannot be matched. */
static enum refrain_status find_apart(struct meetings *m, const struct steps *body,
                                      const struct around *around)
{
    for (size_t i = 0; i < body->n; i++) {
        const struct step *s = body->items[i];
        const struct procedure *called =
            s->kind == STEP_CALL ? &m->logical->procedures.items[s->procedure] : NULL;
        for (uint32_t k = 0; called && called->n_processes != s->n_processes && k < called->n_processes; k++)
            m->apart[meetings_first_of(m, called->processes[k])] = true;
        for (uint32_t k = 0; s->kind == STEP_EVENT && takes_any(m, s) && k < s->n_processes; k++)
            m->apart[meetings_first_of(m, s->processes[k])] = true;
        if (s->kind == STEP_LOOP)
            find_apart(m, &s->body, around);
    }
    return REFRAIN_OK;
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
        status = visit_all(m, find_apart);
    if (status == REFRAIN_OK)
        status = visit_all(m, note_body);
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
