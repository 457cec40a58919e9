/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of constructs has, in each process, the rows of its constructs one after another, with
 * the construct after the thread:
 *
 *     rank,thread,construct,i0,event,call        of 2.5          of 2.6
 *     0,0,2.5,1,2,4                              0,0,1,2,4
 *     0,0,2.5,2,5,8                              0,0,2,5,8
 *     0,0,2.6,1,3,5                                              0,0,1,3,5
 *     1,0,2.5,1,2,4                              1,0,1,2,4 */
#include "call_line.h"
#include "recount.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    struct call_name who;  /* number: in the order of the constructs */
    const char *construct; /* its path */
    const char *rest;      /* the text after the thread */
};

struct rows {
    struct row *items;
    size_t n;
};

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return call_name_compare(&x->who, &y->who);
}

/* Returns the text after "rank,thread,"; NULL if it is not there. */
static const char *parse(struct call_name *who, const char *line)
{
    int n = 0;
    return sscanf(line, "%ld,%ld,%n", &who->rank, &who->thread, &n) == 2 && n > 0 ? line + n : NULL;
}

static bool add_rows(struct rows *rows, const char *construct, struct text_file *file)
{
    for (const char *line; (line = text_file_line(file));) {
        struct row row = {.who = {.number = (long)rows->n}, .construct = construct};
        row.rest = parse(&row.who, line);
        if (!row.rest) {
            printf("%s: no row: %s\n", file->path, line);
            return false;
        }
        rows->items = grown(rows->items, rows->n, sizeof *rows->items);
        rows->items[rows->n++] = row;
    }
    return true;
}

/* The whole has the columns of each construct and one more. */
static bool same_columns(const char *whole, const char *construct)
{
    static const char begins[] = "rank,thread,", more[] = "construct,";
    const size_t n = strlen(begins), m = strlen(more);
    if (whole && construct && strncmp(whole, begins, n) == 0 && strncmp(construct, begins, n) == 0 &&
        strncmp(whole + n, more, m) == 0 && strcmp(whole + n + m, construct + n) == 0)
        return true;
    printf("columns %s and %s\n", whole ? whole : "none", construct ? construct : "none");
    return false;
}

static bool are_all(const struct rows *rows, struct text_file *whole)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->items[i];
        const char *line = text_file_line(whole);
        struct call_name who = {0};
        const char *construct = line ? parse(&who, line) : NULL;
        const size_t n = strlen(row->construct);
        if (!construct || who.rank != row->who.rank || who.thread != row->who.thread ||
            strncmp(construct, row->construct, n) != 0 || construct[n] != ',' ||
            strcmp(construct + n + 1, row->rest) != 0) {
            printf("%ld,%ld,%s,%s is %s\n", row->who.rank, row->who.thread, row->construct, row->rest,
                   line ? line : "missing");
            return false;
        }
    }
    const char *more = text_file_line(whole);
    if (more)
        printf("none of the constructs has %s\n", more);
    return !more && rows->n > 0;
}

int recount_range(int n, char **paths)
{
    struct rows rows = {0};
    struct text_file whole, *parts = calloc((size_t)n, sizeof *parts);
    text_file_open(&whole, paths[0]);
    const char *columns = text_file_line(&whole);
    bool right = parts && n % 2 == 1;
    int opened = 0;
    for (int i = 1; i < n && right; i += 2) {
        struct text_file *part = &parts[opened++];
        text_file_open(part, paths[i + 1]);
        right = same_columns(columns, text_file_line(part)) && add_rows(&rows, paths[i], part);
    }
    if (right && rows.n > 0)
        qsort(rows.items, rows.n, sizeof *rows.items, compare);
    right = right && are_all(&rows, &whole);
    while (opened > 0)
        text_file_close(&parts[--opened]);
    text_file_close(&whole);
    free(parts);
    free(rows.items);
    return !right;
}
