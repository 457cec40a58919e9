/* SPDX-License-Identifier: BSD-3-Clause */
/* A call may need definitions that come after it, from another rank. So all calls are noted
 * first. */
#include "call_line.h"
#include "recount.h"
#include "recount_matrix.h"
#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comm_rank { /* rank `rank` of communicator `comm` is rank `world` of the run */
    struct span comm;
    long long rank;
    long world;
};

struct type_size { /* the type that rank `rank` calls `type` has this many bytes */
    long rank;
    struct span type;
    long long bytes;
};

struct window { /* rank `rank` made `window` on `comm` */
    long rank;
    struct span window, comm;
};

struct flow { /* number of elements; none if `count` has no text */
    struct span count, type;
};

struct access {
    long origin;
    struct span comm, target; /* of the window; the rank in it */
    struct flow out, back;    /* to the target, and from it */
};

struct notes {
    struct comm_rank *ranks;
    struct type_size *types;
    struct window *windows;
    struct access *accesses;
    size_t n_ranks, n_types, n_windows, n_accesses;
};

static void note_comm(struct notes *notes, const struct call_line *call)
{
    long long rank;
    if (!span_number(call_line_value(call, "rank"), &rank))
        return;
    notes->ranks = grown(notes->ranks, notes->n_ranks, sizeof *notes->ranks);
    notes->ranks[notes->n_ranks++] =
        (struct comm_rank){call_line_value(call, "newcomm"), rank, call->who.rank};
}

static void note_type(struct notes *notes, const struct call_line *call)
{
    long long bytes;
    if (!span_number(call_line_value(call, "size"), &bytes))
        return;
    notes->types = grown(notes->types, notes->n_types, sizeof *notes->types);
    notes->types[notes->n_types++] =
        (struct type_size){call->who.rank, call_line_value(call, "newtype"), bytes};
}

static void note_window(struct notes *notes, const struct call_line *call)
{
    notes->windows = grown(notes->windows, notes->n_windows, sizeof *notes->windows);
    notes->windows[notes->n_windows++] =
        (struct window){call->who.rank, call_line_value(call, "win"), call_line_value(call, "comm")};
}

/* Returns the communicator of the last window with that name. */
static struct span comm_of_window(const struct notes *notes, long rank, struct span window)
{
    for (size_t i = notes->n_windows; i-- > 0;)
        if (notes->windows[i].rank == rank && span_equal(notes->windows[i].window, window))
            return notes->windows[i].comm;
    return (struct span){0};
}

static void note_access(struct notes *notes, const struct call_line *call, struct flow out, struct flow back)
{
    static const struct span none = {"0", 1};
    const struct span win = call_line_value(call, "win");
    const struct access a = {
        .origin = call->who.rank,
        .comm = comm_of_window(notes, call->who.rank, win),
        .target = call_line_value(call, "target_rank"),
        .out = {span_is(call_line_value(call, "op"), "MPI_NO_OP") ? none : out.count, out.type},
        .back = back};
    if (span_is(a.target, "MPI_PROC_NULL"))
        return;
    notes->accesses = grown(notes->accesses, notes->n_accesses, sizeof *notes->accesses);
    notes->accesses[notes->n_accesses++] = a;
}

static void note_get(struct notes *notes, const struct call_line *call)
{
    note_access(
        notes, call, (struct flow){0},
        (struct flow){call_line_value(call, "origin_count"), call_line_value(call, "origin_datatype")});
}

static void note_put(struct notes *notes, const struct call_line *call)
{
    note_access(
        notes, call,
        (struct flow){call_line_value(call, "origin_count"), call_line_value(call, "origin_datatype")},
        (struct flow){call_line_value(call, "result_count"), call_line_value(call, "result_datatype")});
}

/* One element moves in both directions. */
static void note_exchange(struct notes *notes, const struct call_line *call)
{
    const struct flow one = {{"1", 1}, call_line_value(call, "datatype")};
    note_access(notes, call, one, one);
}

static const struct {
    const char *function; /* without _c */
    void (*note)(struct notes *notes, const struct call_line *call);
} noted[] = {
    {"MPI_Accumulate", note_put},        {"MPI_Compare_and_swap", note_exchange},
    {"MPI_Fetch_and_op", note_exchange}, {"MPI_Get", note_get},
    {"MPI_Get_accumulate", note_put},    {"MPI_Put", note_put},
    {"MPI_Raccumulate", note_put},       {"MPI_Rget", note_get},
    {"MPI_Rget_accumulate", note_put},   {"MPI_Rput", note_put},
    {"MPI_Win_allocate", note_window},   {"MPI_Win_allocate_shared", note_window},
    {"MPI_Win_create", note_window},     {"MPI_Win_create_dynamic", note_window},
};

static void note(struct notes *notes, struct call_line *call)
{
    struct span *name = &call->function;
    if (span_is(*name, "@comm"))
        note_comm(notes, call);
    else if (span_is(*name, "@datatype"))
        note_type(notes, call);
    if (!span_is(call->result, "MPI_SUCCESS"))
        return;
    if (name->n > 2 && memcmp(name->at + name->n - 2, "_c", 2) == 0)
        name->n -= 2;
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++)
        if (span_is(*name, noted[i].function))
            noted[i].note(notes, call);
}

/* Finds the size from the rank itself or from any other rank: a predefined type is the same
 * everywhere. */
static bool size_of_type(const struct notes *notes, long rank, struct span type, long long *bytes)
{
    const struct type_size *found = NULL;
    for (size_t i = 0; i < notes->n_types; i++) {
        const struct type_size *t = &notes->types[i];
        if (span_equal(t->type, type) && (!found || t->rank == rank))
            found = t;
    }
    if (found)
        *bytes = found->bytes;
    return found;
}

static bool target_of(const struct notes *notes, const struct access *a, long *world)
{
    long long target;
    if (!span_number(a->target, &target))
        return false;
    *world = span_is(a->comm, "MPI_COMM_SELF") ? a->origin : (long)target;
    if (span_is(a->comm, "MPI_COMM_WORLD") || span_is(a->comm, "MPI_COMM_SELF"))
        return true;
    for (size_t i = 0; i < notes->n_ranks; i++) {
        const struct comm_rank *r = &notes->ranks[i];
        if (span_equal(r->comm, a->comm) && r->rank == target) {
            *world = r->world;
            return true;
        }
    }
    return false;
}

static bool add_flow(struct matrix *sum, const struct notes *notes, const struct access *a, long from,
                     long to, const struct flow *flow)
{
    long long count, bytes;
    if (!flow->count.at)
        return true;
    if (!span_number(flow->count, &count) || !size_of_type(notes, a->origin, flow->type, &bytes))
        return false;
    matrix_add(sum, from, to, count * bytes);
    return true;
}

static bool add_access(struct matrix *sum, const struct notes *notes, const struct access *a)
{
    long to;
    if (target_of(notes, a, &to) && add_flow(sum, notes, a, a->origin, to, &a->out) &&
        add_flow(sum, notes, a, to, a->origin, &a->back))
        return true;
    printf("of an access of rank %ld to %.*s the target or a type is not defined\n", a->origin,
           (int)a->target.n, a->target.at ? a->target.at : "");
    return false;
}

int recount_accesses(int n, char **paths)
{
    (void)n;
    struct matrix sum = {0};
    struct notes notes = {0};
    struct text_file file;
    struct call_line call;
    bool defined = true;
    text_file_open(&file, paths[0]);
    for (const char *line; (line = text_file_line(&file));)
        if (call_line_parse(&call, line))
            note(&notes, &call);
    for (size_t i = 0; i < notes.n_accesses && defined; i++)
        defined = add_access(&sum, &notes, &notes.accesses[i]);
    matrix_print(&sum);
    text_file_close(&file);
    matrix_free(&sum);
    free(notes.ranks);
    free(notes.types);
    free(notes.windows);
    free(notes.accesses);
    return !defined;
}
