/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_program.h"

#include <criterion/criterion.h>

#include "decoder/util/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void program_say(struct program *p, const char *format, ...)
{
    char line[128];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    cr_assert(n > 0 && (size_t)n < sizeof line);
    bytes_put(&p->lines, line, (size_t)n);
    bytes_put_u8(&p->lines, '\n');
}

void program_model(struct program *p)
{
    char path[64];
    const int file = memfd_create("events", 0);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, p->lines.data, p->lines.n), (ssize_t)p->lines.n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    p->groups.templates = &p->templates;
    cr_assert_eq(event_file_model(path, 0, &p->templates, &p->groups), REFRAIN_OK);
    close(file);
    cr_assert_eq(model_create(&p->model, &p->groups), REFRAIN_OK);
}

void program_end(struct program *p)
{
    model_free(&p->model);
    loop_groups_free(&p->groups);
    event_templates_free(&p->templates);
    bytes_free(&p->lines);
}

/* ---- checks of every model ------------------------------------------------------------------- */

void program_check(const struct program *p)
{
    for (uint32_t i = 0; i < p->model.processes.n; i++) {
        struct output out = {0};
        struct bytes own = {0};
        char prefix[16];
        const size_t n = (size_t)snprintf(prefix, sizeof prefix, "%u ", p->model.processes.items[i].rank);
        for (size_t at = 0; at < p->lines.n;) {
            const uint8_t *line = p->lines.data + at, *end = memchr(line, '\n', p->lines.n - at);
            const size_t length = (size_t)(end - line) + 1;
            if (memcmp(line, prefix, n) == 0)
                bytes_put(&own, line, length);
            at += length;
        }
        cr_assert_eq(model_put_events(&p->model, i, &out), REFRAIN_OK);
        cr_assert(own.n == out.text.n && memcmp(own.data, out.text.data, own.n) == 0,
                  "rank %s:\n%.*s\ninstead of\n%.*s", prefix, (int)out.text.n, (char *)out.text.data,
                  (int)own.n, (char *)own.data);
        bytes_free(&own);
        bytes_free(&out.text);
    }
}

/* The key of an act's end of a channel: "s 0 1 tag5", "r 0 1 tag5", "sync 2 name group"; with
 * `partner`, that of the other end. */
static uint32_t key_of(struct program_run *r, const struct act *act, uint32_t depth, const uint64_t *indices,
                       bool partner)
{
    const struct event_template *template = &r->program->templates.items.items[act->template];
    const char *text = event_template_text(&r->program->templates, template);
    const size_t head = model_head_end(text, template->n);
    const uint64_t process = affine_value(act->words, depth, indices);
    const bool sends = memcmp(text + 1, " send ", 6) == 0;
    struct bytes key = {0};
    uint32_t out, k = 1;
    if (head > 1) {
        const uint64_t peer = affine_value(act->words + depth + 1, depth, indices);
        text_printf(&key, "%s %d %d", sends == partner ? "r" : "s", (int)(sends ? process : peer),
                    (int)(sends ? peer : process));
        k = 2;
    } else {
        text_printf(&key, "%d", (int)process);
    }
    for (size_t i = head; i < template->n; i++) {
        if (text[i] == EVENT_NUMBER || text[i] == EVENT_RANK)
            text_int(&key, (int64_t)affine_value(act->words + (size_t)k++ * (depth + 1), depth, indices));
        else
            text_putc(&key, text[i]);
    }
    cr_assert_eq(event_templates_intern(&r->keys, (char *)key.data, key.n, &out), REFRAIN_OK);
    cr_assert_lt(out, PROGRAM_KEYS_MAX);
    bytes_free(&key);
    return out;
}

static void run_event(struct program_run *r, const struct construct *c, const uint64_t *indices)
{
    const uint64_t first = r->counts[key_of(r, &c->acts[0], c->depth, indices, false)];
    for (uint32_t k = 0; k < c->n_acts; k++) {
        const struct event_template *template = &r->program->templates.items.items[c->acts[k].template];
        const char *text = event_template_text(&r->program->templates, template);
        const uint64_t number = r->counts[key_of(r, &c->acts[k], c->depth, indices, false)]++;
        cr_assert_eq(number, first, "what is one construct belongs together");
        if (r->causal && memcmp(text + 1, " recv ", 6) == 0)
            cr_assert_lt(number, r->counts[key_of(r, &c->acts[k], c->depth, indices, true)], "it was sent");
    }
    r->messages += c->n_acts == 2;
    r->events += c->n_acts;
}

static void run_system(struct program_run *r, const struct system *s, uint64_t *indices)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        if (!construct_is_loop(c)) {
            run_event(r, c, indices);
            continue;
        }
        const int64_t count = (int64_t)affine_value(c->count, c->depth, indices);
        for (int64_t k = 0; k < count; k++) {
            indices[c->depth] = (uint64_t)k;
            run_system(r, c->body, indices);
        }
    }
}

struct program_run program_run(const struct program *p, bool causal)
{
    struct program_run r = {.program = p, .causal = causal};
    uint64_t indices[SYSTEM_DEPTH_MAX] = {0};
    run_system(&r, p->model.all, indices);
    event_templates_free(&r.keys);
    return r;
}

void program_expect(struct program *p, const char *text)
{
    struct output out = {0};
    program_model(p);
    program_check(p);
    program_run(p, false);
    cr_assert_eq(model_put_text(&p->model, &out), REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    cr_assert_str_eq((char *)out.text.data, text);
    bytes_free(&out.text);
    program_end(p);
}
