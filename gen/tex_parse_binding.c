/* SPDX-License-Identifier: BSD-3-Clause */
/* The newer dialect: each procedure is one block of calls (call_lex.h). */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "call_lex.h"
#include "kinds.h"
#include "refuse.h"
#include "tex_parse.h"
#include "text_arena.h"

/* A block whose calls are being executed. */
struct block {
    struct binding binding;
    bool again;     /* the block shows the procedure of another block again */
    bool no_ierror; /* without the last Fortran parameter */
};

/* ---- parameters ------------------------------------------------------------------------------ */

static int truth_of(const struct argument *a, bool *out)
{
    if (a->value.type == VALUE_TRUTH)
        *out = a->value.truth;
    else if (a->value.type == VALUE_TEXT && strcasecmp(a->value.text, "true") == 0)
        *out = true;
    else if (a->value.type == VALUE_TEXT && strcasecmp(a->value.text, "false") == 0)
        *out = false;
    else
        return refuse(a->place, "'%s' must be True or False", a->key);
    return 0;
}

static int direction_of(const struct argument *a, const char *text, enum direction *out)
{
    static const char *const names[] = {
        [DIRECTION_IN] = "in", [DIRECTION_OUT] = "out", [DIRECTION_INOUT] = "inout"};

    for (enum direction d = DIRECTION_IN; d <= DIRECTION_INOUT; d++)
        if (strcasecmp(text, names[d]) == 0) {
            *out = d;
            return 0;
        }
    return refuse(a->place, "unknown direction '%s': must be in, out or inout", text);
}

/* Parse "in", or "lis:inout,param:in" if the handle stays and its object changes. */
static int set_direction(struct parameter *p, const struct argument *a)
{
    const char *from = a->value.text;

    if (!strchr(from, ':')) {
        if (direction_of(a, from, &p->direction))
            return -1;
        p->lis_direction = p->direction;
        return 0;
    }
    while (*from) {
        const char *part = text_arena_copy(from, strcspn(from, ","));
        const char *colon = strchr(part, ':');
        bool lis = strncasecmp(part, "lis:", 4) == 0;

        if (!colon || (!lis && strncasecmp(part, "param:", 6) != 0))
            return refuse(a->place, "unknown direction '%s': must be lis:… or param:…", part);
        if (direction_of(a, colon + 1, lis ? &p->lis_direction : &p->direction))
            return -1;
        from += strlen(part);
        from += *from == ',';
    }
    return 0;
}

static int set_length(struct parameter *p, const struct argument *a)
{
    p->length = a->value.text;
    return 0;
}

static int set_func_type(struct parameter *p, const struct argument *a)
{
    p->func_type = *a->value.text ? a->value.text : NULL;
    return 0;
}

/* Note where the parameter is left out. Words that only change how the standard prints a binding
 * have the value 0. */
static int set_suppress(struct parameter *p, const struct argument *a)
{
    static const struct {
        const char *word;
        unsigned suppress;
    } words[] = {
        {"c_parameter", SUPPRESS_C},
        {"lis_parameter", SUPPRESS_LIS},
        {"f90_parameter", SUPPRESS_F90},
        {"f08_parameter", SUPPRESS_F08},
        {"f08_intent", 0},
        {"lis_paren", 0},
        {"f90_parenthesis", 0},
        {"tilda", 0},
    };
    const char *from = a->value.text + strspn(a->value.text, " ");

    while (*from) {
        const char *word = text_arena_copy(from, strcspn(from, " "));
        size_t i = 0;

        while (i < sizeof words / sizeof *words && strcasecmp(words[i].word, word) != 0)
            i++;
        if (i == sizeof words / sizeof *words)
            return refuse(a->place, "unknown word '%s' in suppress: add it to gen/tex_parse_binding.c", word);
        p->suppress |= words[i].suppress;
        from += strlen(word);
        from += strspn(from, " ");
    }
    return 0;
}

static int set_nothing(struct parameter *p, const struct argument *a)
{
    (void)p, (void)a;
    return 0;
}

static const struct {
    const char *key;
    int (*set)(struct parameter *p, const struct argument *a);
} text_keys[] = {
    {"direction", set_direction}, {"length", set_length},      {"func_type", set_func_type},
    {"suppress", set_suppress},   {"array_type", set_nothing}, {"desc", set_nothing},
};

static const struct {
    const char *key;
    size_t offset;
} truth_keys[] = {
    {"constant", offsetof(struct parameter, constant)},
    {"asynchronous", offsetof(struct parameter, asynchronous)},
    {"optional", offsetof(struct parameter, optional)},
    {"root_only", offsetof(struct parameter, root_only)},
    {"large_only", offsetof(struct parameter, large_only)},
};

static int set_key(struct parameter *p, const struct argument *a)
{
    bool truth;

    for (size_t i = 0; i < sizeof text_keys / sizeof *text_keys; i++)
        if (strcmp(a->key, text_keys[i].key) == 0) {
            if (a->value.type == VALUE_NONE)
                return 0;
            if (a->value.type != VALUE_TEXT)
                return refuse(a->place, "'%s' must be a text", a->key);
            return text_keys[i].set(p, a);
        }
    for (size_t i = 0; i < sizeof truth_keys / sizeof *truth_keys; i++)
        if (strcmp(a->key, truth_keys[i].key) == 0)
            return truth_of(a, (bool *)((char *)p + truth_keys[i].offset));
    if (strcmp(a->key, "pointer") == 0) {
        if (a->value.type == VALUE_NONE)
            return 0;
        if (truth_of(a, &truth))
            return -1;
        *(truth ? &p->pointer : &p->no_pointer) = true;
        return 0;
    }
    return refuse(a->place, "unknown key '%s' of a parameter: add it to gen/tex_parse_binding.c", a->key);
}

static void add_parameter(struct procedure *procedure, const struct parameter *p)
{
    size_t n = procedure->n_parameters++;

    procedure->parameters = text_arena_more(procedure->parameters, n, sizeof *p);
    procedure->parameters[n] = *p;
}

static int parameter(struct block *b, const struct call *c, unsigned unused)
{
    struct parameter p = {.place = c->place, .direction = DIRECTION_IN, .lis_direction = DIRECTION_IN};
    const char *kind;

    (void)unused;
    if (call_text(c, 0, &p.name) || call_text(c, 1, &kind))
        return -1;
    p.kind = kind_find(kind);
    if (!p.kind)
        return refuse(c->place, "unknown kind '%s' of '%s': add it to gen/kinds.def", kind, p.name);
    for (size_t i = 2; i < c->n_arguments; i++)
        if (set_key(&p, &c->arguments[i]))
            return -1;
    add_parameter(&b->binding.procedure, &p);
    return 0;
}

/* construct_mpit_string_parameters("name", "variable"): a text and its length, which is passed and
 * returned */
static int string_parameters(struct block *b, const struct call *c, unsigned unused)
{
    struct parameter p = {.place = c->place, .direction = DIRECTION_OUT, .lis_direction = DIRECTION_OUT};

    (void)unused;
    if (call_text(c, 0, &p.name))
        return -1;
    p.kind = kind_find("STRING");
    add_parameter(&b->binding.procedure, &p);
    p.name = text_arena_format("%s_len", p.name);
    p.kind = kind_find("STRING_LENGTH");
    p.direction = p.lis_direction = DIRECTION_INOUT;
    add_parameter(&b->binding.procedure, &p);
    return 0;
}

/* ---- the other calls ------------------------------------------------------------------------- */

static int function_name(struct block *b, const struct call *c, unsigned unused)
{
    (void)unused;
    if (b->binding.procedure.name)
        return refuse(c->place, "the block has two names: remove one of them");
    if (call_text(c, 0, &b->binding.procedure.name))
        return -1;
    b->binding.procedure.own = strncmp(b->binding.procedure.name, "refrain_", 8) == 0;
    if (!b->binding.procedure.own && strncmp(b->binding.procedure.name, "MPI_", 4) != 0)
        return refuse(c->place, "'%s' is no name of a procedure: it must begin with MPI_",
                      b->binding.procedure.name);
    return 0;
}

static int return_type(struct block *b, const struct call *c, unsigned unused)
{
    const char *kind;

    (void)unused;
    if (call_text(c, 0, &kind))
        return -1;
    b->binding.procedure.result = kind_find(kind);
    if (!b->binding.procedure.result)
        return refuse(c->place, "unknown kind '%s' of the result: add it to gen/kinds.def", kind);
    return 0;
}

static int predefined_function(struct block *b, const struct call *c, unsigned unused)
{
    (void)unused;
    return call_text(c, 0, &b->binding.procedure.predefined);
}

static int callback(struct block *b, const struct call *c, unsigned unused)
{
    (void)c, (void)unused;
    b->binding.callback = true;
    return 0;
}

static int no_ierror(struct block *b, const struct call *c, unsigned unused)
{
    (void)c, (void)unused;
    b->no_ierror = true;
    return 0;
}

static int no_binding(struct block *b, const struct call *c, unsigned language)
{
    struct procedure *p = &b->binding.procedure;

    (void)c;
    if (language == SUPPRESS_C)
        p->c_expressible = false;
    if (language == SUPPRESS_LIS)
        p->lis_expressible = false;
    if (language == SUPPRESS_F90)
        p->f90_expressible = false;
    if (language == SUPPRESS_F08)
        p->f08_expressible = false;
    return 0;
}

static int again(struct block *b, const struct call *c, unsigned unused)
{
    (void)c, (void)unused;
    b->again = true;
    return 0;
}

/* Ignore a call that only changes how the standard prints the binding or its index. */
static int nothing(struct block *b, const struct call *c, unsigned unused)
{
    (void)b, (void)c, (void)unused;
    return 0;
}

static const struct {
    const char *name;
    int (*run)(struct block *b, const struct call *c, unsigned language);
    unsigned language;
} calls[] = {
    {"function_name", function_name, 0},
    {"parameter", parameter, 0},
    {"construct_mpit_string_parameters", string_parameters, 0},
    {"return_type", return_type, 0},
    {"callback", callback, 0},
    {"predefined_function", predefined_function, 0},
    {"no_ierror", no_ierror, 0},
    {"no_c_binding", no_binding, SUPPRESS_C},
    {"no_lis_binding", no_binding, SUPPRESS_LIS},
    {"no_f90_binding", no_binding, SUPPRESS_F90},
    {"no_f08_binding", no_binding, SUPPRESS_F08},
    {"render", again, 0},
    {"f90_overload_render", again, 0},
    {"render_nomain", nothing, 0},
    {"no_render", nothing, 0},
    {"deprecate", nothing, 0},
    {"f90_use_colons", nothing, 0},
    {"f90_overload", nothing, 0},
    {"not_with_mpif", nothing, 0},
    {"not_abstract_interface", nothing, 0},
    {"with_uppercase_index", nothing, 0},
};

static int run(struct block *b, const struct call *c)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(c->name, calls[i].name) == 0)
            return calls[i].run(b, c, calls[i].language);
    return refuse(c->place, "unknown call '%s': add it to gen/tex_parse_binding.c", c->name);
}

/* Add what the standard takes for granted. */
static void complete(struct block *b)
{
    struct procedure *p = &b->binding.procedure;

    if (!p->result)
        p->result = kind_find("ERROR_CODE");
    if (!b->no_ierror)
        add_parameter(p, &(struct parameter){
                             .place = p->place,
                             .name = "ierror",
                             .kind = kind_find("ERROR_CODE"),
                             .direction = DIRECTION_OUT,
                             .lis_direction = DIRECTION_OUT,
                             .optional = true,
                             .suppress = SUPPRESS_C | SUPPRESS_LIS,
                         });
    for (size_t i = 0; i < p->n_parameters; i++)
        p->has_large |= p->parameters[i].large_only || kind_has_large(p->parameters[i].kind);
}

int binding_parse(struct source_position begin, const char *body, struct binding *out)
{
    struct block b = {.binding.procedure = {
                          .place = begin,
                          .c_expressible = true,
                          .f90_expressible = true,
                          .f08_expressible = true,
                          .lis_expressible = true,
                      }};
    struct call_scanner s = {begin, body};
    struct procedure *p = &b.binding.procedure;
    struct call c;
    int found;

    while ((found = call_next(&s, &c)) > 0)
        p->broken |= run(&b, &c) != 0;
    p->broken |= found < 0;
    if (!p->name && p->broken)
        return -1;
    if (!p->name)
        return b.again ? 0 : refuse(begin, "the block has no function_name: add it");
    complete(&b);
    *out = b.binding;
    return 1;
}
