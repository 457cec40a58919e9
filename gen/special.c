/* SPDX-License-Identifier: BSD-3-Clause */
#include "special.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct line {
    enum special sort;
    const char *procedures;
    const char *parameter; /* a pattern; "" if there is none */
    const char *argument;
} lines[] = {
#define BY_HAND(procedures, reason)                   {SPECIAL_BY_HAND, procedures, "", ""},
#define KIND(procedures, parameter, kind, reason)     {SPECIAL_KIND, procedures, parameter, kind},
#define WEAK(procedures, reason)                      {SPECIAL_WEAK, procedures, "", ""},
#define PASSING(procedures, function, reason)         {SPECIAL_PASSING, procedures, "", #function},
#define BEFORE(procedures, statement, reason)         {SPECIAL_BEFORE, procedures, "", statement},
#define AFTER(procedures, statement, reason)          {SPECIAL_AFTER, procedures, "", statement},
#define ORIGIN(procedures, parameter, origin, reason) {SPECIAL_ORIGIN, procedures, parameter, #origin},
#define NAMING(procedures, naming, tag, reason)                                                              \
    {SPECIAL_NAMING, procedures, "", #naming}, {SPECIAL_NAMING_TAG, procedures, "", tag},
#define COMPLETION(procedures, status, reason)            {SPECIAL_COMPLETION, procedures, "", #status},
#define PERSISTENT(procedures, reason)                    {SPECIAL_PERSISTENT, procedures, "", ""},
#define ONLY_IF(procedures, parameter, condition, reason) {SPECIAL_ONLY_IF, procedures, parameter, condition},
#define UNREAD(procedures, parameter, cancelled, reason)  {SPECIAL_UNREAD, procedures, parameter, cancelled},
#define ONE_BASED(procedures, parameter, reason)          {SPECIAL_ONE_BASED, procedures, parameter, ""},
#define AROUND(procedures, begin, end, reason)                                                               \
    {SPECIAL_AROUND, procedures, "", #begin}, {SPECIAL_AROUND_END, procedures, "", #end},
#define ONE_MORE(procedures, reason)    {SPECIAL_ONE_MORE, procedures, "", ""},
#define NOT_WRAPPED(procedures, reason) {SPECIAL_NOT_WRAPPED, procedures, "", ""},
#define REMOVED(procedures, reason)     {SPECIAL_REMOVED, procedures, "", ""},
#define OFTEN(procedures, reason)       {SPECIAL_OFTEN, procedures, "", ""},
#define FREQUENT(procedures, reason)    {SPECIAL_FREQUENT, procedures, "", ""},
#include "special.def"
};

static const struct length {
    const char *procedures, *parameter, *expression;
} lengths[] = {
#define LENGTH(procedures, parameter, expression) {procedures, parameter, expression},
#define ARRAY(kind, parameter, length)
#include "lengths.def"
#undef LENGTH
#undef ARRAY
};

static const struct array {
    const char *kind, *parameter, *length;
} arrays[] = {
#define LENGTH(procedures, parameter, expression)
#define ARRAY(kind, parameter, length) {kind, parameter, length},
#include "lengths.def"
};

static const struct handle {
    const char *set, *name;
} handles[] = {
#define INTEGER(set, name)
#define HANDLE(set, name) {set, #name},
#define ADDRESS(set, name, kind)
#include "constants.def"
#undef HANDLE
#undef ADDRESS
};

static const struct address {
    const char *set, *kind;
} addresses[] = {
#define HANDLE(set, name)
#define ADDRESS(set, name, kind) {set, kind},
#include "constants.def"
};

static const struct from_fortran {
    const char *set, *procedure;
} from_fortran[] = {
    {"COMMUNICATOR", "PMPI_Comm_f2c"}, {"DATATYPE", "PMPI_Type_f2c"}, {"ERRHANDLER", "PMPI_Errhandler_f2c"},
    {"FILE", "PMPI_File_f2c"},         {"GROUP", "PMPI_Group_f2c"},   {"INFO", "PMPI_Info_f2c"},
    {"MESSAGE", "PMPI_Message_f2c"},   {"OPERATION", "PMPI_Op_f2c"},  {"REQUEST", "PMPI_Request_f2c"},
    {"SESSION", "PMPI_Session_f2c"},   {"WINDOW", "PMPI_Win_f2c"},
};

static bool matches(const char *pattern, const char *procedure)
{
    return fnmatch(pattern, procedure + strlen("MPI_"), 0) == 0;
}

const char *special_find(enum special sort, const char *procedure, const char *parameter)
{
    for (size_t i = 0; i < COUNT(lines); i++) {
        if (lines[i].sort == sort && matches(lines[i].procedures, procedure) &&
            fnmatch(lines[i].parameter, parameter ? parameter : "", 0) == 0)
            return lines[i].argument;
    }
    return NULL;
}

const char *special_length(const char *procedure, const char *parameter)
{
    for (size_t i = 0; i < COUNT(lengths); i++) {
        if (matches(lengths[i].procedures, procedure) && strcmp(lengths[i].parameter, parameter) == 0)
            return lengths[i].expression;
    }
    return NULL;
}

/* Whether the procedure has the parameter that a length names. "*", "" and constants need none. */
static bool has_length(const struct procedure *procedure, const char *length)
{
    size_t n = strcspn(length, ",");

    if (n == 0 || *length == '*' || strncmp(length, "MPI_", 4) == 0)
        return true;
    for (size_t i = 0; i < procedure->n_parameters; i++)
        if (strlen(procedure->parameters[i].name) == n &&
            strncmp(procedure->parameters[i].name, length, n) == 0)
            return true;
    return false;
}

const char *special_array(const struct procedure *procedure, const struct parameter *p)
{
    for (size_t i = 0; i < COUNT(arrays); i++)
        if (fnmatch(arrays[i].kind, p->kind->name, 0) == 0 && fnmatch(arrays[i].parameter, p->name, 0) == 0 &&
            has_length(procedure, arrays[i].length))
            return arrays[i].length;
    return NULL;
}

/* The null handle is the first one of its set. */
const char *special_null_handle(const char *set)
{
    for (size_t i = 0; i < COUNT(handles); i++) {
        if (strcmp(handles[i].set, set) == 0)
            return handles[i].name;
    }
    return NULL;
}

bool special_has_sentinel(const char *kind)
{
    for (size_t i = 0; i < COUNT(addresses); i++) {
        if (strcmp(addresses[i].set, "ARRAY") == 0 && strcmp(addresses[i].kind, kind) == 0)
            return true;
    }
    return false;
}

const char *special_from_fortran(const char *set)
{
    for (size_t i = 0; i < COUNT(from_fortran); i++) {
        if (strcmp(from_fortran[i].set, set) == 0)
            return from_fortran[i].procedure;
    }
    return NULL;
}
