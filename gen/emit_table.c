/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.h and table.c: the function table of this MPI library (src/core/trace/functable.h). */
#include <string.h>

#include "emit.h"
#include "kinds.h"

/* The declarations in functions.h after the numbers of the functions. */
static const char declarations[] =
    "/* Kinds and functions, these numbered by FUNCTION_; no constants. */\n"
    "extern const struct functable gen_functable;\n"
    "\n"
    "/* Names for values of the kinds INT and FLAGS. */\n"
    "struct gen_integer {\n"
    "    const char *set; /* as in struct kind */\n"
    "    const char *name;\n"
    "    int64_t value;\n"
    "};\n"
    "extern const struct gen_integer gen_integers[];\n"
    "extern const size_t gen_n_integers;\n"
    "\n"
    "/* Names for handles and addresses. A row keeps the index; the value is what the application passes in "
    "this\n"
    " * process. Where names of a set share a value, the first one counts. */\n"
    "struct gen_object {\n"
    "    const char *set;  /* of addresses also \"ARRAY\": what stands for a whole array */\n"
    "    const char *kind; /* of addresses: the kind of parameter for which it is meant; \"\" for any */\n"
    "    const char *name;\n"
    "    int64_t index; /* in the set; the same with every MPI library */\n"
    "};\n"
    "extern const struct gen_object gen_handles[];\n"
    "extern const size_t gen_n_handles;\n"
    "void gen_handle_values(uint64_t values[]); /* of all gen_handles, as (uint64_t)(intptr_t)handle */\n"
    "extern const struct gen_object gen_addresses[];\n"
    "extern const size_t gen_n_addresses;\n"
    "void gen_address_values(uint64_t values[]); /* of all gen_addresses */\n";

static bool is_recorded(const struct kind *kind)
{
    return strcmp(kind->value, "NONE") != 0;
}

/* The kind's number in the table, which lacks kinds that are not recorded. */
static size_t kind_index(const struct kind *kind)
{
    size_t index = 0;

    for (const struct kind *k = kinds; k < kind; k++)
        index += is_recorded(k);
    return index;
}

/* Visit the functions in the order of the table; of a procedure, first small, then large count. */
typedef void visit(FILE *file, const struct c_signature *s);

static int each_function(const struct model *m, const struct emit_options *o, FILE *file, visit *visit)
{
    int result = 0;

    for (size_t i = 0; i < m->n_procedures; i++)
        for (int large = 0; large <= m->procedures[i].has_large; large++) {
            struct c_signature s;
            int found = emit_signature(o, &m->procedures[i], large, &s);

            if (found < 0)
                result = -1;
            if (found > 0)
                visit(file, &s);
        }
    return result;
}

/* ---- functions.h ----------------------------------------------------------------------------- */

static void write_number(FILE *file, const struct c_signature *s)
{
    fprintf(file, "    FUNCTION_%s,\n", s->name);
}

static size_t most_parameters;

static void count_parameters(FILE *file, const struct c_signature *s)
{
    (void)file;
    if (s->n_parameters > most_parameters)
        most_parameters = s->n_parameters;
}

static int emit_header(const struct model *m, const struct emit_options *o)
{
    FILE *file = emit_open(o, "functions.h");

    if (!file)
        return -1;
    fputs("#ifndef GENERATED_FUNCTIONS_H\n#define GENERATED_FUNCTIONS_H\n\n", file);
    fputs("#include <stddef.h>\n#include <stdint.h>\n\n#include \"src/core/trace/functable.h\"\n\nenum {\n",
          file);
    if (each_function(m, o, file, write_number) || each_function(m, o, file, count_parameters)) {
        fclose(file);
        return -1;
    }
    fprintf(
        file,
        "    FUNCTION_COUNT\n};\n\nenum { FUNCTION_PARAMS_MAX = %zu }; /* of one function */\n\n%s\n#endif\n",
        most_parameters, declarations);
    return emit_close(file, "functions.h");
}

/* ---- table.c --------------------------------------------------------------------------------- */

static bool is_kind(const struct parameter *p, const char *name)
{
    return strcmp(p->kind->name, name) == 0;
}

/* Strings have their own lengths, and the address of a buffer is a single value. */
static bool is_array(const struct parameter *p)
{
    const char *value = p->kind->value;

    if (is_kind(p, "STRING_2DARRAY"))
        return true;
    return p->length && strcmp(value, "STRING") != 0 && strcmp(value, "STRINGS") != 0 &&
           strcmp(value, "ADDRESS") != 0;
}

/* Tools may pass null pointers for values that they do not need; MPI_Init accepts a null argc. */
static bool is_nullable(const struct c_signature *s, const struct c_parameter *p)
{
    const char *value = p->parameter->kind->value;

    if (is_array(p->parameter) || !c_is_pointer(p) || strcmp(value, "STRING") == 0 ||
        strcmp(value, "STRINGS") == 0 || strcmp(value, "ADDRESS") == 0)
        return false;
    return is_kind(p->parameter, "ARGUMENT_COUNT") ||
           (strncmp(s->name, "MPI_T_", 6) == 0 && p->parameter->direction & DIRECTION_OUT);
}

static void write_flags(FILE *file, const struct c_signature *s, const struct c_parameter *p)
{
    /* the address of a buffer is recorded, which the call only reads */
    enum direction d = is_kind(p->parameter, "BUFFER") ? DIRECTION_IN : p->parameter->direction;
    const struct {
        bool set;
        const char *name;
    } flags[] = {
        {d & DIRECTION_IN, "PARAM_IN"},
        {d & DIRECTION_OUT, "PARAM_OUT"},
        {is_array(p->parameter), "PARAM_ARRAY"},
        {is_nullable(s, p), "PARAM_NULLABLE"},
    };
    const char *separator = "";

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].set) {
            fprintf(file, "%s%s", separator, flags[i].name);
            separator = " | ";
        }
}

static size_t count_recorded(const struct c_signature *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_parameters; i++)
        n += is_recorded(s->parameters[i].parameter->kind);
    return n;
}

static void write_parameters(FILE *file, const struct c_signature *s)
{
    if (!count_recorded(s))
        return;
    fprintf(file, "\nstatic struct param %s[] = {\n", s->name);
    for (size_t i = 0; i < s->n_parameters; i++) {
        const struct parameter *p = s->parameters[i].parameter;

        if (!is_recorded(p->kind))
            continue;
        /* A comment with the kind's name follows. */
        fprintf(file, "    {\"%s\", %zu, ", p->name, kind_index(p->kind));
        write_flags(file, s, &s->parameters[i]);
        fprintf(file, "}, /* %s */\n", p->kind->name);
    }
    fputs("};\n", file);
}

static void write_function(FILE *file, const struct c_signature *s)
{
    const struct kind *result = s->procedure->result;
    size_t n = count_recorded(s);

    fprintf(file, "    [FUNCTION_%s] = {\"%s\", %zu, %zu, %s},\n", s->name, s->name,
            is_recorded(result) ? kind_index(result) + 1 : 0, n, n ? s->name : "NULL");
}

static void write_kinds(FILE *file)
{
    fputs("\nstatic struct kind kinds[] = {\n", file);
    for (size_t i = 0; i < n_kinds; i++)
        if (is_recorded(&kinds[i]))
            fprintf(file, "    {\"%s\", VALUE_%s, \"%s\", \"%s\"},\n", kinds[i].name, kinds[i].value,
                    kinds[i].set, kinds[i].prefix);
    fputs("};\n", file);
}

int emit_table(const struct model *m, const struct emit_options *o)
{
    FILE *file;

    if (emit_header(m, o))
        return -1;
    file = emit_open(o, "table.c");
    if (!file)
        return -1;
    fputs("#include \"functions.h\"\n", file);
    write_kinds(file);
    each_function(m, o, file, write_parameters);
    fputs("\nstatic struct function functions[] = {\n", file);
    each_function(m, o, file, write_function);
    fputs("};\n\n"
          "#define COUNT(array) (sizeof(array) / sizeof(array)[0])\n\n"
          "const struct functable gen_functable = {\n"
          "    .kinds = {kinds, COUNT(kinds), COUNT(kinds)},\n"
          "    .functions = {functions, COUNT(functions), COUNT(functions)},\n"
          "};\n",
          file);
    return emit_close(file, "table.c");
}
