/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a wrapper after the call: it records the result, then the OUT and INOUT parameters
 * that have a meaning. */
#include "emit_wrap.h"

#include <string.h>

#include "special.h"
#include "text_arena.h"
#include "wrap_parameter.h"

static const char *indent(const struct wrapper *w)
{
    return w->success ? "        " : "    ";
}

/* The meaning of the status that the procedure, or its request, returns. */
static const char *completion_of(const struct wrapper *w, const char *otherwise)
{
    const char *completion = special_find(SPECIAL_COMPLETION, w->s.name, NULL);
    return completion ? completion : otherwise;
}

static void put_after_handle(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = wrap_name(p), *function = w->s.name, *only_if = wrap_condition(w, p);
    const char *kind = wrap_handle_kind(p->parameter->kind);
    const char *null_handle = special_null_handle(p->parameter->kind->set);
    const char *origin = special_find(SPECIAL_ORIGIN, function, name);
    const char *value = text_arena_format("*%s", name);
    if (only_if)
        value = text_arena_format("%s ? *%s : %s", only_if, name, null_handle);
    if (!origin)
        origin = "CALL_MADE";

    fputs(indent(w), w->out);
    if (wrap_is_in(p) && wrap_is_array(p))
        fprintf(w->out, "call_handles_after(&call, %s, %s);\n", name, length);
    else if (wrap_is_in(p))
        fprintf(w->out, "call_%shandle_after(&call%s%s);\n", wrap_is_nullable(w, p) ? "nullable_" : "",
                wrap_is_nullable(w, p) ? ", " : "", wrap_is_nullable(w, p) ? name : "");
    else if (wrap_is_array(p))
        fprintf(w->out, "call_handles_new(&call, %s, %s, sizeof %s[0], %s, %s);\n", kind, name, name, length,
                origin);
    else if (wrap_is_nullable(w, p))
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

/* Write which of the watched requests the status belongs to; array_of_indices or index show it, if
 * the procedure has them. */
static void put_completion(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const struct c_parameter *index = wrap_find_out(w, "INDEX");
    if (wrap_is_array(p))
        fprintf(w->out, "call_statuses_of(&call, %s, %s == MPI_STATUSES_IGNORE, %s, %s, returned);\n",
                wrap_target(p), wrap_name(p), length, index ? wrap_name(index) : "NULL");
    else
        fprintf(w->out, "call_status_of(&call, %s, %s == MPI_STATUS_IGNORE, %s%s, returned);\n",
                wrap_target(p), wrap_name(p), index ? "*" : "", index ? wrap_name(index) : "0");
}

static void put_after_status(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = wrap_name(p), *only_if = wrap_condition(w, p);
    const char *unread = special_find(SPECIAL_UNREAD, w->s.name, name);
    if (unread) {
        fprintf(w->out, "%scall_status_unset(&call, false, %s);\n", indent(w), unread);
        return;
    }
    if (!wrap_is_target(p)) {
        wrap_read_status(w, p, indent(w));
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
    if (wrap_find_request(w))
        put_completion(w, p, length);
    else
        fprintf(w->out, "call_status(&call, %s, %s == MPI_STATUS_IGNORE, %s, returned);\n", wrap_target(p),
                name, completion_of(w, "HANDLE_STATUS_WHOLE"));
}

static int put_after(const struct wrapper *w, const struct c_parameter *p)
{
    const bool has_length = wrap_is_array(p) || wrap_type_is(p, "STRING") || wrap_type_is(p, "STRINGS");
    const char *name = wrap_name(p), *only_if = wrap_condition(w, p),
               *length = has_length ? wrap_length(w, p) : "";
    if (!length)
        return -1;
    if (has_length && only_if)
        length = text_arena_format("%s ? %s : ARRAY_UNUSED", only_if, length);
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
                p->stars == 3 ? text_arena_format("%s ? *%s : NULL", name, name) : name, length);
    else if (wrap_type_is(p, "ADDRESS") && strcmp(p->type, "void") != 0)
        fprintf(w->out, "call_%s(&call, (const void *)(intptr_t)*%s);\n", wrap_address_or_value(p), name);
    else if (wrap_type_is(p, "ADDRESS") && only_if)
        fprintf(w->out, "if (%s)\n%s    call_stored_%s(&call, %s);\n%selse\n%s    call_%s(&call, NULL);\n",
                only_if, indent(w), wrap_address_or_value(p), name, indent(w), indent(w),
                wrap_address_or_value(p));
    else if (wrap_type_is(p, "ADDRESS"))
        fprintf(w->out, "call_stored_%s(&call, %s);\n", wrap_address_or_value(p), name);
    else if (wrap_is_array(p))
        fprintf(w->out, "call_ints(&call, %s, sizeof(%s), %s);\n", name, p->type, length);
    else if (wrap_is_nullable(w, p))
        fprintf(w->out, "call_nullable_int(&call, %s%s);\n",
                strcmp(p->type, "int") == 0 ? "" : "(const int *)", name);
    else
        fprintf(w->out, "call_int(&call, %s%s%s%s);\n", only_if ? text_arena_format("%s ? ", only_if) : "",
                wrap_star(p), name, only_if ? " : 0" : "");
    return 0;
}

static void put_result(const struct wrapper *w)
{
    const struct kind *kind = w->s.procedure->result;
    if (strcmp(kind->value, "HANDLE") == 0)
        fprintf(w->out, "    call_handle_returned(&call, %s, %s);\n", wrap_handle_kind(kind),
                wrap_handle_value(kind, "returned"));
    else if (strcmp(kind->value, "REAL") == 0)
        fprintf(w->out, "    call_real(&call, returned);\n");
    else if (strcmp(kind->value, "ADDRESS") == 0)
        fprintf(w->out, "    call_address(&call, (const void *)(intptr_t)returned);\n");
    else if (w->success)
        fprintf(w->out, "    call_result(&call, returned);\n");
    else if (strcmp(kind->value, "NONE") != 0)
        fprintf(w->out, "    call_int(&call, returned);\n");
}

const char *wrap_success(const struct c_signature *s, bool fortran)
{
    const char *kind = s->procedure->result->name;
    if (strcmp(kind, "ERROR_CODE") != 0 && strcmp(kind, "ERROR_CLASS") != 0)
        return NULL;
    const char *success = "returned == MPI_SUCCESS";
    for (size_t i = 0; i < s->n_parameters; i++) {
        if (wrap_is_target(&s->parameters[i]) && wrap_is_array(&s->parameters[i]))
            return "returned == MPI_SUCCESS || returned == MPI_ERR_IN_STATUS";
        if (wrap_is_target(&s->parameters[i]) && !fortran) /* Open MPI's Fortran leaves it as it was */
            success = "call_has_status(returned)";
    }
    return success;
}

static bool has_after(const struct wrapper *w)
{
    bool found = special_find(SPECIAL_AFTER, w->s.name, NULL);
    for (size_t i = 0; i < w->s.n_parameters; i++)
        found = found || (wrap_is_out(&w->s.parameters[i]) && !wrap_type_is(&w->s.parameters[i], "NONE"));
    return found;
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
        if (wrap_each(w, wrap_is_out, put_after))
            return -1;
        fputs(w->success ? "    }\n" : "", w->out);
    }
    fputs("    call_end(&call);\n", w->out);
    return 0;
}
