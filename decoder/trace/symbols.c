/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbols.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <assert.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A module of the trace. Its file is opened for its first frame. */
struct symbols_module {
    bool tried;
    Dwfl *session;     /* NULL: there is no file */
    Dwfl_Module *file; /* the session's only file, at the addresses inside the file */
};

/* ---- the file of a module -------------------------------------------------------------------- */

/* The entry of META for a module. */
struct origin {
    const char *build_id; /* hexadecimal, without a NUL; "-": none */
    size_t n;             /* its length */
    const char *path;
};

/* Returns false if the trace does not contain the module's path, or has several builds of it. */
static bool find_origin(const struct trace *t, const char *name, struct origin *out)
{
    const size_t prefix = strlen(META_MODULE);
    unsigned n = 0;
    for (size_t i = 0; i < t->meta.n; i++) {
        const struct meta *m = &t->meta.items[i];
        if (strncmp(m->key, META_MODULE, prefix) != 0)
            continue;
        const char *id = m->key + prefix, *blank = strchr(id, ' ');
        if (!blank || strcmp(blank + 1, name) != 0)
            continue;
        *out = (struct origin){id, (size_t)(blank - id), m->value};
        n++;
    }
    if (n > 1)
        log_warning("%s: ranks ran different builds of it; names of its functions and variables are unknown",
                    name);
    return n == 1;
}

static bool is_build(Dwfl_Module *file, const struct origin *origin)
{
    const unsigned char *id;
    GElf_Addr address;
    const int n = dwfl_module_build_id(file, &id, &address);
    if (n <= 0)
        return origin->n == 1 && origin->build_id[0] == '-';
    if (origin->n != 2 * (size_t)n)
        return false;
    for (int i = 0; i < n; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", id[i]);
        if (memcmp(digits, origin->build_id + 2 * i, 2) != 0)
            return false;
    }
    return true;
}

/* Returns true if the file can be used. Sets *foreign if it is of another build. */
static bool try_file(struct symbols_module *m, const struct origin *origin, const char *path, bool *foreign)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo};
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    m->session = dwfl_begin(&callbacks);
    m->file = m->session ? dwfl_report_elf(m->session, "", path, -1, 0, true) : NULL;
    if (m->file && dwfl_report_end(m->session, NULL, NULL) == 0) {
        if (is_build(m->file, origin))
            return true;
        *foreign = true;
    }
    if (m->session)
        dwfl_end(m->session);
    m->session = NULL;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Tries DIRECTORY/NAME, DIRECTORY/FILE (a program's name may differ from its file's), and the path
 * itself. */
static enum refrain_status open_module(struct symbols_module *m, const struct trace *t, const char *name,
                                       const char *directory)
{
    struct origin origin;
    bool foreign = false, found = false;
    m->tried = true;
    if (!find_origin(t, name, &origin))
        return REFRAIN_OK;
    const char *const names[] = {name, base_name(origin.path)};
    for (size_t i = 0; directory && !found && i < sizeof names / sizeof names[0]; i++) {
        char *path;
        if (asprintf(&path, "%s/%s", directory, names[i]) < 0) {
            log_error("out of memory: a path in %s", directory);
            return REFRAIN_ERR_MEMORY;
        }
        found = try_file(m, &origin, path, &foreign);
        free(path);
    }
    if (found || try_file(m, &origin, origin.path, &foreign))
        return REFRAIN_OK;
    if (foreign)
        log_warning("%s is not the build that ran: names of its functions and variables are unknown (give "
                    "the directory of that build with --modules DIR)",
                    name);
    else
        log_warning("%s does not exist any more: names of its functions and variables are unknown (give its "
                    "new directory with --modules DIR)",
                    origin.path);
    return REFRAIN_OK;
}

static enum refrain_status find_module(struct symbols *s, uint32_t module, struct symbols_module **out)
{
    *out = &s->modules[module];
    return (*out)->tried ? REFRAIN_OK
                         : open_module(*out, s->trace, s->trace->modules.items[module], s->directory);
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* Finds the compilation unit of an address. Not every compiler writes an index of addresses
 * (.debug_aranges). */
static Dwarf_Die *find_unit(Dwfl_Module *file, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(file, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(file, unit, bias))) {
        if (dwarf_haspc(unit, address - *bias) == 1)
            return unit;
    }
    return NULL;
}

static bool is_function(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

/* Finds where an inlined function was called. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct source_location *location)
{
    Dwarf_Attribute attribute;
    Dwarf_Files *files;
    Dwarf_Word file, line;
    size_t n;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0 &&
        dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n) {
        location->file = dwarf_filesrc(files, file, NULL, NULL);
        location->line = (int)line;
    }
}

/* Is the location in an inlined function of src/user/refrain.h? Then it is not in the program
 * itself. */
static bool is_users_header(Dwarf_Die *scope, const struct source_location *location)
{
    static const char header[] = "refrain.h";
    const char *slash = location->file ? strrchr(location->file, '/') : NULL;
    return dwarf_tag(scope) == DW_TAG_inlined_subroutine && location->file &&
           strcmp(slash ? slash + 1 : location->file, header) == 0;
}

/* Adds the functions around an address, each inlined into the next; `location` is that of the
 * innermost. The scopes of the address give its function; the scopes of that function's entry give
 * where it was inlined. */
static enum refrain_status add_functions(struct symbols *s, Dwarf_Die *unit, Dwarf_Addr address,
                                         struct source_location location)
{
    Dwarf_Die *around = NULL, *scopes = NULL;
    enum refrain_status status = REFRAIN_OK;
    int n = dwarf_getscopes(unit, address, &around);
    n = n > 0 ? dwarf_getscopes_die(&around[0], &scopes) : 0;
    for (int i = 0; i < n; i++) {
        if (!is_function(&scopes[i]))
            continue;
        if (!is_users_header(&scopes[i], &location) &&
            (!symbol_name_of_function(&s->names, &scopes[i], &location.function) ||
             !array_push(&s->locations, location))) {
            status = REFRAIN_ERR_MEMORY;
            break;
        }
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            break;
        location = (struct source_location){0};
        find_call(unit, &scopes[i], &location);
    }
    free(around);
    free(scopes);
    return status;
}

/* Adds the locations of an address to s->locations. The address is that of the instruction after
 * the call, which may belong to another line, or to another function if the call never returns.
 * Therefore the byte before it is looked up. */
static enum refrain_status look_up(struct symbols *s, Dwfl_Module *file, uint64_t address)
{
    const size_t before = s->locations.n;
    struct source_location location = {0};
    enum refrain_status status = REFRAIN_OK;
    Dwarf_Addr bias;
    Dwarf_Die *unit = find_unit(file, --address, &bias);
    if (unit) {
        Dwarf_Line *line = dwarf_getsrc_die(unit, address - bias);
        if (line && dwarf_lineno(line, &location.line) == 0)
            location.file = dwarf_linesrc(line, NULL, NULL);
        status = add_functions(s, unit, address - bias, location);
    }
    if (status == REFRAIN_OK && s->locations.n == before) {
        GElf_Off offset;
        GElf_Sym symbol;
        const char *name = dwfl_module_addrinfo(file, address, &offset, &symbol, NULL, NULL, NULL);
        if (name && offset < symbol.st_size)
            location.function = symbol_name_of(&s->names, name);
        if ((name && offset < symbol.st_size && !location.function) || !array_push(&s->locations, location))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static uint64_t key_of(const struct frame *frame)
{
    return mix(frame->module, frame->offset);
}

static const struct symbols_frame *find(const struct symbols *s, const struct frame *frame)
{
    size_t at;
    const uint64_t key = key_of(frame);
    for (uint32_t i = map_first(&s->by_frame, key, &at); i != MAP_NONE;
         i = map_next(&s->by_frame, key, &at)) {
        const struct symbols_frame *f = &s->frames.items[i];
        if (f->frame.module == frame->module && f->frame.offset == frame->offset)
            return f;
    }
    return NULL;
}

static enum refrain_status add(struct symbols *s, const struct frame *frame)
{
    struct symbols_module *m;
    struct symbols_frame new = {.frame = *frame, .first = s->locations.n};
    enum refrain_status status;
    if (find(s, frame))
        return REFRAIN_OK;
    status = find_module(s, frame->module, &m);
    if (status == REFRAIN_OK && m->session && frame->offset > 0)
        status = look_up(s, m->file, frame->offset);
    if (status != REFRAIN_OK)
        return status;
    new.n = s->locations.n - new.first;
    if (!map_add(&s->by_frame, key_of(frame), (uint32_t)s->frames.n) || !array_push(&s->frames, new))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

enum refrain_status symbols_open(struct symbols *s, const struct trace *trace, const char *directory)
{
    *s = (struct symbols){
        .trace = trace, .modules = calloc(trace->modules.n + 1, sizeof *s->modules), .directory = directory};
    if (s->modules)
        return REFRAIN_OK;
    log_error("out of memory: %zu modules", trace->modules.n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status symbols_look_up_frames(struct symbols *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->trace->sites.n; i++) {
        const struct site *site = &s->trace->sites.items[i];
        for (uint32_t k = 0; status == REFRAIN_OK && k < site->n_frames; k++)
            status = add(s, &site->frames[k]);
    }
    return status == REFRAIN_OK ? site_callers_find(&s->callers, s) : status;
}

void symbols_close(struct symbols *s)
{
    for (size_t i = 0; s->modules && i < s->trace->modules.n; i++) {
        if (s->modules[i].session)
            dwfl_end(s->modules[i].session);
    }
    free(s->modules);
    symbol_names_free(&s->names);
    array_free(&s->frames);
    array_free(&s->locations);
    array_free(&s->objects);
    map_free(&s->by_frame);
    map_free(&s->by_object);
    site_callers_free(&s->callers);
    *s = (struct symbols){0};
}

struct source_locations symbols_find(const struct symbols *s, const struct frame *frame)
{
    static const struct source_location unknown;
    const struct symbols_frame *f = s ? find(s, frame) : NULL;
    return f && f->n > 0 ? (struct source_locations){s->locations.items + f->first, f->n}
                         : (struct source_locations){&unknown, 1};
}

uint32_t symbols_frame_number(const struct symbols *s, const struct frame *frame)
{
    const struct symbols_frame *f = find(s, frame);
    assert(f);
    return (uint32_t)(f - s->frames.items);
}

/* ---- variables ------------------------------------------------------------------------------- */

static const struct symbols_object *find_object(const struct symbols *s, uint64_t key, uint32_t module,
                                                uint64_t offset)
{
    size_t at;
    for (uint32_t i = map_first(&s->by_object, key, &at); i != MAP_NONE;
         i = map_next(&s->by_object, key, &at)) {
        const struct symbols_object *o = &s->objects.items[i];
        if (o->module == module && o->offset == offset)
            return o;
    }
    return NULL;
}

static enum refrain_status add_object(struct symbols *s, uint64_t key, uint32_t module, uint64_t offset,
                                      const struct symbols_object **out)
{
    struct symbols_object new = {.module = module, .offset = offset};
    struct symbols_module *m;
    enum refrain_status status = find_module(s, module, &m);
    if (status != REFRAIN_OK)
        return status;
    if (m->session) {
        GElf_Off inside;
        GElf_Sym symbol;
        const char *name = dwfl_module_addrinfo(m->file, offset, &inside, &symbol, NULL, NULL, NULL);
        if (name && inside < symbol.st_size) {
            if (!(new.name = symbol_name_of(&s->names, name)))
                return REFRAIN_ERR_MEMORY;
            new.inside = inside;
        }
    }
    if (!map_add(&s->by_object, key, (uint32_t)s->objects.n) || !array_push(&s->objects, new))
        return REFRAIN_ERR_MEMORY;
    *out = &s->objects.items[s->objects.n - 1];
    return REFRAIN_OK;
}

enum refrain_status symbols_find_object(struct symbols *s, uint32_t module, uint64_t offset,
                                        const char **name, uint64_t *inside)
{
    assert(!s || module < s->trace->modules.n);
    const uint64_t key = mix(module, offset);
    const struct symbols_object none = {0}, *o = s ? find_object(s, key, module, offset) : &none;
    enum refrain_status status = o ? REFRAIN_OK : add_object(s, key, module, offset, &o);
    if (status == REFRAIN_OK) {
        *name = o->name;
        *inside = o->inside;
    }
    return status;
}
