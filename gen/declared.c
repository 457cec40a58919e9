/* SPDX-License-Identifier: BSD-3-Clause */
#include "declared.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_arena.h"

struct macro {
    const char *name;
    const char *body;
    bool has_parameters;
};

struct prototype {
    const char *name;
    const char *list; /* "(int count, …)" */
    int line;
};

struct declared {
    const char *file;
    const char **names; /* sorted; a name may occur more than once */
    size_t n_names;
    struct prototype *prototypes;
    size_t n_prototypes;
    struct macro *macros;
    size_t n_macros;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *text)
{
    size_t n = 0;

    while (is_word(text[n]))
        n++;
    return n;
}

static void add_name(struct declared *d, const char *name, size_t n)
{
    d->names = text_arena_more(d->names, d->n_names, sizeof *d->names);
    d->names[d->n_names++] = text_arena_copy(name, n);
}

/* Read "#define NAME body" or "#define NAME(parameters) body". */
static void read_macro(struct declared *d, const char *line)
{
    struct macro m;
    size_t n;

    line += strspn(line, "# ");
    if (strncmp(line, "define ", 7) != 0)
        return;
    line += 7;
    n = word_length(line);
    m = (struct macro){text_arena_copy(line, n), text_arena_copy(line + n, strlen(line + n)), line[n] == '('};
    d->macros = text_arena_more(d->macros, d->n_macros, sizeof m);
    d->macros[d->n_macros++] = m;
}

static bool in_capitals(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (islower((unsigned char)name[i]))
            return false;
    return true;
}

/* Note a prototype, if the parenthesis after the name is closed and contains parameters. It does
 * not in "typedef MPI_Aint (add_function)(…)". */
static void add_prototype(struct declared *d, const char *name, size_t n, const char *open, int line)
{
    const char *end = open;
    int depth = 0;

    do
        depth += (*end == '(') - (*end == ')');
    while (*end++ && depth);
    if (depth || end[strspn(end, " \t\n")] == '(')
        return;
    d->prototypes = text_arena_more(d->prototypes, d->n_prototypes, sizeof *d->prototypes);
    d->prototypes[d->n_prototypes++] =
        (struct prototype){text_arena_copy(name, n), text_arena_copy(open, (size_t)(end - open)), line};
}

/* Read all lines except those of the preprocessor. */
static void read_code(struct declared *d, const char *text)
{
    int line = 1;

    while (*text) {
        size_t n = word_length(text);
        const char *behind = text + n + strspn(text + n, " \t\n");

        line += *text == '\n';
        if (!n) {
            text++;
            continue;
        }
        if (strncmp(text, "MPI_", 4) == 0 && (*behind == '(' || in_capitals(text, n)))
            add_name(d, text, n);
        if (strncmp(text, "MPI_", 4) == 0 && *behind == '(')
            add_prototype(d, text, n, behind, line);
        text += n;
    }
}

static const struct macro *find_macro(const struct declared *d, const char *name, size_t n)
{
    for (size_t i = 0; i < d->n_macros; i++)
        if (strlen(d->macros[i].name) == n && memcmp(d->macros[i].name, name, n) == 0)
            return &d->macros[i];
    return NULL;
}

/* Whether a macro expands to a failing assertion, also through macros in its text. `depth` ends
 * cycles. */
static bool is_removed(const struct declared *d, const struct macro *m, int depth)
{
    const char *at = m->body;

    while (*at) {
        size_t n = word_length(at);
        const struct macro *inner = n && depth ? find_macro(d, at, n) : NULL;

        if (strncmp(at, "_Static_assert", 14) == 0 || (inner && is_removed(d, inner, depth - 1)))
            return true;
        at += n ? n : 1;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Read the macros in *in, and return the text with an empty line in place of each. */
static const char *read_lines(struct declared *d, FILE *in)
{
    char *line = NULL;
    const char **lines = NULL;
    size_t size = 0, n = 0, length = 0, at = 0;
    char *text;

    while (getline(&line, &size, in) > 0) {
        bool macro = *line == '#';

        if (macro)
            read_macro(d, line);
        lines = text_arena_more(lines, n, sizeof *lines);
        lines[n] = macro ? "\n" : text_arena_copy(line, strlen(line));
        length += strlen(lines[n++]);
    }
    free(line);
    text = text_arena_alloc(length + 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(text + at, lines[i], strlen(lines[i]));
        at += strlen(lines[i]);
    }
    return text;
}

struct declared *declared_read(const char *file)
{
    struct declared *d = text_arena_alloc(sizeof *d);
    FILE *in = fopen(file, "r");

    if (!in) {
        fprintf(stderr, "gen: cannot open %s: %s\n", file, strerror(errno));
        return NULL;
    }
    d->file = file;
    read_code(d, read_lines(d, in));
    if (ferror(in)) {
        fprintf(stderr, "gen: cannot read %s: %s\n", file, strerror(errno));
        fclose(in);
        return NULL;
    }
    fclose(in);
    for (size_t i = 0; i < d->n_macros; i++) {
        const struct macro *m = &d->macros[i];

        if (strncmp(m->name, "MPI_", 4) == 0 && !m->has_parameters && !is_removed(d, m, 3))
            add_name(d, m->name, strlen(m->name));
    }
    if (d->n_names)
        qsort(d->names, d->n_names, sizeof *d->names, compare);
    return d;
}

int declared_parameters(const struct declared *d, const char *name, struct c_declaration **out, size_t *n)
{
    for (size_t i = 0; i < d->n_prototypes; i++)
        if (strcmp(d->prototypes[i].name, name) == 0)
            return c_parse_list((struct source_position){d->file, d->prototypes[i].line},
                                d->prototypes[i].list, out, n);
    *n = 0;
    return 0;
}

const char *declared_procedure(const struct declared *d, size_t i, struct source_position *place)
{
    if (i == d->n_prototypes)
        return NULL;
    *place = (struct source_position){d->file, d->prototypes[i].line};
    return d->prototypes[i].name;
}

bool declared_has(const struct declared *d, const char *name)
{
    return d->n_names && bsearch(&name, d->names, d->n_names, sizeof *d->names, compare);
}
