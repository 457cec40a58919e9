#include "instances.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

void instances_free(struct instances *s)
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

static bool is_named(const struct instance *i, const struct operation_scope *s, uint64_t number)
{
    return i->number == number && i->scope.comm == s->comm && i->scope.owner == s->owner &&
           i->scope.object == s->object;
}

static struct instance *find(struct instances *s, const struct operation_scope *scope, uint64_t number)
{
    const uint64_t key = key_of(scope, number);
    size_t at;
    for (uint32_t v = map_first(&s->by_name, key, &at); v != MAP_NONE; v = map_next(&s->by_name, key, &at)) {
        if (is_named(&s->items.items[v], scope, number))
            return &s->items.items[v];
    }
    return NULL;
}

static struct instance *add(struct instances *s, const struct operation *op, uint32_t family)
{
    uint32_t number;
    if (s->unused.n > 0) {
        number = s->unused.items[--s->unused.n];
    } else {
        /* Room for it among the unused, too, so that giving it back needs no memory. */
        if (!array_push(&s->items, (struct instance){0}) || !array_reserve(&s->unused, s->items.n))
            return NULL;
        number = (uint32_t)(s->items.n - 1);
    }
    struct instance *i = &s->items.items[number];
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

struct instance *instances_join(struct instances *s, const struct operation *op, uint32_t family)
{
    struct instance *i = find(s, &op->scope, op->number);
    if (!i)
        i = add(s, op, family);
    const struct matching_member member = {op->call, op->sent, op->received, op->second};
    if (!i || !array_push(&i->members, member))
        return NULL;
    i->agree = i->agree && i->family == family;
    return i;
}

bool instance_is_complete(const struct instance *i)
{
    return i->members.n >= i->expected;
}

size_t instances_number(const struct instances *s, const struct instance *i)
{
    return (size_t)(i - s->items.items);
}

void instances_remove(struct instances *s, struct instance *i)
{
    const uint32_t number = (uint32_t)instances_number(s, i);
    map_remove(&s->by_name, key_of(&i->scope, i->number), number);
    i->used = false;
    s->unused.items[s->unused.n++] = number;
}

static int by_rank(const void *a, const void *b)
{
    const struct matching_member *x = a, *y = b;
    return x->call.rank < y->call.rank ? -1 : x->call.rank > y->call.rank;
}

struct matching_collective instance_collective(struct instance *i)
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
    const struct instance *x = *(struct instance *const *)a, *y = *(struct instance *const *)b;
    if (x->scope.comm != y->scope.comm)
        return x->scope.comm < y->scope.comm ? -1 : 1;
    if (x->scope.owner != y->scope.owner)
        return x->scope.owner < y->scope.owner ? -1 : 1;
    if (x->scope.object != y->scope.object)
        return x->scope.object < y->scope.object ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

struct instance **instances_left(const struct instances *s, size_t *n)
{
    struct instance **left = malloc((s->items.n + 1) * sizeof(struct instance *));
    *n = 0;
    if (!left) {
        log_error("out of memory: %zu collective operations", s->items.n);
        return NULL;
    }
    for (size_t i = 0; i < s->items.n; i++) {
        if (s->items.items[i].used)
            left[(*n)++] = &s->items.items[i];
    }
    qsort(left, *n, sizeof(struct instance *), by_name);
    return left;
}
