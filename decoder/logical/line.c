/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which steps are on one line of the text:
 *
 *     recv x-1 tag3000 comm2                         recv x-1 tag3000, y-1 tag5000 comm2
 *     recv y-1 tag5000 comm2
 *     recv x+1 tag7    send x+1 tag7                 exchange x+1 tag7 */
#include "logical_impl.h"

#include <string.h>

struct form_pieces form_split(const struct logical *l, uint32_t form)
{
    const char *text = text_table_at(&l->forms, form);
    const size_t n = l->forms.items.items[form].n;
    static const char comm[] = {' ', 'c', 'o', 'm', 'm', FORM_NUMBER};
    struct form_pieces p = {.verb = text};
    while (p.n_verb < n && text[p.n_verb] != FORM_PARTNER)
        p.n_verb++;
    p.middle = text + p.n_verb + (p.n_verb < n);
    p.n_middle = n - (size_t)(p.middle - text);
    if (p.n_verb > 0 && text[p.n_verb - 1] == ' ')
        p.n_verb--;
    if (p.n_middle >= sizeof comm && memcmp(text + n - sizeof comm, comm, sizeof comm) == 0)
        p.n_end = sizeof comm;
    p.n_middle -= p.n_end;
    p.end = p.middle + p.n_middle;
    return p;
}

static bool is_verb(const struct form_pieces *p, const char *verb)
{
    return p->n_verb == strlen(verb) && memcmp(p->verb, verb, p->n_verb) == 0;
}

static bool same_processes(const struct step *a, const struct step *b)
{
    return a->n_processes == b->n_processes &&
           (a->processes == b->processes ||
            memcmp(a->processes, b->processes, a->n_processes * sizeof *a->processes) == 0);
}

static bool same_numbers(const struct step *a, const struct step *b, uint32_t first)
{
    bool same = a->n == b->n && a->depth == b->depth;
    for (uint32_t k = first; k < a->n && same; k++) {
        const struct number *x = &a->numbers[k], *y = &b->numbers[k];
        same = x->cells == y->cells && (x->cells == 1 || x->level == y->level) &&
               memcmp(x->coefs, y->coefs, a->depth * sizeof *x->coefs) == 0 &&
               memcmp(x->values, y->values, (size_t)a->n_processes * x->cells * sizeof *x->values) == 0;
    }
    return same;
}

static bool same_partner(const struct step *a, const struct step *b)
{
    const enum direction_law law = direction_law(&a->partner, a->n_processes);
    return law == direction_law(&b->partner, b->n_processes) &&
           a->partner.values[law] == b->partner.values[law] &&
           memcmp(a->partner_coefs, b->partner_coefs, a->depth * sizeof *a->partner_coefs) == 0;
}

/* Is the first step a receive, and the second one a send to the same partner with the same tag? */
static bool is_exchange(const struct logical *l, const struct step *a, const struct step *b)
{
    if (a->kind != STEP_EVENT || b->kind != STEP_EVENT || !a->has_partner || !b->has_partner ||
        !same_processes(a, b) || !same_numbers(a, b, 0) || !same_partner(a, b))
        return false;
    const struct form_pieces p = form_split(l, a->form), q = form_split(l, b->form);
    return is_verb(&p, "recv") && is_verb(&q, "send") && p.n_middle == q.n_middle && p.n_end == q.n_end &&
           memcmp(p.middle, q.middle, p.n_middle + p.n_end) == 0;
}

static bool same_verb(const struct step *a, const struct step *b)
{
    return a->kind == STEP_EVENT && b->kind == STEP_EVENT && a->form == b->form && same_processes(a, b);
}

/* If there are several receives before several sends, the last receive and the first send are not
 * an exchange. */
size_t line_item(const struct logical *l, const struct steps *s, size_t at)
{
    if (at + 1 >= s->n || !is_exchange(l, s->items[at], s->items[at + 1]))
        return 1;
    const bool several = (at > 0 && same_verb(s->items[at - 1], s->items[at])) ||
                         (at + 2 < s->n && same_verb(s->items[at + 1], s->items[at + 2]));
    return several ? 1 : 2;
}

size_t line_end(const struct logical *l, const struct steps *s, size_t at)
{
    const struct step *first = s->items[at];
    const size_t each = line_item(l, s, at);
    size_t end = at + each;
    if (first->kind != STEP_EVENT || !first->has_partner)
        return end;
    const bool comm = form_split(l, first->form).n_end > 0;
    while (end < s->n) {
        const struct step *next = s->items[end];
        if (next->kind != STEP_EVENT || next->form != first->form || line_item(l, s, end) != each ||
            !same_processes(first, next) || (comm && !same_numbers(first, next, first->n - 1)))
            break;
        end += each;
    }
    return end;
}

size_t line_count(const struct logical *l, const struct steps *s, size_t at, size_t n)
{
    const struct steps some = {.items = s->items + at, .n = n};
    size_t lines = 0;
    for (size_t i = 0; i < n; i = line_end(l, &some, i)) {
        const struct step *step = some.items[i];
        lines++;
        if (step->kind == STEP_LOOP)
            lines += line_count(l, &step->body, 0, step->body.n);
    }
    return lines;
}
