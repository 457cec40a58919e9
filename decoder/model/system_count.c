/* SPDX-License-Identifier: BSD-3-Clause */
#include "system_count.h"

static struct system_part body_of(const struct construct *loop, uint32_t process)
{
    return (struct system_part){.system = loop->body, .end = loop->body->n, .process = process};
}

uint64_t system_iterations(const uint64_t *count, uint32_t depth, const uint64_t *indices)
{
    const int64_t times = (int64_t)affine_value(count, depth, indices);
    return times > 0 ? (uint64_t)times : 0;
}

bool system_part_varies(const struct system_part *p, uint32_t level)
{
    for (size_t i = p->first; i < p->end; i++) {
        const struct construct *c = p->system->items[i];
        if (!construct_is_loop(c) || !construct_has(c, p->process))
            continue;
        const struct system_part body = body_of(c, p->process);
        if (c->count[1 + level] != 0 || system_part_varies(&body, level))
            return true;
    }
    return false;
}

/* Only if iterations differ is each of them counted. */
static uint64_t loop_events(const struct construct *loop, uint32_t process, uint32_t depth, uint64_t *indices)
{
    const struct system_part body = body_of(loop, process);
    const uint64_t times = system_iterations(loop->count, depth, indices);
    const bool differ = system_part_varies(&body, depth);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < (differ ? times : times > 0); k++) {
        indices[depth] = k;
        sum += system_part_events(&body, depth + 1, indices);
    }
    return differ ? sum : sum * times;
}

uint64_t system_part_events(const struct system_part *p, uint32_t depth, uint64_t *indices)
{
    uint64_t sum = 0;
    for (size_t i = p->first; i < p->end; i++) {
        const struct construct *c = p->system->items[i];
        if (construct_has(c, p->process))
            sum += construct_is_loop(c) ? loop_events(c, p->process, depth, indices) : 1;
    }
    return sum;
}
