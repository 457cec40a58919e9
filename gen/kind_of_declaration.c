/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds for C declarations, where only a prototype is known. */
#include <string.h>

#include "kinds.h"
#include "tex_parse.h"

/* Which kind a C type stands for, the first row that fits. NULL fits everything; `large` is the type in the
 * large-count procedure, `type` where there is none. Types that are not here have one kind only (handles …).
 */
static const struct {
    const char *type, *large, *name, *kind;
} c_kinds[] = {
    {"int", "int", "dest", "RANK"},
    {"int", "int", "source", "RANK"},
    {"int", "int", "root", "RANK"},
    {"int", "int", "rank", "RANK"},
    {"int", "int", "target_rank", "RANK"},
    {"int", "int", "tag", "TAG"},
    {"int", "int", "sendtag", "TAG"},
    {"int", "int", "recvtag", "TAG"},
    {"int", "int", "color", "COLOR"},
    {"int", "int", "split_type", "SPLIT_TYPE"},
    {"int", "int", "keyval", "KEYVAL"},
    {"int", "int", "comm_keyval", "KEYVAL"},
    {"int", "int", "type_keyval", "KEYVAL"},
    {"int", "int", "win_keyval", "KEYVAL"},
    {"int", "int", "errorcode", "ERROR_CODE"},
    {"int", "int", "errorclass", "ERROR_CLASS"},
    {"int", "int", "array_of_errcodes", "ERROR_CODE"},
    {"int", "int", "flag", "LOGICAL"},
    {"int", "int", "argc", "ARGUMENT_COUNT"},
    {"int", "int", "index", "INDEX"},
    {"int", "int", "outcount", "ARRAY_LENGTH"},
    {"int", "int", "amode", "ACCESS_MODE"},
    {"int", "int", "assert", "ASSERT"},
    {"int", "int", "lock_type", "LOCK_TYPE"},
    {"int", "int", "whence", "UPDATE_MODE"},
    {"int", "int", "combiner", "COMBINER"},
    {"int", "int", "order", "ORDER"},
    {"int", "int", "required", "THREAD_LEVEL"},
    {"int", "int", "provided", "THREAD_LEVEL"},
    {"int", "int", NULL, "GENERIC_DTYPE_INT"},
    {"int", "MPI_Count", NULL, "POLYXFER_NUM_ELEM"},
    {"int", "MPI_Aint", NULL, "POLYRMA_DISPLACEMENT"},
    {"MPI_Aint", "MPI_Aint", NULL, "DISPLACEMENT"},
    {"MPI_Aint", "MPI_Count", NULL, "POLYDISPOFFSET"},
    {"MPI_Count", "MPI_Count", NULL, "GENERIC_DTYPE_COUNT"},
    {"MPI_Fint", NULL, "f_status", "F90_STATUS"},
    {"MPI_Fint", NULL, "comm", "F90_COMM"},
    {"MPI_Fint", NULL, "datatype", "F90_DATATYPE"},
    {"MPI_Fint", NULL, "errhandler", "F90_ERRHANDLER"},
    {"MPI_Fint", NULL, "file", "F90_FILE"},
    {"MPI_Fint", NULL, "group", "F90_GROUP"},
    {"MPI_Fint", NULL, "info", "F90_INFO"},
    {"MPI_Fint", NULL, "message", "F90_MESSAGE"},
    {"MPI_Fint", NULL, "op", "F90_OP"},
    {"MPI_Fint", NULL, "request", "F90_REQUEST"},
    {"MPI_Fint", NULL, "session", "F90_SESSION"},
    {"MPI_Fint", NULL, "win", "F90_WIN"},
    {"void", NULL, "extra_state", "EXTRA_STATE"},
    {"void", NULL, "user_data", "EXTRA_STATE"},
    {"void", NULL, "attribute_val", "ATTRIBUTE_VAL"},
    {"void", NULL, "attribute_val_in", "ATTRIBUTE_VAL"},
    {"void", NULL, "attribute_val_out", "ATTRIBUTE_VAL"},
    {"void", NULL, "obj_handle", "TOOL_MPI_OBJ"},
    {"void", NULL, NULL, "BUFFER"},
    {"...", NULL, NULL, "VARARGS"},
};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static const char *string_kind(const struct c_declaration *d)
{
    if (d->depth <= 1)
        return "STRING";
    if (d->depth == 2)
        return "STRING_ARRAY";
    return d->brackets ? "STRING_2DARRAY" : "ARGUMENT_LIST";
}

const struct kind *kind_of_declaration(const struct c_declaration *d, const struct c_declaration *large)
{
    const char *type = large ? large->type : d->type;

    if (strcmp(d->type, "char") == 0)
        return kind_find(string_kind(d));
    for (size_t i = 0; i < sizeof c_kinds / sizeof *c_kinds; i++)
        if (strcmp(d->type, c_kinds[i].type) == 0 &&
            (!c_kinds[i].large || strcmp(type, c_kinds[i].large) == 0) &&
            (!c_kinds[i].name || strcmp(d->name, c_kinds[i].name) == 0))
            return kind_find(c_kinds[i].kind);
    if (kind_of_c(d->type))
        return kind_of_c(d->type);
    if (d->depth == 1 && (ends_with(d->type, "_function") || ends_with(d->type, "_fn")))
        return kind_find(strcmp(type, d->type) == 0 ? "FUNCTION" : "POLYFUNCTION");
    return NULL;
}
