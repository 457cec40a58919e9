/* SPDX-License-Identifier: BSD-3-Clause */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text_arena.h"

static const char **said; /* messages that were written to stderr */
static size_t n_said;

static const char **tolerated; /* files whose errors are only warnings */
static size_t n_tolerated;

static size_t n_refusals;

static bool has(const char *const *texts, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

/* Write a message; false if it was written before. */
static bool say(struct source_position at, const char *sort, const char *format, va_list arguments)
{
    const char *text =
        text_arena_format("%s:%d: %s%s\n", at.file, at.line, sort, text_arena_format_list(format, arguments));

    if (has(said, n_said, text))
        return false;
    said = text_arena_more(said, n_said, sizeof *said);
    said[n_said++] = text;
    fputs(text, stderr);
    return true;
}

int refuse(struct source_position at, const char *format, ...)
{
    bool tolerate = has(tolerated, n_tolerated, at.file);
    va_list arguments;

    va_start(arguments, format);
    if (say(at, tolerate ? "warning: " : "", format, arguments) && !tolerate)
        n_refusals++;
    va_end(arguments);
    return -1;
}

void warn(struct source_position at, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(at, "warning: ", format, arguments);
    va_end(arguments);
}

void refuse_only_warns(const char *file)
{
    tolerated = text_arena_more(tolerated, n_tolerated, sizeof *tolerated);
    tolerated[n_tolerated++] = file;
}

size_t refuse_count(void)
{
    return n_refusals;
}
