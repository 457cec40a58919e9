/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first character of `ends` from `text` on that is outside of strings and brackets;
 * the end of the line if there is none. */
static const char *outermost(const char *text, const char *ends)
{
    for (int depth = 0; *text; text++) {
        if (depth == 0 && strchr(ends, *text))
            return text;
        if (strchr("([{", *text))
            depth++;
        else if (strchr(")]}", *text))
            depth--;
        else if (*text == '"')
            for (text++; *text && *text != '"'; text++)
                text += *text == '\\' && text[1];
        if (!*text)
            break;
    }
    return text;
}

static const char *parse_thread(struct call_name *name, const char *text)
{
    char *end;
    *name = (struct call_name){0};
    name->rank = strtol(text, &end, 10);
    if (end == text)
        return NULL;
    if (*end == '.')
        name->thread = strtol(end + 1, &end, 10);
    return end;
}

const char *call_name_parse(struct call_name *name, const char *text)
{
    char *end;
    text = parse_thread(name, text);
    if (!text || *text != ':')
        return NULL;
    name->number = strtol(text + 1, &end, 10);
    return end > text + 1 ? end : NULL;
}

int call_name_compare(const struct call_name *a, const struct call_name *b)
{
    const long x[] = {a->rank, a->thread, a->number}, y[] = {b->rank, b->thread, b->number};
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

bool call_line_parse(struct call_line *call, const char *line)
{
    char *function;
    *call = (struct call_line){0};
    line = parse_thread(&call->who, line);
    if (!line || strncmp(line, "  ", 2) != 0 || !isdigit((unsigned char)line[2]))
        return false;
    call->who.number = strtol(line, &function, 10);
    function += strspn(function, " ");
    call->function = (struct span){function, strcspn(function, "(")};
    if (function[call->function.n] != '(')
        return false;
    const char *parameters = function + call->function.n + 1, *end = outermost(parameters, ")");
    call->parameters = (struct span){parameters, (size_t)(end - parameters)};
    if (strncmp(end, ") = ", 4) == 0)
        call->result = (struct span){end + 4, strcspn(end + 4, " ")};
    return *end == ')';
}

struct span call_line_value(const struct call_line *call, const char *name)
{
    const char *at = call->parameters.at, *end = at + call->parameters.n;
    const size_t n = strlen(name);
    while (at < end) {
        const char *next = outermost(at, ",)");
        if (strncmp(at, name, n) == 0 && at[n] == '=')
            return (struct span){at + n + 1, (size_t)(next - at) - n - 1};
        at = *next == ',' ? next + 2 : end;
    }
    return (struct span){0};
}

bool span_is(struct span s, const char *text)
{
    return s.at && s.n == strlen(text) && memcmp(s.at, text, s.n) == 0;
}

bool span_equal(struct span a, struct span b)
{
    return a.at && b.at && a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

bool span_number(struct span s, long long *number)
{
    char *end;
    if (!s.at)
        return false;
    const long long value = strtoll(s.at, &end, 10);
    if (end == s.at)
        return false;
    *number = value;
    return true;
}
