/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources.h"

#include <stdio.h>
#include <string.h>

#include "text_arena.h"

static const char rendered[] = "-rendered.tex";

static bool is_file(const char *file, const char *name)
{
    return strcmp(file, name) == 0 || text_ends_with(file, text_arena_format("/%s", name));
}

static bool is_skipped(const char *file, char *const skipped[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_file(file, skipped[i]))
            return true;
    return false;
}

/* The length of the path, with its slash, of the folder that contains all files. */
static size_t common_folder(const char *const files[], size_t n)
{
    size_t common = n ? strlen(files[0]) : 0;

    for (size_t i = 1; i < n; i++) {
        size_t same = 0;

        while (same < common && files[i][same] == files[0][same])
            same++;
        common = same;
    }
    while (common && files[0][common - 1] != '/')
        common--;
    return common;
}

static bool is_compared(const char *const files[], size_t n, size_t i, size_t common)
{
    const char *below = text_arena_format("/%s", files[i] + common);
    const char *source;

    if (strstr(below, "/errata/") || strstr(below, "/known-good/"))
        return true;
    if (!text_ends_with(files[i], rendered))
        return false;
    source = text_arena_format("%.*s.tex", (int)(strlen(files[i]) - strlen(rendered)), files[i]);
    for (size_t k = 0; k < n; k++)
        if (strcmp(files[k], source) == 0)
            return true;
    return false;
}

static void add(const char ***list, size_t *n, const char *file)
{
    *list = text_arena_more(*list, *n, sizeof **list);
    (*list)[(*n)++] = file;
}

int sources_sort(char *const files[], size_t n, char *const skipped[], size_t n_skipped, struct sources *out)
{
    struct sources s = {0};
    const char **left = NULL;
    size_t n_left = 0, common;

    for (size_t k = 0; k < n_skipped; k++) {
        size_t i = 0;

        while (i < n && !is_file(files[i], skipped[k]))
            i++;
        if (i == n) {
            fprintf(stderr, "gen: --skip %s: none of the files has that name\n", skipped[k]);
            return -1;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (!is_skipped(files[i], skipped, n_skipped))
            add(&left, &n_left, files[i]);
    common = common_folder(left, n_left);
    for (size_t i = 0; i < n_left; i++)
        if (is_compared(left, n_left, i, common))
            add(&s.compared, &s.n_compared, left[i]);
        else
            add(&s.described, &s.n_described, left[i]);
    *out = s;
    return 0;
}
