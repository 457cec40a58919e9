/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequences that will become one system, and sets of them. */
#include "model_impl.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define SEQUENCES_A_TASK 64

void scope_free(struct scope *s)
{
    for (size_t q = 0; q < s->n; q++)
        array_free(&s->sequences[q].items);
    free(s->sequences);
    array_free(&s->channels);
    *s = (struct scope){0};
}

uint32_t scope_find_sequence(const struct scope *s, uint32_t process)
{
    return BISECT(i, (uint32_t)s->n, s->sequences[i].process < process);
}

enum refrain_status sequence_set_create(struct sequence_set *s, size_t sequences)
{
    *s = (struct sequence_set){.has = calloc(sequences + 1, sizeof *s->has)};
    if (!s->has)
        log_error("out of memory: %zu sequences", sequences);
    return s->has ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void sequence_set_free(struct sequence_set *s)
{
    free(s->has);
    array_free(&s->list);
}

void sequence_set_clear(struct sequence_set *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        s->has[s->list.items[i]] = false;
    s->list.n = 0;
}

bool sequence_set_add(struct sequence_set *s, uint32_t q)
{
    if (s->has[q])
        return true;
    s->has[q] = true;
    return array_push(&s->list, q);
}

/* ---- sequences ------------------------------------------------------------------------------- */

enum refrain_status sequence_put(struct sequence *to, const struct construct_list *from, uint32_t origin)
{
    if (!array_reserve(&to->items, from->all.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < from->all.n; i++)
        to->items.items[to->items.n++] = (struct sequence_item){from->all.items[i], origin};
    return REFRAIN_OK;
}

static enum refrain_status unroll_sequence(struct builder *b, struct sequence *s)
{
    struct construct_list list = {0}, unrolled = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->items.n && status == REFRAIN_OK; i++) {
        if (!array_push(&list.all, s->items.items[i].construct))
            status = REFRAIN_ERR_MEMORY;
    }
    const struct system as_system = {.items = list.all.items, .n = list.all.n};
    if (status == REFRAIN_OK)
        status = system_unroll(b, &as_system, &unrolled);
    s->items.n = 0;
    if (status == REFRAIN_OK)
        status = sequence_put(s, &unrolled, 0);
    array_free(&list.all);
    array_free(&unrolled.all);
    return status;
}

struct unrolling {
    struct builder *b;
    struct scope *scope;
};

static enum refrain_status unroll_some(void *context, size_t number, unsigned thread)
{
    const struct unrolling *u = context;
    const size_t first = number * SEQUENCES_A_TASK, left = u->scope->n - first;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < left && i < SEQUENCES_A_TASK && status == REFRAIN_OK; i++)
        status = unroll_sequence(&u->b->all[thread], &u->scope->sequences[first + i]);
    return status;
}

/* Finding what constructs use is a large part of the work. Threads share the sequences once no
 * more channels can be found by it. */
enum refrain_status scope_unroll(struct builder *b, struct scope *s)
{
    struct unrolling u = {b, s};
    const size_t n = (s->n + SEQUENCES_A_TASK - 1) / SEQUENCES_A_TASK;
    enum refrain_status status = REFRAIN_OK;
    if (b->channels->settled && n > 1)
        return thread_pool_run(b->pool, b->thread, n, unroll_some, &u);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = unroll_some(&u, i, b->thread);
    return status;
}
