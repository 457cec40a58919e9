/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective_instances.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

void collective_instances_free(struct collective_instances *s)
{
    for (size_t i = 0; i < s->items.n; i++)
        array_free(&s->items.items[i].members);
    map_free(&s->by_name);
    array_free(&s->items);
    array_free(&s->unused);
}

static uint64_t key_of(const struct operation_scope *s, uint64_t number)
{
    return mix(mix(mix((uint64_t)s->comm, s->owner), s->object), number);
}

static bool is_named(const struct collective_instance *i, const struct operation_scope *s, uint64_t number)
{
    return i->number == number && i->scope.comm == s->comm && i->scope.owner == s->owner &&
           i->scope.object == s->object;
}

static struct collective_instance *find(struct collective_instances *s, const struct operation_scope *scope,
                                        uint64_t number)
{
    const uint64_t key = key_of(scope, number);
    size_t at;
    for (uint32_t v = map_first(&s->by_name, key, &at); v != MAP_NONE; v = map_next(&s->by_name, key, &at)) {
        if (is_named(&s->items.items[v], scope, number))
            return &s->items.items[v];
    }
    return NULL;
}

static struct collective_instance *add(struct collective_instances *s, const struct operation *op,
                                       uint32_t family)
{
    uint32_t number;
    if (s->unused.n > 0) {
        number = s->unused.items[--s->unused.n];
    } else {
        /* Room for it among the unused, too, so that giving it back needs no memory. */
        if (!array_push(&s->items, (struct collective_instance){0}) || !array_reserve(&s->unused, s->items.n))
            return NULL;
        number = (uint32_t)(s->items.n - 1);
    }
    struct collective_instance *i = &s->items.items[number];
    i->scope = op->scope;
    i->number = op->number;
    i->function = op->function;
    i->family = family;
    i->expected = op->members;
    i->agree = i->used = true;
    i->inter = op->inter;
    i->members.n = 0;
    return map_add(&s->by_name, key_of(&op->scope, op->number), number) ? i : NULL;
}

struct collective_instance *collective_instances_join(struct collective_instances *s,
                                                      const struct operation *op, uint32_t family)
{
    struct collective_instance *i = find(s, &op->scope, op->number);
    if (!i)
        i = add(s, op, family);
    const struct matching_member member = {op->call, op->sent, op->received, op->second};
    if (!i || !array_push(&i->members, member))
        return NULL;
    i->agree = i->agree && i->family == family;
    return i;
}

bool collective_instance_is_complete(const struct collective_instance *i)
{
    return i->members.n >= i->expected;
}

size_t collective_instances_number(const struct collective_instances *s, const struct collective_instance *i)
{
    return (size_t)(i - s->items.items);
}

void collective_instances_remove(struct collective_instances *s, struct collective_instance *i)
{
    const uint32_t number = (uint32_t)collective_instances_number(s, i);
    map_remove(&s->by_name, key_of(&i->scope, i->number), number);
    i->used = false;
    s->unused.items[s->unused.n++] = number;
}

static int by_rank(const void *a, const void *b)
{
    const struct matching_member *x = a, *y = b;
    return x->call.rank < y->call.rank ? -1 : x->call.rank > y->call.rank;
}

struct matching_collective collective_instance_collective(struct collective_instance *i)
{
    qsort(i->members.items, i->members.n, sizeof *i->members.items, by_rank);
    return (struct matching_collective){.scope = i->scope,
                                        .number = i->number,
                                        .function = i->function,
                                        .agree = i->agree,
                                        .inter = i->inter,
                                        .expected = i->expected,
                                        .members = i->members.items,
                                        .n = i->members.n};
}

static int by_name(const void *a, const void *b)
{
    const struct collective_instance *x = *(struct collective_instance *const *)a,
                                     *y = *(struct collective_instance *const *)b;
    if (x->scope.comm != y->scope.comm)
        return x->scope.comm < y->scope.comm ? -1 : 1;
    if (x->scope.owner != y->scope.owner)
        return x->scope.owner < y->scope.owner ? -1 : 1;
    if (x->scope.object != y->scope.object)
        return x->scope.object < y->scope.object ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

struct collective_instance **collective_instances_left(const struct collective_instances *s, size_t *n)
{
    struct collective_instance **left = malloc((s->items.n + 1) * sizeof(struct collective_instance *));
    *n = 0;
    if (!left) {
        log_error("out of memory: %zu collective operations", s->items.n);
        return NULL;
    }
    for (size_t i = 0; i < s->items.n; i++) {
        if (s->items.items[i].used)
            left[(*n)++] = &s->items.items[i];
    }
    qsort(left, *n, sizeof(struct collective_instance *), by_name);
    return left;
}
