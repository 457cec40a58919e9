/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what)
{
    perror(what);
    exit(2);
}

void text_file_open(struct text_file *f, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t room = 0;
    *f = (struct text_file){.path = path};
    if (!file || (getdelim(&f->text, &room, '\0', file) < 0 && ferror(file)))
        die(path);
    if (ftell(file) == 0) { /* an empty file: nothing was read */
        free(f->text);
        f->text = calloc(1, 1);
    }
    fclose(file);
    if (!f->text)
        die(path);
    f->next = f->text;
}

const char *text_file_line(struct text_file *f)
{
    char *line = f->next;
    if (!*line)
        return NULL;
    f->next += strcspn(line, "\n");
    if (*f->next)
        *f->next++ = '\0';
    return line;
}

void text_file_close(struct text_file *f)
{
    free(f->text);
}

/* Grows at powers of two. */
void *grown(void *items, size_t n, size_t size)
{
    if ((n & (n - 1)) != 0)
        return items;
    items = realloc(items, (n > 0 ? 2 * n : 1) * size);
    if (!items)
        die("realloc");
    return items;
}
