/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrap_parameter.h"

#include <string.h>

#include "refuse.h"
#include "special.h"
#include "text_arena.h"

/* ---- what a parameter is --------------------------------------------------------------------- */

bool wrap_kind_is(const struct c_parameter *p, const char *name)
{
    return strcmp(p->parameter->kind->name, name) == 0;
}

bool wrap_type_is(const struct c_parameter *p, const char *value_type)
{
    return strcmp(p->parameter->kind->value, value_type) == 0;
}

const char *wrap_name(const struct c_parameter *p)
{
    return p->parameter->name;
}

bool wrap_is_array(const struct c_parameter *p)
{
    return p->parameter->length && !wrap_type_is(p, "STRING") && !wrap_type_is(p, "STRINGS") &&
           !wrap_type_is(p, "ADDRESS");
}

bool wrap_is_in(const struct c_parameter *p)
{
    return wrap_kind_is(p, "BUFFER") || p->parameter->direction & DIRECTION_IN;
}

bool wrap_is_out(const struct c_parameter *p)
{
    return !wrap_kind_is(p, "BUFFER") && p->parameter->direction & DIRECTION_OUT;
}

bool wrap_is_nullable(const struct wrapper *w, const struct c_parameter *p)
{
    return !wrap_is_array(p) && c_is_pointer(p) &&
           (wrap_type_is(p, "INT") || wrap_type_is(p, "FLAGS") || wrap_type_is(p, "HANDLE")) &&
           (wrap_kind_is(p, "ARGUMENT_COUNT") || (strncmp(w->s.name, "MPI_T_", 6) == 0 && wrap_is_out(p)));
}

bool wrap_is_target(const struct c_parameter *p)
{
    return wrap_kind_is(p, "STATUS") && wrap_is_out(p) && !wrap_is_in(p);
}

bool wrap_is_peeked(const struct wrapper *w, const struct c_parameter *p)
{
    return wrap_kind_is(p, "REQUEST") && !wrap_is_out(p) && wrap_find_out(w, "STATUS");
}

static const struct c_parameter *find(const struct wrapper *w, const char *name)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (strcmp(wrap_name(&w->s.parameters[i]), name) == 0)
            return &w->s.parameters[i];
    }
    return NULL;
}

const struct c_parameter *wrap_find_out(const struct wrapper *w, const char *kind)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (wrap_kind_is(&w->s.parameters[i], kind) && wrap_is_out(&w->s.parameters[i]))
            return &w->s.parameters[i];
    }
    return NULL;
}

const struct c_parameter *wrap_find_request(const struct wrapper *w)
{
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        if (wrap_kind_is(&w->s.parameters[i], "REQUEST") && wrap_is_in(&w->s.parameters[i]))
            return &w->s.parameters[i];
    }
    return NULL;
}

int wrap_each(const struct wrapper *w, bool (*which)(const struct c_parameter *p),
              int (*put)(const struct wrapper *w, const struct c_parameter *p))
{
    int result = 0;
    for (size_t i = 0; i < w->s.n_parameters; i++) {
        const struct c_parameter *p = &w->s.parameters[i];
        if (!wrap_type_is(p, "NONE") && which(p) && put(w, p))
            result = -1;
    }
    return result;
}

/* ---- expressions ----------------------------------------------------------------------------- */

const char *wrap_star(const struct c_parameter *p)
{
    return p->stars && !wrap_type_is(p, "ADDRESS") ? "*" : "";
}

const char *wrap_condition(const struct wrapper *w, const struct c_parameter *p)
{
    const char *special = special_find(SPECIAL_ONLY_IF, w->s.name, wrap_name(p));
    const struct c_parameter *flag = find(w, "flag");
    if (special)
        return strcmp(special, "true") == 0 ? NULL : special;
    return flag && wrap_is_out(flag) && flag != p && !wrap_is_in(p) ? "*flag" : NULL;
}

/* The C expression for a parameter's `length`; NULL if there is none. */
static const char *plain_length(const struct wrapper *w, const char *length)
{
    const size_t n = strcspn(length, ",");
    const struct c_parameter *count = find(w, text_arena_copy(length, n));
    if (count)
        return text_arena_format("%scall_length(%s%s)",
                                 length[n] ? text_arena_format("%s * ", length + n + 1) : "",
                                 wrap_star(count), wrap_name(count));
    return strncmp(length, "MPI_MAX_", 8) == 0 ? length : NULL;
}

const char *wrap_length(const struct wrapper *w, const struct c_parameter *p)
{
    const char *length = special_length(w->s.name, wrap_name(p));
    if (!length && p->parameter->length)
        length = plain_length(w, p->parameter->length);
    if (!length && (wrap_type_is(p, "STRING") || wrap_kind_is(p, "STRING_ARRAY")))
        length = wrap_type_is(p, "STRING") ? "CALL_STRING_MAX" : "CALL_TO_NULL";
    if (!length) {
        refuse(p->parameter->place, "%s: unknown length of '%s': add a line LENGTH to gen/lengths.def",
               w->s.name, wrap_name(p));
        return NULL;
    }
    if (special_has_sentinel(p->parameter->kind->name) && !wrap_type_is(p, "STATUS"))
        length = text_arena_format("call_array_length(\"%s\", %s, %s)", p->parameter->kind->name,
                                   wrap_name(p), length);
    if (p->parameter->root_only)
        length = text_arena_format("comm_is_root(comm, root) ? %s : ARRAY_UNUSED", length);
    return length;
}

const char *wrap_handle_value(const struct kind *kind, const char *expression)
{
    return strncmp(kind->name, "F90_", 4) == 0
               ? text_arena_format("HANDLE_VALUE(%s(%s))", special_from_fortran(kind->set), expression)
               : text_arena_format("HANDLE_VALUE(%s)", expression);
}

const char *wrap_handle_kind(const struct kind *kind)
{
    return text_arena_format("HANDLE_%s", kind->set);
}

const char *wrap_target(const struct c_parameter *p)
{
    return text_arena_format("target_%s", wrap_name(p));
}

const char *wrap_status_room(const struct wrapper *w, const struct c_parameter *p)
{
    const struct c_parameter *requests = wrap_find_request(w);
    const char *room =
        requests && requests->parameter->length ? plain_length(w, requests->parameter->length) : NULL;
    return room ? room : wrap_length(w, p);
}

const char *wrap_address_or_value(const struct c_parameter *p)
{
    return strcmp(p->parameter->kind->set, "VALUE") == 0 ? "value" : "address";
}

void wrap_read_status(const struct wrapper *w, const struct c_parameter *p, const char *indentation)
{
    const char *name = wrap_name(p);
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
