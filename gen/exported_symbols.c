/* SPDX-License-Identifier: BSD-3-Clause */
#include "exported_symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_arena.h"

struct symbols {
    const char **names; /* sorted */
    size_t n;
};

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct symbols *symbols_read(const char *file)
{
    struct symbols *s = text_arena_alloc(sizeof *s);
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (!in) {
        fprintf(stderr, "gen: cannot open %s: %s\n", file, strerror(errno));
        return NULL;
    }
    while ((length = getline(&line, &size, in)) > 0) {
        s->names = text_arena_more(s->names, s->n, sizeof *s->names);
        s->names[s->n++] = text_arena_copy(line, strcspn(line, "\n"));
    }
    free(line);
    if (ferror(in)) {
        fprintf(stderr, "gen: cannot read %s: %s\n", file, strerror(errno));
        fclose(in);
        return NULL;
    }
    fclose(in);
    if (s->n)
        qsort(s->names, s->n, sizeof *s->names, compare);
    return s;
}

bool symbols_has(const struct symbols *s, const char *name)
{
    return s->n && bsearch(&name, s->names, s->n, sizeof *s->names, compare);
}
