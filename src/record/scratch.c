/* SPDX-License-Identifier: BSD-3-Clause */
#include "scratch.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"

bool scratch_prepare(struct scratch *s, size_t room)
{
    if (s->arena.used > 0)
        arena_reset(&s->arena);
    s->slots.n = 0;
    return array_reserve(&s->slots, room);
}

bool scratch_put_aside(struct scratch *s)
{
    struct scratch *around = malloc(sizeof *around);
    if (!around) {
        log_error("no memory for a call in a callback");
        return false;
    }
    *around = *s;
    *s = (struct scratch){.around = around};
    return true;
}

static void release(struct scratch *s)
{
    array_free(&s->slots);
    array_free(&s->watched);
    array_free(&s->statuses);
    arena_free(&s->arena);
}

void scratch_resume(struct scratch *s)
{
    assert(s->around);
    struct scratch *around = s->around;
    release(s);
    *s = *around;
    free(around);
}

void scratch_clear(struct scratch *s)
{
    while (s->around)
        scratch_resume(s);
    release(s);
    *s = (struct scratch){0};
}
