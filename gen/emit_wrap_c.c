/* wrap_c.c: for each procedure a wrapper that records the call (src/call.h tells what one looks like).
 *
 * The order and the shape of what is put follow the function table (emit_table.c): before the call the
 * parameters that are IN or INOUT, after it the return value and those that are OUT or INOUT. How a parameter
 * is put depends on its kind's value type, on whether it is an array, and on the exceptions of special.def
 * and lengths.def. */
#include <string.h>

#include "emit_wrap.h"
#include "pool.h"
#include "refuse.h"
#include "special.h"

/* ---- what a parameter is ------------------------------------------------------------------------------- */

bool wrap_kind_is(const struct c_parameter *p, const char *name)
{
    return strcmp(p->parameter->kind->name, name) == 0;
}

bool wrap_type_is(const struct c_parameter *p, const char *value_type)
{
    return strcmp(p->parameter->kind->value, value_type) == 0;
}

static const char *name_of(const struct c_parameter *p)
{
    return p->parameter->name;
}

bool wrap_is_array(const struct c_parameter *p)
{
    return p->parameter->length && !wrap_type_is(p, "STRING") && !wrap_type_is(p, "STRINGS") &&
           !wrap_type_is(p, "ADDRESS");
}

/* Of a buffer the address is recorded, which no call changes. */
bool wrap_is_in(const struct c_parameter *p)
{
    return wrap_kind_is(p, "BUFFER") || p->parameter->direction & DIRECTION_IN;
}

bool wrap_is_out(const struct c_parameter *p)
{
    return !wrap_kind_is(p, "BUFFER") && p->parameter->direction & DIRECTION_OUT;
}

/* May the application pass a null pointer for a single value? */
static bool is_nullable(const struct wrapper *w, const struct c_parameter *p)
{
    return !wrap_is_array(p) && c_is_pointer(p) &&
           (wrap_type_is(p, "INT") || wrap_type_is(p, "FLAGS") || wrap_type_is(p, "HANDLE")) &&
           (wrap_kind_is(p, "ARGUMENT_COUNT") || (strncmp(w->s.name, "MPI_T_", 6) == 0 && wrap_is_out(p)));
}

/* A status that the call fills in, and that the application may not want. */
bool wrap_is_target(const struct c_parameter *p)
{
    return wrap_kind_is(p, "STATUS") && wrap_is_out(p) && !wrap_is_in(p);
}

static const struct c_parameter *find(const struct wrapper *w, const char *name)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (strcmp(name_of(&w->s.parameters[i]), name) == 0)
            return &w->s.parameters[i];
    }
    return NULL;
}

/* The OUT parameter of a kind; NULL if there is none. */
static const struct c_parameter *find_out(const struct wrapper *w, const char *kind)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (wrap_kind_is(&w->s.parameters[i], kind) && wrap_is_out(&w->s.parameters[i]))
            return &w->s.parameters[i];
    }
    return NULL;
}

static const struct c_parameter *find_request(const struct wrapper *w)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (wrap_kind_is(&w->s.parameters[i], "REQUEST") && wrap_is_in(&w->s.parameters[i]))
            return &w->s.parameters[i];
    }
    return NULL;
}

/* ---- expressions --------------------------------------------------------------------------------------- */

/* "*" where the parameter is a pointer to one value. */
static const char *star(const struct c_parameter *p)
{
    return p->stars && !wrap_type_is(p, "ADDRESS") ? "*" : "";
}

/* Under which condition does an OUT parameter mean something, beside that of the whole call? NULL: always. */
const char *wrap_condition(const struct wrapper *w, const struct c_parameter *p)
{
    const char *special = special_find(SPECIAL_ONLY_IF, w->s.name, name_of(p));
    const struct c_parameter *flag = find(w, "flag");
    if (special)
        return strcmp(special, "true") == 0 ? NULL : special;
    return flag && wrap_is_out(flag) && flag != p && !wrap_is_in(p) ? "*flag" : NULL;
}

/* What the text in the parameter's `length` says in C; NULL if that is nothing. */
static const char *plain_length(const struct wrapper *w, const char *length)
{
    const size_t n = strcspn(length, ",");
    const struct c_parameter *count = find(w, pool_copy(length, n));
    if (count)
        return pool_format("%scall_length(%s%s)", length[n] ? pool_format("%s * ", length + n + 1) : "",
                           star(count), name_of(count));
    return strncmp(length, "MPI_MAX_", 8) == 0 ? length : NULL;
}

/* The number of elements, or an ARRAY_ code; for strings their greatest length. NULL after saying that it is
 * not known. */
const char *wrap_length(const struct wrapper *w, const struct c_parameter *p)
{
    const char *length = special_length(w->s.name, name_of(p));
    if (!length && p->parameter->length)
        length = plain_length(w, p->parameter->length);
    if (!length && (wrap_type_is(p, "STRING") || wrap_kind_is(p, "STRING_ARRAY")))
        length = wrap_type_is(p, "STRING") ? "CALL_STRING_MAX" : "CALL_TO_NULL";
    if (!length) {
        refuse(p->parameter->place, "%s: nothing tells the length of %s (lengths.def)", w->s.name,
               name_of(p));
        return NULL;
    }
    if (special_has_sentinel(p->parameter->kind->name) && !wrap_type_is(p, "STATUS"))
        length =
            pool_format("call_array_length(\"%s\", %s, %s)", p->parameter->kind->name, name_of(p), length);
    if (p->parameter->root_only)
        length = pool_format("comm_is_root(comm, root) ? %s : ARRAY_UNUSED", length);
    return length;
}

/* A handle as a number. Fortran's, which C has as F90_ kinds, are turned into those of C. */
static const char *handle_value(const struct kind *kind, const char *expression)
{
    return strncmp(kind->name, "F90_", 4) == 0
               ? pool_format("HANDLE_VALUE(%s(%s))", special_from_fortran(kind->set), expression)
               : pool_format("HANDLE_VALUE(%s)", expression);
}

static const char *handle_kind(const struct kind *kind)
{
    return pool_format("HANDLE_%s", kind->set);
}

/* ---- before the call ----------------------------------------------------------------------------------- */

static void put_before_handle(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = name_of(p), *kind = handle_kind(p->parameter->kind);
    if (wrap_is_array(p))
        fprintf(w->out, "    call_handles%s(&call, %s, %s, sizeof %s[0], %s);\n",
                wrap_is_out(p) ? "_watch" : "", kind, name, name, length);
    else if (is_nullable(w, p))
        fprintf(w->out, "    call_nullable_handle_watch(&call, %s, %s, sizeof *%s);\n", kind, name, name);
    else if (wrap_is_out(p))
        fprintf(w->out, "    call_handle_watch(&call, %s, %s, sizeof *%s);\n", kind, name, name);
    else if (wrap_kind_is(p, "REQUEST") && find_out(w, "STATUS"))
        fprintf(w->out, "    call_request_peek(&call, HANDLE_VALUE(%s));\n", name);
    else
        fprintf(w->out, "    call_handle(&call, %s, %s);\n", kind,
                handle_value(p->parameter->kind, pool_format("%s%s", star(p), name)));
}

/* A status that the application has filled in, or MPI_Status_c2f and its like. Those of Fortran are turned
 * into one of C; MPI must not be asked to do that with a sentinel. */
static void put_read_status(const struct wrapper *w, const struct c_parameter *p, const char *indentation)
{
    const char *name = name_of(p);
    const bool f08 = wrap_kind_is(p, "F08_STATUS");
    if (wrap_kind_is(p, "STATUS"))
        fprintf(w->out, "%scall_status_in(&call, %s);\n", indentation, name);
    else
        fprintf(w->out,
                "%s{\n%s    MPI_Status own = {0};\n%s    bool converted = %s && %s != %s && "
                "PMPI_Status_%s2c(%s, &own) == MPI_SUCCESS;\n%s    call_status_converted(&call, converted, "
                "&own);\n%s}\n",
                indentation, indentation, indentation, name, name,
                f08 ? "MPI_F08_STATUS_IGNORE" : "MPI_F_STATUS_IGNORE", f08 ? "f08" : "f", name, indentation,
                indentation);
}

static void put_before_status(const struct wrapper *w, const struct c_parameter *p)
{
    if (special_find(SPECIAL_UNREAD, w->s.name, name_of(p)))
        fprintf(w->out, "    call_status_unset(&call, false, false);\n");
    else
        put_read_status(w, p, "    ");
}
/* The end of a function's name in call.h. */
static const char *address_or_value(const struct c_parameter *p)
{
    return strcmp(p->parameter->kind->set, "VALUE") == 0 ? "value" : "address";
}

static int put_before(const struct wrapper *w, const struct c_parameter *p)
{
    const bool has_length = wrap_is_array(p) || wrap_type_is(p, "STRING") || wrap_type_is(p, "STRINGS");
    const char *name = name_of(p), *length = has_length ? wrap_length(w, p) : "";
    if (!length)
        return -1;
    if (wrap_type_is(p, "HANDLE"))
        put_before_handle(w, p, length);
    else if (wrap_type_is(p, "STATUS"))
        put_before_status(w, p);
    else if (wrap_type_is(p, "STRING"))
        fprintf(w->out, "    call_string(&call, %s, %s);\n", name, length);
    else if (wrap_kind_is(p, "STRING_2DARRAY"))
        fprintf(w->out, "    call_string_lists(&call, %s, %s);\n", name, length);
    else if (wrap_type_is(p, "STRINGS"))
        fprintf(w->out, "    call_strings(&call, %s, %s);\n",
                p->stars == 3 ? pool_format("%s ? *%s : NULL", name, name) : name, length);
    else if (wrap_type_is(p, "ADDRESS") && p->parameter->func_type)
        fprintf(w->out, "    call_callback(&call, (uintptr_t)%s);\n", name);
    else if (wrap_type_is(p, "ADDRESS"))
        fprintf(w->out, "    call_%s(&call, %s%s);\n", address_or_value(p),
                p->stars ? "" : "(const void *)(intptr_t)", name);
    else if (wrap_is_array(p))
        fprintf(w->out, "    call_ints(&call, %s, sizeof(%s), %s);\n", name, p->type, length);
    else if (is_nullable(w, p))
        fprintf(w->out, "    call_nullable_int(&call, %s);\n", name);
    else
        fprintf(w->out, "    call_%s(&call, %s%s);\n", wrap_kind_is(p, "RANK") && !p->stars ? "rank" : "int",
                star(p), name);
    return 0;
}

/* ---- after the call ------------------------------------------------------------------------------------ */

static const char *indent(const struct wrapper *w)
{
    return w->success ? "        " : "    ";
}

/* What a procedure's status, or that of its request, tells. */
static const char *completion_of(const struct wrapper *w, const char *otherwise)
{
    const char *completion = special_find(SPECIAL_COMPLETION, w->s.name, NULL);
    return completion ? completion : otherwise;
}

static void put_after_handle(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = name_of(p), *function = w->s.name, *only_if = wrap_condition(w, p);
    const char *kind = handle_kind(p->parameter->kind);
    const char *null_handle = special_null_handle(p->parameter->kind->set);
    const char *origin = special_find(SPECIAL_ORIGIN, function, name);
    const char *value = pool_format("*%s", name);
    if (only_if)
        value = pool_format("%s ? *%s : %s", only_if, name, null_handle);
    if (!origin)
        origin = "CALL_MADE";

    fputs(indent(w), w->out);
    if (wrap_is_in(p) && wrap_is_array(p))
        fprintf(w->out, "call_handles_after(&call, %s, %s);\n", name, length);
    else if (wrap_is_in(p))
        fprintf(w->out, "call_%shandle_after(&call%s%s);\n", is_nullable(w, p) ? "nullable_" : "",
                is_nullable(w, p) ? ", " : "", is_nullable(w, p) ? name : "");
    else if (wrap_is_array(p))
        fprintf(w->out, "call_handles_new(&call, %s, %s, sizeof %s[0], %s, %s);\n", kind, name, name, length,
                origin);
    else if (is_nullable(w, p))
        fprintf(w->out, "call_nullable_handle_new(&call, %s, %s, sizeof *%s, %s);\n", kind, name, name,
                origin);
    else if (wrap_kind_is(p, "COMMUNICATOR")) {
        const char *naming = special_find(SPECIAL_NAMING, function, NULL);
        const char *tag = special_find(SPECIAL_NAMING_TAG, function, NULL);
        fprintf(w->out, "call_communicator_new(&call, %s, %s, %s);\n", value,
                naming ? naming : "CALL_BY_PARENT", tag ? tag : "0");
    } else if (wrap_kind_is(p, "REQUEST"))
        fprintf(w->out, "call_request_new(&call, HANDLE_VALUE(%s), %s, %s);\n", value,
                completion_of(w, "HANDLE_STATUS_ERROR"),
                special_find(SPECIAL_PERSISTENT, function, NULL) ? "true" : "false");
    else
        fprintf(w->out, "call_handle_new(&call, %s, HANDLE_VALUE(%s), %s);\n", kind, value, origin);
}

/* Where the library has put a status, which is elsewhere when the application wants none. */
const char *wrap_target(const struct c_parameter *p)
{
    return pool_format("target_%s", name_of(p));
}

/* Of which of the watched requests is a status? By array_of_indices or index where the procedure has them. */
static void put_completion(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const struct c_parameter *index = find_out(w, "INDEX");
    if (wrap_is_array(p))
        fprintf(w->out, "call_statuses_of(&call, %s, %s == MPI_STATUSES_IGNORE, %s, %s, returned);\n",
                wrap_target(p), name_of(p), length, index ? name_of(index) : "NULL");
    else
        fprintf(w->out, "call_status_of(&call, %s, %s == MPI_STATUS_IGNORE, %s%s);\n", wrap_target(p),
                name_of(p), index ? "*" : "", index ? name_of(index) : "0");
}

static void put_after_status(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = name_of(p), *only_if = wrap_condition(w, p);
    const char *unread = special_find(SPECIAL_UNREAD, w->s.name, name);
    if (unread) {
        fprintf(w->out, "%scall_status_unset(&call, false, %s);\n", indent(w), unread);
        return;
    }
    if (!wrap_is_target(p)) {
        put_read_status(w, p, indent(w));
        return;
    }
    fputs(indent(w), w->out);
    if (only_if && wrap_is_array(p))
        fprintf(w->out, "if (!%s)\n%s    call_int(&call, ARRAY_UNUSED);\n%selse\n%s    ", only_if, indent(w),
                indent(w), indent(w));
    else if (only_if)
        fprintf(w->out,
                "if (!%s)\n%s    call_status_unset(&call, %s == MPI_STATUS_IGNORE, false);\n%selse\n%s    ",
                only_if, indent(w), name, indent(w), indent(w));
    if (find_request(w))
        put_completion(w, p, length);
    else
        fprintf(w->out, "call_status(&call, %s, %s == MPI_STATUS_IGNORE, %s);\n", wrap_target(p), name,
                completion_of(w, "HANDLE_STATUS_WHOLE"));
}

static int put_after(const struct wrapper *w, const struct c_parameter *p)
{
    const bool has_length = wrap_is_array(p) || wrap_type_is(p, "STRING") || wrap_type_is(p, "STRINGS");
    const char *name = name_of(p), *only_if = wrap_condition(w, p),
               *length = has_length ? wrap_length(w, p) : "";
    if (!length)
        return -1;
    if (has_length && only_if)
        length = pool_format("%s ? %s : ARRAY_UNUSED", only_if, length);
    if (wrap_type_is(p, "HANDLE")) {
        put_after_handle(w, p, length);
        return 0;
    }
    if (wrap_type_is(p, "STATUS")) {
        put_after_status(w, p, wrap_is_array(p) ? wrap_length(w, p) : "");
        return 0;
    }
    fputs(indent(w), w->out);
    if (wrap_type_is(p, "STRING"))
        fprintf(w->out, "call_string(&call, %s, %s);\n", name, length);
    else if (wrap_type_is(p, "STRINGS"))
        fprintf(w->out, "call_strings(&call, %s, %s);\n",
                p->stars == 3 ? pool_format("%s ? *%s : NULL", name, name) : name, length);
    else if (wrap_type_is(p, "ADDRESS") && strcmp(p->type, "void") != 0)
        fprintf(w->out, "call_%s(&call, (const void *)(intptr_t)*%s);\n", address_or_value(p), name);
    else if (wrap_type_is(p, "ADDRESS") && only_if)
        fprintf(w->out, "if (%s)\n%s    call_stored_%s(&call, %s);\n%selse\n%s    call_%s(&call, NULL);\n",
                only_if, indent(w), address_or_value(p), name, indent(w), indent(w), address_or_value(p));
    else if (wrap_type_is(p, "ADDRESS"))
        fprintf(w->out, "call_stored_%s(&call, %s);\n", address_or_value(p), name);
    else if (wrap_is_array(p))
        fprintf(w->out, "call_ints(&call, %s, sizeof(%s), %s);\n", name, p->type, length);
    else if (is_nullable(w, p))
        fprintf(w->out, "call_nullable_int(&call, %s%s);\n",
                strcmp(p->type, "int") == 0 ? "" : "(const int *)", name);
    else
        fprintf(w->out, "call_int(&call, %s%s%s%s);\n", only_if ? pool_format("%s ? ", only_if) : "", star(p),
                name, only_if ? " : 0" : "");
    return 0;
}

static void put_result(const struct wrapper *w)
{
    const struct kind *kind = w->s.procedure->result;
    if (strcmp(kind->value, "HANDLE") == 0)
        fprintf(w->out, "    call_handle_returned(&call, %s, %s);\n", handle_kind(kind),
                handle_value(kind, "returned"));
    else if (strcmp(kind->value, "REAL") == 0)
        fprintf(w->out, "    call_real(&call, returned);\n");
    else if (strcmp(kind->value, "ADDRESS") == 0)
        fprintf(w->out, "    call_address(&call, (const void *)(intptr_t)returned);\n");
    else if (strcmp(kind->value, "NONE") != 0)
        fprintf(w->out, "    call_int(&call, returned);\n");
}

/* ---- the wrapper --------------------------------------------------------------------------------------- */

/* "PMPI_Send(buf, count, …)". What stands for "..." cannot be passed on. */
static void put_call(const struct wrapper *w, bool targets)
{
    fprintf(w->out, "P%s(", w->s.name);
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        if (!wrap_kind_is(p, "VARARGS"))
            fprintf(w->out, "%s%s", i ? ", " : "",
                    targets && wrap_is_target(p) ? wrap_target(p) : name_of(p));
    }
    fputs(")", w->out);
}

const char *wrap_status_room(const struct wrapper *w)
{
    return plain_length(w, find_request(w)->parameter->length); /* not more than there are requests */
}

static void put_targets(const struct wrapper *w)
{
    const char *prepare = special_find(SPECIAL_PREPARE, w->s.name, NULL);
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        if (!wrap_is_target(p))
            continue;
        if (wrap_is_array(p))
            fprintf(w->out, "    MPI_Status *%s = call_statuses_target(&call, %s, %s);\n", wrap_target(p),
                    name_of(p), wrap_status_room(w));
        else
            fprintf(w->out,
                    "    MPI_Status own_%s = {0};\n    MPI_Status *%s = call_status_target(%s, &own_%s);\n",
                    name_of(p), wrap_target(p), name_of(p), name_of(p));
        if (prepare)
            fprintf(w->out, "    %s(%s);\n", prepare, wrap_target(p));
    }
}

/* Values before the call that a length refers to. */
static void put_kept(const struct wrapper *w)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *count = &w->s.parameters[i];
        const char *kept = pool_format("before_%s", name_of(count));
        bool used = false;
        for (size_t k = 0; k < w->s.n_parameters; k++) {
            const char *length = special_length(w->s.name, name_of(&w->s.parameters[k]));
            used = used || (length && strstr(length, kept));
        }
        if (used && wrap_is_in(count) && count->stars)
            fprintf(w->out, "    const %s %s = %s ? *%s : 0;\n", count->type, kept, name_of(count),
                    name_of(count));
    }
}

const char *wrap_success(const struct c_signature *s)
{
    const char *kind = s->procedure->result->name;
    if (strcmp(kind, "ERROR_CODE") != 0 && strcmp(kind, "ERROR_CLASS") != 0)
        return NULL;
    for (size_t i = 0; i < s->n_parameters; i++) {
        if (wrap_is_target(&s->parameters[i]) && wrap_is_array(&s->parameters[i]))
            return "returned == MPI_SUCCESS || returned == MPI_ERR_IN_STATUS";
    }
    return "returned == MPI_SUCCESS";
}

static bool has_after(const struct wrapper *w)
{
    bool found = special_find(SPECIAL_AFTER, w->s.name, NULL);
    for (size_t i = 0; i < w->s.n_parameters; i++)
        found = found || (wrap_is_out(&w->s.parameters[i]) && !wrap_type_is(&w->s.parameters[i], "NONE"));
    return found;
}

static int put_all(const struct wrapper *w, bool after)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        if (wrap_type_is(p, "NONE") || !(after ? wrap_is_out(p) : wrap_is_in(p)))
            continue;
        if (after ? put_after(w, p) : put_before(w, p))
            return -1;
    }
    return 0;
}

int wrap_before(const struct wrapper *w)
{
    if (put_all(w, false))
        return -1;
    put_kept(w);
    put_targets(w);
    return 0;
}

void wrap_enter(const struct wrapper *w)
{
    const char *before = special_find(SPECIAL_BEFORE, w->s.name, NULL);
    fputs("    call_enter(&call);\n", w->out);
    if (before)
        fprintf(w->out, "    %s\n", before);
}

int wrap_after(const struct wrapper *w)
{
    const char *after = special_find(SPECIAL_AFTER, w->s.name, NULL);
    put_result(w);
    if (has_after(w)) {
        if (w->success)
            fprintf(w->out, "    if (%s) {\n", w->success);
        if (w->convert && w->convert(w))
            return -1;
        if (after)
            fprintf(w->out, "%s%s\n", indent(w), after);
        if (put_all(w, true))
            return -1;
        fputs(w->success ? "    }\n" : "", w->out);
    }
    fputs("    call_end(&call);\n", w->out);
    return 0;
}

static int put_wrapper(FILE *out, const struct c_signature *s)
{
    struct wrapper w = {.out = out, .s = *s, .success = wrap_success(s)};
    const char *passing = special_find(SPECIAL_PASSING, s->name, NULL);
    const bool returns = strcmp(s->result, "void") != 0;

    if (special_find(SPECIAL_WEAK, s->name, NULL))
        fprintf(out, "\n#pragma weak P%s", s->name);
    /* Parentheses, because mpi.h may have a macro of the name. */
    fprintf(out, "\nGUARD_EXPORT %s (%s)", s->result, s->name);
    c_declare_list(out, s);
    fprintf(
        out,
        "\n{\n    struct call call;\n    if (!call_begin(&call, FUNCTION_%s, __builtin_return_address(0)))\n"
        "        return %s%s",
        s->name, passing ? passing : "", passing ? "(" : "");
    put_call(&w, false);
    fputs(passing ? ");\n" : ";\n", out);
    if (wrap_before(&w))
        return -1;
    wrap_enter(&w);
    fprintf(out, "    %s%s", returns ? s->result : "", returns ? " returned = " : "");
    put_call(&w, true);
    fputs(";\n    call_leave(&call);\n", out);
    if (wrap_after(&w))
        return -1;
    fprintf(out, "%s}\n", returns ? "    return returned;\n" : "");
    return 0;
}

int emit_wrap_c(const struct model *m, const struct emit_options *o)
{
    static const char file_name[] = "wrap_c.c";
    FILE *out = emit_open(o, file_name);
    if (!out)
        return -1;
    fputs("#include \"call.h\"\n"
          "#include \"comm.h\"\n"
          "#include \"datatype.h\"\n"
          "#include \"ending.h\"\n"
          "#include \"init.h\"\n"
          "#include \"memory.h\"\n"
          "#include \"recording.h\"\n"
          "#include \"session.h\"\n"
          "#include \"signals.h\"\n"
          "#include \"tools.h\"\n"
          "#include \"world.h\"\n\n"
          "/* What is deprecated is called, and so recorded, all the same. */\n"
          "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n",
          out);
    int result = 0;
    for (size_t i = 0; i < m->n_procedures && !result; i++) {
        for (int large = 0; large <= m->procedures[i].has_large && !result; large++) {
            struct c_signature s;
            const int has = emit_signature(o, &m->procedures[i], large, &s);
            if (has > 0 && emit_is_declared(o, s.name) && !special_find(SPECIAL_BY_HAND, s.name, NULL))
                result = put_wrapper(out, &s);
            else if (has < 0)
                result = -1;
        }
    }
    return emit_close(out, file_name) ? -1 : result;
}
