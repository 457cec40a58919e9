/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_wrap.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define INDENT 4 /* of the lines that go on, more than that of the first */

/* Part of a line; `at` and `end` are offsets in it. */
struct line {
    const char *text;
    size_t n;
    size_t whole; /* from here on it stays whole: a command */
};

/* Bytes of UTF-8 that go on with a character do not count. */
static size_t columns(const char *text, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((unsigned char)text[i] & 0xc0) != 0x80;
    return sum;
}

static size_t count_spaces(const struct line *l, size_t at)
{
    size_t n = 0;
    while (at + n < l->n && l->text[at + n] == ' ')
        n++;
    return n;
}

/* Returns where the command at the end of the line begins; n: it has none. After a command, " (" begins other words,
 * unless it is in quotes. */
static size_t find_command(const char *text, size_t n)
{
    static const char command[] = " refrain ", words[] = " (";
    const char *found = memmem(text, n, command, sizeof command - 1);
    const size_t left = found ? n - (size_t)(found - text) : 0;
    const char *other = found ? memmem(found, left, words, sizeof words - 1) : NULL;
    const bool ends = found && (!other || memchr(found, '\'', (size_t)(other - found)));
    return ends ? (size_t)(found - text) + 1 : n;
}

/* Between a number and its unit there is no break ("5.3 %", "2 ms"). */
static bool may_break(const struct line *l, size_t at)
{
    const char *word = l->text + at + 1, *end = memchr(word, ' ', l->n - at - 1);
    const size_t n = end ? (size_t)(end - word) : l->n - at - 1;
    return l->text[at] == ' ' && l->text[at - 1] != ' ' &&
           !(isdigit((unsigned char)l->text[at - 1]) && n <= 2);
}

/* Returns the end of the part from `at` on: before the last space that fits, or else the first one. */
static size_t find_end(const struct line *l, size_t at, size_t width)
{
    size_t end = l->n;
    if (at >= l->whole || columns(l->text + at, l->n - at) <= width)
        return l->n;
    for (size_t i = at + 1; i < l->whole; i++) {
        if (!may_break(l, i))
            continue;
        if (end < l->n && columns(l->text + at, i - at) > width)
            break;
        end = i;
    }
    return end;
}

static void wrap(struct bytes *out, const struct line *l, size_t width)
{
    const size_t indent = count_spaces(l, 0);
    bytes_put(out, l->text, indent);
    for (size_t at = indent, more = 0; at < l->n; more = INDENT) {
        const size_t end = find_end(l, at, width > indent + more ? width - indent - more : 1);
        bytes_put(out, l->text + at, end - at);
        at = end + count_spaces(l, end);
        if (at >= l->n)
            break;
        bytes_put_u8(out, '\n');
        for (size_t i = 0; i < indent + INDENT; i++)
            bytes_put_u8(out, ' ');
    }
}

static bool has_gap(const struct line *l)
{
    static const char gap[] = "    ";
    const size_t indent = count_spaces(l, 0);
    return memmem(l->text + indent, l->n - indent, gap, sizeof gap - 1) != NULL;
}

void text_wrap(struct bytes *out, const char *text, size_t n, size_t width)
{
    bool begins = true, table = false;
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        const size_t length = end ? (size_t)(end - text) : n;
        const struct line l = {text, length, find_command(text, length)};
        table = length > 0 && (begins ? has_gap(&l) : table);
        begins = length == 0;
        if (table)
            bytes_put(out, text, length);
        else
            wrap(out, &l, width);
        if (end)
            bytes_put_u8(out, '\n');
        text += length + (end != NULL);
        n -= length + (end != NULL);
    }
}
