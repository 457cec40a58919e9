/* SPDX-License-Identifier: BSD-3-Clause */
#include "tex_lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "draft_marks.h"
#include "refuse.h"
#include "text_arena.h"

/* environments whose text is not LaTeX */
static const char *const opaque[] = {"verbatim", "Verbatim", "lstlisting", "comment", "alltt"};

int tex_open(const char *file, struct tex *out)
{
    struct tex tex = {.file = file, .line = 1};
    FILE *in = fopen(file, "rb");
    size_t got;

    if (!in)
        return refuse((struct source_position){file, 1}, "cannot be opened: %s", strerror(errno));
    /* Grow by doubling, which also reads pipes. The last byte stays for the terminator. */
    for (size_t size = 1 << 16;; size *= 2) {
        char *text = text_arena_alloc(size);

        if (tex.n)
            memcpy(text, tex.text, tex.n);
        tex.text = text;
        got = fread(text + tex.n, 1, size - 1 - tex.n, in);
        tex.n += got;
        if (tex.n < size - 1)
            break;
    }
    if (ferror(in)) {
        fclose(in);
        return refuse((struct source_position){file, 1}, "cannot be read: %s", strerror(errno));
    }
    fclose(in);
    tex.n = draft_marks_resolve(file, tex.text, tex.n);
    *out = tex;
    return 0;
}

struct source_position tex_position(const struct tex *tex)
{
    return (struct source_position){tex->file, tex->line};
}

static void skip(struct tex *tex, size_t n)
{
    for (; n && tex->at < tex->n; n--)
        if (tex->text[tex->at++] == '\n')
            tex->line++;
}

static bool looking_at(const struct tex *tex, const char *text)
{
    size_t n = strlen(text);

    return tex->n - tex->at >= n && memcmp(tex->text + tex->at, text, n) == 0;
}

/* Skip the rest of the line, which is a comment. */
static void skip_comment(struct tex *tex)
{
    while (tex->at < tex->n && tex->text[tex->at] != '\n')
        skip(tex, 1);
}

static void skip_blanks(struct tex *tex)
{
    while (tex->at < tex->n) {
        if (tex->text[tex->at] == '%')
            skip_comment(tex);
        else if (isspace((unsigned char)tex->text[tex->at]))
            skip(tex, 1);
        else
            return;
    }
}

/* Skip everything up to and including the text `end`; false if it is missing. */
static bool skip_to(struct tex *tex, const char *end)
{
    while (tex->at < tex->n && !looking_at(tex, end))
        skip(tex, 1);
    if (tex->at == tex->n)
        return false;
    skip(tex, strlen(end));
    return true;
}

/* The name of the command at the backslash at `at`: its letters and an optional star; "" for \_ and
 * the like. */
static const char *command_name(const char *text, size_t at, size_t n)
{
    size_t from = ++at;

    while (at < n && isalpha((unsigned char)text[at]))
        at++;
    if (at > from && at < n && text[at] == '*')
        at++;
    return text_arena_copy(text + from, at - from);
}

/* If `name` is an environment such as verbatim, skip everything up to its \end and return 1. 0 if
 * it is not, -1 if it does not end. */
static int skip_opaque(struct tex *tex, const char *name, struct source_position begin)
{
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++)
        if (strcmp(name, text_arena_format("begin{%s}", opaque[i])) == 0) {
            if (!skip_to(tex, text_arena_format("\\end{%s}", opaque[i])))
                return refuse(begin, "environment '%s' does not end: add \\end{%s}", opaque[i], opaque[i]);
            return 1;
        }
    return 0;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Commands that define a macro or an environment, with the number of arguments {…} that are its
 * text. The text is skipped: what it describes counts only where the macro is used. */
static const struct definition {
    const char *command;
    int n_texts;
    bool plain_tex; /* \def\name#1{…}; otherwise \newcommand{\name}[1]{…} or \newcommand\name[1]{…} */
} definitions[] = {
    {"def", 1, true},
    {"edef", 1, true},
    {"gdef", 1, true},
    {"xdef", 1, true},
    {"newcommand", 1, false},
    {"renewcommand", 1, false},
    {"providecommand", 1, false},
    {"DeclareRobustCommand", 1, false},
    {"newenvironment", 2, false},
    {"renewenvironment", 2, false},
    {"NewDocumentCommand", 2, false},
};

/* Whether `name` is the command, with or without a star. */
static bool is_command(const char *name, const char *command)
{
    size_t n = strlen(command);

    return strncmp(name, command, n) == 0 && (!name[n] || strcmp(name + n, "*") == 0);
}

/* Skip all options [1], [default] that follow. */
static void skip_options(struct tex *tex)
{
    skip_blanks(tex);
    while (looking_at(tex, "[") && skip_to(tex, "]"))
        skip_blanks(tex);
}

/* Skip the definition whose \def or \newcommand was just read, if it is one. -1 if it does not end. */
static int skip_definition(struct tex *tex, const struct definition *d)
{
    const char *text;

    skip_blanks(tex);
    if (looking_at(tex, "\\")) {
        skip(tex, 2);
        while (tex->at < tex->n && (isalpha((unsigned char)tex->text[tex->at]) || tex->text[tex->at] == '@'))
            skip(tex, 1);
    } else if (d->plain_tex || !looking_at(tex, "{")) {
        return 0; /* text about the command */
    } else if (tex_argument(tex, &text)) {
        return -1;
    }
    if (d->plain_tex) /* skip the parameters */
        while (tex->at < tex->n && !looking_at(tex, "{"))
            skip(tex, looking_at(tex, "\\") ? 2 : 1);
    for (int i = 0; i < d->n_texts; i++) {
        if (!d->plain_tex)
            skip_options(tex);
        if (tex_argument(tex, &text))
            return -1;
    }
    return 0;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Read the command at the next backslash into *out. 0 if there is nothing for the caller. */
static int read_command(struct tex *tex, struct tex_command *out)
{
    struct source_position place = tex_position(tex);
    const char *name = command_name(tex->text, tex->at, tex->n);
    const char *argument;
    char end[2] = "";
    int hidden;

    if (!*name) {
        skip(tex, 2); /* \% and \\ must not start anything */
        return 0;
    }
    skip(tex, 1 + strlen(name));
    if (strcmp(name, "verb") == 0 || strcmp(name, "verb*") == 0) {
        if (tex->at < tex->n)
            end[0] = tex->text[tex->at];
        skip(tex, 1);
        skip_to(tex, end);
        return 0;
    }
    if (strcmp(name, "iffalse") == 0) {
        if (!skip_to(tex, "\\fi"))
            return refuse(place, "\\iffalse does not end: add \\fi");
        return 0;
    }
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
        if (is_command(name, definitions[i].command))
            return skip_definition(tex, &definitions[i]);
    if (strcmp(name, "begin") == 0 || strcmp(name, "end") == 0) {
        if (!tex_has_argument(tex))
            return 0;
        if (tex_argument(tex, &argument))
            return -1;
        name = text_arena_format("%s{%s}", name, argument);
        hidden = skip_opaque(tex, name, place);
        if (hidden)
            return hidden < 0 ? -1 : 0;
    }
    *out = (struct tex_command){place, name};
    return 1;
}

int tex_next(struct tex *tex, struct tex_command *out)
{
    while (tex->at < tex->n) {
        int found;

        if (tex->text[tex->at] == '%') {
            skip_comment(tex);
        } else if (tex->text[tex->at] == '\\') {
            found = read_command(tex, out);
            if (found)
                return found;
        } else {
            skip(tex, 1);
        }
    }
    return 0;
}

bool tex_has_argument(struct tex *tex)
{
    struct tex ahead = *tex;

    skip_blanks(&ahead);
    return looking_at(&ahead, "{");
}

/* Skip the argument whose brace comes next. Its bytes go to `text`, unless NULL; *n is their
 * number. */
static int scan_argument(struct tex *tex, char *text, size_t *n)
{
    struct source_position place = tex_position(tex);
    int depth = 0;

    *n = 0;
    do {
        size_t length = 1;
        char c;

        if (tex->at == tex->n)
            return refuse(place, "argument {…} does not end: close its brace");
        c = tex->text[tex->at];
        if (c == '%') {
            skip_comment(tex);
            skip(tex, 1); /* with the line end: "a%\nb" is "ab" */
            continue;
        }
        if (c == '\\' && tex->at + 1 < tex->n)
            length = 2; /* \{ and \} are not braces, \% is not a comment */
        depth += (c == '{') - (c == '}');
        if (text)
            memcpy(text + *n, tex->text + tex->at, length);
        *n += length;
        skip(tex, length);
    } while (depth);
    return 0;
}

int tex_argument(struct tex *tex, const char **out)
{
    struct tex ahead;
    char *text;
    size_t n;

    skip_blanks(tex);
    if (!looking_at(tex, "{"))
        return refuse(tex_position(tex), "expected an argument {…}");
    ahead = *tex;
    if (scan_argument(&ahead, NULL, &n))
        return -1;
    text = text_arena_alloc(n);
    scan_argument(tex, text, &n);
    text[n - 1] = '\0'; /* replaces the closing brace */
    *out = text + 1;
    return 0;
}

int tex_body(struct tex *tex, const char *environment, struct source_position begin, const char **out)
{
    const char *end = text_arena_format("\\end{%s}", environment);
    const char *next = text_arena_format("\\begin{%s}", environment);
    const struct tex behind_begin = *tex;
    size_t from = tex->at;

    while (tex->at < tex->n && !looking_at(tex, end) && !looking_at(tex, next))
        skip(tex, 1);
    if (!looking_at(tex, end)) {
        *tex = behind_begin; /* reading continues after \begin */
        return refuse(begin, "environment '%s' does not end: add %s", environment, end);
    }
    *out = text_arena_copy(tex->text + from, tex->at - from);
    skip(tex, strlen(end));
    return 0;
}

const char *tex_plain(const char *text)
{
    size_t size = strlen(text);
    char *plain = text_arena_alloc(size + 1);
    size_t n = 0;

    for (size_t i = 0; i < size; i++) {
        const char *name;
        char c = text[i];

        if (c == '\\') {
            name = command_name(text, i, size);
            i += *name ? strlen(name) : 1;
            if (strcmp(name, "ldots") == 0) {
                memcpy(plain + n, "...", 3);
                n += 3;
                continue;
            }
            if (*name || strchr("-/>", text[i])) /* a command, or a hint for line breaks */
                continue;
            c = text[i] == '\\' || text[i] == ',' ? ' ' : text[i];
        }
        if (c == '{' || c == '}')
            continue;
        if (c == '~' || isspace((unsigned char)c))
            c = ' ';
        if (c != ' ' || (n && plain[n - 1] != ' '))
            plain[n++] = c;
    }
    while (n && plain[n - 1] == ' ')
        n--;
    plain[n] = '\0';
    return plain;
}
