/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_notes.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* "@ send @ tag#": the word after who acts. */
static const char *verb_of(const struct loop_groups *g, uint32_t number, size_t *n)
{
    const struct event_template *template = &g->templates->items.items[number];
    const char *text = event_template_text(g->templates, template), *end = text + template->n;
    const char *verb = memchr(text, ' ', template->n);
    verb = verb ? verb + 1 : end;
    const char *blank = verb < end ? memchr(verb, ' ', (size_t)(end - verb)) : NULL;
    *n = (size_t)((blank ? blank : end) - verb);
    return verb;
}

/* All events of a rank. */
static enum refrain_status note_member(struct event_noting *n, const struct loop_groups *g,
                                       const struct loop_member *member, struct event_note *notes)
{
    const struct nlr *model = g->groups.items[member->group].model;
    const struct nlr_node *node;
    struct nlr_path path;
    uint64_t number = 0;
    enum refrain_status status = event_noting_start(n, member->rank, member->thread);
    nlr_path_start(&path, model);
    while (status == REFRAIN_OK && (node = nlr_path_event(&path))) {
        struct event_note *note = &notes[node - model->nodes.items];
        size_t length;
        const char *verb = verb_of(g, node->template, &length);
        uint64_t bytes;
        status = event_noting_take(n, number++, note);
        if (status == REFRAIN_OK && n->what & ANNOTATE_SIZES)
            status = event_noting_bytes(n, verb, length, note, &bytes);
        nlr_path_pass(&path);
    }
    if (status == REFRAIN_OK)
        status = event_noting_end(n);
    event_noting_stop(n);
    return status;
}

static enum refrain_status reserve(struct loop_notes *n, const struct loop_groups *g)
{
    n->of_group = calloc(g->groups.n + 1, sizeof *n->of_group);
    for (; n->of_group && n->n_groups < g->groups.n; n->n_groups++) {
        const size_t nodes = g->groups.items[n->n_groups].model->nodes.n;
        n->of_group[n->n_groups] = calloc(nodes + 1, sizeof **n->of_group);
        if (!n->of_group[n->n_groups])
            break;
    }
    if (n->of_group && n->n_groups == g->groups.n)
        return REFRAIN_OK;
    log_error("out of memory: notes of %zu models", g->groups.n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status loop_notes_create(struct loop_notes *n, const struct loop_groups *g,
                                      const struct reader *r, const struct definitions *d,
                                      const struct symbols *s, enum call_event_mode mode, unsigned what)
{
    struct event_noting noting = {0};
    *n = (struct loop_notes){.what = what, .reader = r, .symbols = s};
    enum refrain_status status = reserve(n, g);
    if (status == REFRAIN_OK)
        status = event_noting_create(&noting, r, d, mode, what);
    for (size_t i = 0; i < g->members.n && status == REFRAIN_OK; i++) {
        const struct loop_member *member = &g->members.items[i];
        if (what != ANNOTATE_SITES || member->rank == g->groups.items[member->group].ranks.items[0])
            status = note_member(&noting, g, member, n->of_group[member->group]);
    }
    n->run = noting.run;
    event_noting_free(&noting);
    return status;
}

void loop_notes_free(struct loop_notes *n)
{
    for (size_t i = 0; i < n->n_groups; i++)
        free(n->of_group[i]);
    free(n->of_group);
    *n = (struct loop_notes){0};
}

void loop_notes_put(const struct loop_notes *n, size_t group, size_t node, struct bytes *out)
{
    const struct event_note *note = &n->of_group[group][node];
    const size_t before = out->n;
    if (n->what & ANNOTATE_SITES)
        event_note_put_sites(note, n->reader, n->symbols, out);
    if (n->what & ANNOTATE_SIZES && note->most > 0) {
        text_put(out, out->n > before ? ", " : "");
        event_note_put_bytes(note, out);
    }
    if (n->what & ANNOTATE_TIMES && note->calls > 0) {
        text_put(out, out->n > before ? ", " : "");
        event_note_put_times(note, n->run, out);
    }
}
