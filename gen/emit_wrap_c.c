/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap_c.c: for each procedure a wrapper that records the call (src/call/call.h has an example).
 *
 * The order and form of the recorded values follow the function table (emit_table.c): before the
 * call the IN and INOUT parameters, after it the return value and the OUT and INOUT parameters. How
 * a parameter is recorded depends on its kind's value type, on whether it is an array, and on the
 * exceptions in special.def and lengths.def. */
#include <string.h>

#include "emit_wrap.h"
#include "special.h"
#include "wrap_parameter.h"

/* Write "PMPI_Send(buf, count, …)". Arguments in place of "..." cannot be passed on. */
static void put_call(const struct wrapper *w, bool targets)
{
    fprintf(w->out, "P%s(", w->s.name);
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        if (!wrap_kind_is(p, "VARARGS"))
            fprintf(w->out, "%s%s", i ? ", " : "",
                    targets && wrap_is_target(p) ? wrap_target(p) : wrap_name(p));
    }
    fputs(")", w->out);
}

const char *wrap_section(const struct c_signature *s)
{
    if (special_find(SPECIAL_OFTEN, s->name, NULL))
        return "GUARD_OFTEN ";
    return special_find(SPECIAL_FREQUENT, s->name, NULL) ? "" : "GUARD_RARE ";
}

const char *wrap_reach(const struct c_signature *s)
{
    return special_find(SPECIAL_OFTEN, s->name, NULL) ? " GUARD_DIRECT" : "";
}

static int put_wrapper(FILE *out, const struct c_signature *s)
{
    struct wrapper w = {.out = out, .s = *s, .success = wrap_success(s, false)};
    const char *passing = special_find(SPECIAL_PASSING, s->name, NULL);
    const bool returns = strcmp(s->result, "void") != 0;

    if (special_find(SPECIAL_WEAK, s->name, NULL))
        fprintf(out, "\n#pragma weak P%s", s->name);
    if (*wrap_reach(s))
        fprintf(out, "\nextern __typeof__(P%s) P%s%s;", s->name, s->name, wrap_reach(s));
    /* parentheses, because mpi.h may define a macro of this name */
    fprintf(out, "\nGUARD_EXPORT %s%s (%s)", wrap_section(s), s->result, s->name);
    c_declare_list(out, s);
    fprintf(
        out,
        "\n{\n    struct call call;\n    if (!call_begin(&call, FUNCTION_%s, __builtin_return_address(0)))\n"
        "        return %s%s",
        s->name, passing ? passing : "", passing ? "(" : "");
    put_call(&w, false);
    fputs(passing ? ");\n" : ";\n", out);
    int result = wrap_before(&w);
    wrap_enter(&w);
    fprintf(out, "    %s%s", returns ? s->result : "", returns ? " returned = " : "");
    put_call(&w, true);
    fputs(";\n    call_leave(&call);\n", out);
    result |= wrap_after(&w);
    fprintf(out, "%s}\n", returns ? "    return returned;\n" : "");
    return result;
}

int emit_wrap_c(const struct model *m, const struct emit_options *o)
{
    static const char file_name[] = "wrap_c.c";
    FILE *out = emit_open(o, file_name);
    if (!out)
        return -1;
    fputs("#include \"src/call/call.h\"\n"
          "#include \"src/record/comm.h\"\n"
          "#include \"src/record/datatype.h\"\n"
          "#include \"src/ending/ending.h\"\n"
          "#include \"src/run/init.h\"\n"
          "#include \"src/memory/memory.h\"\n"
          "#include \"src/record/recording.h\"\n"
          "#include \"src/run/session.h\"\n"
          "#include \"src/ending/signals.h\"\n"
          "#include \"src/call/mpi_t.h\"\n"
          "#include \"src/part/spawner.h\"\n\n"
          "/* What is deprecated is called, and so recorded, all the same. */\n"
          "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n",
          out);
    int result = 0;
    for (size_t i = 0; i < m->n_procedures; i++) {
        for (int large = 0; large <= m->procedures[i].has_large; large++) {
            struct c_signature s;
            const int has = emit_signature(o, &m->procedures[i], large, &s);
            if (has > 0 && !m->procedures[i].own && emit_is_declared(o, s.name) &&
                !special_find(SPECIAL_BY_HAND, s.name, NULL))
                result |= put_wrapper(out, &s);
            else if (has < 0)
                result = -1;
        }
    }
    return emit_close(out, file_name) ? -1 : result;
}
