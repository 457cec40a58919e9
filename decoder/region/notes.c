/* SPDX-License-Identifier: BSD-3-Clause */
#include "notes.h"

#include "rare_calls.h"

/* Adds a string argument of a call and returns its number. A null pointer counts as "". */
static enum refrain_status intern(struct notes *n, const struct reader *r, const struct call *call,
                                  const char *argument, uint32_t *number)
{
    struct bytes text = {0};
    rare_calls_text(r, call, argument, &text);
    const enum refrain_status status =
        text.failed ? REFRAIN_ERR_MEMORY : text_table_intern(&n->texts, text.data, text.n, number);
    bytes_free(&text);
    return status;
}

static enum refrain_status take(void *context, const struct reader *r, const struct call *call)
{
    struct notes *n = context;
    uint32_t key, value;
    size_t at;
    enum refrain_status status = intern(n, r, call, "key", &key);
    if (status == REFRAIN_OK)
        status = intern(n, r, call, "value", &value);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t pair = (uint64_t)key << 32 | value;
    const uint32_t known = map_first(&n->by_pair, pair, &at);
    if (known != MAP_NONE) {
        struct note *note = &n->items.items[known];
        note->ranks += note->last != call->rank;
        note->last = call->rank;
        return REFRAIN_OK;
    }
    if (n->items.n >= NOTES_MOST) {
        n->more = true;
        return REFRAIN_OK;
    }
    const struct note note = {key, value, call->rank, call->rank, 1};
    return array_push(&n->items, note) && map_add(&n->by_pair, pair, (uint32_t)n->items.n - 1)
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

enum refrain_status notes_read(struct notes *n, const struct reader *r)
{
    static const char *const functions[] = {"refrain_note", NULL};
    *n = (struct notes){0};
    const struct rare_calls calls = {.functions = functions, .take = take, .context = n};
    const enum refrain_status status = rare_calls_find(&calls, r);
    if (status != REFRAIN_OK)
        notes_free(n);
    return status;
}

void notes_free(struct notes *n)
{
    text_table_free(&n->texts);
    array_free(&n->items);
    map_free(&n->by_pair);
    *n = (struct notes){0};
}
