/* SPDX-License-Identifier: BSD-3-Clause */
#include "annotations.h"

#include "decoder/util/text.h"
#include "logical_walk.h"
#include "src/core/base/log.h"
#include "statement_text.h"

#include <stdlib.h>
#include <string.h>

struct noting {
    struct annotations *notes;
    const struct logical *logical;
    struct event_noting events;
    bool *wanted; /* by process */
};

/* ---- one event ------------------------------------------------------------------------------- */

static enum refrain_status note_bytes(struct noting *n, struct annotation *note, const struct step *s,
                                      size_t place)
{
    const struct text_item *form = &n->logical->forms.items.items[s->form];
    const char *text = text_table_at(&n->logical->forms, s->form), *blank = memchr(text, ' ', form->n);
    uint64_t bytes;
    const enum refrain_status status =
        event_noting_bytes(&n->events, text, blank ? (size_t)(blank - text) : form->n, &note->events, &bytes);
    if (status != REFRAIN_OK)
        return status;
    if (!note->bytes.values) {
        note->bytes.cells = 1;
        note->bytes.values = arena_array(&n->notes->arena, s->n_processes, sizeof *note->bytes.values);
        note->bytes.coefs = arena_array(&n->notes->arena, s->depth + 1, sizeof *note->bytes.coefs);
        if (!note->bytes.values || !note->bytes.coefs)
            return REFRAIN_ERR_MEMORY;
        for (uint32_t i = 0; i < s->n_processes; i++)
            note->bytes.values[i] = UINT64_MAX;
    }
    uint64_t *value = &note->bytes.values[place];
    note->varies = note->varies || (*value != UINT64_MAX && *value != bytes);
    *value = bytes;
    return REFRAIN_OK;
}

static enum refrain_status visit(struct logical_walk *w, const struct step *s, const uint64_t *indices)
{
    struct noting *n = w->context;
    struct annotation *note = &n->notes->items[s->number];
    const enum refrain_status status = event_noting_take(&n->events, w->number, &note->events);
    (void)indices;
    return status == REFRAIN_OK && n->notes->what & ANNOTATE_SIZES
               ? note_bytes(n, note, s, step_place(s, w->process))
               : status;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Chooses for each statement its first process, unless an already chosen process executes it,
 * too. */
static void choose(struct noting *n, const struct steps *steps)
{
    for (size_t i = 0; i < steps->n; i++) {
        const struct step *s = steps->items[i];
        bool any = false;
        if (s->kind == STEP_LOOP)
            choose(n, &s->body);
        for (uint32_t k = 0; s->kind == STEP_EVENT && k < s->n_processes && !any; k++)
            any = n->wanted[s->processes[k]];
        if (s->kind == STEP_EVENT && !any)
            n->wanted[s->processes[0]] = true;
    }
}

static enum refrain_status walk_process(struct noting *n, uint32_t process)
{
    const struct model_process *p = &n->logical->model->processes.items[process];
    struct logical_walk w = {
        .logical = n->logical, .process = process, .once = n->notes->what == 0, .visit = visit, .context = n};
    enum refrain_status status = event_noting_start(&n->events, p->rank, p->thread);
    if (status == REFRAIN_OK)
        status = logical_walk(&w);
    if (status == REFRAIN_OK)
        status = event_noting_end(&n->events);
    event_noting_stop(&n->events);
    return status;
}

static enum refrain_status walk_processes(struct noting *n)
{
    const struct logical *l = n->logical;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->sections.n; i++)
        choose(n, &l->sections.items[i].body);
    for (size_t i = 0; i < l->procedures.n; i++)
        choose(n, &l->procedures.items[i].body);
    for (uint32_t i = 0; i < l->model->processes.n && status == REFRAIN_OK; i++) {
        if (n->wanted[i] || n->notes->what & (ANNOTATE_SIZES | ANNOTATE_TIMES))
            status = walk_process(n, i);
    }
    return status;
}

enum refrain_status annotations_create(struct annotations *notes, const struct logical *l,
                                       const struct reader *r, const struct definitions *d,
                                       const struct symbols *s, unsigned what)
{
    struct noting n = {.notes = notes, .logical = l};
    *notes = (struct annotations){.what = what, .reader = r, .symbols = s};
    notes->items = calloc(l->n_events + 1, sizeof *notes->items);
    n.wanted = calloc(l->model->processes.n + 1, sizeof *n.wanted);
    enum refrain_status status = notes->items && n.wanted ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        log_error("out of memory: notes of %u statements", l->n_events);
    if (status == REFRAIN_OK)
        status = event_noting_create(&n.events, r, d, CALL_EVENT_MESSAGES, what);
    if (status == REFRAIN_OK)
        status = walk_processes(&n);
    notes->run = n.events.run;
    event_noting_free(&n.events);
    free(n.wanted);
    if (status != REFRAIN_OK)
        annotations_free(notes);
    return status;
}

void annotations_free(struct annotations *n)
{
    arena_free(&n->arena);
    free(n->items);
    *n = (struct annotations){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Writes the separator between two notes. */
static void put_comma(struct bytes *out, size_t before)
{
    text_put(out, out->n > before ? ", " : "");
}

static void put_bytes(const struct logical *l, const struct annotation *note, const struct step *s,
                      struct bytes *out)
{
    bool all = !note->varies;
    for (uint32_t i = 0; i < s->n_processes && all; i++)
        all = note->bytes.values[i] != UINT64_MAX;
    if (!all) {
        event_note_put_bytes(&note->events, out);
        return;
    }
    statement_put_number(l, s, &note->bytes, false, NULL, out);
    text_put(out, note->events.least == 1 && note->events.most == 1 ? " byte" : " bytes");
}

void annotations_put(const struct annotations *n, const struct logical *l, const struct step *s,
                     struct bytes *out)
{
    const struct annotation *note = &n->items[s->number];
    const size_t before = out->n;
    if (n->what & ANNOTATE_SITES)
        event_note_put_sites(&note->events, n->reader, n->symbols, out);
    if (n->what & ANNOTATE_SIZES && note->events.most > 0) {
        put_comma(out, before);
        put_bytes(l, note, s, out);
    }
    if (n->what & ANNOTATE_TIMES && note->events.calls > 0) {
        put_comma(out, before);
        event_note_put_times(&note->events, n->run, out);
    }
}
