/* SPDX-License-Identifier: BSD-3-Clause */
/* From C prototypes and language-independent blocks to procedures with kinds.
 *
 *     MPI_Send    (…, int count, …, int dest, …)          count is (int, MPI_Count): POLYXFER_NUM_ELEM
 *     MPI_Send_c  (…, MPI_Count count, …, int dest, …)    dest is (int, int) and named dest: RANK
 *
 * A procedure that an mpi-binding block describes as well keeps what that says; the two must agree. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "c_types.h"
#include "kinds.h"
#include "model_read.h"
#include "refuse.h"
#include "tex_parse.h"
#include "text_arena.h"

static const struct prototype *find_prototype(const struct funcdefs *f, const char *name)
{
    for (size_t i = 0; i < f->n_prototypes; i++)
        if (strcmp(f->prototypes[i].name, name) == 0)
            return &f->prototypes[i];
    return NULL;
}

static const struct funcdef *find_block(const struct funcdefs *f, const char *name)
{
    for (size_t i = 0; i < f->n_blocks; i++)
        if (strcasecmp(f->blocks[i].name, name) == 0)
            return &f->blocks[i];
    return NULL;
}

static const struct funcarg *find_arg(const struct funcdef *block, const char *name)
{
    for (size_t i = 0; block && i < block->n_args; i++)
        if (strcmp(block->args[i].name, name) == 0)
            return &block->args[i];
    return NULL;
}

static const struct c_declaration *find_declaration(const struct prototype *p, const char *name)
{
    for (size_t i = 0; p && i < p->n_parameters; i++)
        if (strcmp(p->parameters[i].name, name) == 0)
            return &p->parameters[i];
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* A handle's conversion returns the kind that its parameter's name tells. */
static const struct kind *result_of(const struct prototype *p)
{
    struct c_declaration result = {.type = p->result, .name = p->n_parameters ? p->parameters[0].name : ""};

    if (strcmp(p->result, "int") == 0)
        return kind_find("ERROR_CODE");
    if (strcmp(p->result, "double") == 0)
        return kind_find("WALL_TIME");
    if (strcmp(p->result, "void") == 0)
        return kind_find("NOTHING");
    return kind_of_declaration(&result, NULL);
}

static bool is_written(const struct c_declaration *d, const struct kind *kind)
{
    return d->depth && !d->constant && strcmp(kind->value, "ADDRESS") != 0 &&
           strcmp(kind->value, "STRINGS") != 0;
}

static int parameter_of(const struct prototype *p, const struct c_declaration *d,
                        const struct c_declaration *large, const struct funcdef *block, struct parameter *out)
{
    const struct funcarg *arg = find_arg(block, d->name);
    bool function;
    struct parameter q = {
        .place = arg ? arg->place : p->place, .kind = kind_of_declaration(d, large), .constant = d->constant};

    if (!q.kind)
        return refuse(p->place, "unknown C type '%s' of '%s'", d->type, d->name);
    function = strstr(q.kind->name, "FUNCTION") && !*q.kind->c_small;
    q.name = *d->name ? d->name : text_arena_format("parameter%td", d - p->parameters + 1);
    q.func_type = function ? d->type : NULL;
    /* A pointer to what is not constant may be written to; where the block says "in" it is read all the same.
     */
    q.direction = !is_written(d, q.kind) ? DIRECTION_IN : block && !arg ? DIRECTION_INOUT : DIRECTION_OUT;
    if (arg && d->depth)
        q.direction = arg->direction;
    q.lis_direction = arg ? arg->direction : q.direction;
    if (block && !arg)
        q.suppress |= SUPPRESS_LIS;
    if (d->brackets && strcmp(q.kind->value, "STRINGS") != 0) {
        q.length = *d->row ? text_arena_format("*,%s", d->row) : "*";
        q.no_pointer = strcmp(q.kind->value, "STATUS") == 0;
    } else {
        q.pointer = d->depth == 1 && q.direction == DIRECTION_IN && strcmp(q.kind->value, "STRING") != 0 &&
                    strcmp(q.kind->value, "ADDRESS") != 0;
    }
    *out = q;
    return 0;
}

/* ---- procedures ------------------------------------------------------------------------------ */

static void add_parameter(struct procedure *procedure, const struct parameter *p)
{
    size_t n = procedure->n_parameters++;

    procedure->parameters = text_arena_more(procedure->parameters, n, sizeof *p);
    procedure->parameters[n] = *p;
    procedure->has_large |= p->large_only || (!(p->suppress & SUPPRESS_C) && kind_has_large(p->kind));
}

/* Parameters are those of `large` where there is one, since it may have more. */
static int procedure_of(const struct funcdefs *f, const struct prototype *p, const struct prototype *large,
                        struct procedure *out)
{
    const struct funcdef *block = find_block(f, p->name);
    const struct prototype *longer = large ? large : p;
    struct procedure q = {
        .place = p->place,
        .name = p->name,
        .chapter = p->chapter,
        .result = result_of(p),
        .c_expressible = true,
        .f90_expressible = block,
        .f08_expressible = block,
        .lis_expressible = block,
        .removed = strcmp(p->chapter, "removed") == 0,
    };

    if (!q.result)
        return refuse(p->place, "unknown C type '%s' of the result", p->result);
    for (size_t i = 0; i < longer->n_parameters; i++) {
        const struct c_declaration *d = &longer->parameters[i];
        const struct c_declaration *small = large ? find_declaration(p, d->name) : d;
        struct parameter parameter;

        if (parameter_of(longer, small ? small : d, large ? d : NULL, block, &parameter))
            return -1;
        parameter.large_only = !small;
        add_parameter(&q, &parameter);
    }
    for (size_t i = 0; block && i < block->n_args; i++)
        if (!find_declaration(longer, block->args[i].name))
            return refuse(block->args[i].place, "'%s' is no parameter of %s in C", block->args[i].name,
                          p->name);
    if (block && strcmp(q.result->name, "ERROR_CODE") == 0) /* Fortran returns the error here */
        add_parameter(&q, &(struct parameter){
                              .place = p->place,
                              .name = "ierror",
                              .kind = q.result,
                              .direction = DIRECTION_OUT,
                              .lis_direction = DIRECTION_OUT,
                              .optional = true,
                              .suppress = SUPPRESS_C | SUPPRESS_LIS,
                          });
    *out = q;
    return 0;
}

/* Names in capitals are predefined callbacks; a callback type with the same parameters tells of which type.
 */
static const char *predefined_type(const struct model *m, const struct procedure *p)
{
    for (const char *c = p->name; *c; c++)
        if (islower((unsigned char)*c))
            return NULL;
    for (size_t i = 0; i < m->n_callbacks; i++) {
        const struct procedure *q = &m->callbacks[i];
        size_t same = 0;

        while (same < p->n_parameters && same < q->n_parameters &&
               strcmp(p->parameters[same].name, q->parameters[same].name) == 0 &&
               p->parameters[same].kind == q->parameters[same].kind)
            same++;
        if (same == p->n_parameters && same == q->n_parameters)
            return q->name;
    }
    return NULL;
}

/* ---- agreement ------------------------------------------------------------------------------- */

static bool same_type(const struct c_parameter *a, const struct c_declaration *b)
{
    int depth = a->stars;

    for (const char *c = a->brackets; *c; c++)
        depth += *c == '[';
    return strcmp(a->type, b->type) == 0 && a->constant == b->constant && depth == b->depth;
}

/* Does a prototype say what the model says? */
static int agree(const struct prototype *p, const struct c_signature *s)
{
    struct source_position there = s->procedure->place;

    if (p->n_parameters != s->n_parameters)
        return refuse(p->place, "%s has %zu parameters, but %zu at %s:%d", p->name, p->n_parameters,
                      s->n_parameters, there.file, there.line);
    if (strcmp(p->result, s->result) != 0)
        return refuse(p->place, "%s returns %s, but %s at %s:%d", p->name, p->result, s->result, there.file,
                      there.line);
    for (size_t i = 0; i < p->n_parameters; i++) {
        const struct c_declaration *d = &p->parameters[i];
        const struct c_parameter *q = &s->parameters[i];

        if (*d->name && strcmp(d->type, "...") != 0 && strcmp(d->name, q->parameter->name) != 0)
            return refuse(p->place, "parameter %zu of %s is '%s', but '%s' at %s:%d", i + 1, p->name, d->name,
                          q->parameter->name, there.file, there.line);
        if (!same_type(q, d))
            return refuse(p->place, "the C type of '%s' of %s differs from that at %s:%d", q->parameter->name,
                          p->name, there.file, there.line);
    }
    return 0;
}

/* Does a block list the language-independent parameters of the model? */
static int agree_block(const struct funcdef *block, const struct procedure *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n_parameters; i++) {
        const struct parameter *q = &p->parameters[i];
        const struct funcarg *arg = &block->args[n];

        if (q->suppress & SUPPRESS_LIS)
            continue;
        if (n++ == block->n_args)
            return refuse(block->place, "%s lacks the parameter '%s' of %s:%d", block->name, q->name,
                          p->place.file, p->place.line);
        if (strcmp(arg->name, q->name) != 0 || arg->direction != q->lis_direction)
            return refuse(arg->place,
                          "parameter %zu of %s, '%s', is another one or has another direction at %s:%d", n,
                          block->name, arg->name, q->place.file, q->place.line);
    }
    if (n < block->n_args)
        return refuse(block->args[n].place, "%s has no parameter '%s' at %s:%d", block->name,
                      block->args[n].name, p->place.file, p->place.line);
    return 0;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* The prototype whose large-count twin this is, NULL if it is none. */
static const struct prototype *small_of(const struct funcdefs *f, const struct prototype *p)
{
    size_t n = strlen(p->name);

    if (!ends_with(p->name, "_c") && !ends_with(p->name, "_C"))
        return NULL;
    return find_prototype(f, text_arena_copy(p->name, n - 2));
}

static const struct prototype *large_of(const struct funcdefs *f, const struct prototype *p)
{
    const struct prototype *large = find_prototype(f, text_arena_format("%s_c", p->name));

    return large ? large : find_prototype(f, text_arena_format("%s_C", p->name));
}

static const struct procedure *described(const struct model *m, const struct prototype *p)
{
    return model_find(p->callback ? m->callbacks : m->procedures,
                      p->callback ? m->n_callbacks : m->n_procedures, p->name);
}

static int join_prototype(const struct funcdefs *f, size_t i, struct model *m)
{
    const struct prototype *p = &f->prototypes[i], *first = find_prototype(f, p->name);
    const struct prototype *large = large_of(f, p);
    const struct procedure *known = described(m, p);
    struct procedure procedure;
    struct c_signature s;

    if (p != first && p->main && first->main)
        return refuse(p->place, "'%s' is already described at %s:%d", p->name, first->place.file,
                      first->place.line);
    if (small_of(f, p)) /* joined with the other */
        return 0;
    if (!known) {
        if (procedure_of(f, p, large, &procedure))
            return -1;
        if (!p->callback)
            procedure.predefined = predefined_type(m, &procedure);
        if (model_add(m, &procedure, p->callback))
            return -1;
        known = described(m, p);
    }
    s = c_signature(known, false);
    if (agree(p, &s))
        return -1;
    if (!large)
        return 0;
    if (!known->has_large)
        return refuse(large->place, "%s has no large count at %s:%d", p->name, known->place.file,
                      known->place.line);
    s = c_signature(known, true);
    return agree(large, &s);
}

/* A block alone describes a procedure that Fortran has and C has not; its kinds are not known, so it must be
 * described by an mpi-binding block too, or is left out. */
static int join_block(const struct funcdef *block, const struct model *m)
{
    for (size_t i = 0; i < m->n_procedures; i++)
        if (strcasecmp(m->procedures[i].name, block->name) == 0)
            return agree_block(block, &m->procedures[i]);
    return 0;
}

int funcdef_join(const struct funcdefs *f, struct model *m)
{
    /* Callbacks first: predefined ones are known by them. */
    for (int callbacks = 1; callbacks >= 0; callbacks--)
        for (size_t i = 0; i < f->n_prototypes; i++)
            if (f->prototypes[i].callback == callbacks && join_prototype(f, i, m))
                return -1;
    for (size_t i = 0; i < f->n_blocks; i++)
        if (join_block(&f->blocks[i], m))
            return -1;
    return 0;
}
