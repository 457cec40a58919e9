/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"

#include <string.h>
#include <strings.h>

#include "c_types.h"
#include "refuse.h"

/* ---- prototypes ------------------------------------------------------------------------------ */

static bool same_type(const struct c_parameter *a, const struct c_declaration *b)
{
    int depth = a->stars;

    for (const char *c = a->brackets; *c; c++)
        depth += *c == '[';
    return strcmp(a->type, b->type) == 0 && a->constant == b->constant && depth == b->depth;
}

static int agree_signature(const struct prototype *p, const struct c_signature *s)
{
    struct source_position there = s->procedure->place;

    if (p->n_parameters != s->n_parameters)
        return refuse(p->place, "%s has %zu parameters, but %zu at %s:%d: correct one of them", p->name,
                      p->n_parameters, s->n_parameters, there.file, there.line);
    if (strcmp(p->result, s->result) != 0)
        return refuse(p->place, "%s returns %s, but %s at %s:%d: correct one of them", p->name, p->result,
                      s->result, there.file, there.line);
    for (size_t i = 0; i < p->n_parameters; i++) {
        const struct c_declaration *d = &p->parameters[i];
        const struct c_parameter *q = &s->parameters[i];

        if (*d->name && strcmp(d->type, "...") != 0 && strcmp(d->name, q->parameter->name) != 0)
            return refuse(p->place, "parameter %zu of %s is '%s', but '%s' at %s:%d: correct one of them",
                          i + 1, p->name, d->name, q->parameter->name, there.file, there.line);
        if (!same_type(q, d))
            return refuse(p->place,
                          "the C type of '%s' of %s differs from that at %s:%d: correct one of them",
                          q->parameter->name, p->name, there.file, there.line);
    }
    return 0;
}

int agree_prototype(const struct prototype *p, const struct procedure *known, bool large)
{
    struct c_signature s;

    if (known->broken)
        return 0;
    if (large && !known->has_large)
        return refuse(p->place, "%s has no large count at %s:%d: correct one of them", known->name,
                      known->place.file, known->place.line);
    s = c_signature(known, large);
    return agree_signature(p, &s);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Whether a block lists the parameter. "..." is only in the parentheses after the block's name. */
static bool is_listed(const struct parameter *p)
{
    return !(p->suppress & SUPPRESS_LIS) && strcmp(p->kind->name, "VARARGS") != 0;
}

static void agree_list(const struct funcdef *block, const struct procedure *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n_parameters; i++) {
        const struct parameter *q = &p->parameters[i];
        const struct funcarg *arg = n < block->n_args ? &block->args[n] : NULL;

        if (!is_listed(q))
            continue;
        n++;
        if (!arg) {
            refuse(block->place, "%s lacks the parameter '%s' of %s:%d: correct one of them", block->name,
                   q->name, p->place.file, p->place.line);
            return;
        }
        if (strcmp(arg->name, q->name) != 0 || arg->direction != q->lis_direction) {
            refuse(arg->place,
                   "parameter %zu of %s, '%s', has another name or direction at %s:%d: correct one of them",
                   n, block->name, arg->name, q->place.file, q->place.line);
            return;
        }
    }
    if (n < block->n_args)
        refuse(block->args[n].place, "%s has no parameter '%s' at %s:%d: correct one of them", block->name,
               block->args[n].name, p->place.file, p->place.line);
}

bool agree_block(const struct funcdef *block, const struct model *m)
{
    bool found = false;

    for (size_t i = 0; i < m->n_procedures; i++) {
        const struct procedure *p = &m->procedures[i];

        if (strcasecmp(p->name, block->name) != 0)
            continue;
        found = true;
        if (!block->broken && !p->broken)
            agree_list(block, p);
    }
    return found;
}

/* ---- mpi-binding ----------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_parameter(const struct parameter *p, const struct parameter *q)
{
    return strcmp(p->name, q->name) == 0 && p->kind == q->kind && p->direction == q->direction &&
           p->lis_direction == q->lis_direction && same_text(p->length, q->length) &&
           same_text(p->func_type, q->func_type) && p->constant == q->constant &&
           p->root_only == q->root_only && p->large_only == q->large_only && p->suppress == q->suppress;
}

void agree_procedure(const struct procedure *p, const struct procedure *known)
{
    bool same = p->result == known->result && p->n_parameters == known->n_parameters;

    if (p->broken || known->broken)
        return;
    for (size_t i = 0; same && i < p->n_parameters; i++)
        same = same_parameter(&p->parameters[i], &known->parameters[i]);
    if (!same)
        refuse(p->place, "%s differs from %s:%d: correct one of them", p->name, known->place.file,
               known->place.line);
}
