/* SPDX-License-Identifier: BSD-3-Clause */
#include "body_acts.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

void body_acts_free(struct body_acts *a)
{
    free(a->open);
    free(a->first);
    free(a->units);
    free(a->step_of);
    *a = (struct body_acts){0};
}

/* Numbers the units and acts. Returns the number of acts. */
static uint64_t number_acts(struct body_acts *a)
{
    uint64_t acts = 0, units = 0;
    for (size_t i = 0; i < a->body->n && acts < UINT32_MAX; i++) {
        const struct step *s = a->body->items[i];
        a->first[i] = (uint32_t)acts;
        a->units[i] = (uint32_t)units;
        acts += a->open[i] ? body_acts_inside(s) : s->n_processes;
        units += a->open[i] ? s->body.n : 1;
    }
    if (acts < UINT32_MAX)
        a->first[a->body->n] = (uint32_t)acts;
    a->units[a->body->n] = (uint32_t)units;
    return acts;
}

enum refrain_status body_acts_create(struct body_acts *a, const struct steps *body, const bool *open)
{
    const size_t n = body->n;
    *a = (struct body_acts){.body = body};
    a->open = malloc((n + 1) * sizeof *a->open);
    a->first = calloc(n + 1, sizeof *a->first);
    a->units = calloc(n + 1, sizeof *a->units);
    if (a->open && a->first && a->units) {
        memcpy(a->open, open, n * sizeof *open);
        const uint64_t acts = number_acts(a);
        a->n = (uint32_t)acts;
        a->step_of = acts < UINT32_MAX ? malloc((acts + 1) * sizeof *a->step_of) : NULL;
    }
    if (!a->step_of) {
        log_error("out of memory: the messages of %zu steps", n);
        body_acts_free(a);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t act = a->first[i]; act < a->first[i + 1]; act++)
            a->step_of[act] = i;
    return REFRAIN_OK;
}

struct body_act body_acts_open(const struct body_acts *a, uint32_t act)
{
    const uint32_t i = a->step_of[act];
    const struct step *loop = a->body->items[i];
    const uint32_t number = act - a->first[i], turn = number / loop->n_processes,
                   inside = turn % (uint32_t)loop->body.n;
    struct body_act out = {.step = loop->body.items[inside], .place = number % loop->n_processes};
    out.process = out.step->processes[out.place];
    out.unit = a->units[i] + inside;
    out.iteration = turn / (uint32_t)loop->body.n;
    return out;
}

uint64_t body_act_number(const struct body_act *a, const struct number *n)
{
    uint64_t value = n->values[a->place * n->cells];
    if (a->iteration == 0)
        return value;
    const uint32_t level = a->step->depth - 1;
    if (n->cells > 1 && n->level == level)
        value = n->values[a->place * n->cells + a->iteration];
    return value + n->coefs[level] * a->iteration;
}

uint32_t body_act_partner(const struct logical *l, const struct body_act *a)
{
    uint64_t indices[SYSTEM_DEPTH_MAX + 1] = {0};
    if (a->iteration > 0)
        indices[a->step->depth - 1] = a->iteration;
    return step_partner(l, a->step, a->process, indices);
}
