/* SPDX-License-Identifier: BSD-3-Clause */
/* constants.c: the predefined constants of this MPI library (constants.def). */
#include <string.h>

#include "emit.h"

struct constant {
    const char *set;
    const char *name;
    const char *kind; /* of addresses only */
};

#define INTEGER(set, name)
#define HANDLE(set, name)
#define ADDRESS(set, name, kind)

static const struct constant integers[] = {
#undef INTEGER
#define INTEGER(set, name) {set, #name, ""},
#include "constants.def"
#undef INTEGER
#define INTEGER(set, name)
};

static const struct constant handles[] = {
#undef HANDLE
#define HANDLE(set, name) {set, #name, ""},
#include "constants.def"
#undef HANDLE
#define HANDLE(set, name)
};

static const struct constant addresses[] = {
#undef ADDRESS
/* NULL is a macro, so its name must be taken before it is expanded */
#define ADDRESS(set, name, kind) {set, #name, kind},
#include "constants.def"
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool is_present(const struct emit_options *o, const struct constant *c)
{
    return strcmp(c->name, "NULL") == 0 || emit_is_declared(o, c->name);
}

static void write_integers(FILE *file, const struct emit_options *o)
{
    fputs("\nconst struct gen_integer gen_integers[] = {\n", file);
    for (size_t i = 0; i < COUNT(integers); i++)
        if (is_present(o, &integers[i]))
            fprintf(file, "    {\"%s\", \"%s\", %s},\n", integers[i].set, integers[i].name, integers[i].name);
    fputs("};\n\nconst size_t gen_n_integers = sizeof gen_integers / sizeof gen_integers[0];\n", file);
}

/* Write the table gen_<name>s and the function gen_<name>_values, since values of handles and
 * addresses are known only at run time. */
static void write_objects(FILE *file, const struct emit_options *o, const char *name, const char *plural,
                          const struct constant *list, size_t n)
{
    size_t index = 0, at = 0;

    fprintf(file, "\nconst struct gen_object gen_%s[] = {\n", plural);
    for (size_t i = 0; i < n; i++) {
        index = i && strcmp(list[i].set, list[i - 1].set) == 0 ? index + 1 : 0;
        if (is_present(o, &list[i]))
            fprintf(file, "    {\"%s\", \"%s\", \"%s\", %zu},\n", list[i].set, list[i].kind, list[i].name,
                    index);
    }
    fprintf(file, "};\n\nconst size_t gen_n_%s = sizeof gen_%s / sizeof gen_%s[0];\n", plural, plural,
            plural);
    fprintf(file, "\nvoid gen_%s_values(uint64_t values[])\n{\n", name);
    for (size_t i = 0; i < n; i++)
        if (is_present(o, &list[i]))
            fprintf(file, "    values[%zu] = (uint64_t)(intptr_t)(%s);\n", at++, list[i].name);
    fputs("}\n", file);
}

int emit_constants(const struct model *m, const struct emit_options *o)
{
    FILE *file = emit_open(o, "constants.c");

    (void)m; /* constants are not in the model */
    if (!file)
        return -1;
    fputs("#include <mpi.h>\n\n#include \"functions.h\"\n\n"
          "/* Deprecated constants have names as well. */\n"
          "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n",
          file);
    write_integers(file, o);
    write_objects(file, o, "handle", "handles", handles, COUNT(handles));
    write_objects(file, o, "address", "addresses", addresses, COUNT(addresses));
    return emit_close(file, "constants.c");
}
