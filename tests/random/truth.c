/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what Refrain should print for a random program, from the program's logs (log.h). Shares
 * nothing with the decoder.
 *
 *     truth messages NAMES LOG…       the lines of `refrain messages`, without numbers of collectives
 *     truth matrix NAMES LOG…         what `refrain matrix --csv` prints
 *     truth accesses NAMES LOG…       what `refrain matrix --rma --csv` prints
 *     truth functions NAMES LOG…      function, calls, bytes sent and received: a line each
 *     truth records NAMES LOG…        how many sends and receives an OTF2 archive has, and their bytes
 *     truth events NAMES LOG…         what `refrain loops --expand` prints; after a bar, an alternative
 *
 * NAMES has a line "RANK THREAD CALL NAME" for each call that makes a communicator or window. Logs
 * come in the order of ranks and threads. */
#include "truth.h"

#include "tests/cli/recount_matrix.h"
#include "tests/cli/text_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

struct made {
    long rank, thread, call;
    char name[TRUTH_NAME];
};
struct names {
    struct made *items;
    size_t n;
};

static void fail(const char *what, const char *line)
{
    fprintf(stderr, "truth: %s: %s\n", what, line);
    exit(2);
}

static void read_names(struct names *names, const char *path)
{
    struct text_file file;
    text_file_open(&file, path);
    for (const char *line; (line = text_file_line(&file));) {
        struct made m;
        if (sscanf(line, "%ld %ld %ld %63s", &m.rank, &m.thread, &m.call, m.name) != 4)
            fail("no name", line);
        names->items = grown(names->items, names->n, sizeof m);
        names->items[names->n++] = m;
    }
    text_file_close(&file);
}

static const char *name_of(const struct names *names, long rank, long thread, long call)
{
    for (size_t i = 0; i < names->n; i++) {
        const struct made *m = &names->items[i];
        if (m->rank == rank && m->thread == thread && m->call == call)
            return m->name;
    }
    return "nothing";
}

/* The name of a group at this place of a log: a group may be created more than once. */
struct groups {
    struct group {
        char id[TRUTH_ID], name[TRUTH_NAME], comm[TRUTH_NAME], made[TRUTH_NAME];
    } * items;
    size_t n;
};

static struct group *find_group(struct groups *groups, const char *id)
{
    for (size_t i = 0; i < groups->n; i++)
        if (strcmp(groups->items[i].id, id) == 0)
            return &groups->items[i];
    groups->items = grown(groups->items, groups->n, sizeof *groups->items);
    struct group *g = &groups->items[groups->n++];
    *g = (struct group){0};
    snprintf(g->id, sizeof g->id, "%s", id);
    return g;
}

/* The communicator of a window is that of the operation before its name. */
static void name_group(struct groups *groups, const struct names *names, const struct truth *t,
                       const struct truth_record *r)
{
    struct group *g = find_group(groups, r->group);
    snprintf(g->name, sizeof g->name, "%s", name_of(names, r->rank, r->done, r->call));
    snprintf(g->comm, sizeof g->comm, "%s",
             strncmp(r->function, "MPI_Win", 7) == 0 ? t->records[t->n - 1].comm : g->name);
}

/* A persistent operation counts as a separate group, because it has its own order. */
static void make_group(struct groups *groups, const struct truth_record *r)
{
    char id[TRUTH_ID];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)r->from);
    struct group *g = find_group(groups, id);
    memcpy(g->name, r->name, sizeof g->name);
    memcpy(g->comm, r->comm, sizeof g->comm);
    memcpy(g->made, r->function, sizeof g->made);
}

static void read_log(struct truth *t, const struct names *names, const char *path)
{
    struct groups groups = {0};
    struct text_file file;
    struct truth_record r = {0};
    const char *end = path + strlen(path);
    for (int dots = 0; dots < 2 && end > path; dots += *--end == '.')
        ;
    if (sscanf(end, ".%ld.%ld", &r.rank, &r.thread) != 2)
        fail("no rank and thread", path);
    struct group *world = find_group(&groups, "0000000000000001");
    snprintf(world->name, sizeof world->name, "MPI_COMM_WORLD");
    snprintf(world->comm, sizeof world->comm, "MPI_COMM_WORLD");
    text_file_open(&file, path);
    for (const char *line; (line = text_file_line(&file));) {
        if (sscanf(line, "%7s %ld %ld %ld %ld %23s %lld %lld %63s", r.kind, &r.call, &r.done, &r.peer, &r.tag,
                   r.group, &r.bytes, &r.from, r.function) != 9)
            fail("no record", line);
        if (strcmp(r.kind, "name") == 0)
            name_group(&groups, names, t, &r);
        const struct group *g = find_group(&groups, r.group);
        memcpy(r.name, g->name, sizeof r.name);
        memcpy(r.comm, g->comm, sizeof r.comm);
        memcpy(r.made, g->made, sizeof r.made);
        if (strcmp(r.kind, "make") == 0)
            make_group(&groups, &r);
        t->records = grown(t->records, t->n, sizeof r);
        t->records[t->n++] = r;
    }
    text_file_close(&file);
    free(groups.items);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void print_matrix(const struct truth *t, const char *kind)
{
    struct matrix m = {0};
    for (size_t i = 0; i < t->n; i++) {
        const struct truth_record *r = &t->records[i];
        if (strcmp(r->kind, kind) == 0 && strcmp(kind, "send") == 0)
            matrix_add(&m, r->rank, r->peer, r->bytes);
        else if (strcmp(r->kind, kind) == 0)
            matrix_add(&m, r->peer, r->tag, r->bytes);
    }
    matrix_print(&m);
    matrix_free(&m);
}

static void print_messages_matrix(const struct truth *t)
{
    print_matrix(t, "send");
}

static void print_accesses(const struct truth *t)
{
    print_matrix(t, "access");
}

/* Sums over all ranks, in quadratic time in the number of functions. */
static void print_functions(const struct truth *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct truth_record sum = t->records[i];
        bool first = strcmp(sum.kind, "calls") == 0;
        for (size_t k = 0; k < t->n && first; k++) {
            const struct truth_record *r = &t->records[k];
            if (k == i || strcmp(r->kind, "calls") != 0 || strcmp(r->function, sum.function) != 0)
                continue;
            first = k > i;
            sum.call += r->call;
            sum.bytes += r->bytes;
            sum.from += r->from;
        }
        if (first)
            printf("%s %ld %lld %lld\n", sum.function, sum.call, sum.bytes, sum.from);
    }
}

static void print_records(const struct truth *t)
{
    static const char *const kinds[] = {"send", "got"};
    long n[2] = {0};
    long long bytes[2] = {0};
    for (size_t i = 0; i < t->n; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(t->records[i].kind, kinds[k]) == 0) {
                n[k]++;
                bytes[k] += t->records[i].bytes;
            }
    printf("sends %ld of %lld, receives %ld of %lld\n", n[0], bytes[0], n[1], bytes[1]);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(const struct truth *t);
    } commands[] = {{"accesses", print_accesses},       {"events", truth_print_events},
                    {"functions", print_functions},     {"matrix", print_messages_matrix},
                    {"messages", truth_print_messages}, {"records", print_records}};
    struct names names = {0};
    struct truth truth = {0};
    for (size_t i = 0; argc > 3 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        read_names(&names, argv[2]);
        for (int k = 3; k < argc; k++)
            read_log(&truth, &names, argv[k]);
        commands[i].print(&truth);
        free(names.items);
        free(truth.records);
        return fflush(stdout) != 0;
    }
    fprintf(stderr, "usage: truth accesses|events|functions|matrix|messages|records NAMES LOG…\n");
    return 2;
}
