/* SPDX-License-Identifier: BSD-3-Clause */
#include "decoder/topology/view/topology_text.h"
#include "decoder/util/json.h"
#include "decoder/util/text.h"
#include "logical_text.h"
#include "statement_text.h"

struct json_printer {
    const struct logical *logical;
    const struct annotations *notes;
    struct output *out;
    struct json j;
    struct bytes text; /* scratch */
};

/* Writes the scratch text as a string. */
static void put_text(struct json_printer *p, const char *key)
{
    json_string_n(&p->j, key, (const char *)p->text.data, p->text.n);
    p->out->text.failed = p->out->text.failed || p->text.failed;
    p->text.n = 0;
}

static void put_ranks(struct json_printer *p, const uint32_t *processes, uint32_t n)
{
    json_array(&p->j, "ranks");
    for (uint32_t i = 0; i < n; i++)
        json_uint(&p->j, NULL, logical_rank(p->logical, processes[i]));
    json_end(&p->j);
}

/* Writes {"event":"send {} tag{}","partner":"x+1","numbers":["3000+x"]}. */
static void put_event(struct json_printer *p, const struct step *s)
{
    const struct text_table *forms = &p->logical->forms;
    const char *text = text_table_at(forms, s->form);
    for (size_t i = 0; i < forms->items.items[s->form].n; i++) {
        if (text[i] == FORM_NUMBER || text[i] == FORM_PARTNER)
            text_put(&p->text, "{}");
        else
            text_putc(&p->text, text[i]);
    }
    put_text(p, "event");
    if (s->has_partner) {
        statement_put_partner(p->logical, s, &p->text);
        put_text(p, "partner");
    }
    json_array(&p->j, "numbers");
    for (uint32_t k = 0; k < s->n; k++) {
        statement_put_number(p->logical, s, &s->numbers[k], false, NULL, &p->text);
        put_text(p, NULL);
    }
    json_end(&p->j);
    if (p->notes) {
        annotations_put(p->notes, p->logical, s, &p->text);
        if (p->text.n > 0)
            put_text(p, "note");
    }
}

static enum refrain_status put_steps(struct json_printer *p, const struct steps *steps)
{
    enum refrain_status status = REFRAIN_OK;
    json_array(&p->j, "body");
    for (size_t i = 0; i < steps->n && status == REFRAIN_OK; i++) {
        const struct step *s = steps->items[i];
        json_object(&p->j, NULL);
        if (s->kind == STEP_EVENT) {
            put_event(p, s);
        } else if (s->kind == STEP_CALL) {
            statement_put_name(p->logical, s->procedure, &p->text);
            put_text(p, "call");
        } else {
            statement_put_number(p->logical, s, &s->count, false, NULL, &p->text);
            put_text(p, "times");
        }
        put_ranks(p, s->processes, s->n_processes);
        if (s->kind == STEP_LOOP)
            status = put_steps(p, &s->body);
        json_end(&p->j);
        if (status == REFRAIN_OK)
            status = output_drain(p->out);
    }
    json_end(&p->j);
    return status;
}

static void put_topology(struct json_printer *p)
{
    const struct compass *c = p->logical->compass;
    const struct survey *s = c->survey;
    if (!c->topology) {
        json_null(&p->j, "topology");
        return;
    }
    topology_put_name(c->topology, &p->text);
    put_text(p, "topology");
    json_real(&p->j, "accuracy_calls", topology_share(s->inside.messages, s->traffic->all.messages));
    json_real(&p->j, "accuracy_bytes", topology_share(s->inside.bytes, s->traffic->all.bytes));
}

static enum refrain_status put_all(struct json_printer *p)
{
    const struct logical *l = p->logical;
    enum refrain_status status = REFRAIN_OK;
    put_topology(p);
    json_bool(&p->j, "cut", l->is_cut);
    json_array(&p->j, "programs");
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++) {
        const struct section *s = &l->sections.items[i];
        json_object(&p->j, NULL);
        json_uint(&p->j, "thread", s->thread);
        put_ranks(p, s->processes, s->n_processes);
        status = put_steps(p, &s->body);
        json_end(&p->j);
    }
    json_end(&p->j);
    json_array(&p->j, "procedures");
    for (uint32_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++) {
        json_object(&p->j, NULL);
        statement_put_name(l, i, &p->text);
        put_text(p, "name");
        status = put_steps(p, &l->procedures.items[i].body);
        json_end(&p->j);
    }
    json_end(&p->j);
    return status;
}

enum refrain_status logical_put_json(const struct logical *l, const struct annotations *notes,
                                     struct output *out)
{
    struct json_printer p = {.logical = l, .notes = notes, .out = out, .j = json_of(&out->text)};
    json_object(&p.j, NULL);
    const enum refrain_status status = put_all(&p);
    json_end(&p.j);
    text_putc(&out->text, '\n');
    bytes_free(&p.text);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
