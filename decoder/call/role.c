/* SPDX-License-Identifier: BSD-3-Clause */
#include "role.h"

#include "src/core/base/log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *names;
    struct role role;
} rows[] = {
#define ROW(names, kind_, region_, actions_, ...)                                                            \
    {names, {.actions = actions_, .kind = CALL_##kind_, .region = REGION_##region_, ##__VA_ARGS__}},
#define BY_STATUS                                                                                            \
    {                                                                                                        \
        .where = VOLUME_IN_STATUS                                                                            \
    }
#include "functions.def"
#undef ROW
#undef BY_STATUS
};

#define N(table) (sizeof table / sizeof table[0])

/* ---- names ----------------------------------------------------------------------------------- */

/* A function's name without the part that denotes the variant. */
#define NAME_MOST 64
struct name {
    char text[NAME_MOST];
    size_t n;
};

/* Is it among the row's names? If `open`, only names that end with '*' count, which match a
 * prefix. */
static bool has_name(const struct row *row, const struct name *name, bool open)
{
    for (const char *at = row->names; *at;) {
        const size_t n = strcspn(at, " ");
        const bool is_open = at[n - 1] == '*';
        if (is_open == open && (open ? n - 1 <= name->n : n == name->n) &&
            memcmp(at, name->text, n - is_open) == 0)
            return true;
        at += n + strspn(at + n, " ");
    }
    return false;
}

static const struct role *find_row(const struct name *name, bool open)
{
    for (size_t i = 0; i < N(rows); i++) {
        if (has_name(&rows[i], name, open))
            return &rows[i].role;
    }
    return NULL;
}

/* Cuts `end` off the name. Returns false without a change if the name does not end with it. */
static bool cut_end(struct name *name, const char *end)
{
    const size_t n = strlen(end);
    if (name->n <= n || memcmp(name->text + name->n - n, end, n) != 0)
        return false;
    name->n -= n;
    return true;
}

/* Removes the letter after the prefix `before`: "File_iread" after "File_" becomes "File_read",
 * "Irecv" after "" becomes "Recv". Returns false if the letter is not there. */
static bool cut_letter(struct name *name, const char *before, char letter)
{
    const size_t n = strlen(before);
    if (name->n < n + 2 || memcmp(name->text, before, n) != 0 || name->text[n] != letter)
        return false;
    name->n--;
    memmove(name->text + n, name->text + n + 1, name->n - n);
    if (n == 0)
        name->text[0] = (char)toupper((unsigned char)name->text[0]);
    return true;
}

static const struct {
    const char *end;
    enum role_variant variant;
} ends[] = {{"_init", VARIANT_PERSISTENT}, {"_begin", VARIANT_BEGIN}, {"_end", VARIANT_END}};

static const struct {
    const char *before;
    char letter;
} letters[] = {{"", 'I'}, {"", 'R'}, {"Buffer_", 'i'}, {"Comm_", 'i'}, {"File_", 'i'}, {"Session_", 'i'}};

/* Returns NULL if no row has the name. */
static const struct role *find_variant(const struct name *name, enum role_variant *variant)
{
    const struct role *role = find_row(name, false);
    *variant = VARIANT_BLOCKING;
    for (size_t i = 0; !role && i < N(ends); i++) {
        struct name rest = *name;
        *variant = ends[i].variant;
        role = cut_end(&rest, ends[i].end) ? find_row(&rest, false) : NULL;
    }
    for (size_t i = 0; !role && i < N(letters); i++) {
        struct name rest = *name;
        *variant = VARIANT_NONBLOCKING;
        role = cut_letter(&rest, letters[i].before, letters[i].letter) ? find_row(&rest, false) : NULL;
    }
    if (role)
        return role;
    *variant = VARIANT_BLOCKING;
    return find_row(name, true);
}

/* ---- a function ------------------------------------------------------------------------------ */

static bool has_status(const struct functable *t, const struct function *f)
{
    for (uint32_t i = 0; i < f->n_params; i++) {
        if (t->kinds.items[f->params[i].kind].type == VALUE_STATUS)
            return true;
    }
    return false;
}

/* The datatype parameter, and the count and buffer before it, become fields; without a datatype,
 * the function moves no data. If one datatype belongs to both buffers (MPI_Allreduce,
 * MPI_Fetch_and_op), the sent buffer comes first. */
static void find_volume(const struct functable *t, const struct function *f, struct role_volume *volume,
                        enum role_field buffer, field_set *fields)
{
    const enum role_field count = buffer + 1, type = buffer + 2;
    field_set *own_buffer = NULL, *last_count = NULL;
    uint32_t i = 0;
    for (; volume->datatype && i < f->n_params; i++) {
        const struct kind *kind = &t->kinds.items[f->params[i].kind];
        if (strcmp(kind->name, "DATATYPE") == 0 && strcmp(f->params[i].name, volume->datatype) == 0)
            break;
        if (!(f->params[i].flags & PARAM_IN))
            continue;
        if (kind->type == VALUE_ADDRESS)
            own_buffer = own_buffer && buffer == FIELD_SENT_BUFFER ? own_buffer : &fields[i];
        else if (strstr(kind->name, "XFER_NUM_ELEM"))
            last_count = &fields[i];
    }
    if (!volume->datatype || i == f->n_params) {
        volume->datatype = NULL;
        return;
    }
    fields[i] |= 1U << type;
    if (own_buffer)
        *own_buffer |= 1U << buffer;
    if (last_count)
        *last_count |= 1U << count;
    volume->counted = last_count != NULL;
}

/* Changes what differs from the blocking form. */
static void change_variant(const struct functable *t, const struct function *f, struct role *role)
{
    const bool blocks = role->variant == VARIANT_BLOCKING || role->variant == VARIANT_END;
    if (role->variant != VARIANT_BLOCKING)
        role->meeting = MEETING_NONE;
    if (role->variant != VARIANT_BLOCKING && role->kind == CALL_BLOCKING)
        role->kind = CALL_NONBLOCKING;
    if (role->received.where != VOLUME_IN_STATUS)
        return;
    if (role->variant == VARIANT_NONBLOCKING)
        role->received.where = VOLUME_EVERYWHERE;
    else if (!blocks || !has_status(t, f))
        role->received = (struct role_volume){0};
    else
        role->received.datatype = NULL;
}

static void find(const struct functable *t, const struct function *f, struct role *role, field_set *fields)
{
    static const char prefix[] = "MPI_", own[] = "refrain_";
    const size_t n = strlen(f->name);
    const bool is_mpi = strncmp(f->name, prefix, sizeof prefix - 1) == 0;
    const size_t skip = is_mpi ? sizeof prefix - 1 : 0;
    struct name name;
    *role = (struct role){.kind = CALL_OTHER};
    if (n - skip < sizeof name.text && (is_mpi || strncmp(f->name, own, sizeof own - 1) == 0)) {
        enum role_variant variant;
        name.n = n - skip;
        memcpy(name.text, f->name + skip, name.n);
        cut_end(&name, "_c");
        const struct role *found = find_variant(&name, &variant);
        if (found) {
            *role = *found;
            role->variant = variant;
            change_variant(t, f, role);
        }
    }
    role->fields = fields;
    for (uint32_t i = 0; i < f->n_params; i++)
        fields[i] = fields_of(t, &f->params[i]);
    find_volume(t, f, &role->sent, FIELD_SENT_BUFFER, fields);
    find_volume(t, f, &role->received, FIELD_RECEIVED_BUFFER, fields);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Are a and b the same name, or does one have `_c` after it? */
static bool same_family(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (!*a && (!*b || strcmp(b, "_c") == 0)) || (!*b && strcmp(a, "_c") == 0);
}

static uint32_t find_family(const struct functable *t, uint32_t function)
{
    uint32_t i = 0;
    while (i < function && !same_family(t->functions.items[i].name, t->functions.items[function].name))
        i++;
    return i;
}

enum refrain_status roles_find(struct roles *roles, const struct functable *t)
{
    const size_t n = t->functions.n;
    size_t n_params = 0;
    for (size_t i = 0; i < n; i++)
        n_params += t->functions.items[i].n_params;
    *roles = (struct roles){.items = calloc(n + 1, sizeof *roles->items),
                            .n = n,
                            .fields = calloc(n_params + 1, sizeof *roles->fields)};
    if (!roles->items || !roles->fields) {
        log_error("out of memory: roles of %zu functions", n);
        roles_free(roles);
        return REFRAIN_ERR_MEMORY;
    }
    field_set *fields = roles->fields;
    for (uint32_t i = 0; i < n; i++) {
        const struct function *f = &t->functions.items[i];
        find(t, f, &roles->items[i], fields);
        roles->items[i].family = find_family(t, i);
        fields += f->n_params;
    }
    return REFRAIN_OK;
}

void roles_free(struct roles *roles)
{
    free(roles->items);
    free(roles->fields);
    *roles = (struct roles){0};
}
