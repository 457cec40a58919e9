/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_lines.h"

#include "decoder/util/text.h"
#include "model_text.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define RUN_LEAST     3  /* in events: two are as short one by one */
#define SECONDS_TRIED 16 /* candidates for the second event of a run */

enum refrain_status model_lines_start(struct model_lines *l, const struct model *m, int margin,
                                      struct output *out)
{
    *l = (struct model_lines){.m = m, .out = out, .margin = margin};
    l->seen = calloc(m->processes.n + 1, sizeof *l->seen);
    if (!l->seen) {
        log_error("out of memory: lines of %zu processes", m->processes.n);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

void model_lines_free(struct model_lines *l)
{
    array_free(&l->events);
    array_free(&l->line);
    bytes_free(&l->tail);
    bytes_free(&l->first_tail);
    bytes_free(&l->name);
    free(l->seen);
    *l = (struct model_lines){0};
}

/* ---- events ---------------------------------------------------------------------------------- */

static const char *text_of(const struct model_lines *l, const struct construct *c, size_t *n)
{
    const struct event_template *template = &l->m->templates->items.items[c->acts[0].template];
    *n = template->n;
    return event_template_text(l->m->templates, template);
}

/* Returns the length of the head, which names the processes: "0", or "0 send 1". */
static size_t head_of(const struct model_lines *l, const struct construct *c)
{
    size_t n;
    const char *text = text_of(l, c, &n);
    return model_head_end(text, n);
}

/* Does the event have a partner that is a rank? */
static bool has_partner(const struct model_lines *l, const struct construct *c)
{
    size_t n;
    const char *text = text_of(l, c, &n);
    const size_t head = model_head_end(text, n);
    return head > 1 && text[head - 1] == EVENT_RANK;
}

static bool is_group(const struct model_lines *l, const struct construct *c)
{
    return c->n_acts > 1 && !model_is_message(l->m, c);
}

static const uint64_t *number(const struct construct *c, uint32_t k)
{
    return c->acts[0].words + (size_t)k * (c->depth + 1);
}

/* Finds the step of number k from a to b. Returns false if it depends on an index or would not
 * print in a simple form. */
static bool find_step(const struct construct *a, const struct construct *b, uint32_t k, uint64_t *step)
{
    const uint64_t *x = number(a, k), *y = number(b, k);
    bool plain = true;
    for (uint32_t d = 0; d < a->depth; d++) {
        if (x[1 + d] != y[1 + d])
            return false;
        plain = plain && x[1 + d] == 0;
    }
    *step = y[0] - x[0];
    return *step == 0 || (plain && (int64_t)x[0] >= 0 && (int64_t)y[0] >= 0);
}

/* Do the numbers from `from` to `end` - 1 grow from b to c by the same steps as from a to b? */
static bool is_step_again(const struct construct *a, const struct construct *b, const struct construct *c,
                          uint32_t from, uint32_t end)
{
    for (uint32_t k = from; k < end; k++) {
        uint64_t first, second;
        if (!find_step(a, b, k, &first) || !find_step(b, c, k, &second) || first != second)
            return false;
    }
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

void model_lines_begin(struct model_lines *l, const struct construct_path *path, size_t n, uint32_t depth)
{
    if (l->margin > 0) {
        l->name.n = 0;
        construct_path_put(path, &l->name);
        if (n > 1)
            text_printf(&l->name, "-%llu", (unsigned long long)(path->levels[path->n - 1].number + n - 1));
        text_printf(&l->out->text, "%-*.*s   ", l->margin, (int)l->name.n, (const char *)l->name.data);
    }
    for (uint32_t d = 0; d < depth; d++)
        text_put(&l->out->text, "  ");
}

/* Begins the line of events first … first + n - 1. */
static void put_begin(struct model_lines *l, size_t first, size_t n)
{
    struct construct_path path = l->first;
    path.levels[path.n - 1].number += first;
    model_lines_begin(l, &path, n, l->events.items[first]->depth);
}

/* Writes bytes from … end - 1 of the template, with the numbers of a run: "5", "5-7", "5-11:3". */
static void put_run_text(struct model_lines *l, const struct construct *first, const struct construct *last,
                         uint64_t steps, size_t from, size_t end)
{
    size_t n;
    const char *text = text_of(l, first, &n);
    uint32_t k = 0;
    for (size_t i = 0; i < end; i++) {
        const bool hole = text[i] == EVENT_NUMBER || text[i] == EVENT_RANK;
        if (i >= from)
            model_put_event(l->m, &first->acts[0], first->depth, i, i + 1, &l->out->text);
        const int64_t apart = hole ? (int64_t)(number(last, k)[0] - number(first, k)[0]) : 0;
        if (i >= from && apart != 0) {
            const uint64_t size = apart < 0 ? -(uint64_t)apart : (uint64_t)apart;
            text_putc(&l->out->text, '-');
            model_put_event(l->m, &last->acts[0], last->depth, i, i + 1, &l->out->text);
            if (size != steps) {
                text_putc(&l->out->text, ':');
                text_uint(&l->out->text, size / steps);
            }
        }
        k += hole;
    }
}

/* Writes the processes: "0", "0 send 1", "0 -> 1", or for several events "0-2 -> 1-3". */
static void put_head(struct model_lines *l, const struct construct *first, const struct construct *last,
                     uint64_t steps)
{
    size_t n;
    const char *text = text_of(l, first, &n);
    const size_t head = model_head_end(text, n);
    if (!model_is_message(l->m, first)) {
        put_run_text(l, first, last, steps, 0, head);
        return;
    }
    put_run_text(l, first, last, steps, 0, 1);
    text_put(&l->out->text, " -> ");
    put_run_text(l, first, last, steps, head - 1, head);
}

static void put_tail(struct model_lines *l, const struct construct *c, struct bytes *out)
{
    size_t n;
    text_of(l, c, &n);
    model_put_event(l->m, &c->acts[0], c->depth, head_of(l, c), n, out);
}

/* Writes one run, including its tail. */
static void put_run(struct model_lines *l, size_t first, size_t n)
{
    const struct construct *a = l->events.items[first], *b = l->events.items[first + n - 1];
    size_t end;
    text_of(l, a, &end);
    put_begin(l, first, n);
    put_head(l, a, b, n - 1);
    put_run_text(l, a, b, n - 1, head_of(l, a), end);
    text_putc(&l->out->text, '\n');
}

/* ---- events with one tail -------------------------------------------------------------------- */

static bool copy_line(struct model_lines *l, size_t first, size_t n)
{
    l->line.n = 0;
    if (!array_reserve(&l->line, n))
        return false;
    for (size_t i = 0; i < n; i++)
        l->line.items[l->line.n++] = (struct line_event){l->events.items[first + i], false};
    return true;
}

/* Does any process have two events on the line? Then their order must be kept. */
static bool has_two(struct model_lines *l)
{
    bool two = false;
    for (int forget = 0; forget < 2; forget++) {
        for (size_t i = 0; i < l->line.n; i++) {
            const struct construct *c = l->line.items[i].construct;
            for (uint32_t k = 0; k < c->n_acts; k++) {
                two = two || (!forget && l->seen[c->acts[k].process]);
                l->seen[c->acts[k].process] = !forget;
            }
        }
    }
    return two;
}

static int by_process(const void *a, const void *b)
{
    const uint32_t x = ((const struct line_event *)a)->construct->acts[0].process;
    const uint32_t y = ((const struct line_event *)b)->construct->acts[0].process;
    return x < y ? -1 : x > y;
}

/* Returns the first event of a rank in a line ordered by process. Events of a rank's threads are
 * adjacent. */
static size_t find_rank(const struct model_lines *l, uint64_t rank)
{
    return BISECT(i, l->line.n, number(l->line.items[i].construct, 0)[0] < rank);
}

/* Returns the place of the event that continues a run whose last two events are a and b, at place
 * `at`. It comes after them, because processes ascend in a line with one event of each. Returns
 * the length of the line if there is no such event. */
static size_t find_next(const struct model_lines *l, const struct construct *a, const struct construct *b,
                        size_t at, bool any_order)
{
    const uint32_t numbers = has_partner(l, a) ? 2 : 1;
    const size_t next = any_order ? find_rank(l, number(b, 0)[0] * 2 - number(a, 0)[0]) : at + 1;
    return next > at && next < l->line.n && !l->line.items[next].written &&
                   is_step_again(a, b, l->line.items[next].construct, 0, numbers)
               ? next
               : l->line.n;
}

/* Returns the number of events in a run whose first two are at these places, and its last event.
 * `take`: marks them as written. */
static uint64_t follow(struct model_lines *l, size_t first, size_t second, bool any_order, bool take,
                       const struct construct **last)
{
    const struct construct *a = l->line.items[first].construct, *b = l->line.items[second].construct;
    uint64_t n = 2;
    if (take)
        l->line.items[first].written = l->line.items[second].written = true;
    for (size_t at = second; (at = find_next(l, a, b, at, any_order)) < l->line.n; n++) {
        a = b;
        b = l->line.items[at].construct;
        l->line.items[at].written = take;
    }
    *last = b;
    return n;
}

/* Returns the second event of the longest run that begins at a place; the place itself if no run is
 * long enough. */
static size_t find_second(struct model_lines *l, size_t first, bool any_order)
{
    uint64_t longest = RUN_LEAST - 1;
    size_t second = first;
    unsigned tried = 0;
    for (size_t i = first + 1; i < l->line.n && tried < (any_order ? SECONDS_TRIED : 1); i++) {
        const struct construct *last;
        if (l->line.items[i].written)
            continue;
        const uint64_t n = follow(l, first, i, any_order, false, &last);
        tried++;
        if (n > longest) {
            longest = n;
            second = i;
        }
    }
    return second;
}

/* Writes events that differ only in their processes. */
static enum refrain_status put_line(struct model_lines *l, size_t first, size_t n)
{
    if (!copy_line(l, first, n))
        return REFRAIN_ERR_MEMORY;
    const bool any_order = !has_two(l);
    bool begun = false;
    if (any_order)
        qsort(l->line.items, n, sizeof *l->line.items, by_process);
    put_begin(l, first, n);
    for (size_t i = 0; i < l->line.n; i++) {
        const struct construct *c = l->line.items[i].construct, *last = c;
        if (l->line.items[i].written)
            continue;
        const size_t second = find_second(l, i, any_order);
        const uint64_t run = second > i ? follow(l, i, second, any_order, true, &last) : 2;
        if (begun)
            text_put(&l->out->text, ", ");
        put_head(l, c, last, run - 1);
        begun = true;
    }
    put_tail(l, l->events.items[first], &l->out->text);
    text_putc(&l->out->text, '\n');
    return REFRAIN_OK;
}

/* ---- which events are one line --------------------------------------------------------------- */

/* Counts the events that have the same tail as the first. */
static size_t count_tails(struct model_lines *l, size_t first)
{
    size_t i = first + 1;
    l->first_tail.n = 0;
    put_tail(l, l->events.items[first], &l->first_tail);
    for (; i < l->events.n; i++) {
        l->tail.n = 0;
        put_tail(l, l->events.items[i], &l->tail);
        if (l->tail.n != l->first_tail.n ||
            (l->tail.n > 0 && memcmp(l->tail.data, l->first_tail.data, l->tail.n) != 0))
            break;
    }
    return i - first;
}

/* Returns how many consecutive messages, or sides of messages, form a run. */
static size_t count_run(const struct model_lines *l, size_t first)
{
    const struct construct *const *c = l->events.items;
    size_t i = first + 2;
    if (head_of(l, c[first]) < 2)
        return 1;
    while (i < l->events.n && is_step_again(c[i - 2], c[i - 1], c[i], 0, c[first]->acts[0].n))
        i++;
    return i - first;
}

enum refrain_status model_lines_end(struct model_lines *l)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0, n; i < l->events.n && status == REFRAIN_OK; i += n) {
        const size_t run = count_run(l, i);
        n = count_tails(l, i);
        if (run >= RUN_LEAST && run > n) {
            n = run;
            put_run(l, i, n);
        } else {
            status = put_line(l, i, n);
        }
    }
    l->events.n = 0;
    if (status == REFRAIN_OK && (l->tail.failed || l->first_tail.failed || l->name.failed))
        status = REFRAIN_ERR_MEMORY;
    return status == REFRAIN_OK ? output_drain(l->out) : status;
}

/* Writes a collective operation with its members. */
static enum refrain_status put_group(struct model_lines *l, const struct construct *c)
{
    uint32_t *processes = malloc(c->n_acts * sizeof *processes);
    size_t n;
    if (!processes) {
        log_error("out of memory: %u members", c->n_acts);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < c->n_acts; k++)
        processes[k] = c->acts[k].process;
    model_lines_begin(l, &l->path, 1, c->depth);
    text_of(l, c, &n);
    model_put_event(l->m, &c->acts[0], c->depth, head_of(l, c) + 1, n, &l->out->text);
    text_put(&l->out->text, "   [");
    const enum refrain_status status = model_put_ranks(l->m, processes, c->n_acts, &l->out->text);
    text_put(&l->out->text, "]\n");
    free(processes);
    return status;
}

enum refrain_status model_lines_add(struct model_lines *l, const struct construct *c)
{
    const struct construct *before = l->events.n > 0 ? l->events.items[0] : NULL;
    enum refrain_status status = REFRAIN_OK;
    if (before &&
        (is_group(l, c) || before->n_acts != c->n_acts || before->acts[0].template != c->acts[0].template))
        status = model_lines_end(l);
    if (status != REFRAIN_OK)
        return status;
    if (is_group(l, c))
        return put_group(l, c);
    if (l->events.n == 0)
        l->first = l->path;
    return array_push(&l->events, c) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
