/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the model as one JSON object: all constructs in one list, each with the number of its
 * loop. */
#include "construct_path.h"
#include "decoder/util/json.h"
#include "decoder/util/text.h"
#include "model_text.h"

struct json_writer {
    const struct model *m;
    struct output *out;
    struct json json;
    uint64_t next;              /* number of the next construct */
    struct construct_path path; /* path of that construct */
    struct bytes text;          /* scratch */
    ARRAY(struct placed_link {
        const struct system_link *link;
        uint64_t from;
        uint64_t to;
    })
    links; /* with the numbers of their constructs */
};

/* Returns "loop" or the kind of the event. */
static const char *kind_of(const struct model *m, const struct construct *c)
{
    static const char *const names[][2] = {{" send ", "send"}, {" recv ", "recv"}, {" sync ", "sync"}};
    if (construct_is_loop(c))
        return "loop";
    const struct event_template *template = &m->templates->items.items[c->acts[0].template];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = event_template_text(m->templates, template);
        bool same = template->n > 6 && text[0] == EVENT_RANK;
        for (size_t k = 0; k < 6 && same; k++)
            same = text[1 + k] == names[i][0][k];
        if (same)
            return i == 0 && c->n_acts == 2 ? "message" : names[i][1];
    }
    return "local";
}

static void put_words(struct json *j, const char *key, const uint64_t *words, uint32_t depth)
{
    json_array(j, key);
    for (uint32_t d = 0; d <= depth; d++)
        json_int(j, NULL, (int64_t)words[d]);
    json_end(j);
}

static void put_path(struct json_writer *w)
{
    w->text.n = 0;
    construct_path_put(&w->path, &w->text);
    json_string_n(&w->json, "path", (const char *)w->text.data, w->text.n);
}

/* Writes the template with % for each number. */
static void put_template(struct json_writer *w, const struct act *act)
{
    const struct event_template *template = &w->m->templates->items.items[act->template];
    const char *text = event_template_text(w->m->templates, template);
    w->text.n = 0;
    for (size_t i = 0; i < template->n; i++)
        text_putc(&w->text, text[i] == EVENT_NUMBER || text[i] == EVENT_RANK ? '%' : text[i]);
    json_string_n(&w->json, "form", (const char *)w->text.data, w->text.n);
}

static void put_event(struct json_writer *w, const struct construct *c)
{
    struct json *j = &w->json;
    json_array(j, "events");
    for (uint32_t k = 0; k < c->n_acts; k++) {
        const struct act *act = &c->acts[k];
        json_object(j, NULL);
        json_uint(j, "process", act->process);
        put_template(w, act);
        json_array(j, "numbers");
        for (uint32_t i = 0; i < act->n; i++)
            put_words(j, NULL, act->words + (size_t)i * (c->depth + 1), c->depth);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void put_loop(struct json_writer *w, const struct construct *c)
{
    put_words(&w->json, "count", c->count, c->depth);
    json_array(&w->json, "processes");
    for (size_t i = 0; i < c->n_processes; i++)
        json_uint(&w->json, NULL, c->processes[i]);
    json_end(&w->json);
}

static enum refrain_status put_system(struct json_writer *w, const struct system *s, const uint64_t *parent)
{
    enum refrain_status status = REFRAIN_OK;
    ARRAY(uint64_t) numbers = {0};
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        const struct construct *c = s->items[i];
        const uint64_t number = w->next++;
        if (!array_push(&numbers, number)) {
            status = REFRAIN_ERR_MEMORY;
            break;
        }
        json_object(&w->json, NULL);
        json_uint(&w->json, "id", number);
        if (parent)
            json_uint(&w->json, "in", *parent);
        else
            json_null(&w->json, "in");
        construct_path_set(&w->path, s, i);
        put_path(w);
        json_string(&w->json, "kind", kind_of(w->m, c));
        if (construct_is_loop(c))
            put_loop(w, c);
        else
            put_event(w, c);
        json_end(&w->json);
        status = output_drain(w->out);
        if (status == REFRAIN_OK && construct_is_loop(c))
            status = put_system(w, c->body, &number);
    }
    for (size_t i = 0; i < s->n_links && status == REFRAIN_OK; i++) {
        const struct system_link *l = &s->links[i];
        const struct placed_link placed = {l, numbers.items[l->from], numbers.items[l->to]};
        if (!array_push(&w->links, placed))
            status = REFRAIN_ERR_MEMORY;
    }
    array_free(&numbers);
    return status;
}

static void put_links(struct json_writer *w)
{
    struct json *j = &w->json;
    json_array(j, "links");
    for (size_t i = 0; i < w->links.n; i++) {
        const struct placed_link *p = &w->links.items[i];
        json_object(j, NULL);
        json_uint(j, "from", p->from);
        json_uint(j, "to", p->to);
        json_uint(j, "messages", p->link->n);
        json_uint(j, "sent_each", p->link->sent_each);
        json_uint(j, "received_each", p->link->received_each);
        json_uint(j, "sent_before", p->link->sent_before);
        json_uint(j, "received_before", p->link->received_before);
        json_end(j);
    }
    json_end(j);
}

enum refrain_status model_put_json(const struct model *m, struct output *out)
{
    struct json_writer w = {.m = m, .out = out, .json = json_of(&out->text)};
    json_object(&w.json, NULL);
    json_array(&w.json, "processes");
    for (size_t i = 0; i < m->processes.n; i++) {
        json_object(&w.json, NULL);
        json_uint(&w.json, "rank", m->processes.items[i].rank);
        json_uint(&w.json, "thread", m->processes.items[i].thread);
        json_end(&w.json);
    }
    json_end(&w.json);
    json_array(&w.json, "constructs");
    enum refrain_status status = put_system(&w, m->all, NULL);
    json_end(&w.json);
    put_links(&w);
    json_end(&w.json);
    text_putc(&out->text, '\n');
    if (status == REFRAIN_OK && (out->text.failed || w.text.failed))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&w.text);
    array_free(&w.links);
    return status;
}
