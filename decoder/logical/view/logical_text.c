/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_text.h"

#include "joint_text.h"
#include "printer.h"

#include "decoder/logical/condition.h"
#include "decoder/logical/line.h"
#include "decoder/topology/identify/numbering.h"
#include "decoder/topology/view/topology_text.h"
#include "decoder/util/text.h"

#include <string.h>

/* Longer lines are broken between items. */
#define WIDTH 100

/* ---- lines ----------------------------------------------------------------------------------- */

void printer_put_piece(const struct printer *p, const struct step *s, const char *text, size_t n, uint32_t *k)
{
    for (size_t i = 0; i < n; i++) {
        const bool alone = i > 0 && text[i - 1] == ' ' && (i + 1 == n || text[i + 1] == ' ');
        if (text[i] == FORM_NUMBER)
            statement_put_number(p->logical, s, &s->numbers[(*k)++], !alone, p->footnotes, &p->out->text);
        else
            text_putc(&p->out->text, text[i]);
    }
}

void printer_put_indent(const struct printer *p, uint32_t indent)
{
    for (uint32_t i = 0; i < indent; i++)
        text_put(&p->out->text, "  ");
}

void printer_put_note(const struct printer *p, const char *before, const struct step *s)
{
    struct bytes *out = &p->out->text;
    const size_t start = out->n;
    if (!p->notes || s->kind != STEP_EVENT)
        return;
    text_put(out, before);
    const size_t from = out->n;
    annotations_put(p->notes, p->logical, s, out);
    if (out->n == from)
        out->n = start;
}

void printer_put_condition(const struct printer *p, const struct step *s)
{
    const struct process_set these = {s->processes, s->n_processes};
    if (p->condition)
        text_put(&p->out->text, p->condition);
    if (p->condition || these.n == p->all.n)
        return;
    text_put(&p->out->text, "   if ");
    condition_put(p->logical, these, p->all, &p->out->text);
}

/* `of`: the step of the program that contains it. */
static enum refrain_status put_line_end(const struct printer *p, const struct step *s, const struct step *of)
{
    printer_put_condition(p, s);
    printer_put_note(p, "   # ", of);
    text_putc(&p->out->text, '\n');
    return output_drain(p->out);
}

/* Writes "recv x-1 tag2, y-1 tag4 comm1". */
enum refrain_status printer_put_messages(const struct printer *p, const struct steps *steps, size_t at,
                                         size_t end, const struct step *of, uint32_t indent)
{
    const struct step *first = steps->items[at];
    const struct form_pieces f = form_split(p->logical, first->form);
    const size_t each = p->notes ? 1 : line_item(p->logical, steps, at);
    struct bytes *out = &p->out->text;
    size_t begin = out->n;
    uint32_t k = 0;
    printer_put_indent(p, indent);
    for (size_t i = at; i < end; i += each) {
        const struct step *s = steps->items[i];
        if (i > at)
            text_putc(out, ',');
        if (out->n - begin > WIDTH) {
            text_putc(out, '\n');
            begin = out->n;
            printer_put_indent(p, indent + 2);
        } else if (i > at) {
            text_putc(out, ' ');
        }
        if (i == at && each == 2)
            text_put(out, "exchange ");
        else if (i == at)
            text_printf(out, "%.*s ", (int)f.n_verb, f.verb);
        statement_put_partner(p->logical, s, out);
        k = 0;
        printer_put_piece(p, s, f.middle, f.n_middle, &k);
    }
    printer_put_piece(p, first, f.end, f.n_end, &k);
    return put_line_end(p, first, of);
}

/* Writes an event; for collective operations without the word "sync". */
static enum refrain_status put_event(const struct printer *p, const struct step *s, const struct step *of,
                                     uint32_t indent)
{
    static const char word[] = "sync ";
    const char *text = text_table_at(&p->logical->forms, s->form);
    size_t n = p->logical->forms.items.items[s->form].n;
    uint32_t k = 0;
    printer_put_indent(p, indent);
    if (n > sizeof word - 1 && memcmp(text, word, sizeof word - 1) == 0) {
        text += sizeof word - 1;
        n -= sizeof word - 1;
    }
    printer_put_piece(p, s, text, n, &k);
    return put_line_end(p, s, of);
}

static enum refrain_status put_loop(struct printer *p, const struct step *s, uint32_t indent)
{
    const struct process_set all = p->all;
    printer_put_indent(p, indent);
    text_printf(&p->out->text, "for i%u = 1 to ", s->depth);
    statement_put_number(p->logical, s, &s->count, false, p->footnotes, &p->out->text);
    enum refrain_status status = put_line_end(p, s, s);
    p->all = (struct process_set){s->processes, s->n_processes};
    if (status == REFRAIN_OK)
        status = printer_put_body(p, &s->body, indent + 1);
    p->all = all;
    return status;
}

/* Writes the steps at … end - 1, which form one line or a loop. */
static enum refrain_status put_line(struct printer *p, const struct steps *steps, size_t at, size_t end,
                                    const struct step *of, uint32_t indent)
{
    const struct step *s = steps->items[at];
    if (s->kind == STEP_LOOP)
        return put_loop(p, s, indent);
    if (s->kind == STEP_EVENT)
        return s->has_partner ? printer_put_messages(p, steps, at, end, of, indent)
                              : put_event(p, s, of, indent);
    printer_put_indent(p, indent);
    statement_put_name(p->logical, s->procedure, &p->out->text);
    return put_line_end(p, s, s);
}

enum refrain_status printer_put_steps(struct printer *p, const struct steps *steps, uint32_t indent)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t at = 0, end; at < steps->n && status == REFRAIN_OK && !p->out->closed; at = end) {
        end = p->notes ? at + 1 : line_end(p->logical, steps, at);
        status = put_line(p, steps, at, end, steps->items[at], indent);
    }
    return status;
}

enum refrain_status printer_put_part(struct printer *p, const struct step *s, const struct step *of,
                                     uint32_t indent)
{
    struct step *item = (struct step *)s;
    const struct steps one = {.items = &item, .n = 1};
    return put_line(p, &one, 0, 1, of, indent);
}

enum refrain_status printer_put_body(struct printer *p, const struct steps *steps, uint32_t indent)
{
    return p->joint ? joint_put_body(p, steps, indent) : printer_put_steps(p, steps, indent);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Writes the rule that maps coordinates to ranks, if one rule holds for all. */
static void put_order(const struct compass *c, struct bytes *out)
{
    const struct survey *s = c->survey;
    const size_t start = out->n;
    bool told = false;
    text_put(out, ", ");
    if (c->lattice && s->components.n == 1 &&
        survey_put_rule(s, &s->components.items[0], out, &told) != REFRAIN_OK)
        out->failed = true;
    if (told)
        return;
    out->n = start;
    if (!c->topology->in_order)
        text_put(out, ", not in the order of ranks");
}

void logical_put_ranks(const struct compass *c, struct bytes *out)
{
    const struct survey *s = c->survey;
    text_printf(out, "%u rank%s: ", c->n_ranks, c->n_ranks == 1 ? "" : "s");
    if (!c->topology) {
        text_put(out, s && s->components.n > 1 ? "no topology that all parts have" : "no regular topology");
        text_put(out, s && s->components.n > 0 ? ", so partners are relative to the rank" : "");
        return;
    }
    if (s->components.n > 1)
        text_printf(out, "%zu times ", s->components.n);
    topology_put_name(c->topology, out);
    put_order(c, out);
}

static void put_topology(const struct compass *c, struct bytes *out)
{
    const struct survey *s = c->survey;
    text_put(out, "# ");
    logical_put_ranks(c, out);
    text_putc(out, '\n');
    if (!c->topology)
        return;
    text_put(out, "# ");
    topology_put_shares(&s->inside, &s->traffic->all, out);
    text_printf(out, " are between neighbours%s\n",
                s->traffic->of_windows ? "; messages are accesses to windows" : "");
}

/* A thread without events has no program, unless no thread has one. */
static bool is_shown(const struct logical *l, size_t section)
{
    return section == 0 || l->sections.items[section].body.n > 0;
}

static size_t count_shown(const struct logical *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->sections.n; i++)
        n += is_shown(l, i);
    return n;
}

static enum refrain_status put_all(const struct logical *l, struct joint *joint,
                                   const struct annotations *notes, struct output *out)
{
    struct footnotes footnotes = {0};
    struct printer p = {.logical = l, .joint = joint, .notes = notes, .footnotes = &footnotes, .out = out};
    enum refrain_status status = REFRAIN_OK;
    const bool several = count_shown(l) > 1;
    put_topology(l->compass, &out->text);
    if (l->is_cut)
        text_put(&out->text,
                 "# ranks have too little in common to be compared in full: some lines that ranks could "
                 "share are repeated\n");
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++) {
        const struct section *s = &l->sections.items[i];
        if (!is_shown(l, i))
            continue;
        p.all = (struct process_set){s->processes, s->n_processes};
        text_putc(&out->text, '\n');
        if (several)
            text_printf(&out->text, "# thread %u\n", s->thread);
        status = printer_put_body(&p, &s->body, 0);
    }
    for (uint32_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++) {
        const struct procedure *s = &l->procedures.items[i];
        p.all = (struct process_set){s->processes, s->n_processes};
        text_putc(&out->text, '\n');
        statement_put_name(l, i, &out->text);
        text_put(&out->text, ":\n");
        status = printer_put_body(&p, &s->body, 1);
    }
    text_put(&out->text, footnotes.texts.items.n > 0 ? "\n" : "");
    footnotes_put(&footnotes, &out->text);
    footnotes_free(&footnotes);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}

enum refrain_status logical_put_text(const struct logical *l, const struct annotations *notes,
                                     struct output *out)
{
    return put_all(l, NULL, notes, out);
}

enum refrain_status logical_put_joint(const struct logical *l, struct joint *joint,
                                      const struct annotations *notes, struct output *out)
{
    return put_all(l, joint, notes, out);
}
