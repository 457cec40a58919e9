/* SPDX-License-Identifier: BSD-3-Clause */
#include "message_queues.h"

#include "src/core/base/mix.h"

#include <assert.h>

#define IDLE_MAX 1024

void message_queues_start(struct message_queues *c)
{
    *c = (struct message_queues){.free_entry = MESSAGE_QUEUES_NONE};
}

void message_queues_stop(struct message_queues *c)
{
    map_free(&c->by_name);
    array_free(&c->items);
    array_free(&c->unused);
    array_free(&c->entries);
}

static uint64_t key_of(const struct message_queue_name *n)
{
    const uint64_t key = mix((uint64_t)n->source << 32 | n->dest, (uint64_t)n->comm);
    return mix(mix(key, (uint64_t)n->tag), n->partitioned);
}

static bool is_named(const struct message_queue *c, const struct message_queue_name *n)
{
    return c->name.tag == n->tag && c->name.source == n->source && c->name.dest == n->dest &&
           c->name.comm == n->comm && c->name.partitioned == n->partitioned;
}

static bool is_empty(const struct message_queue *c)
{
    return c->sends.first == MESSAGE_QUEUES_NONE && c->receives.first == MESSAGE_QUEUES_NONE;
}

/* Forgets empty queues. Returns false if memory is short. */
static bool forget(struct message_queues *c)
{
    map_clear(&c->by_name);
    c->unused.n = 0;
    if (!array_reserve(&c->unused, c->items.n))
        return false;
    for (size_t i = 0; i < c->items.n; i++) {
        const struct message_queue *queue = &c->items.items[i];
        if (is_empty(queue))
            c->unused.items[c->unused.n++] = (uint32_t)i;
        else if (!map_add(&c->by_name, key_of(&queue->name), (uint32_t)i))
            return false;
    }
    return true;
}

uint32_t message_queues_get(struct message_queues *c, const struct message_queue_name *name)
{
    const uint64_t key = key_of(name);
    size_t at;
    uint32_t number;
    for (number = map_first(&c->by_name, key, &at); number != MAP_NONE;
         number = map_next(&c->by_name, key, &at)) {
        if (is_named(&c->items.items[number], name))
            return number;
    }
    /* Each queue that is not empty has at least one entry. */
    if (c->by_name.n > 2 * c->n_waiting + IDLE_MAX && !forget(c))
        return MESSAGE_QUEUES_NONE;
    const struct message_queue queue = {
        .name = *name,
        .sends = {MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE},
        .receives = {MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE}};
    if (c->unused.n > 0) {
        number = c->unused.items[--c->unused.n];
        c->items.items[number] = queue;
    } else {
        if (!array_push(&c->items, queue))
            return MESSAGE_QUEUES_NONE;
        number = (uint32_t)(c->items.n - 1);
    }
    return map_add(&c->by_name, key, number) ? number : MESSAGE_QUEUES_NONE;
}

uint32_t message_queues_add_entry(struct message_queues *c)
{
    uint32_t entry = c->free_entry;
    if (entry != MESSAGE_QUEUES_NONE)
        c->free_entry = c->entries.items[entry].next;
    else if (array_reserve(&c->entries, 1))
        entry = (uint32_t)c->entries.n++;
    else
        return MESSAGE_QUEUES_NONE;
    c->entries.items[entry] =
        (struct message_end){.partner = MESSAGE_QUEUES_NONE, .next = MESSAGE_QUEUES_NONE};
    c->n_waiting++;
    return entry;
}

void message_queues_remove_entry(struct message_queues *c, uint32_t entry)
{
    assert(c->n_waiting > 0);
    c->entries.items[entry].next = c->free_entry;
    c->free_entry = entry;
    c->n_waiting--;
}

void message_queues_queue(struct message_queues *c, struct message_list *q, uint32_t entry)
{
    struct message_end *entries = c->entries.items;
    uint32_t *link = &q->first;
    if (q->last != MESSAGE_QUEUES_NONE && entries[q->last].order <= entries[entry].order)
        link = &entries[q->last].next;
    while (*link != MESSAGE_QUEUES_NONE && entries[*link].order <= entries[entry].order)
        link = &entries[*link].next;
    entries[entry].next = *link;
    *link = entry;
    if (entries[entry].next == MESSAGE_QUEUES_NONE)
        q->last = entry;
}

void message_queues_unqueue(struct message_queues *c, struct message_list *q, uint32_t entry)
{
    struct message_end *entries = c->entries.items;
    uint32_t *link = &q->first, previous = MESSAGE_QUEUES_NONE;
    while (*link != entry) {
        previous = *link;
        link = &entries[*link].next;
    }
    *link = entries[entry].next;
    if (q->last == entry)
        q->last = previous;
    if (q->seen == entry)
        q->seen = previous;
}
