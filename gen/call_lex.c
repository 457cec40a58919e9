/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_lex.h"

#include <ctype.h>
#include <string.h>

#include "refuse.h"
#include "text_arena.h"

static void step(struct call_scanner *s)
{
    s->place.line += *s->at++ == '\n';
}

static void skip_blanks(struct call_scanner *s)
{
    while (isspace((unsigned char)*s->at) || *s->at == '#' || *s->at == '%') {
        if (*s->at == '#' || *s->at == '%')
            while (s->at[1] && s->at[1] != '\n')
                step(s);
        step(s);
    }
}

/* Skip `c`, if it comes next. */
static bool take(struct call_scanner *s, char c)
{
    skip_blanks(s);
    if (*s->at != c)
        return false;
    step(s);
    return true;
}

static const char *take_name(struct call_scanner *s)
{
    const char *from;

    skip_blanks(s);
    for (from = s->at; isalnum((unsigned char)*s->at) || *s->at == '_'; s->at++)
        ;
    return text_arena_copy(from, (size_t)(s->at - from));
}

/* If a quoted text comes next, return the number of letters before its quote; otherwise -1. */
static int text_prefix(struct call_scanner *s)
{
    size_t n;

    skip_blanks(s);
    n = strspn(s->at, "rRfFuU");
    return n <= 2 && (s->at[n] == '"' || s->at[n] == '\'') ? (int)n : -1;
}

static int read_text(struct call_scanner *s, const char **out)
{
    const char *text = "";
    int prefix;

    while ((prefix = text_prefix(s)) >= 0) {
        struct source_position begin = s->place;
        const char *from, *quotes;
        size_t n; /* quotes */

        s->at += prefix;
        n = strncmp(s->at, "\"\"\"", 3) == 0 || strncmp(s->at, "'''", 3) == 0 ? 3 : 1;
        quotes = text_arena_copy(s->at, n);
        for (from = s->at += n; *s->at && strncmp(s->at, quotes, n) != 0; step(s))
            if (*s->at == '\\' && s->at[1])
                step(s);
        if (!*s->at)
            return refuse(begin, "text does not end: add its quote");
        text = text_arena_format("%s%.*s", text, (int)(s->at - from), from);
        s->at += n;
    }
    *out = text;
    return 0;
}

static int read_list(struct call_scanner *s, const char **out)
{
    const char *list = "", *text;

    while (!take(s, ']')) {
        if (text_prefix(s) < 0)
            return refuse(s->place, "expected a list of texts");
        if (read_text(s, &text))
            return -1;
        list = text_arena_format("%s%s%s", list, *list ? "," : "", text);
        take(s, ',');
    }
    *out = list;
    return 0;
}

static int read_value(struct call_scanner *s, struct value *out)
{
    const char *name;

    *out = (struct value){.type = VALUE_TEXT};
    if (take(s, '(')) {
        if (read_value(s, out))
            return -1;
        return take(s, ')') ? 0 : refuse(s->place, "expected ')'");
    }
    if (take(s, '['))
        return read_list(s, &out->text);
    if (text_prefix(s) >= 0)
        return read_text(s, &out->text);
    name = take_name(s);
    if (strcmp(name, "None") == 0)
        out->type = VALUE_NONE;
    else if (strcmp(name, "True") == 0 || strcmp(name, "False") == 0)
        *out = (struct value){.type = VALUE_TRUTH, .truth = *name == 'T'};
    else
        return refuse(s->place, "expected a value, not '%s'", *name ? name : text_arena_copy(s->at, 1));
    return 0;
}

static int read_argument(struct call_scanner *s, struct argument *out)
{
    *out = (struct argument){.key = ""};
    if (text_prefix(s) < 0 && isalpha((unsigned char)*s->at)) {
        out->key = take_name(s);
        if (!take(s, '='))
            return refuse(s->place, "expected '=' after '%s'", out->key);
    }
    skip_blanks(s);
    out->place = s->place;
    return read_value(s, &out->value);
}

/* A comma may follow the last argument, and the call. */
int call_next(struct call_scanner *s, struct call *out)
{
    struct call c = {0};

    skip_blanks(s);
    if (!*s->at)
        return 0;
    c.place = s->place;
    c.name = take_name(s);
    if (!*c.name)
        return refuse(s->place, "expected a call, not '%c'", *s->at);
    if (!take(s, '('))
        return refuse(c.place, "expected '(' after '%s'", c.name);
    while (!take(s, ')')) {
        c.arguments = text_arena_more(c.arguments, c.n_arguments, sizeof *c.arguments);
        if (read_argument(s, &c.arguments[c.n_arguments++]))
            return -1;
        skip_blanks(s);
        if (!take(s, ',') && *s->at != ')')
            return refuse(s->place, "expected ',' or ')'");
    }
    take(s, ','); /* meaningless, but allowed */
    *out = c;
    return 1;
}

int call_text(const struct call *c, size_t i, const char **out)
{
    const struct argument *a = i < c->n_arguments ? &c->arguments[i] : NULL;

    if (!a || *a->key || a->value.type != VALUE_TEXT || !*a->value.text)
        return refuse(c->place, "argument %zu of %s must be a text", i + 1, c->name);
    *out = a->value.text;
    return 0;
}
