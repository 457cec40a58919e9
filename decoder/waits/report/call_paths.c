/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_paths.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Collects paths in any order first, each path once. */
struct builder {
    struct call_paths *paths;
    const struct trace *trace;
    const struct symbols *symbols;
    struct text_table found; /* struct call_path as bytes; its number is its index in `items` */
    struct bytes name;       /* scratch */
};

static enum refrain_status intern(struct text_table *texts, const char *text, uint32_t *number)
{
    return text_table_intern(texts, text, strlen(text) + 1, number);
}

/* Returns the number of a path below `parent`, which is added if it is new. */
static enum refrain_status add_path(struct builder *b, const struct call_path *path, uint32_t *number)
{
    enum refrain_status status = text_table_intern(&b->found, path, sizeof *path, number);
    if (status == REFRAIN_OK && *number == b->paths->items.n && !array_push(&b->paths->items, *path)) {
        log_error("out of memory: call paths");
        status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

static enum refrain_status function_of(struct builder *b, const struct frame *frame,
                                       const struct source_location *location, uint32_t *function)
{
    if (location->function)
        return intern(&b->paths->functions, location->function, function);
    b->name.n = 0;
    text_printf(&b->name, "%s+0x%" PRIx64, b->trace->modules.items[frame->module], frame->offset);
    text_putc(&b->name, '\0');
    return b->name.failed ? REFRAIN_ERR_MEMORY
                          : text_table_intern(&b->paths->functions, b->name.data, b->name.n, function);
}

/* Goes one step inwards: to a function that was called at *path's line, and that makes a call at
 * `location`. Then *path describes that call. */
static enum refrain_status enter(struct builder *b, const struct frame *frame,
                                 const struct source_location *location, struct call_path *path)
{
    uint32_t number;
    enum refrain_status status = function_of(b, frame, location, &path->function);
    if (status == REFRAIN_OK)
        status = add_path(b, path, &number);
    if (status == REFRAIN_OK)
        status = intern(&b->paths->files, location->file ? location->file : "", &path->file);
    path->line = location->file && location->line > 0 ? (uint32_t)location->line : 0;
    path->parent = number;
    return status;
}

/* Definitions (@process …) are not calls, so they stay at the root. */
static enum refrain_status add_site(struct builder *b, uint32_t site)
{
    const struct site *s = &b->trace->sites.items[site];
    const char *callee = b->trace->functions.functions.items[s->function].name;
    struct call_path path = {.parent = 0};
    enum refrain_status status = REFRAIN_OK;
    if (*callee == '@')
        return REFRAIN_OK;
    for (uint32_t i = s->n_frames; i-- > 0 && status == REFRAIN_OK;) {
        const struct source_locations locations = symbols_find(b->symbols, &s->frames[i]);
        for (size_t k = locations.n; k-- > 0 && status == REFRAIN_OK;)
            status = enter(b, &s->frames[i], &locations.items[k], &path);
    }
    if (status == REFRAIN_OK)
        status = intern(&b->paths->functions, callee, &path.function);
    if (status == REFRAIN_OK)
        status = add_path(b, &path, &b->paths->of_site[site]);
    return status;
}

/* ---- depth first ----------------------------------------------------------------------------- */

/* Children in the order of discovery: `first` of a path, `next` of a child. */
struct order {
    uint32_t *first, *last, *next;
    uint32_t *number; /* a path's place, depth first */
    struct call_path *items;
    uint32_t n;
};

static void place(struct order *o, const struct call_paths *p)
{
    uint32_t at = 0;
    while (at != MAP_NONE) {
        struct call_path *item = &o->items[o->n];
        *item = p->items.items[at];
        item->parent = at == 0 ? MAP_NONE : o->number[item->parent];
        o->number[at] = o->n++;
        if (o->first[at] != MAP_NONE) {
            at = o->first[at];
            continue;
        }
        while (at != 0 && o->next[at] == MAP_NONE)
            at = p->items.items[at].parent;
        at = at == 0 ? MAP_NONE : o->next[at];
    }
}

/* A parent is found before its children, so path 0 is the root. It is its own parent. */
static enum refrain_status put_in_order(struct call_paths *p, size_t n_sites)
{
    const size_t n = p->items.n;
    uint32_t *links = malloc(4 * n * sizeof *links);
    struct order o = {.items = malloc(n * sizeof *o.items)};
    if (!links || !o.items) {
        log_error("out of memory: %zu call paths", n);
        free(links);
        free(o.items);
        return REFRAIN_ERR_MEMORY;
    }
    o.first = links, o.last = links + n, o.next = links + 2 * n, o.number = links + 3 * n;
    for (size_t i = 0; i < 4 * n; i++)
        links[i] = MAP_NONE;
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t parent = p->items.items[i].parent, last = o.last[parent];
        *(last == MAP_NONE ? &o.first[parent] : &o.next[last]) = i;
        o.last[parent] = i;
    }
    place(&o, p);
    for (size_t i = 0; i < n_sites; i++)
        p->of_site[i] = o.number[p->of_site[i]];
    memcpy(p->items.items, o.items, n * sizeof *o.items);
    free(links);
    free(o.items);
    return REFRAIN_OK;
}

/* Writes the program's name without directories and arguments. The command may be in single
 * quotes. */
static void put_program(const struct trace *t, struct bytes *out)
{
    const char *command = trace_meta(t, "command");
    const char *word = command ? command + (*command == '\'') : "";
    const size_t n = strcspn(word, command && *command == '\'' ? "'" : " ");
    size_t start = n;
    while (start > 0 && word[start - 1] != '/')
        start--;
    if (n > start)
        bytes_put(out, word + start, n - start);
    else
        text_put(out, "program");
    text_putc(out, '\0');
}

static enum refrain_status add_program(struct builder *b)
{
    struct call_path root = {.parent = 0};
    uint32_t number;
    put_program(b->trace, &b->name);
    enum refrain_status status = b->name.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = text_table_intern(&b->paths->functions, b->name.data, b->name.n, &root.function);
    if (status == REFRAIN_OK)
        status = intern(&b->paths->files, "", &number);
    return status == REFRAIN_OK ? add_path(b, &root, &number) : status;
}

enum refrain_status call_paths_create(struct call_paths *p, const struct trace *t, const struct symbols *s)
{
    struct builder b = {.paths = p, .trace = t, .symbols = s};
    *p = (struct call_paths){.of_site = calloc(t->sites.n + 1, sizeof *p->of_site)};
    enum refrain_status status = p->of_site ? add_program(&b) : REFRAIN_ERR_MEMORY;
    if (!p->of_site)
        log_error("out of memory: %zu call sites", t->sites.n);
    for (uint32_t i = 0; i < t->sites.n && status == REFRAIN_OK; i++)
        status = add_site(&b, i);
    if (status == REFRAIN_OK)
        status = put_in_order(p, t->sites.n);
    text_table_free(&b.found);
    bytes_free(&b.name);
    if (status != REFRAIN_OK)
        call_paths_free(p);
    return status;
}

void call_paths_free(struct call_paths *p)
{
    text_table_free(&p->functions);
    text_table_free(&p->files);
    array_free(&p->items);
    free(p->of_site);
    *p = (struct call_paths){0};
}
