/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicators.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

/* ---- members --------------------------------------------------------------------------------- */

static enum refrain_status add_world(struct communicators *c, const struct reader *r)
{
    struct comm_members world = {.comm =
                                     functable_handle(&r->trace.functions, "COMMUNICATOR", "MPI_COMM_WORLD"),
                                 .n = r->trace.n_ranks};
    world.ranks = malloc((world.n + (size_t)1) * sizeof *world.ranks);
    if (!world.ranks) {
        log_error("out of memory: %u ranks", world.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < world.n; i++)
        world.ranks[i] = r->trace.first_rank + i;
    if (array_push(&c->items, world))
        return REFRAIN_OK;
    free(world.ranks);
    return REFRAIN_ERR_MEMORY;
}

/* Order: communicator, group, rank in the group. */
static int by_place(const void *x, const void *y)
{
    const struct member *a = x, *b = y;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->second != b->second)
        return a->second ? 1 : -1;
    return (a->rank_in_comm > b->rank_in_comm) - (a->rank_in_comm < b->rank_in_comm);
}

/* Takes the sorted members of one communicator. A process that had several handles of it counts
 * once. */
static enum refrain_status take_members(struct comm_members *s, const struct member *members, size_t n)
{
    s->ranks = malloc((n + 1) * sizeof *s->ranks);
    if (!s->ranks) {
        log_error("out of memory: a communicator of %zu processes", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_place(&members[i - 1], &members[i]) != 0)
            s->ranks[s->n++] = members[i].rank;
    return REFRAIN_OK;
}

static enum refrain_status find_members(struct communicators *c, const struct definitions *d)
{
    struct member *sorted = malloc((d->members.n + 1) * sizeof *sorted);
    enum refrain_status status = sorted ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!sorted) {
        log_error("out of memory: %zu members of communicators", d->members.n);
        return status;
    }
    if (d->members.n > 0) {
        memcpy(sorted, d->members.items, d->members.n * sizeof *sorted);
        qsort(sorted, d->members.n, sizeof *sorted, by_place);
    }
    for (size_t i = 0, end; i < d->members.n && status == REFRAIN_OK; i = end) {
        for (end = i; end < d->members.n && sorted[end].number == sorted[i].number;)
            end++;
        status = take_members(&c->items.items[sorted[i].number + 1], sorted + i, end - i);
    }
    free(sorted);
    return status;
}

/* ---- origins --------------------------------------------------------------------------------- */

/* Returns the function with this name. Definitions contain a name as a hash. */
static const char *find_function(const struct functable *t, int64_t hash)
{
    for (size_t i = 0; i < t->functions.n; i++)
        if (definitions_name_hash(t->functions.items[i].name) == hash)
            return t->functions.items[i].name;
    return NULL;
}

static uint64_t origin_of(const struct definitions *d, uint32_t number, unsigned depth)
{
    const struct communicator *c = &d->communicators.items[number];
    const bool derived =
        c->parent >= 0 && !(c->parent & 1) && depth < 64 && (uint64_t)c->parent >> 1 < d->communicators.n;
    const uint64_t parent =
        derived ? origin_of(d, (uint32_t)(c->parent >> 1), depth + 1) : (uint64_t)c->parent;
    return mix(mix(parent, (uint64_t)c->function), (uint64_t)c->sequence);
}

enum refrain_status communicators_create(struct communicators *c, const struct reader *r,
                                         const struct definitions *d)
{
    *c = (struct communicators){0};
    enum refrain_status status = add_world(c, r);
    for (uint32_t i = 0; i < d->communicators.n && status == REFRAIN_OK; i++) {
        const struct comm_members s = {
            .comm = (int64_t)i << 1,
            .function = find_function(&r->trace.functions, d->communicators.items[i].function),
            .origin = origin_of(d, i, 0)};
        status = array_push(&c->items, s) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = find_members(c, d);
    if (status != REFRAIN_OK)
        communicators_free(c);
    return status;
}

void communicators_free(struct communicators *c)
{
    for (size_t i = 0; i < c->items.n; i++)
        free(c->items.items[i].ranks);
    array_free(&c->items);
}

/* ---- names ----------------------------------------------------------------------------------- */

void communicators_put_name(const struct comm_members *s, struct bytes *out)
{
    if (s->comm & 1 || s->comm < 0)
        text_put(out, "MPI_COMM_WORLD");
    else
        text_printf(out, "comm%lld", (long long)(s->comm >> 1));
}

const struct comm_members *communicators_find(const struct communicators *c, const char *text)
{
    const char *digits = strncmp(text, "comm", 4) == 0 ? text + 4 : text;
    char *end;
    if (strcmp(text, "MPI_COMM_WORLD") == 0)
        return &c->items.items[0];
    const unsigned long long number = strtoull(digits, &end, 10);
    if (*digits >= '0' && *digits <= '9' && !*end && number + 1 < c->items.n)
        return &c->items.items[number + 1];
    if (c->items.n > 1)
        log_error("there is no communicator %s: wanted MPI_COMM_WORLD, or comm0 to comm%zu", text,
                  c->items.n - 2);
    else
        log_error("there is no communicator %s: the run has only MPI_COMM_WORLD", text);
    return NULL;
}

uint32_t communicators_index(const struct communicators *c, int64_t comm)
{
    if (c->items.n > 0 && comm == c->items.items[0].comm)
        return 0;
    return comm >= 0 && !(comm & 1) && (uint64_t)comm / 2 + 1 < c->items.n ? (uint32_t)(comm / 2 + 1)
                                                                           : UINT32_MAX;
}
