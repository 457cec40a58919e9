/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

static const char *const directions[] = {
    [DIRECTION_IN] = "in", [DIRECTION_OUT] = "out", [DIRECTION_INOUT] = "inout"};

static void write_word(FILE *out, bool condition, const char *word)
{
    if (condition)
        fprintf(out, ",%s", word);
}

static void list_parameter(FILE *out, const struct parameter *p)
{
    fprintf(out, " %s=%s,%s", p->name, p->kind->name, directions[p->direction]);
    if (p->lis_direction != p->direction)
        fprintf(out, ",lis=%s", directions[p->lis_direction]);
    if (p->length)
        fprintf(out, ",length=%s", p->length);
    if (p->func_type)
        fprintf(out, ",function=%s", p->func_type);
    write_word(out, p->constant, "const");
    write_word(out, p->asynchronous, "async");
    write_word(out, p->optional, "optional");
    write_word(out, p->root_only, "root");
    write_word(out, p->pointer, "pointer");
    write_word(out, p->no_pointer, "value");
    write_word(out, p->suppress & SUPPRESS_C, "no-c");
    write_word(out, p->suppress & SUPPRESS_LIS, "no-lis");
    write_word(out, p->suppress & SUPPRESS_F90, "no-f90");
    write_word(out, p->suppress & SUPPRESS_F08, "no-f08");
}

static void list_procedure(FILE *out, const struct procedure *p, bool callback, bool large)
{
    fprintf(out, "%s%s %s %s model", p->name,
            !large          ? ""
            : p->predefined ? "_C"
                            : "_c",
            p->chapter, p->result->name);
    write_word(out, p->c_expressible, "c");
    write_word(out, p->lis_expressible, "lis");
    write_word(out, p->f90_expressible, "f90");
    write_word(out, p->f08_expressible, "f08");
    write_word(out, large, "large");
    write_word(out, callback, "callback");
    write_word(out, p->removed, "removed");
    if (p->predefined)
        fprintf(out, ",predefined=%s", p->predefined);
    for (size_t i = 0; i < p->n_parameters; i++)
        if (large || !p->parameters[i].large_only)
            list_parameter(out, &p->parameters[i]);
    fputc('\n', out);
}

static void list_all(FILE *out, const struct procedure *list, size_t n, bool callback)
{
    for (size_t i = 0; i < n; i++)
        for (int large = 0; large <= list[i].has_large; large++)
            list_procedure(out, &list[i], callback, large);
}

void list_model(FILE *out, const struct model *m)
{
    list_all(out, m->procedures, m->n_procedures, false);
    list_all(out, m->callbacks, m->n_callbacks, true);
}
