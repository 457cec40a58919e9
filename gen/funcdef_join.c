/* SPDX-License-Identifier: BSD-3-Clause */
/* Join C prototypes and language-independent blocks to procedures with kinds.
 *
 *     MPI_Send    (…, int count, …, int dest, …)          count is (int, MPI_Count): POLYXFER_NUM_ELEM
 *     MPI_Send_c  (…, MPI_Count count, …, int dest, …)    dest is (int, int) and named dest: RANK
 *
 * If an mpi-binding block also describes a procedure, that block counts, and the two must agree. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "agree.h"
#include "kinds.h"
#include "model_read.h"
#include "refuse.h"
#include "special.h"
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

/* ---- parameters ------------------------------------------------------------------------------ */

/* The kind of the result. If the C type alone does not show it, as for a conversion of handles, the
 * name of the first parameter does. */
static const struct kind *result_of(const struct prototype *p)
{
    struct c_declaration result = {.type = p->result, .name = "returned"};
    const struct kind *kind = kind_of_declaration(p->name, &result, NULL);

    if (kind || !p->n_parameters)
        return kind;
    result.name = p->parameters[0].name;
    return kind_of_declaration(p->name, &result, NULL);
}

static bool is_written(const struct c_declaration *d, const struct kind *kind)
{
    return d->depth && !d->constant && strcmp(kind->value, "ADDRESS") != 0 &&
           strcmp(kind->value, "STRINGS") != 0;
}

/* Names in capitals are predefined callbacks. */
static bool is_predefined(const char *name)
{
    while (*name && !islower((unsigned char)*name))
        name++;
    return !*name;
}

/* The direction of a parameter without a block; 0 if it cannot be known. */
static enum direction direction_alone(const struct prototype *p, const struct c_declaration *d)
{
    if (fnmatch("MPI_*_[cf]*2[cf]*", p->name, 0) == 0) /* a conversion */
        return d == p->parameters ? DIRECTION_IN : DIRECTION_OUT;
    return p->callback || is_predefined(p->name) ? DIRECTION_OUT : 0;
}

/* A pointer to a non-constant type may be written to, unless the block says "in". */
static enum direction direction_of(const struct prototype *p, const struct c_declaration *d,
                                   const struct kind *kind, const struct funcdef *block,
                                   const struct funcarg *arg)
{
    if (arg && d->depth)
        return arg->direction;
    if (block && strncmp(kind->name, "ARGUMENT_", 9) == 0) /* the arguments of main() */
        return DIRECTION_INOUT;
    if (!is_written(d, kind))
        return DIRECTION_IN;
    if (!block)
        return direction_alone(p, d);
    /* The block describes the small-count procedure, so it lacks parameters that only the
     * large-count one has. */
    return text_ends_with(p->name, "_c") ? DIRECTION_OUT : DIRECTION_INOUT;
}

static int parameter_of(const struct prototype *p, const struct c_declaration *d,
                        const struct c_declaration *large, const struct funcdef *block, struct parameter *out)
{
    const struct funcarg *arg = find_arg(block, d->name);
    struct parameter q = {.place = arg ? arg->place : p->place,
                          .kind = kind_of_declaration(p->name, d, large),
                          .constant = d->constant};

    if (!q.kind)
        return refuse(p->place, "unknown C type '%s' of '%s': add it to gen/c_kinds.def", d->type, d->name);
    q.name = *d->name ? d->name : text_arena_format("parameter%td", d - p->parameters + 1);
    q.func_type = strstr(q.kind->name, "FUNCTION") && !*q.kind->c_small ? d->type : NULL;
    q.direction = direction_of(p, d, q.kind, block, arg);
    if (!q.direction)
        return refuse(p->place, "unknown direction of '%s' of %s: add the procedure's funcdef block", q.name,
                      p->name);
    q.lis_direction = arg ? arg->direction : q.direction;
    q.root_only = arg && arg->root_only;
    if (block && !arg && strcmp(q.kind->name, "VARARGS") != 0) /* only C has this parameter */
        q.suppress |= SUPPRESS_LIS | SUPPRESS_F90 | SUPPRESS_F08;
    *out = q;
    return 0;
}

/* Set the length of an array; mark pointers to single values that go in, and output without a
 * pointer. */
static void set_shape(const struct procedure *procedure, const struct c_declaration *d, struct parameter *p)
{
    const char *value = p->kind->value, *length = NULL;
    bool string = strcmp(value, "STRING") == 0;

    p->no_pointer = !d->depth && p->direction != DIRECTION_IN;
    if (!d->depth || strcmp(value, "ADDRESS") == 0 || strcmp(p->kind->name, "STRING_ARRAY") == 0)
        return; /* an array of strings ends with a null pointer */
    if (!string || p->direction == DIRECTION_OUT)
        length = special_array(procedure, p);
    p->length = length;
    if (strcmp(value, "STRINGS") == 0) { /* an argument list: "char *argv[]" or a pointer to it */
        p->no_pointer = d->depth == 2;
        p->pointer = d->depth == 3 && !d->brackets;
        return;
    }
    if (!length && d->brackets)
        p->length = *d->row ? text_arena_format("*,%s", d->row) : "*";
    p->no_pointer = p->length && strcmp(value, "STATUS") == 0;
    p->pointer = !p->length && !string && d->depth == 1 && p->direction == DIRECTION_IN;
}

/* ---- procedures ------------------------------------------------------------------------------ */

static void add_parameter(struct procedure *procedure, const struct parameter *p)
{
    size_t n = procedure->n_parameters++;

    procedure->parameters = text_arena_more(procedure->parameters, n, sizeof *p);
    procedure->parameters[n] = *p;
    procedure->has_large |= p->large_only || (!(p->suppress & SUPPRESS_C) && kind_has_large(p->kind));
}

/* Add the parameters; those of `large`, if it exists, since it may have more. */
static int add_parameters(const struct prototype *p, const struct prototype *large,
                          const struct funcdef *block, struct procedure *q)
{
    const struct prototype *longer = large ? large : p;
    int result = 0;

    for (size_t i = 0; i < longer->n_parameters; i++) {
        const struct c_declaration *d = &longer->parameters[i];
        const struct c_declaration *small = large ? find_declaration(p, d->name) : d;
        struct parameter parameter;

        if (parameter_of(small ? p : longer, small ? small : d, large ? d : NULL, block, &parameter)) {
            result = -1;
            continue;
        }
        parameter.large_only = !small;
        add_parameter(q, &parameter);
    }
    for (size_t i = 0; i < longer->n_parameters && !result; i++)
        set_shape(q, &longer->parameters[i], &q->parameters[i]);
    for (size_t i = 0; block && i < block->n_args; i++)
        if (!find_declaration(longer, block->args[i].name))
            result = refuse(block->args[i].place, "'%s' is no parameter of %s in C: correct one of them",
                            block->args[i].name, p->name);
    return result;
}

/* Whether the procedure has any number of arguments. Fortran has no such procedures, and so no
 * ierror after them. */
static bool has_varargs(const struct prototype *p)
{
    return p->n_parameters && strcmp(p->parameters[p->n_parameters - 1].type, "...") == 0;
}

static int procedure_of(const struct funcdefs *f, const struct prototype *p, const struct prototype *large,
                        struct procedure *out)
{
    const struct funcdef *block = find_block(f, p->name);
    struct procedure q = {
        .place = p->place,
        .name = p->name,
        .chapter = p->chapter,
        .result = result_of(p),
        .c_expressible = true,
        .f90_expressible = block,
        .f08_expressible = block,
        .lis_expressible = block,
        .removed = special_find(SPECIAL_REMOVED, p->name, NULL),
    };

    if (!q.result)
        refuse(p->place, "unknown C type '%s' of the result: add it to gen/c_kinds.def", p->result);
    if (add_parameters(p, large, block, &q) || !q.result)
        return -1;
    /* In Fortran, ierror returns it. */
    if (block && strcmp(q.result->name, "ERROR_CODE") == 0 && !has_varargs(p))
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

/* The type of a predefined callback: the callback type with the same parameters. */
static const char *predefined_type(const struct model *m, const struct procedure *p)
{
    if (!is_predefined(p->name))
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

/* ---- all together ---------------------------------------------------------------------------- */

/* The prototype of which this is the large-count twin; NULL if there is none. */
static const struct prototype *small_of(const struct funcdefs *f, const struct prototype *p)
{
    if (!text_ends_with(p->name, "_c") && !text_ends_with(p->name, "_C"))
        return NULL;
    return find_prototype(f, text_arena_copy(p->name, strlen(p->name) - 2));
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

/* Find the procedure that the prototype describes, in the model; *large if the prototype is its
 * large-count twin. */
static const struct procedure *known_of(const struct model *m, const struct prototype *p, bool *large)
{
    struct prototype small = *p;
    const struct procedure *known = described(m, p);

    *large = false;
    if (known || (!text_ends_with(p->name, "_c") && !text_ends_with(p->name, "_C")))
        return known;
    small.name = text_arena_copy(p->name, strlen(p->name) - 2);
    known = described(m, &small);
    *large = known;
    return known;
}

/* Make a procedure of a prototype that no other source describes; otherwise check that the two
 * agree. */
static void join_prototype(const struct funcdefs *f, size_t i, struct model *m)
{
    const struct prototype *p = &f->prototypes[i], *first = find_prototype(f, p->name);
    const struct prototype *large = large_of(f, p);
    bool is_large;
    const struct procedure *known = known_of(m, p, &is_large);
    struct procedure procedure;

    if (p != first && p->main && first->main) {
        refuse(p->place, "'%s' is already described at %s:%d: remove one of them", p->name, first->place.file,
               first->place.line);
        return;
    }
    if (small_of(f, p)) /* joined with its small-count twin */
        return;
    if (!known) {
        if (procedure_of(f, p, large, &procedure))
            return;
        if (!p->callback)
            procedure.predefined = predefined_type(m, &procedure);
        if (model_add(m, &procedure, p->callback))
            return;
        known = described(m, p);
    }
    if (agree_prototype(p, known, is_large) == 0 && large)
        agree_prototype(large, known, true);
}

static bool has_prototype(const struct funcdefs *f, const struct funcdef *block)
{
    for (size_t i = 0; i < f->n_prototypes; i++)
        if (strcasecmp(f->prototypes[i].name, block->name) == 0)
            return true;
    return false;
}

/* Check the blocks. A block without a prototype describes a procedure that only Fortran has; its
 * kinds are unknown. */
static void agree_blocks(const struct funcdefs *f, const struct model *m)
{
    for (size_t i = 0; i < f->n_blocks; i++) {
        const struct funcdef *block = &f->blocks[i];

        if (!agree_block(block, m) && !block->broken && !has_prototype(f, block))
            warn(block->place, "%s has no binding for C: it is left out", block->name);
    }
}

void funcdef_join(const struct funcdefs *f, struct model *m)
{
    /* Callbacks come first, because predefined callbacks refer to them. */
    for (int callbacks = 1; callbacks >= 0; callbacks--)
        for (size_t i = 0; i < f->n_prototypes; i++)
            if (f->prototypes[i].callback == callbacks)
                join_prototype(f, i, m);
    agree_blocks(f, m);
}

void funcdef_compare(const struct funcdefs *f, const struct model *m)
{
    for (size_t i = 0; i < f->n_prototypes; i++) {
        const struct prototype *p = &f->prototypes[i];
        bool large;
        const struct procedure *known = known_of(m, p, &large);

        if (known)
            agree_prototype(p, known, large);
        else
            warn(p->place, "%s has no other description: it is left out", p->name);
    }
    agree_blocks(f, m);
}
