/* SPDX-License-Identifier: BSD-3-Clause */
/* Names procedures: by the innermost function that contains all of their statements; if there is
 * none, by the few functions that contain them, such as "ready+give3". */
#include "annotations.h"

#include <stdio.h>
#include <string.h>

/* A name has at most this many functions. */
#define JOINED_MOST 3

struct functions {
    ARRAY(const char *) items; /* functions around all sites seen so far, innermost first */
    bool started;
    const char *innermost[JOINED_MOST]; /* of all sites, each once */
    unsigned n_innermost;               /* JOINED_MOST + 1: there are more */
};

/* A procedure in the main program only has no useful name. */
static bool is_main(const char *function)
{
    return strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0;
}

static void note_innermost(const struct annotations *n, struct functions *f, uint32_t site)
{
    const struct site *s = &n->reader->trace.sites.items[site];
    const struct source_locations all =
        s->n_frames > 0 ? symbols_find(n->symbols, &s->frames[0]) : (struct source_locations){0};
    const char *name = all.n > 0 ? all.items[0].function : NULL;
    unsigned known = 0;
    if (f->n_innermost > JOINED_MOST)
        return;
    while (name && known < f->n_innermost && strcmp(f->innermost[known], name) != 0)
        known++;
    if (!name || is_main(name) || known == JOINED_MOST)
        f->n_innermost = JOINED_MOST + 1;
    else if (known == f->n_innermost)
        f->innermost[f->n_innermost++] = name;
}

static bool has_function(const struct annotations *n, uint32_t site, const char *name)
{
    const struct site *s = &n->reader->trace.sites.items[site];
    for (uint32_t i = 0; i < s->n_frames; i++) {
        const struct source_locations all = symbols_find(n->symbols, &s->frames[i]);
        for (size_t k = 0; k < all.n; k++) {
            if (all.items[k].function && strcmp(all.items[k].function, name) == 0)
                return true;
        }
    }
    return false;
}

static bool start_functions(const struct annotations *n, struct functions *f, uint32_t site)
{
    const struct site *s = &n->reader->trace.sites.items[site];
    f->started = true;
    for (uint32_t i = 0; i < s->n_frames; i++) {
        const struct source_locations all = symbols_find(n->symbols, &s->frames[i]);
        for (size_t k = 0; k < all.n; k++) {
            if (all.items[k].function && !array_push(&f->items, all.items[k].function))
                return false;
        }
    }
    return true;
}

static bool meet_site(const struct annotations *n, struct functions *f, uint32_t site)
{
    size_t left = 0;
    note_innermost(n, f, site);
    if (!f->started)
        return start_functions(n, f, site);
    for (size_t k = 0; k < f->items.n; k++) {
        if (has_function(n, site, f->items.items[k]))
            f->items.items[left++] = f->items.items[k];
    }
    f->items.n = left;
    return true;
}

static bool meet_functions(const struct annotations *n, const struct logical *l, const struct steps *steps,
                           struct functions *f)
{
    bool ok = true;
    for (size_t i = 0; i < steps->n && ok; i++) {
        const struct step *s = steps->items[i];
        if (s->kind == STEP_LOOP)
            ok = meet_functions(n, l, &s->body, f);
        else if (s->kind == STEP_CALL)
            ok = meet_functions(n, l, &l->procedures.items[s->procedure].body, f);
        else if (n->items[s->number].events.n_sites > 0)
            ok = meet_site(n, f, n->items[s->number].events.sites[0]);
    }
    return ok;
}

/* Returns the length without the underscore that Fortran compilers add. */
static size_t name_length(const char *function)
{
    const size_t n = strlen(function);
    return n > 1 && function[n - 1] == '_' ? n - 1 : n;
}

/* Sets "exchange" or "ready+give3"; adds a number if another procedure has this name. */
static bool set_name(struct logical *l, size_t number, const char *const *functions, unsigned n)
{
    size_t length = n - 1;
    unsigned others = 0;
    for (unsigned i = 0; i < n; i++)
        length += name_length(functions[i]);
    const size_t room = length + 12;
    char *name = arena_array(&l->arena, room, 1);
    if (!name)
        return false;
    for (unsigned i = 0; i < n; i++) {
        strcat(name, i > 0 ? "+" : "");
        strncat(name, functions[i], name_length(functions[i]));
    }
    for (size_t i = 0; i < number; i++) {
        const char *other = l->procedures.items[i].name;
        others += other && strncmp(other, name, length) == 0 && (!other[length] || other[length] == '.');
    }
    if (others > 0)
        snprintf(name + length, room - length, ".%u", others + 1);
    l->procedures.items[number].name = name;
    return true;
}

enum refrain_status annotations_name_procedures(const struct annotations *n, struct logical *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->procedures.n && ok; i++) {
        struct functions f = {0};
        ok = meet_functions(n, l, &l->procedures.items[i].body, &f);
        if (ok && f.items.n > 0 && !is_main(f.items.items[0]))
            ok = set_name(l, i, (const char *const *)f.items.items, 1);
        else if (ok && f.n_innermost > 0 && f.n_innermost <= JOINED_MOST)
            ok = set_name(l, i, f.innermost, f.n_innermost);
        array_free(&f.items);
    }
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
