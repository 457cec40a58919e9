/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of text: a long name does not push the other columns off the screen. */
#include <criterion/criterion.h>

#include "decoder/util/emitter.h"

#include <string.h>

static const struct emitter_column columns[] = {{.key = "name", .title = "name", .left = true},
                                                {.key = "calls", .title = "calls"}};

/* Returns where the number of calls of the last row ends, in its line. */
static size_t column_of(const char *name, size_t *lines)
{
    struct output out = {0};
    struct emitter e = emitter_open(&out, false, 0);
    emitter_table(&e, "rows", columns, 2);
    emitter_cell_text(&e, "MPI_Send main (p.c:3)");
    emitter_cell_uint(&e, 12);
    emitter_cell_text(&e, name);
    emitter_cell_uint(&e, 345);
    emitter_table_end(&e);
    bytes_put_u8(&out.text, '\0');
    const char *text = (const char *)out.text.data, *number = strstr(text, "345\n"), *line = number;
    cr_assert(number && strstr(text, name), "%s", text);
    while (line > text && line[-1] != '\n')
        line--;
    *lines = 0;
    for (const char *at = text; *at; at++)
        *lines += *at == '\n';
    size_t column = 3;
    for (const char *at = line; at < number; at++)
        column += (*at & 0xc0) != 0x80; /* begins a character */
    bytes_free(&e.cells);
    array_free(&e.ends);
    bytes_free(&out.text);
    return column;
}

/* Columns are as wide as the characters, not as the bytes. */
Test(emitter, characters)
{
    size_t lines;
    cr_expect_eq(column_of("…", &lines), 21 + 2 + 5);
    cr_expect_eq(column_of("MPI_Send exchäng… (p.c:3)", &lines), 25 + 2 + 5);
    cr_expect_eq(lines, 3);
}

Test(emitter, long_names)
{
    char name[301] = "";
    size_t lines;
    memset(name, 'x', 60);
    cr_expect_eq(column_of(name, &lines), 60 + 2 + 5);
    cr_expect_eq(lines, 3);
    memset(name, 'x', 300);
    cr_expect_eq(column_of(name, &lines), 60 + 2 + 5); /* in a line of its own */
    cr_expect_eq(lines, 4);
    name[4] = '\0';
    cr_expect_eq(column_of(name, &lines), 21 + 2 + 5);
    cr_expect_eq(lines, 3);
}
