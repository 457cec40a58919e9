/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints messages, collective operations, and events of loops as the command does. */
#include "truth.h"

#include "tests/cli/text_file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

static void print_call(const struct truth_record *r, long rank, long call)
{
    if (r->thread > 0)
        printf("%ld.%ld:%ld", rank, r->thread, call);
    else
        printf("%ld:%ld", rank, call);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Is it received in the same order as `r` is? A communicator belongs to one thread. */
static bool same_queue(const struct truth_record *send, const struct truth_record *r)
{
    return send->tag == r->tag && send->rank == r->peer && send->peer == r->rank && is(send->kind, "send") &&
           is(send->group, r->group);
}

/* Returns the call that sent what `r` received. `received`: for each send, whether it has been
 * received. */
static long sender(const struct truth *t, const struct truth_record *r, bool *received)
{
    for (size_t i = 0; i < t->n && r->from < 0; i++) {
        if (received[i] || !same_queue(&t->records[i], r))
            continue;
        received[i] = true;
        return t->records[i].call;
    }
    return (long)r->from;
}

static void print_message(const struct truth *t, const struct truth_record *r, bool *received)
{
    printf("message  ");
    print_call(r, r->peer, sender(t, r, received));
    printf(" -> ");
    print_call(r, r->rank, r->call);
    if (r->call != r->done) {
        printf(", ");
        print_call(r, r->rank, r->done);
    }
    printf("  comm=%s  tag=%ld  bytes=%lld\n", r->comm, r->tag, r->bytes);
}

/* ---- collective operations ------------------------------------------------------------------- */

struct calls {
    struct call {
        const struct truth_record *record;
        size_t number; /* of the lane's operations on the group */
    } * items;
    size_t n;
};

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    const int groups = strcmp(x->record->group, y->record->group);
    if (groups != 0)
        return groups;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->record->rank < y->record->rank ? -1 : x->record->rank > y->record->rank;
}

static size_t number_of(const struct calls *c, const struct truth_record *r)
{
    for (size_t i = c->n; i-- > 0;) {
        const struct call *o = &c->items[i];
        if (o->record->rank == r->rank && o->record->thread == r->thread && is(o->record->group, r->group))
            return o->number + 1;
    }
    return 0;
}

static void print_collectives(const struct truth *t)
{
    struct calls c = {0};
    for (size_t i = 0; i < t->n; i++) {
        const struct truth_record *r = &t->records[i];
        if (!is(r->kind, "sync") && !is(r->kind, "make") && !is(r->kind, "start"))
            continue;
        const size_t number = number_of(&c, r);
        c.items = grown(c.items, c.n, sizeof *c.items);
        c.items[c.n++] = (struct call){r, number};
    }
    if (c.n > 0)
        qsort(c.items, c.n, sizeof *c.items, compare_calls);
    for (size_t i = 0; i < c.n; i++) {
        const struct call *o = &c.items[i], *before = i > 0 ? o - 1 : NULL;
        const bool first =
            !before || before->number != o->number || !is(before->record->group, o->record->group);
        if (first)
            printf("%scollective  %s  comm=%s ", i > 0 ? "\n" : "", o->record->function, o->record->comm);
        printf(" ");
        print_call(o->record, o->record->rank, o->record->call);
    }
    printf("%s", c.n > 0 ? "\n" : "");
    free(c.items);
}

void truth_print_messages(const struct truth *t)
{
    bool *received = calloc(t->n + 1, sizeof *received);
    if (!received)
        abort();
    for (size_t i = 0; i < t->n; i++)
        if (is(t->records[i].kind, "got"))
            print_message(t, &t->records[i], received);
    print_collectives(t);
    free(received);
}

/* ---- events of loops ------------------------------------------------------------------------- */

static void print_peer(const struct truth_record *r, const char *what)
{
    char peer[24] = "any", tag[24] = "any";
    if (r->peer >= 0)
        snprintf(peer, sizeof peer, "%ld", r->peer);
    if (r->tag >= 0)
        snprintf(tag, sizeof tag, "%ld", r->tag);
    printf("%ld %s %s tag%s", r->rank, what, peer, tag);
    if (!is(r->name, "MPI_COMM_WORLD"))
        printf(" %s", r->name);
}

/* Prints an alternative of the event: for a started request, its start; for a message that a probe
 * found, its receive. Where no event is expected, the one after the bar is allowed. */
static void print_instead(const struct truth_record *r)
{
    if (is(r->function, "MPI_Start") || is(r->function, "MPI_Startall"))
        printf("|%ld local %s", r->rank, r->function);
    else if (is(r->function, "MPI_Mrecv") || is(r->function, "MPI_Imrecv"))
        printf("|%ld recv any tagany", r->rank);
    printf("\n");
}

/* Whether the rank makes windows of this name on several communicators: then the decoder may not know which
 * of them the target is a rank of. */
static bool is_made_on_several(const struct truth *t, const struct truth_record *window)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct truth_record *r = &t->records[i];
        if (is(r->kind, "name") && r->rank == window->rank && is(r->name, window->name) &&
            !is(r->comm, window->comm))
            return true;
    }
    return false;
}

static bool is_between_groups(const struct truth_record *r)
{
    return is(r->kind, "window") && (is(r->function, "MPI_Win_start") || is(r->function, "MPI_Win_post"));
}

/* Whether the rank opens other epochs between groups: these may have other groups of the same name. Then the
 * decoder may not know which of them is meant. */
static bool has_other_groups(const struct truth *t, const struct truth_record *epoch)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct truth_record *r = &t->records[i];
        if (is_between_groups(r) && r->rank == epoch->rank &&
            (r->call != epoch->call || r->thread != epoch->thread))
            return true;
    }
    return false;
}

/* Is `r` of the same call as the record before it? */
static bool is_further(const struct truth *t, const struct truth_record *r)
{
    return r > t->records && r[-1].rank == r->rank && r[-1].thread == r->thread && r[-1].call == r->call;
}

/* MPI_Win_lock is "lock", MPI_Put is "put"; without a target, the function's name stands. */
static void print_window(const struct truth *t, const struct truth_record *r)
{
    if (r->peer < 0) {
        printf("%ld local %s %s\n", r->rank, r->function, r->name);
        return;
    }
    const bool of_window = strncmp(r->function, "MPI_Win_", 8) == 0;
    printf("%ld ", r->rank);
    for (const char *c = r->function + (of_window ? 8 : 4); *c; c++)
        putchar(tolower((unsigned char)*c));
    printf(" %ld %s", r->peer, r->name);
    if (is_between_groups(r) && has_other_groups(t, r) && is_further(t, r))
        printf("|+"); /* with the alternative of the first event */
    else if (is_between_groups(r) ? has_other_groups(t, r) : is_made_on_several(t, r))
        printf("|%ld local %s %s", r->rank, r->function, r->name);
    printf("\n");
}

void truth_print_events(const struct truth *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct truth_record *r = &t->records[i];
        if (is(r->kind, "send") || is(r->kind, "post")) {
            print_peer(r, is(r->kind, "send") ? "send" : "recv");
            print_instead(r);
        } else if (is(r->kind, "sync")) {
            printf("%ld sync %s %s\n", r->rank, r->function, r->name);
        } else if (is(r->kind, "start")) {
            printf("%ld sync %s %s", r->rank, r->made, r->name);
            print_instead(r);
        } else if (is(r->kind, "none")) {
            print_instead(r);
        } else if (is(r->kind, "window")) {
            print_window(t, r);
        } else if (is(r->kind, "local")) {
            printf("%ld local %s\n", r->rank, r->function);
        }
    }
}
