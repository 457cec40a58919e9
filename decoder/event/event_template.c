/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_template.h"

#include <assert.h>
#include <string.h>

void event_templates_free(struct event_templates *f)
{
    text_table_free(&f->texts);
    array_free(&f->items);
}

uint32_t event_templates_find(const struct event_templates *f, const char *text, size_t n)
{
    return text_table_find(&f->texts, text, n);
}

enum refrain_status event_templates_intern(struct event_templates *f, const char *text, size_t n,
                                           uint32_t *template)
{
    const enum refrain_status status = text_table_intern(&f->texts, text, n, template);
    if (status != REFRAIN_OK || *template <f->items.n)
        return status;
    struct event_template fresh = {.at = f->texts.items.items[*template].at, .n = n};
    for (size_t i = 0; i < n; i++)
        fresh.numbers += text[i] == EVENT_NUMBER || text[i] == EVENT_RANK;
    return array_push(&f->items, fresh) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void event_draft_free(struct event_draft *d)
{
    bytes_free(&d->text);
    array_free(&d->numbers);
}

void event_draft_clear(struct event_draft *d)
{
    d->text.n = d->numbers.n = 0;
}

static void put_hole(struct event_draft *d, uint8_t hole, int64_t v)
{
    bytes_put_u8(&d->text, hole);
    d->failed = !array_push(&d->numbers, v) || d->failed;
}

void event_draft_number(struct event_draft *d, int64_t v)
{
    put_hole(d, EVENT_NUMBER, v);
}

void event_draft_rank(struct event_draft *d, int64_t v)
{
    put_hole(d, EVENT_RANK, v);
}

void event_list_free(struct event_list *l)
{
    array_free(&l->items);
    array_free(&l->numbers);
}

void event_list_clear(struct event_list *l)
{
    l->items.n = l->numbers.n = 0;
}

bool event_list_equal(const struct event_list *a, const struct event_list *b)
{
    if (a->items.n != b->items.n || a->numbers.n != b->numbers.n)
        return false;
    for (size_t i = 0; i < a->items.n; i++) {
        if (a->items.items[i].template != b->items.items[i].template)
            return false;
    }
    return a->numbers.n == 0 ||
           memcmp(a->numbers.items, b->numbers.items, a->numbers.n * sizeof *a->numbers.items) == 0;
}

enum refrain_status event_list_add(struct event_list *l, struct event_templates *f,
                                   const struct event_draft *d)
{
    assert(d->failed || d->text.n > 0);
    struct event event = {.n = (uint32_t)d->numbers.n, .first = l->numbers.n};
    if (d->failed || d->text.failed || !array_reserve(&l->numbers, event.n))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status =
        event_templates_intern(f, (const char *)d->text.data, d->text.n, &event.template);
    if (status != REFRAIN_OK)
        return status;
    for (uint32_t i = 0; i < event.n; i++)
        l->numbers.items[l->numbers.n++] = d->numbers.items[i];
    return array_push(&l->items, event) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
