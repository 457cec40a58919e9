#include "channels.h"

#include "src/core/base/mix.h"

#define IDLE_MAX 1024

void channels_start(struct channels *c)
{
    *c = (struct channels){.free_entry = CHANNELS_NONE};
}

void channels_stop(struct channels *c)
{
    map_free(&c->by_name);
    array_free(&c->items);
    array_free(&c->unused);
    array_free(&c->entries);
}

static uint64_t key_of(const struct channel_name *n)
{
    const uint64_t key = mix((uint64_t)n->source << 32 | n->dest, (uint64_t)n->comm);
    return mix(mix(key, (uint64_t)n->tag), n->partitioned);
}

static bool is_named(const struct channel *c, const struct channel_name *n)
{
    return c->name.tag == n->tag && c->name.source == n->source && c->name.dest == n->dest &&
           c->name.comm == n->comm && c->name.partitioned == n->partitioned;
}

static bool is_empty(const struct channel *c)
{
    return c->sends.first == CHANNELS_NONE && c->receives.first == CHANNELS_NONE;
}

/* Forget the channels that are empty. False when memory is short. */
static bool forget(struct channels *c)
{
    map_clear(&c->by_name);
    c->unused.n = 0;
    if (!array_reserve(&c->unused, c->items.n))
        return false;
    for (size_t i = 0; i < c->items.n; i++) {
        const struct channel *channel = &c->items.items[i];
        if (is_empty(channel))
            c->unused.items[c->unused.n++] = (uint32_t)i;
        else if (!map_add(&c->by_name, key_of(&channel->name), (uint32_t)i))
            return false;
    }
    return true;
}

uint32_t channels_get(struct channels *c, const struct channel_name *name)
{
    const uint64_t key = key_of(name);
    size_t at;
    uint32_t number;
    for (number = map_first(&c->by_name, key, &at); number != MAP_NONE;
         number = map_next(&c->by_name, key, &at)) {
        if (is_named(&c->items.items[number], name))
            return number;
    }
    /* Each channel that is not empty has an entry at least. */
    if (c->by_name.n > 2 * c->n_waiting + IDLE_MAX && !forget(c))
        return CHANNELS_NONE;
    const struct channel channel = {.name = *name,
                                    .sends = {CHANNELS_NONE, CHANNELS_NONE, CHANNELS_NONE},
                                    .receives = {CHANNELS_NONE, CHANNELS_NONE, CHANNELS_NONE}};
    if (c->unused.n > 0) {
        number = c->unused.items[--c->unused.n];
        c->items.items[number] = channel;
    } else {
        if (!array_push(&c->items, channel))
            return CHANNELS_NONE;
        number = (uint32_t)(c->items.n - 1);
    }
    return map_add(&c->by_name, key, number) ? number : CHANNELS_NONE;
}

uint32_t channels_add_entry(struct channels *c)
{
    uint32_t entry = c->free_entry;
    if (entry != CHANNELS_NONE)
        c->free_entry = c->entries.items[entry].next;
    else if (array_reserve(&c->entries, 1))
        entry = (uint32_t)c->entries.n++;
    else
        return CHANNELS_NONE;
    c->entries.items[entry] = (struct channel_entry){.partner = CHANNELS_NONE, .next = CHANNELS_NONE};
    c->n_waiting++;
    return entry;
}

void channels_remove_entry(struct channels *c, uint32_t entry)
{
    c->entries.items[entry].next = c->free_entry;
    c->free_entry = entry;
    c->n_waiting--;
}

void channels_queue(struct channels *c, struct channel_queue *q, uint32_t entry)
{
    struct channel_entry *entries = c->entries.items;
    uint32_t *link = &q->first;
    if (q->last != CHANNELS_NONE && entries[q->last].order <= entries[entry].order)
        link = &entries[q->last].next;
    while (*link != CHANNELS_NONE && entries[*link].order <= entries[entry].order)
        link = &entries[*link].next;
    entries[entry].next = *link;
    *link = entry;
    if (entries[entry].next == CHANNELS_NONE)
        q->last = entry;
}

void channels_unqueue(struct channels *c, struct channel_queue *q, uint32_t entry)
{
    struct channel_entry *entries = c->entries.items;
    uint32_t *link = &q->first, previous = CHANNELS_NONE;
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
