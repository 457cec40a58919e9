/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_line.h"
#include "recount.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- events, by their calls */

static bool is_one_of(struct span name, const char *const *names)
{
    for (; *names; names++)
        if (span_is(name, *names))
            return true;
    return false;
}

static bool is_event(const struct call_line *call)
{
    static const char *const messages[] = {"MPI_Irecv", "MPI_Isend", "MPI_Recv", "MPI_Send", NULL};
    static const char *const others[] = {
        "MPI_Allreduce",  "MPI_Barrier",    "MPI_Bcast",     "MPI_Comm_dup", "MPI_Comm_free",
        "MPI_Comm_split", "MPI_File_close", "MPI_File_open", "MPI_Gatherv",  NULL};
    if (!span_is(call->result, "MPI_SUCCESS"))
        return false;
    if (is_one_of(call->function, messages))
        return !span_is(call_line_value(call, "dest"), "MPI_PROC_NULL") &&
               !span_is(call_line_value(call, "source"), "MPI_PROC_NULL");
    return is_one_of(call->function, others);
}

int recount_events(int n, char **paths)
{
    (void)n;
    struct text_file file;
    struct call_line call;
    struct call_name last = {.rank = -1};
    long events = 0;
    text_file_open(&file, paths[0]);
    for (const char *line; (line = text_file_line(&file));) {
        if (!call_line_parse(&call, line) || !is_event(&call))
            continue;
        if (call.who.rank != last.rank || call.who.thread != last.thread)
            events = 0;
        last = call.who;
        const struct span tag = call_line_value(&call, "tag");
        printf("%ld,%ld,%ld,%ld,%.*s,%.*s\n", last.rank, last.thread, events++, last.number, (int)tag.n,
               tag.at ? tag.at : "", (int)call.function.n, call.function.at);
    }
    text_file_close(&file);
    return 0;
}

/* ---- rows and the calls that they name */

struct named_call {
    struct call_name who;
    struct span function;
};

struct calls {
    struct named_call *items; /* in order */
    size_t n;
};

static int compare_calls(const void *a, const void *b)
{
    const struct named_call *x = a, *y = b;
    return call_name_compare(&x->who, &y->who);
}

static void read_calls(struct calls *calls, struct text_file *file)
{
    struct call_line call;
    for (const char *line; (line = text_file_line(file));) {
        if (!call_line_parse(&call, line) || call.function.at[0] == '@')
            continue;
        calls->items = grown(calls->items, calls->n, sizeof *calls->items);
        calls->items[calls->n++] = (struct named_call){call.who, call.function};
    }
    if (calls->n > 0)
        qsort(calls->items, calls->n, sizeof *calls->items, compare_calls);
}

/* Parses "rank,thread,…,event,call,function". */
static bool parse_row(struct named_call *call, const char *row)
{
    const char *function = strrchr(row, ','), *number = function;
    while (number && number > row && number[-1] != ',')
        number--;
    if (!number || sscanf(row, "%ld,%ld,", &call->who.rank, &call->who.thread) != 2)
        return false;
    call->who.number = atol(number);
    call->function = (struct span){function + 1, strlen(function + 1)};
    return true;
}

static bool is_call(const struct calls *calls, const char *row)
{
    struct named_call wanted;
    if (!parse_row(&wanted, row) || calls->n == 0)
        return false;
    const struct named_call *found =
        bsearch(&wanted, calls->items, calls->n, sizeof *calls->items, compare_calls);
    return found && span_equal(found->function, wanted.function);
}

static bool names_calls(const struct calls *calls, const char *path)
{
    struct text_file file;
    size_t rows = 0;
    bool all = true;
    text_file_open(&file, path);
    text_file_line(&file); /* the columns' names */
    for (const char *line; all && (line = text_file_line(&file)); rows++) {
        all = is_call(calls, line);
        if (!all)
            printf("%s: there is no such call: %s\n", path, line);
    }
    if (rows == 0)
        printf("%s has no rows\n", path);
    text_file_close(&file);
    return all && rows > 0;
}

int recount_rows(int n, char **paths)
{
    struct calls calls = {0};
    struct text_file file;
    bool all = true;
    text_file_open(&file, paths[0]);
    read_calls(&calls, &file);
    for (int i = 1; i < n && all; i++)
        all = names_calls(&calls, paths[i]);
    text_file_close(&file);
    free(calls.items);
    return !all;
}
