/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 4: the function table, and which rows are valid calls of a function. */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

static int constant_order(const void *a, const void *b)
{
    const struct constant *x = a, *y = b;
    int order = strcmp(x->set, y->set);
    return order ? order : (x->value > y->value) - (x->value < y->value);
}

void read_functions(struct trace *t)
{
    struct input *in = section(t, FUNC);
    if (!in)
        return;
    t->kinds = zeroed(t->n_kinds = get_count(in, 4), sizeof *t->kinds);
    for (size_t i = 0; i < t->n_kinds; i++) {
        t->kinds[i].name = get_string(in);
        for (size_t k = 0; k < i; k++)
            refuse_if(in, strcmp(t->kinds[k].name, t->kinds[i].name) == 0, "two kinds of one name");
        t->kinds[i].type = get_below(in, N_TYPES);
        t->kinds[i].set = get_string(in);
        get_string(in);
    }
    size_t n_parameters = get_count(in, 3);
    struct parameter *parameters = zeroed(n_parameters, sizeof *parameters);
    for (size_t i = 0; i < n_parameters; i++) {
        get_string(in);
        parameters[i].kind = &t->kinds[get_below(in, t->n_kinds)];
        parameters[i].flags = get_below(in, 16);
        refuse_if(in, !(parameters[i].flags & (IN | OUT)), "a parameter is neither read nor written");
    }
    t->functions = zeroed(t->n_functions = get_count(in, 3), sizeof *t->functions);
    for (size_t i = 0; i < t->n_functions; i++) {
        struct function *f = &t->functions[i];
        f->name = get_string(in);
        for (size_t k = 0; k < i; k++)
            refuse_if(in, strcmp(t->functions[k].name, f->name) == 0, "two functions of one name");
        size_t result = get_below(in, t->n_kinds + 1);
        f->result = result ? &t->kinds[result - 1] : NULL;
        f->parameters = zeroed(f->n = get_count(in, 1), sizeof(*f->parameters));
        for (size_t k = 0; k < f->n; k++)
            f->parameters[k] = &parameters[get_below(in, n_parameters)];
    }
    t->constants = zeroed(t->n_constants = get_count(in, 2), sizeof *t->constants);
    for (size_t i = 0; i < t->n_constants;) {
        const char *set = get_string(in);
        uint64_t n = get_uint(in), value = 0;
        refuse_if(in, n == 0 || n > t->n_constants - i, "a run of none or of too many constants");
        for (; n > 0; n--, i++) {
            value += (uint64_t)get_int(in);
            t->constants[i] = (struct constant){set, (int64_t)value};
            get_string(in);
        }
    }
    qsort(t->constants, t->n_constants, sizeof *t->constants, constant_order);
    section_end(in);
}

/* A walk over a row, value by value. A walk past its end sets ok to false. */
struct walk {
    const struct trace *trace;
    const int64_t *slots;
    size_t n, at;
    bool ok;
};

static int64_t walk_slot(struct walk *w)
{
    if (w->at < w->n)
        return w->slots[w->at++];
    w->ok = false;
    return 0;
}

static void walk_constant(struct walk *w, const char *set, int64_t value)
{
    struct constant wanted = {set, value};
    if (!w->trace->n_constants ||
        !bsearch(&wanted, w->trace->constants, w->trace->n_constants, sizeof wanted, constant_order))
        w->ok = false;
}

/* Returns a length, or 0 for a code. */
static uint64_t walk_length(struct walk *w)
{
    int64_t n = walk_slot(w);
    if (n <= -16)
        walk_constant(w, "ARRAY", -16 - n);
    else if (n < -2)
        w->ok = false;
    return n > 0 ? (uint64_t)n : 0;
}

static void walk_string(struct walk *w)
{
    uint64_t length = walk_length(w);
    uint64_t n = length / 8 + (length % 8 != 0), last = 0;
    for (uint64_t i = 0; i < n && w->ok; i++)
        last = (uint64_t)walk_slot(w);
    if (length % 8 && last >> length % 8 * 8 != 0)
        w->ok = false;
}

static void walk_value(struct walk *w, const struct kind *kind)
{
    int64_t v;
    switch (kind->type) {
    case HANDLE:
        if ((v = walk_slot(w)) & 1 && v != -1)
            walk_constant(w, kind->set, v >> 1);
        break;
    case ADDRESS:
        if ((v = walk_slot(w)) == 1)
            walk_constant(w, kind->set, walk_slot(w));
        else if (v < 2 || v > 9)
            w->ok = false;
        for (int64_t n = v <= 2 ? 0 : v == 3 ? 1 : v < 9 ? 2 : 3; n > 0; n--)
            walk_slot(w);
        break;
    case STRING:
        walk_string(w);
        break;
    case STRINGS:
        for (uint64_t n = walk_length(w); n > 0 && w->ok; n--)
            walk_string(w);
        break;
    case STATUS:
        if ((v = walk_slot(w)) < 0 || v > 3)
            w->ok = false;
        for (unsigned i = 0; i < 5; i++)
            walk_slot(w);
        break;
    default: /* INT, FLAGS, REAL */
        walk_slot(w);
    }
}

/* Walks over the parameters of one direction. Returns all their flags together. */
static uint64_t walk_parameters(struct walk *w, const struct function *f, unsigned direction)
{
    uint64_t flags = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct parameter *p = f->parameters[i];
        if (!(p->flags & direction))
            continue;
        flags |= p->flags;
        uint64_t n = 1;
        if (p->flags & ARRAY) {
            n = walk_length(w);
        } else if (p->flags & NULLABLE) {
            int64_t given = walk_slot(w); /* 1, or −1 for a null pointer */
            n = given == 1;
            w->ok = w->ok && (n || given == -1);
        }
        for (; n > 0 && w->ok; n--)
            walk_value(w, p->kind);
    }
    return flags;
}

static bool has_outputs(const struct function *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->parameters[i]->flags & OUT)
            return true;
    return false;
}

/* Are the slots a valid call of the function? */
bool row_fits(const struct trace *t, const struct function *f, const int64_t *slots, size_t n)
{
    struct walk w = {t, slots, n, 0, true};
    walk_parameters(&w, f, IN);
    if (w.ok && w.at == n && f->result) /* it did not return */
        return true;
    if (f->result)
        walk_value(&w, f->result);
    if (!w.ok || w.at == n) { /* no more slots: no more parameters, or it failed */
        bool failed = f->result && w.at > 0 && slots[w.at - 1] != 0;
        return w.ok && (failed || !has_outputs(f));
    }
    bool success = !f->result || slots[w.at - 1] == 0;
    uint64_t flags = walk_parameters(&w, f, OUT);
    /* MPI_ERR_IN_STATUS, with an array of statuses */
    return w.ok && w.at == n && (success || flags & ARRAY);
}
