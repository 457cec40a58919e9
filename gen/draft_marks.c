/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of drafts, and what remains of them in prose, in arguments of macros and in blocks:
 *
 *     \MPIupdate{3.0}{140}{const }void* buf       const void* buf
 *     \MPIreplace{3.0}{140}{int}{MPI\_Count} n    MPI\_Count n
 *     n\MPIdelete{3.0}{140}{, int k}              n
 *     \MPIupdateBegin{3.0}{140} a \MPIupdateEnd{3.0} b     a  b
 *     \MPIdeleteBegin{3.0}{140} a \MPIdeleteEnd{3.0} b     b */
#include "draft_marks.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "refuse.h"

enum { MOST_ARGUMENTS = 4 };

static const struct mark {
    const char *name;
    /* Number of the argument that remains, from 0; n_arguments if none does. */
    size_t n_arguments, kept;
    /* The text up to and including this mark, which has one argument, is removed, too; NULL: none. */
    const char *end;
} marks[] = {
    {"MPIupdate", 3, 2, NULL},      {"MPIupdatenc", 3, 2, NULL},  {"MPIreplace", 4, 3, NULL},
    {"MPIreplacenc", 4, 3, NULL},   {"MPIdelete", 3, 3, NULL},    {"MPIdeletenc", 3, 3, NULL},
    {"MPIupdateBegin", 2, 2, NULL}, {"MPIupdateEnd", 1, 1, NULL}, {"MPIdeleteBegin", 2, 2, "\\MPIdeleteEnd"},
};

/* Text that is changed in place: the result is before `to`, the unread text begins at `at`. */
struct pass {
    const char *file;
    char *text;
    size_t n, at, to;
};

/* The line of `at`. The result has kept the ends of all lines that were read. */
static struct source_position position(const struct pass *p)
{
    struct source_position position = {p->file, 1};

    for (size_t i = 0; i < p->to; i++)
        position.line += p->text[i] == '\n';
    return position;
}

static size_t skip_comment(const char *text, size_t at, size_t n)
{
    while (at < n && text[at] != '\n')
        at++;
    return at;
}

/* Return the end of the argument {…} that follows, after blanks and comments; 0 if none follows.
 * *from is its beginning. */
static size_t argument_end(const char *text, size_t at, size_t n, size_t *from)
{
    int depth = 0;

    while (at < n && (isspace((unsigned char)text[at]) || text[at] == '%'))
        at = text[at] == '%' ? skip_comment(text, at, n) : at + 1;
    *from = at;
    if (at == n || text[at] != '{')
        return 0;
    for (; at < n; at++) {
        if (text[at] == '\\')
            at++;
        else if (text[at] == '%')
            at = skip_comment(text, at, n);
        else if (text[at] == '{')
            depth++;
        else if (text[at] == '}' && --depth == 0)
            return at + 1;
    }
    return 0;
}

static const struct mark *mark_at(const char *text, size_t at, size_t n)
{
    size_t length = 0;

    while (at + 1 + length < n && isalpha((unsigned char)text[at + 1 + length]))
        length++;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i].name) == length && memcmp(marks[i].name, text + at + 1, length) == 0)
            return &marks[i];
    return NULL;
}

/* Remove the text up to `end`, but keep its line ends. */
static void leave_out(struct pass *p, size_t end)
{
    for (; p->at < end; p->at++)
        if (p->text[p->at] == '\n')
            p->text[p->to++] = '\n';
}

/* Return the position after the mark's end and its argument. If the end is missing, return `at`, so
 * that only the mark is removed. */
static size_t find_end(const struct pass *p, size_t at, const struct mark *mark)
{
    const char *found = memmem(p->text + at, p->n - at, mark->end, strlen(mark->end));
    size_t from, end = 0;

    if (found)
        end = argument_end(p->text, (size_t)(found - p->text) + strlen(mark->end), p->n, &from);
    if (end)
        return end;
    refuse(position(p), "\\%s does not end: add %s{…}", mark->name, mark->end);
    return at;
}

/* Resolve the mark at `at`; reading continues with the argument that remains. False if arguments
 * are missing. */
static bool resolve(struct pass *p, const struct mark *mark)
{
    size_t from[MOST_ARGUMENTS], end[MOST_ARGUMENTS];
    size_t at = p->at + 1 + strlen(mark->name);

    for (size_t i = 0; i < mark->n_arguments; i++) {
        end[i] = argument_end(p->text, at, p->n, &from[i]);
        if (!end[i])
            return false;
        at = end[i];
    }
    if (mark->end)
        at = find_end(p, at, mark);
    if (mark->kept < mark->n_arguments) {
        size_t begin = from[mark->kept] + 1, n = end[mark->kept] - 1 - begin;

        leave_out(p, begin);
        /* move the argument's text to just before the following text */
        memmove(p->text + at - n, p->text + begin, n);
        p->at = at - n;
    } else {
        leave_out(p, at);
    }
    return true;
}

size_t draft_marks_resolve(const char *file, char *text, size_t n)
{
    struct pass p = {file, text, n, 0, 0};

    while (p.at < p.n) {
        const struct mark *mark = text[p.at] == '\\' ? mark_at(text, p.at, n) : NULL;
        size_t end = p.at + 1;

        if (mark && resolve(&p, mark))
            continue;
        if (text[p.at] == '%')
            end = skip_comment(text, p.at, n);
        else if (text[p.at] == '\\' && end < n)
            end++; /* \% and \\ begin neither a comment nor a mark */
        memmove(text + p.to, text + p.at, end - p.at);
        p.to += end - p.at;
        p.at = end;
    }
    return p.to;
}
