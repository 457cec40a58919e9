/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_text.h"

#include "construct_path.h"
#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"
#include "model_lines.h"
#include "src/core/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

void model_put_affine(const uint64_t *words, uint32_t depth, bool brackets, struct bytes *out)
{
    uint64_t constant = words[0];
    bool plain = true;
    for (uint32_t d = 0; d < depth; d++) {
        constant -= words[1 + d];
        plain = plain && words[1 + d] == 0;
    }
    brackets = brackets && !plain;
    if (brackets)
        text_putc(out, '(');
    bool first = !plain && constant == 0;
    if (!first)
        text_int(out, (int64_t)constant);
    for (uint32_t d = 0; d < depth; d++) {
        if (words[1 + d] == 0)
            continue;
        loop_put_term((int64_t)words[1 + d], d, first, out);
        first = false;
    }
    if (brackets)
        text_putc(out, ')');
}

void model_put_event(const struct model *m, const struct act *act, uint32_t depth, size_t from, size_t end,
                     struct bytes *out)
{
    const struct event_template *template = &m->templates->items.items[act->template];
    const char *text = event_template_text(m->templates, template);
    uint32_t k = 0;
    for (size_t i = 0; i < end; i++) {
        const bool hole = text[i] == EVENT_NUMBER || text[i] == EVENT_RANK;
        const bool alone = (i == 0 || text[i - 1] == ' ') && (i + 1 == template->n || text[i + 1] == ' ');
        if (hole && i >= from)
            model_put_affine(act->words + (size_t)k * (depth + 1), depth, !alone, out);
        else if (i >= from)
            text_putc(out, text[i]);
        k += hole;
    }
}

size_t model_head_end(const char *template, size_t n)
{
    const char *const verbs[] = {" send ", " recv "};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        const size_t length = strlen(verbs[i]);
        if (n > 1 + length && template[0] == EVENT_RANK && memcmp(template + 1, verbs[i], length) == 0) {
            const char *blank = memchr(template + 1 + length, ' ', n - 1 - length);
            return blank ? (size_t)(blank - template) : n;
        }
    }
    return n > 0 && template[0] == EVENT_RANK ? 1 : 0;
}

bool model_is_message(const struct model *m, const struct construct *c)
{
    const struct event_template *template = &m->templates->items.items[c->acts[0].template];
    return c->n_acts == 2 && model_head_end(event_template_text(m->templates, template), template->n) > 1;
}

enum refrain_status model_put_ranks(const struct model *m, const uint32_t *processes, size_t n,
                                    struct bytes *out)
{
    uint32_t *ranks = malloc((n + 1) * sizeof *ranks);
    size_t all = 0;
    if (!ranks) {
        log_error("out of memory: %zu ranks", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t rank = m->processes.items[processes[i]].rank;
        if (all == 0 || ranks[all - 1] != rank) /* each thread is a process */
            ranks[all++] = rank;
    }
    loop_put_ranks(ranks, all, out);
    free(ranks);
    return REFRAIN_OK;
}

/* ---- systems --------------------------------------------------------------------------------- */

/* Returns the length of the longest path in a system. A line may have several constructs. */
static int widest_path(const struct system *s)
{
    const int digits = snprintf(NULL, 0, "%zu", s->n);
    int widest = s->n > 1 ? 2 * digits + 1 : digits;
    for (size_t i = 0; i < s->n; i++) {
        if (construct_is_loop(s->items[i])) {
            const int inside = digits + 1 + widest_path(s->items[i]->body);
            widest = inside > widest ? inside : widest;
        }
    }
    return widest;
}

static enum refrain_status put_system(struct model_lines *l, const struct system *s);

/* Writes construct number i of a system. */
static enum refrain_status put_loop(struct model_lines *l, const struct system *s, size_t i)
{
    const struct construct *c = s->items[i];
    struct bytes *out = &l->out->text;
    enum refrain_status status = model_lines_end(l);
    if (status != REFRAIN_OK)
        return status;
    model_lines_begin(l, &l->path, 1, c->depth);
    text_printf(out, "for i%u = 1 to ", c->depth);
    model_put_affine(c->count, c->depth, false, out);
    text_put(out, "   [");
    status = model_put_ranks(l->m, c->processes, c->n_processes, out);
    text_put(out, "]\n");
    if (status == REFRAIN_OK)
        status = put_system(l, c->body);
    if (status == REFRAIN_OK)
        status = model_lines_end(l);
    construct_path_set(&l->path, s, i);
    model_lines_begin(l, &l->path, 1, c->depth);
    text_put(out, "done\n");
    return status;
}

static enum refrain_status put_system(struct model_lines *l, const struct system *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK && !l->out->closed; i++) {
        construct_path_set(&l->path, s, i);
        status = construct_is_loop(s->items[i]) ? put_loop(l, s, i) : model_lines_add(l, s->items[i]);
    }
    return status;
}

static enum refrain_status put_lines(const struct model *m, int margin, struct output *out)
{
    struct model_lines lines;
    enum refrain_status status = model_lines_start(&lines, m, margin, out);
    if (status == REFRAIN_OK)
        status = put_system(&lines, m->all);
    if (status == REFRAIN_OK)
        status = model_lines_end(&lines);
    if (status == REFRAIN_OK && out->text.failed)
        status = REFRAIN_ERR_MEMORY;
    model_lines_free(&lines);
    return status;
}

enum refrain_status model_put_text(const struct model *m, struct output *out)
{
    return put_lines(m, 0, out);
}

enum refrain_status model_put_paths(const struct model *m, struct output *out)
{
    return put_lines(m, widest_path(m->all), out);
}

/* ---- events ---------------------------------------------------------------------------------- */

enum refrain_status model_put_events(const struct model *m, uint32_t process, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    struct model_path path;
    const struct act *act;
    model_path_start(&path, m->all, process);
    while (status == REFRAIN_OK && !out->closed && (act = model_path_next(&path))) {
        const struct event_template *template = &m->templates->items.items[act->template];
        const char *text = event_template_text(m->templates, template);
        uint32_t k = 0;
        for (size_t i = 0; i < template->n; i++) {
            if (text[i] != EVENT_NUMBER && text[i] != EVENT_RANK) {
                text_putc(&out->text, text[i]);
                continue;
            }
            const uint64_t *words = act->words + (size_t)k++ * (path.depth + 1);
            text_int(&out->text, (int64_t)affine_value(words, path.depth, path.indices));
        }
        text_putc(&out->text, '\n');
        status = output_drain(out);
    }
    return status;
}
