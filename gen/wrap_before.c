/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a wrapper before the call: it records the IN and INOUT parameters, keeps values that
 * a length after the call refers to, and makes room for statuses. */
#include "emit_wrap.h"

#include <string.h>

#include "special.h"
#include "text_arena.h"
#include "wrap_parameter.h"

/* The value of the parameter. For a pointer that is null, which MPI will refuse, 0. */
static const char *given_value(const struct c_parameter *p)
{
    const char *name = wrap_name(p);
    return *wrap_star(p) ? text_arena_format("(%s ? *%s : 0)", name, name) : name;
}

static void put_before_handle(const struct wrapper *w, const struct c_parameter *p, const char *length)
{
    const char *name = wrap_name(p), *kind = wrap_handle_kind(p->parameter->kind);
    if (wrap_is_array(p) && wrap_is_peeked(w, p))
        fprintf(w->out, "    call_requests_peek(&call, %s, %s);\n", name, length);
    else if (wrap_is_array(p))
        fprintf(w->out, "    call_handles%s(&call, %s, %s, sizeof %s[0], %s);\n",
                wrap_is_out(p) ? "_watch" : "", kind, name, name, length);
    else if (wrap_is_nullable(w, p))
        fprintf(w->out, "    call_nullable_handle_watch(&call, %s, %s, sizeof *%s);\n", kind, name, name);
    else if (wrap_is_out(p))
        fprintf(w->out, "    call_handle_watch(&call, %s, %s, sizeof *%s);\n", kind, name, name);
    else if (wrap_is_peeked(w, p))
        fprintf(w->out, "    call_request_peek(&call, HANDLE_VALUE(%s));\n", name);
    else
        fprintf(w->out, "    call_handle(&call, %s, %s);\n", kind,
                wrap_handle_value(p->parameter->kind, given_value(p)));
}

static void put_before_status(const struct wrapper *w, const struct c_parameter *p)
{
    if (special_find(SPECIAL_UNREAD, w->s.name, wrap_name(p)))
        fprintf(w->out, "    call_status_unset(&call, false, false);\n");
    else
        wrap_read_status(w, p, "    ");
}

static int put_before(const struct wrapper *w, const struct c_parameter *p)
{
    const bool has_length = wrap_is_array(p) || wrap_type_is(p, "STRING") || wrap_type_is(p, "STRINGS");
    const char *name = wrap_name(p), *length = has_length ? wrap_length(w, p) : "";
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
                p->stars == 3 ? text_arena_format("%s ? *%s : NULL", name, name) : name, length);
    else if (wrap_type_is(p, "ADDRESS") && p->parameter->func_type)
        fprintf(w->out, "    call_callback(&call, (uintptr_t)%s);\n", name);
    else if (wrap_type_is(p, "ADDRESS"))
        fprintf(w->out, "    call_%s(&call, %s%s);\n", wrap_address_or_value(p),
                p->stars ? "" : "(const void *)(intptr_t)", name);
    else if (wrap_is_array(p))
        fprintf(w->out, "    call_ints(&call, %s, sizeof(%s), %s);\n", name, p->type, length);
    else if (wrap_is_nullable(w, p))
        fprintf(w->out, "    call_nullable_int(&call, %s);\n", name);
    else
        fprintf(w->out, "    call_%s(&call, %s);\n", wrap_kind_is(p, "RANK") && !p->stars ? "rank" : "int",
                given_value(p));
    return 0;
}

static int put_targets(const struct wrapper *w)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        const char *room = wrap_is_target(p) && wrap_is_array(p) ? wrap_status_room(w, p) : "";
        if (!room)
            return -1;
        if (!wrap_is_target(p))
            continue;
        if (wrap_is_array(p))
            fprintf(w->out, "    MPI_Status *%s = call_statuses_target(&call, %s, %s);\n", wrap_target(p),
                    wrap_name(p), room);
        else
            fprintf(w->out,
                    "    MPI_Status own_%s = {0};\n    MPI_Status *%s = call_status_target(%s, &own_%s);\n",
                    wrap_name(p), wrap_target(p), wrap_name(p), wrap_name(p));
    }
    return 0;
}

/* Keep values that a length after the call refers to. */
static void put_kept(const struct wrapper *w)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *count = &w->s.parameters[i];
        const char *kept = text_arena_format("before_%s", wrap_name(count));
        bool used = false;
        for (size_t k = 0; k < w->s.n_parameters; k++) {
            const char *length = special_length(w->s.name, wrap_name(&w->s.parameters[k]));
            used = used || (length && strstr(length, kept));
        }
        if (used && wrap_is_in(count) && count->stars)
            fprintf(w->out, "    const %s %s = %s ? *%s : 0;\n", count->type, kept, wrap_name(count),
                    wrap_name(count));
    }
}

int wrap_before(const struct wrapper *w)
{
    const int result = wrap_each(w, wrap_is_in, put_before);
    put_kept(w);
    return put_targets(w) ? -1 : result;
}

void wrap_enter(const struct wrapper *w)
{
    const char *before = special_find(SPECIAL_BEFORE, w->s.name, NULL);
    fputs("    call_enter(&call);\n", w->out);
    if (before)
        fprintf(w->out, "    %s\n", before);
}
