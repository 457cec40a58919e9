/* SPDX-License-Identifier: BSD-3-Clause */
/* A form is an event without the acting rank. The number of its communicator is a parameter,
 * because each row of a grid may have its own communicator.
 *
 *     template   "@ send @ tag# comm3"        form   "send @ tag# comm#"   partner 1   numbers 2, comm 3 */
#include "logical_impl.h"

#include "decoder/util/text.h"

#include <string.h>

void form_table_free(struct form_table *t)
{
    array_free(&t->forms);
    array_free(&t->places);
    bytes_free(&t->text);
    map_free(&t->of_bodies);
    array_free(&t->bodies);
}

/* Returns where the digits of a communicator's number begin, if the text ends with one; otherwise
 * n. */
static size_t find_comm(const char *text, size_t n)
{
    static const char word[] = " comm";
    const size_t length = sizeof word - 1;
    size_t at = n;
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    const bool is_comm = at < n && n - at <= 9 && (text[at] != '0' || n - at == 1) && at >= length &&
                         memcmp(text + at - length, word, length) == 0;
    return is_comm ? at : n;
}

static bool add_number(struct form_table *t, struct form *f, uint32_t place)
{
    f->n++;
    text_putc(&t->text, FORM_NUMBER);
    return array_push(&t->places, place);
}

static enum refrain_status look(struct form_table *t, uint32_t number, struct form *f)
{
    const struct event_templates *templates = t->logical->model->templates;
    const struct event_template *template = &templates->items.items[number];
    const char *text = event_template_text(templates, template);
    const size_t comm = find_comm(text, template->n);
    uint32_t k = 0; /* index of the act's number */
    bool ok = true;
    *f = (struct form){.partner = FORM_NONE, .first = t->places.n};
    t->text.n = 0;
    for (size_t i = 0; i < comm && ok; i++) {
        if (text[i] == EVENT_RANK && k == 0) {
            k++;
            i += i + 1 < comm && text[i + 1] == ' ';
        } else if (text[i] == EVENT_RANK && f->partner == FORM_NONE) {
            f->partner = k++;
            text_putc(&t->text, FORM_PARTNER);
        } else if (text[i] == EVENT_NUMBER || text[i] == EVENT_RANK) {
            ok = add_number(t, f, k++);
        } else {
            text_putc(&t->text, text[i]);
        }
    }
    for (size_t i = comm; i < template->n; i++)
        f->comm = 10 * f->comm + (uint64_t)(text[i] - '0');
    if (comm < template->n)
        ok = ok && add_number(t, f, FORM_COMM);
    if (!ok || t->text.failed)
        return REFRAIN_ERR_MEMORY;
    return text_table_intern(&t->logical->forms, t->text.data, t->text.n, &f->text);
}

enum refrain_status form_table_create(struct form_table *t, struct logical *l)
{
    enum refrain_status status = REFRAIN_OK;
    *t = (struct form_table){.logical = l};
    for (uint32_t i = 0; i < l->model->templates->items.n && status == REFRAIN_OK; i++) {
        struct form f;
        status = look(t, i, &f);
        if (status == REFRAIN_OK && !array_push(&t->forms, f))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

uint64_t form_bits(struct form_table *t, const struct system *body)
{
    const uint64_t key = (uint64_t)(uintptr_t)body;
    const uint32_t known = map_get(&t->of_bodies, key);
    uint64_t bits = 0;
    if (known != MAP_NONE)
        return t->bodies.items[known];
    for (size_t i = 0; i < body->n; i++) {
        const struct construct *c = body->items[i];
        if (construct_is_loop(c))
            bits |= form_bits(t, c->body);
        for (uint32_t k = 0; k < c->n_acts; k++)
            bits |= UINT64_C(1) << form_of(t, c->acts[k].template)->text % 64;
    }
    /* If memory is short, it is computed again the next time. */
    if (array_push(&t->bodies, bits) && !map_set(&t->of_bodies, key, (uint32_t)t->bodies.n - 1))
        t->bodies.n--;
    return bits;
}
