/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_text.h"

#include "condition.h"
#include "decoder/topology/identify/numbering.h"
#include "decoder/topology/view/topology_text.h"
#include "decoder/util/text.h"
#include "statement_text.h"
#include "logical_impl.h"

#include <string.h>

/* Lines are broken between items from here on. */
#define WIDTH 100

struct printer {
    const struct logical *logical;
    const struct annotations *notes; /* NULL: there are none; otherwise each statement has a line */
    struct footnotes *footnotes;
    struct output *out;
    struct process_set all; /* those that the lines at hand are for, unless they say less */
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* A piece of a form; `k`: the number of the step that comes next. */
static void put_piece(const struct printer *p, const struct step *s, const char *text, size_t n, uint32_t *k)
{
    for (size_t i = 0; i < n; i++) {
        const bool alone = i > 0 && text[i - 1] == ' ' && (i + 1 == n || text[i + 1] == ' ');
        if (text[i] == FORM_NUMBER)
            statement_put_number(p->logical, s, &s->numbers[(*k)++], !alone, p->footnotes, &p->out->text);
        else
            text_putc(&p->out->text, text[i]);
    }
}

static void put_indent(const struct printer *p, uint32_t indent)
{
    for (uint32_t i = 0; i < indent; i++)
        text_put(&p->out->text, "  ");
}

static enum refrain_status put_line_end(const struct printer *p, const struct step *s)
{
    const struct process_set these = {s->processes, s->n_processes};
    struct bytes *out = &p->out->text;
    if (these.n != p->all.n) {
        text_put(out, "   if ");
        condition_put(p->logical, these, p->all, out);
    }
    if (p->notes && s->kind == STEP_EVENT) {
        const size_t before = out->n;
        text_put(out, "   # ");
        const size_t from = out->n;
        annotations_put(p->notes, p->logical, s, out);
        if (out->n == from)
            out->n = before;
    }
    text_putc(out, '\n');
    return output_drain(p->out);
}

/* "recv x-1 tag2, y-1 tag4 comm1" */
static enum refrain_status put_messages(const struct printer *p, const struct steps *steps, size_t at,
                                        size_t end, uint32_t indent)
{
    const struct step *first = steps->items[at];
    const struct form_pieces f = form_split(p->logical, first->form);
    const size_t each = p->notes ? 1 : line_item(p->logical, steps, at);
    struct bytes *out = &p->out->text;
    size_t begin = out->n;
    uint32_t k = 0;
    put_indent(p, indent);
    for (size_t i = at; i < end; i += each) {
        const struct step *s = steps->items[i];
        if (i > at)
            text_putc(out, ',');
        if (out->n - begin > WIDTH) {
            text_putc(out, '\n');
            begin = out->n;
            put_indent(p, indent + 2);
        } else if (i > at) {
            text_putc(out, ' ');
        }
        if (i == at && each == 2)
            text_put(out, "exchange ");
        else if (i == at)
            text_printf(out, "%.*s ", (int)f.n_verb, f.verb);
        statement_put_partner(p->logical, s, out);
        k = 0;
        put_piece(p, s, f.middle, f.n_middle, &k);
    }
    put_piece(p, first, f.end, f.n_end, &k);
    return put_line_end(p, first);
}

/* Collective operations without the word that says so. */
static enum refrain_status put_event(const struct printer *p, const struct step *s, uint32_t indent)
{
    static const char word[] = "sync ";
    const char *text = text_table_at(&p->logical->forms, s->form);
    size_t n = p->logical->forms.items.items[s->form].n;
    uint32_t k = 0;
    put_indent(p, indent);
    if (n > sizeof word - 1 && memcmp(text, word, sizeof word - 1) == 0) {
        text += sizeof word - 1;
        n -= sizeof word - 1;
    }
    put_piece(p, s, text, n, &k);
    return put_line_end(p, s);
}

static enum refrain_status put_steps(struct printer *p, const struct steps *steps, uint32_t indent);

static enum refrain_status put_loop(struct printer *p, const struct step *s, uint32_t indent)
{
    const struct process_set all = p->all;
    put_indent(p, indent);
    text_printf(&p->out->text, "for i%u = 1 to ", s->depth);
    statement_put_number(p->logical, s, &s->count, false, p->footnotes, &p->out->text);
    enum refrain_status status = put_line_end(p, s);
    p->all = (struct process_set){s->processes, s->n_processes};
    if (status == REFRAIN_OK)
        status = put_steps(p, &s->body, indent + 1);
    p->all = all;
    return status;
}

static enum refrain_status put_steps(struct printer *p, const struct steps *steps, uint32_t indent)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t at = 0, end; at < steps->n && status == REFRAIN_OK && !p->out->closed; at = end) {
        const struct step *s = steps->items[at];
        end = p->notes ? at + 1 : line_end(p->logical, steps, at);
        if (s->kind == STEP_LOOP) {
            status = put_loop(p, s, indent);
        } else if (s->kind == STEP_CALL) {
            put_indent(p, indent);
            statement_put_name(p->logical, s->procedure, &p->out->text);
            status = put_line_end(p, s);
        } else {
            status = s->has_partner ? put_messages(p, steps, at, end, indent) : put_event(p, s, indent);
        }
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* How ranks follow from coordinates, where one rule says it. */
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

static void put_topology(const struct compass *c, struct bytes *out)
{
    const struct survey *s = c->survey;
    text_printf(out, "# %u rank%s", c->n_ranks, c->n_ranks == 1 ? "" : "s");
    if (!c->topology) {
        text_put(out,
                 s && s->components.n > 1 ? ": no topology that all parts have" : ": no regular topology");
        text_put(out, s && s->components.n > 0 ? ", so partners are relative to the rank\n" : "\n");
        return;
    }
    text_put(out, ": ");
    if (s->components.n > 1)
        text_printf(out, "%zu times ", s->components.n);
    topology_put_name(c->topology, out);
    put_order(c, out);
    text_putc(out, '\n');
    text_put(out, "# ");
    topology_put_shares(&s->inside, &s->traffic->all, out);
    text_put(out, " are between neighbours\n");
}

/* A thread that sends nothing and takes part in nothing has no program, unless there is none at all. */
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

enum refrain_status logical_put_text(const struct logical *l, const struct annotations *notes,
                                     struct output *out)
{
    struct footnotes footnotes = {0};
    struct printer p = {.logical = l, .notes = notes, .footnotes = &footnotes, .out = out};
    enum refrain_status status = REFRAIN_OK;
    const bool several = count_shown(l) > 1;
    put_topology(l->compass, &out->text);
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++) {
        const struct section *s = &l->sections.items[i];
        if (!is_shown(l, i))
            continue;
        p.all = (struct process_set){s->processes, s->n_processes};
        text_putc(&out->text, '\n');
        if (several)
            text_printf(&out->text, "# thread %u\n", s->thread);
        status = put_steps(&p, &s->body, 0);
    }
    for (uint32_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++) {
        const struct procedure *s = &l->procedures.items[i];
        p.all = (struct process_set){s->processes, s->n_processes};
        text_putc(&out->text, '\n');
        statement_put_name(l, i, &out->text);
        text_put(&out->text, ":\n");
        status = put_steps(&p, &s->body, 1);
    }
    text_put(&out->text, footnotes.texts.items.n > 0 ? "\n" : "");
    footnotes_put(&footnotes, &out->text);
    footnotes_free(&footnotes);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
