#include "model_text.h"

#include "log.h"
#include "loop_text.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------------------
 */

static void put_term(int64_t factor, uint32_t index, bool first, struct bytes *out)
{
    const uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
    text_put(out, factor < 0 ? "-" : first ? "" : "+");
    if (size != 1) {
        text_uint(out, size);
        text_putc(out, '*');
    }
    text_putc(out, 'i');
    text_uint(out, index);
}

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
        put_term((int64_t)words[1 + d], d, first, out);
        first = false;
    }
    if (brackets)
        text_putc(out, ')');
}

void model_put_event(const struct model *m, const struct act *act, uint32_t depth, size_t from, size_t end,
                     struct bytes *out)
{
    const struct event_form *form = &m->forms->items.items[act->form];
    const char *text = event_form_text(m->forms, form);
    uint32_t k = 0;
    for (size_t i = 0; i < end; i++) {
        const bool hole = text[i] == EVENT_NUMBER || text[i] == EVENT_RANK;
        const bool alone = (i == 0 || text[i - 1] == ' ') && (i + 1 == form->n || text[i + 1] == ' ');
        if (hole && i >= from)
            model_put_affine(act->words + (size_t)k * (depth + 1), depth, !alone, out);
        else if (i >= from)
            text_putc(out, text[i]);
        k += hole;
    }
}

size_t model_head_end(const char *form, size_t n)
{
    const char *const verbs[] = {" send ", " recv "};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        const size_t length = strlen(verbs[i]);
        if (n > 1 + length && form[0] == EVENT_RANK && memcmp(form + 1, verbs[i], length) == 0) {
            const char *blank = memchr(form + 1 + length, ' ', n - 1 - length);
            return blank ? (size_t)(blank - form) : n;
        }
    }
    return n > 0 && form[0] == EVENT_RANK ? 1 : 0;
}

bool model_is_message(const struct model *m, const struct construct *c)
{
    const struct event_form *form = &m->forms->items.items[c->acts[0].form];
    return c->n_acts == 2 && model_head_end(event_form_text(m->forms, form), form->n) > 1;
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
        if (all == 0 || ranks[all - 1] != rank) /* its threads are processes of their own */
            ranks[all++] = rank;
    }
    loop_put_ranks(ranks, all, out);
    free(ranks);
    return REFRAIN_OK;
}

/* ---- lines ----------------------------------------------------------------------------------------------
 */

/* Events that have all in common but who does them are one line: "0 -> 1, 1 -> 2 tag3". */
struct writer {
    const struct model *m;
    struct output *out;
    ARRAY(const struct construct *) line; /* the events of the line that is begun */
    struct bytes tail, line_tail;         /* behind who does it: of an event; of the line */
};

static const char *text_of(const struct writer *w, const struct act *act, size_t *n)
{
    const struct event_form *form = &w->m->forms->items.items[act->form];
    *n = form->n;
    return event_form_text(w->m->forms, form);
}

static void put_indent(struct writer *w, uint32_t depth)
{
    for (uint32_t d = 0; d < depth; d++)
        text_put(&w->out->text, "  ");
}

/* Does number k depend on no index? */
static bool is_plain(const struct construct *c, uint32_t k)
{
    const uint64_t *words = c->acts[0].words + (size_t)k * (c->depth + 1);
    for (uint32_t d = 0; d < c->depth; d++) {
        if (words[1 + d] != 0)
            return false;
    }
    return true;
}

/* From one event of the line to the next, by how much number k of what they have in front grows. */
static uint64_t step_of(const struct writer *w, size_t i, uint32_t k)
{
    const struct construct *a = w->line.items[i], *b = w->line.items[i + 1];
    if (!is_plain(a, k) || !is_plain(b, k))
        return UINT64_MAX;
    return b->acts[0].words[(size_t)k * (b->depth + 1)] - a->acts[0].words[(size_t)k * (a->depth + 1)];
}

/* The last event of those from i on, at least three, whose process or partner, or both, count up; i if there
 * are none. */
static size_t run_from(const struct writer *w, size_t i, bool partner)
{
    size_t last = i;
    const uint64_t step = i + 1 < w->line.n ? step_of(w, i, 0) : UINT64_MAX;
    const uint64_t other = i + 1 < w->line.n && partner ? step_of(w, i, 1) : 0;
    if (step > 1 || other > 1 || step + other == 0)
        return i;
    while (last + 1 < w->line.n && step_of(w, last, 0) == step && (!partner || step_of(w, last, 1) == other))
        last++;
    return last >= i + 2 ? last : i;
}

/* The part of the events' forms, a number, once or "first-last". */
static void put_run(struct writer *w, size_t i, size_t last, size_t at)
{
    const struct construct *a = w->line.items[i], *b = w->line.items[last];
    const uint32_t k = at > 0; /* the partner is the second number */
    model_put_event(w->m, &a->acts[0], a->depth, at, at + 1, &w->out->text);
    if (last > i && step_of(w, i, k) != 0) {
        text_putc(&w->out->text, '-');
        model_put_event(w->m, &b->acts[0], b->depth, at, at + 1, &w->out->text);
    }
}

/* "0 -> 1", "0 send 1", "0", or "0-2 -> 1-3" for several, which may have one process or partner: "0 -> 1-3".
 */
static void put_heads(struct writer *w)
{
    const struct construct *first = w->line.items[0];
    size_t n;
    const char *text = text_of(w, &first->acts[0], &n);
    const size_t head = model_head_end(text, n);
    const bool partner = head > 1 && text[head - 1] == EVENT_RANK;
    for (size_t i = 0, last; i < w->line.n; i = last + 1) {
        last = run_from(w, i, partner);
        if (i > 0)
            text_put(&w->out->text, ", ");
        if (head > 0)
            put_run(w, i, last, 0);
        if (model_is_message(w->m, first))
            text_put(&w->out->text, " -> ");
        else if (head > 1)
            bytes_put(&w->out->text, text + 1, head - 1 - partner);
        if (partner)
            put_run(w, i, last, head - 1);
    }
}

static bool is_group(const struct writer *w, const struct construct *c)
{
    return c->n_acts > 1 && !model_is_message(w->m, c);
}

static enum refrain_status end_line(struct writer *w)
{
    if (w->line.n > 0) {
        put_indent(w, w->line.items[0]->depth);
        if (!is_group(w, w->line.items[0]))
            put_heads(w);
        bytes_put(&w->out->text, w->line_tail.data, w->line_tail.n);
        text_putc(&w->out->text, '\n');
    }
    w->line.n = 0;
    return output_drain(w->out);
}

static enum refrain_status put_members(const struct writer *w, const struct construct *c, struct bytes *out)
{
    uint32_t *processes = malloc(c->n_acts * sizeof *processes);
    if (!processes) {
        log_error("out of memory: %u members", c->n_acts);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < c->n_acts; k++)
        processes[k] = c->acts[k].process;
    text_put(out, "   [");
    const enum refrain_status status = model_put_ranks(w->m, processes, c->n_acts, out);
    text_putc(out, ']');
    free(processes);
    return status;
}

/* Does c go on the line, with its tail? */
static bool goes_on(const struct writer *w, const struct construct *c)
{
    if (w->line.n == 0 || w->line.items[0]->n_acts != c->n_acts || is_group(w, c))
        return false;
    size_t n, m;
    const char *a = text_of(w, &w->line.items[0]->acts[0], &n), *b = text_of(w, &c->acts[0], &m);
    return n == m && memcmp(a, b, n) == 0 && w->tail.n == w->line_tail.n &&
           (w->tail.n == 0 || memcmp(w->tail.data, w->line_tail.data, w->tail.n) == 0);
}

static enum refrain_status put_event(struct writer *w, const struct construct *c)
{
    size_t n;
    const char *text = text_of(w, &c->acts[0], &n);
    const size_t head = model_head_end(text, n);
    enum refrain_status status = REFRAIN_OK;
    w->tail.n = 0;
    model_put_event(w->m, &c->acts[0], c->depth, is_group(w, c) ? head + 1 : head, n, &w->tail);
    if (!goes_on(w, c)) {
        if ((status = end_line(w)) != REFRAIN_OK)
            return status;
        w->line_tail.n = 0;
        bytes_put(&w->line_tail, w->tail.data, w->tail.n);
        if (is_group(w, c))
            status = put_members(w, c, &w->line_tail);
    }
    return status == REFRAIN_OK && !array_push(&w->line, c) ? REFRAIN_ERR_MEMORY : status;
}

static enum refrain_status put_system(struct writer *w, const struct system *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK && !w->out->closed; i++) {
        const struct construct *c = s->items[i];
        if (!construct_is_loop(c)) {
            status = put_event(w, c);
            continue;
        }
        if ((status = end_line(w)) != REFRAIN_OK)
            break;
        put_indent(w, c->depth);
        text_printf(&w->out->text, "for i%u = 1 to ", c->depth);
        model_put_affine(c->count, c->depth, false, &w->out->text);
        text_put(&w->out->text, "   [");
        status = model_put_ranks(w->m, c->processes, c->n_processes, &w->out->text);
        text_put(&w->out->text, "]\n");
        if (status == REFRAIN_OK)
            status = put_system(w, c->body);
        if (status == REFRAIN_OK)
            status = end_line(w);
        put_indent(w, c->depth);
        text_put(&w->out->text, "done\n");
    }
    return status;
}

enum refrain_status model_put_text(const struct model *m, struct output *out)
{
    struct writer w = {.m = m, .out = out};
    enum refrain_status status = put_system(&w, m->all);
    if (status == REFRAIN_OK)
        status = end_line(&w);
    if (status == REFRAIN_OK && (w.tail.failed || w.line_tail.failed || out->text.failed))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&w.tail);
    bytes_free(&w.line_tail);
    array_free(&w.line);
    return status;
}

/* ---- events ---------------------------------------------------------------------------------------------
 */

enum refrain_status model_put_events(const struct model *m, uint32_t process, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    struct model_path path;
    const struct act *act;
    model_path_start(&path, m->all, process);
    while (status == REFRAIN_OK && !out->closed && (act = model_path_next(&path))) {
        const struct event_form *form = &m->forms->items.items[act->form];
        const char *text = event_form_text(m->forms, form);
        uint32_t k = 0;
        for (size_t i = 0; i < form->n; i++) {
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
