/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_line.h"
#include "recount.h"
#include "recount_matrix.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages one by one */

struct open_calls { /* those that never returned */
    struct call_name *items;
    size_t n;
};

static void read_open_calls(struct open_calls *open, const char *path)
{
    struct text_file file;
    struct call_line call;
    text_file_open(&file, path);
    for (const char *line; (line = text_file_line(&file));) {
        if (!call_line_parse(&call, line) || !span_is(call.result, "?"))
            continue;
        open->items = grown(open->items, open->n, sizeof *open->items);
        open->items[open->n++] = call.who;
    }
    text_file_close(&file);
}

static bool is_open(const struct open_calls *open, const struct call_name *name)
{
    for (size_t i = 0; i < open->n; i++)
        if (call_name_compare(&open->items[i], name) == 0)
            return true;
    return false;
}

/* Returns the text after `beginning`; NULL if it begins differently. */
static const char *behind(const char *text, const char *beginning)
{
    const size_t n = strlen(beginning);
    return strncmp(text, beginning, n) == 0 ? text + n : NULL;
}

/* Returns the text after `piece`; NULL if it does not contain it. */
static const char *field(const char *text, const char *piece)
{
    const char *at = strstr(text, piece);
    return at ? at + strlen(piece) : NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Finds the sender and receiver of a line of `refrain messages`. Returns false if nothing was
 * sent. A send counts even if it is cancelled or never received, but not if it failed or never
 * returned. */
static bool message_ends(const char *line, struct call_name *from, long *to)
{
    struct call_name receiver;
    const char *sender = behind(line, "message  ");
    if (sender) {
        const char *arrow = call_name_parse(from, sender), *second = arrow ? behind(arrow, " -> ") : NULL;
        const bool both = second && call_name_parse(&receiver, second);
        *to = both ? receiver.rank : 0;
        return both;
    }
    const char *peer = field(line, "  peer=");
    sender = behind(line, "unmatched  ");
    if (!sender || !peer || !strstr(line, "  send  ") || ends_with(line, "  the call failed") ||
        ends_with(line, "  never completed"))
        return false;
    *to = matrix_rank(peer);
    return call_name_parse(from, sender);
}

int recount_messages(int n, char **paths)
{
    (void)n;
    struct open_calls open = {0};
    struct matrix sum = {0};
    struct text_file file;
    const char *line, *bytes = "";
    read_open_calls(&open, paths[0]);
    text_file_open(&file, paths[1]);
    while (bytes && (line = text_file_line(&file))) {
        struct call_name from;
        long to;
        if (!message_ends(line, &from, &to) || is_open(&open, &from))
            continue;
        bytes = field(line, "  bytes=");
        if (bytes)
            matrix_add(&sum, from.rank, to, atoll(bytes));
        else
            printf("no bytes: %s\n", line);
    }
    matrix_print(&sum);
    text_file_close(&file);
    matrix_free(&sum);
    free(open.items);
    return !bytes;
}

/* ---- parts of a matrix */

/* Adds `sign` times the messages of a file of `refrain matrix --csv`. A line "unclear,N" has the
 * number of messages that the parts do not know. */
static long long add_file(struct matrix *m, const char *path, int sign)
{
    struct text_file file;
    long long unclear = 0;
    text_file_open(&file, path);
    text_file_line(&file); /* the columns' names */
    for (const char *line; (line = text_file_line(&file));) {
        const char *to = field(line, ","), *messages = to ? field(to, ",") : NULL,
                   *number = behind(line, "unclear,");
        if (number)
            unclear = atoll(number);
        else if (messages)
            matrix_pair(m, matrix_rank(line), matrix_rank(to))->messages += sign * atoll(messages);
    }
    text_file_close(&file);
    return unclear;
}

int recount_parts(int n, char **paths)
{
    (void)n;
    struct matrix left = {0};
    long long missing = 0;
    bool too_many = false;
    add_file(&left, paths[0], 1);
    const long long unclear = add_file(&left, paths[1], -1);
    for (size_t i = 0; i < left.n; i++) {
        missing += left.pairs[i].messages;
        too_many = too_many || left.pairs[i].messages < 0;
    }
    if (too_many)
        printf("the parts of a pair have more messages than the whole\n");
    if (missing > unclear)
        printf("%lld messages are in no part, and %lld are unclear\n", missing, unclear);
    matrix_free(&left);
    return too_many || missing > unclear;
}
