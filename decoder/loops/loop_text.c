/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_text.h"

#include "decoder/util/text.h"

#include <assert.h>
#include <stdio.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number of a model, for indices that count from 1. */
struct number {
    int64_t constant;
    const uint64_t *coefs; /* of each enclosing loop, outermost first */
    uint32_t depth;
    bool relative; /* to the rank, to which `constant` is added */
};

static struct number number_of(const struct loop_group *g, const struct nlr_node *node, uint32_t j)
{
    const uint64_t *words = nlr_number(g->model, node, j);
    const size_t word = node->first + (size_t)j * (node->depth + 1);
    struct number number = {.coefs = words + 1, .depth = node->depth};
    uint64_t constant = words[0];
    for (uint32_t d = 0; d < node->depth; d++)
        constant -= words[1 + d];
    number.relative = loop_is_relative(g, word);
    if (number.relative)
        constant -= g->ranks.items[0];
    number.constant = (int64_t)constant;
    return number;
}

static bool is_plain(const struct number *n)
{
    for (uint32_t d = 0; d < n->depth; d++) {
        if (n->coefs[d] != 0)
            return false;
    }
    return !n->relative;
}

void loop_put_term(int64_t factor, uint32_t index, bool first, struct bytes *out)
{
    const uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
    if (factor < 0)
        text_putc(out, '-');
    else if (!first)
        text_putc(out, '+');
    if (size != 1) {
        text_uint(out, size);
        text_putc(out, '*');
    }
    text_putc(out, 'i');
    text_uint(out, index);
}

static void put_number(const struct number *n, struct bytes *out)
{
    bool first = true;
    if (n->relative) {
        text_put(out, "rank");
        first = false;
    }
    if (is_plain(n) || n->constant != 0) {
        if (n->relative && n->constant > 0)
            text_putc(out, '+');
        if (!n->relative || n->constant != 0)
            text_int(out, n->constant);
        first = false;
    }
    for (uint32_t d = 0; d < n->depth; d++) {
        if (n->coefs[d] == 0)
            continue;
        loop_put_term((int64_t)n->coefs[d], d, first, out);
        first = false;
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Returns how many ranks from the first on have equal distances. Two ranks that are not neighbours
 * count as single ones. */
static size_t run_of(const uint32_t *ranks, size_t n, uint32_t *step)
{
    size_t run = 1;
    *step = n > 1 && ranks[1] > ranks[0] ? ranks[1] - ranks[0] : 1;
    while (run < n && ranks[run] > ranks[run - 1] && ranks[run] - ranks[run - 1] == *step)
        run++;
    return run == 2 && *step != 1 ? 1 : run;
}

void loop_put_ranks(const uint32_t *ranks, size_t n, struct bytes *out)
{
    for (size_t i = 0, run; i < n; i += run) {
        uint32_t step;
        run = run_of(ranks + i, n - i, &step);
        if (i > 0)
            text_putc(out, ',');
        text_uint(out, ranks[i]);
        if (run > 1)
            text_printf(out, "-%u", ranks[i + run - 1]);
        if (run > 1 && step != 1)
            text_printf(out, ":%u", step);
    }
}

/* Does a word or the value of a word (count=2+i0) begin at i? */
static bool begins_word(const char *text, size_t i)
{
    return i == 0 || text[i - 1] == ' ' || text[i - 1] == '=';
}

/* Inside a word, anything but a plain number gets brackets: tag(2+i0). */
static void put_event(const struct loop_groups *g, const struct loop_group *group,
                      const struct nlr_node *node, struct bytes *out)
{
    const struct event_template *template = &g->templates->items.items[node->template];
    const char *text = event_template_text(g->templates, template);
    uint32_t j = 0;
    for (size_t i = 0; i < template->n; i++) {
        if (text[i] != EVENT_NUMBER && text[i] != EVENT_RANK) {
            text_putc(out, text[i]);
            continue;
        }
        const struct number number = number_of(group, node, j++);
        const bool alone = begins_word(text, i) && (i + 1 == template->n || text[i + 1] == ' ');
        const bool brackets = !alone && !is_plain(&number);
        if (brackets)
            text_putc(out, '(');
        put_number(&number, out);
        if (brackets)
            text_putc(out, ')');
    }
}

static void put_indent(uint32_t depth, struct bytes *out)
{
    for (uint32_t d = 0; d < depth; d++)
        text_put(out, "  ");
}

static void put_title(const struct loop_group *group, struct bytes *out)
{
    text_put(out, group->ranks.n == 1 ? "# rank " : "# ranks ");
    loop_put_ranks(group->ranks.items, group->ranks.n, out);
    if (group->thread > 0)
        text_printf(out, ", thread %u", group->thread);
    text_put(out, ": ");
    text_uint(out, group->events);
    text_put(out, group->events == 1 ? " event" : " events");
    text_put(out, group->ranks.n == 1 ? "\n" : " each\n");
}

/* "   # exchange (halo.c:31)" */
static void put_note(const struct loop_notes *notes, size_t group, size_t node, struct bytes *out)
{
    const size_t before = out->n;
    text_put(out, "   # ");
    const size_t start = out->n;
    loop_notes_put(notes, group, node, out);
    if (out->n == start)
        out->n = before;
}

enum refrain_status loop_put_text(const struct loop_groups *g, size_t number, const struct loop_notes *notes,
                                  struct output *out)
{
    const struct loop_group *group = &g->groups.items[number];
    const struct nlr *m = group->model;
    size_t ends[NLR_DEPTH_MAX];
    uint32_t open = 0;
    enum refrain_status status = REFRAIN_OK;
    put_title(group, &out->text);
    for (size_t k = 0; k <= m->nodes.n && status == REFRAIN_OK && !out->closed; k++) {
        while (open > 0 && ends[open - 1] == k) {
            put_indent(--open, &out->text);
            text_put(&out->text, "done\n");
        }
        if (k == m->nodes.n)
            break;
        const struct nlr_node *node = &m->nodes.items[k];
        put_indent(open, &out->text);
        if (nlr_is_loop(node)) {
            const struct number count = number_of(group, node, 0);
            text_printf(&out->text, "for i%u = 1 to ", open);
            put_number(&count, &out->text);
            ends[open++] = k + node->span;
        } else {
            put_event(g, group, node, &out->text);
            if (notes)
                put_note(notes, number, k, &out->text);
        }
        text_putc(&out->text, '\n');
        status = output_drain(out);
    }
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_json_number(struct json *j, const char *key, const struct number *n)
{
    char name[16];
    if (is_plain(n)) {
        json_int(j, key, n->constant);
        return;
    }
    json_object(j, key);
    json_int(j, "constant", n->constant);
    if (n->relative)
        json_int(j, "rank", 1);
    for (uint32_t d = 0; d < n->depth; d++) {
        if (n->coefs[d] == 0)
            continue;
        snprintf(name, sizeof name, "i%u", d);
        json_int(j, name, (int64_t)n->coefs[d]);
    }
    json_end(j);
}

/* Writes the template, with {} for each number. */
static void put_json_template(const struct loop_groups *g, struct json *j, uint32_t number)
{
    const struct event_template *template = &g->templates->items.items[number];
    const char *text = event_template_text(g->templates, template);
    struct bytes shown = {0};
    for (size_t i = 0; i < template->n; i++) {
        if (text[i] == EVENT_NUMBER || text[i] == EVENT_RANK)
            text_put(&shown, "{}");
        else
            text_putc(&shown, text[i]);
    }
    json_string_n(j, "event", (const char *)shown.data, shown.n);
    if (shown.failed)
        j->out->failed = true;
    bytes_free(&shown);
}

static void put_json_node(const struct loop_groups *g, const struct loop_group *group, struct json *j,
                          const struct nlr_node *node)
{
    json_object(j, NULL);
    if (nlr_is_loop(node)) {
        const struct number count = number_of(group, node, 0);
        put_json_number(j, "times", &count);
        json_array(j, "body");
        return;
    }
    put_json_template(g, j, node->template);
    json_array(j, "numbers");
    for (uint32_t i = 0; i < node->n; i++) {
        const struct number number = number_of(group, node, i);
        put_json_number(j, NULL, &number);
    }
    json_end(j);
}

/* Ends an event's object. */
static void put_json_note(const struct loop_notes *notes, size_t group, size_t node, struct json *j)
{
    struct bytes text = {0};
    if (notes)
        loop_notes_put(notes, group, node, &text);
    if (text.n > 0)
        json_string_n(j, "note", (const char *)text.data, text.n);
    j->out->failed = j->out->failed || text.failed;
    bytes_free(&text);
    json_end(j);
}

enum refrain_status loop_put_json(const struct loop_groups *g, size_t number, const struct loop_notes *notes,
                                  struct json *j, struct output *out)
{
    const struct loop_group *group = &g->groups.items[number];
    const struct nlr *m = group->model;
    size_t ends[NLR_DEPTH_MAX];
    uint32_t open = 0;
    enum refrain_status status = REFRAIN_OK;
    json_object(j, NULL);
    json_array(j, "ranks");
    for (size_t i = 0; i < group->ranks.n; i++)
        json_uint(j, NULL, group->ranks.items[i]);
    json_end(j);
    json_uint(j, "thread", group->thread);
    json_uint(j, "events", group->events);
    json_array(j, "body");
    for (size_t k = 0; k <= m->nodes.n && status == REFRAIN_OK && !out->closed; k++) {
        for (; open > 0 && ends[open - 1] == k; open--) {
            json_end(j);
            json_end(j);
        }
        if (k == m->nodes.n)
            break;
        put_json_node(g, group, j, &m->nodes.items[k]);
        if (nlr_is_loop(&m->nodes.items[k]))
            ends[open++] = k + m->nodes.items[k].span;
        else
            put_json_note(notes, number, k, j);
        status = output_drain(out);
    }
    json_end(j);
    json_end(j);
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

enum refrain_status loop_put_events(const struct loop_groups *g, const struct loop_member *member,
                                    struct output *out)
{
    assert(member->group < g->groups.n);
    const struct loop_group *group = &g->groups.items[member->group];
    const uint64_t apart = (uint64_t)member->rank - group->ranks.items[0];
    enum refrain_status status = REFRAIN_OK;
    const struct nlr_node *node;
    struct nlr_path path;
    nlr_path_start(&path, group->model);
    while (status == REFRAIN_OK && !out->closed && (node = nlr_path_event(&path))) {
        const struct event_template *template = &g->templates->items.items[node->template];
        const char *text = event_template_text(g->templates, template);
        uint32_t j = 0;
        for (size_t i = 0; i < template->n; i++) {
            if (text[i] != EVENT_NUMBER && text[i] != EVENT_RANK) {
                text_putc(&out->text, text[i]);
                continue;
            }
            const bool relative = loop_is_relative(group, node->first + (size_t)j * (node->depth + 1));
            text_int(&out->text, (int64_t)(nlr_path_number(&path, node, j++) + (relative ? apart : 0)));
        }
        text_putc(&out->text, '\n');
        nlr_path_pass(&path);
        status = output_drain(out);
    }
    return status;
}
