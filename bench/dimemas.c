/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace as input of Dimemas (github bsc-performance-tools/dimemas), for bench/dimemas.sh.
 *
 *     dimemas TRACE OUT [recorded|sends|collectives]     prints where the run begins (run_begin.h), in seconds
 *
 * A rank becomes a task; the time between its calls becomes bursts; each message has a tag of its own, so
 * that Dimemas matches the same calls. Calls take no time, but for MPI_Init and those on files: these are
 * bursts, too. The end of MPI_Finalize is a barrier. Messages and collective operations are as Dimemas knows
 * them: standard sends wait for nobody, and in collective operations all wait for all, except in MPI_Reduce.
 *
 * `sends`: they wait for their receives where they have waited. `collectives`: members wait only for those
 * that give them something. Dimemas gets this as empty messages. `recorded`: both. */
#include "decoder/match/matching.h"
#include "decoder/stat/run_begin.h"
#include "src/core/base/mix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a call does, in this order. */
enum action_kind { IRECV, ISEND, SEND, RECV, WAIT, MEET };

struct action {
    uint64_t call;
    uint32_t number; /* of the action, in the order in which they were found */
    enum action_kind kind;
    uint32_t peer, tag;
    uint64_t bytes, received;
    bool rendezvous;     /* of SEND */
    int operation, root; /* of MEET, as Dimemas numbers them; the task of the root */
    uint32_t comm;
};

struct interval {
    uint64_t enter, leave;
    bool keeps; /* the call takes as long as it did */
};

struct task {
    ARRAY(struct interval) calls;
    ARRAY(struct action) actions;
    uint64_t eager; /* bytes: the largest message that did not wait for its receive */
};

/* A communicator, as Dimemas sees it: a set of tasks. */
struct comm {
    uint64_t hash;
    uint32_t first, n; /* members */
};

struct run {
    const char *path;
    bool sends, collectives; /* as recorded */
    struct reader reader;
    struct definitions definitions;
    struct roles roles;
    uint32_t n; /* tasks */
    struct task *tasks;
    uint32_t n_tags, n_actions;
    ARRAY(struct comm) comms; /* the first one has all tasks */
    ARRAY(uint32_t) members;
};

static void die(const char *what, const char *which)
{
    fprintf(stderr, "dimemas: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static void check(bool ok)
{
    if (!ok)
        die("out of memory", NULL);
}

/* ---- actions --------------------------------------------------------------------------------- */

static uint32_t task_of(const struct run *r, const struct call_ref *call)
{
    return call->rank - r->reader.trace.first_rank;
}

static struct action *add(struct run *r, const struct call_ref *call, struct action action)
{
    struct task *task = &r->tasks[task_of(r, call)];
    if (call->thread != 0)
        die("ranks with several threads", r->path);
    action.call = call->call;
    action.number = r->n_actions++;
    check(array_push(&task->actions, action));
    return &task->actions.items[task->actions.n - 1];
}

/* `to` cannot leave before `from` has entered: an empty message. */
static void depend(struct run *r, const struct call_ref *to, const struct call_ref *from)
{
    const uint32_t tag = ++r->n_tags;
    if (to->rank == from->rank)
        return;
    add(r, from, (struct action){.kind = ISEND, .peer = task_of(r, to), .tag = tag});
    add(r, to, (struct action){.kind = RECV, .peer = task_of(r, from), .tag = tag});
}

static bool is_same(const struct call_ref *a, const struct call_ref *b)
{
    return a->rank == b->rank && a->call == b->call;
}

/* Does the call do nothing but send, until it returns? */
static bool is_send(const struct role *role)
{
    return role->variant == VARIANT_BLOCKING && !(role->actions & ROLE_RECEIVE);
}

/* What a rank sends itself is there in time anyway. */
static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    struct run *r = context;
    const uint32_t from = task_of(r, &m->send), to = task_of(r, &m->receive), tag = ++r->n_tags;
    const bool at_once = m->is_completed && is_same(&m->receive, &m->completed);
    struct action this = {.kind = is_send(&r->roles.items[m->send_function]) ? SEND : ISEND,
                          .peer = to,
                          .tag = tag,
                          .bytes = m->bytes};
    if (from == to)
        return REFRAIN_OK;
    add(r, &m->send, this);
    this.peer = from;
    this.kind = at_once ? RECV : IRECV;
    add(r, &m->receive, this);
    this.kind = WAIT;
    if (m->is_completed && !at_once)
        add(r, &m->completed, this);
    return REFRAIN_OK;
}

/* Makes the send of this call wait for its receive. */
static void make_synchronous(struct task *task, uint64_t call)
{
    for (size_t i = task->actions.n; i-- > 0;) {
        struct action *a = &task->actions.items[i];
        if (a->call == call && a->kind == SEND) {
            a->rendezvous = true;
            return;
        }
    }
}

static bool is_synchronous(const char *function)
{
    return strstr(function, "Ssend") || strstr(function, "ssend");
}

/* Did the send end soon after its receive was posted, while the receiver had been outside of MPI? */
static bool was_held_back(const struct run *r, const struct matching_sent *s)
{
    const struct task *receiver = &r->tasks[task_of(r, &s->receive)];
    const uint64_t began = s->completed.timestamp.enter, posted = s->receive.timestamp.enter;
    return s->receive.call > 0 && receiver->calls.items[s->receive.call - 1].leave <= began &&
           posted > began && s->completed.timestamp.leave - posted < posted - began;
}

/* A send has waited if it ended only after its receive was posted, and no larger one did not wait, or if it
 * was held back. */
static enum refrain_status take_sent(void *context, const struct matching_sent *s)
{
    struct run *r = context;
    struct task *task = &r->tasks[task_of(r, &s->completed)];
    const bool synchronous = is_synchronous(r->reader.trace.functions.functions.items[s->function].name);
    const bool over = s->receive.timestamp.enter >= s->completed.timestamp.leave;
    const bool waited = !over && (s->bytes > task->eager || was_held_back(r, s));
    if (over && !synchronous && s->bytes > task->eager)
        task->eager = s->bytes;
    if (!synchronous && !(r->sends && waited))
        return REFRAIN_OK;
    if (is_send(&r->roles.items[s->function]))
        make_synchronous(task, s->completed.call);
    else
        depend(r, &s->completed, &s->receive);
    return REFRAIN_OK;
}

/* ---- collective operations ------------------------------------------------------------------- */

/* By Dimemas's numbers. */
static const char *const operations[] = {
    "Barrier",    "Bcast",    "Gather",    "Gatherv", "Scatter",   "Scatterv",       "Allgather",
    "Allgatherv", "Alltoall", "Alltoallv", "Reduce",  "Allreduce", "Reduce_scatter", "Reduce_scatter_block",
    "Scan"};
enum { BARRIER = 0, REDUCE = 10, OPERATIONS = sizeof operations / sizeof operations[0] };

/* What Dimemas does not know, such as the creation of a communicator, is a barrier for it. */
static int operation_of(const char *function)
{
    for (int i = 0; i < OPERATIONS; i++) {
        if (strcmp(function + strlen("MPI_"), operations[i]) == 0)
            return i;
    }
    return BARRIER;
}

/* The number of the communicator that has these n tasks, from 1 on. */
static uint32_t comm_of(struct run *r, const uint32_t *tasks, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = mix(hash, tasks[i]);
    for (size_t i = 0; i < r->comms.n; i++) {
        const struct comm *c = &r->comms.items[i];
        if (c->hash == hash && c->n == n &&
            memcmp(&r->members.items[c->first], tasks, n * sizeof *tasks) == 0)
            return (uint32_t)i + 1;
    }
    check(array_push(&r->comms, ((struct comm){hash, (uint32_t)r->members.n, n})));
    for (uint32_t i = 0; i < n; i++)
        check(array_push(&r->members, tasks[i]));
    return (uint32_t)r->comms.n;
}

static bool is_rooted(const struct role *role)
{
    return role->region == REGION_ONE_TO_ALL || role->region == REGION_ALL_TO_ONE;
}

static bool is_prefix(const struct role *role)
{
    return role->collective == COLLECTIVE_SCAN || role->collective == COLLECTIVE_EXSCAN;
}

static bool moves_data(const struct role *role)
{
    return role->collective > COLLECTIVE_BARRIER && role->collective <= COLLECTIVE_EXSCAN;
}

/* Who waits for whom is not known of these: each waits for those that came before it left. */
static bool is_loose(const struct role *role)
{
    return role->collective == COLLECTIVE_ALLTOALLV || role->collective == COLLECTIVE_ALLTOALLW ||
           role->collective == COLLECTIVE_REDUCE_SCATTER ||
           (!moves_data(role) && role->collective != COLLECTIVE_BARRIER);
}

/* With MPI_IN_PLACE, only one direction is known: where all give and take, one is enough. */
static bool gives(const struct role *role, const struct matching_member *from,
                  const struct matching_member *to)
{
    const bool one = !is_rooted(role);
    if (is_loose(role) && from->call.timestamp.enter > to->call.timestamp.leave)
        return false;
    return !moves_data(role) ||
           ((from->sent > 0 || (one && from->received > 0)) && (to->received > 0 || (one && to->sent > 0)));
}

/* Do all members wait for all others? */
static bool are_all(const struct matching_collective *c, const struct role *role)
{
    bool all = !is_prefix(role);
    for (size_t i = 0; i < c->n * c->n && all; i++)
        all = gives(role, &c->members[i / c->n], &c->members[i % c->n]);
    return all;
}

/* In a scan, members wait for those before them; ranks of communicators have the order of the run here. */
static void depend_on_givers(struct run *r, const struct matching_collective *c, const struct role *role)
{
    for (size_t to = 0; to < c->n; to++) {
        for (size_t from = 0; from < (is_prefix(role) ? to : c->n); from++) {
            if (from != to && gives(role, &c->members[from], &c->members[to]))
                depend(r, &c->members[to].call, &c->members[from].call);
        }
    }
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    struct run *r = context;
    const struct role *role = &r->roles.items[c->function];
    const char *function = r->reader.trace.functions.functions.items[c->function].name;
    if (role->variant != VARIANT_BLOCKING || role->actions & ROLE_NEIGHBOURS || !c->agree || c->inter)
        die("a collective operation that is not translated", function);
    if (c->n < c->expected)
        return REFRAIN_OK;
    if (r->collectives && !are_all(c, role)) {
        depend_on_givers(r, c, role);
        return REFRAIN_OK;
    }
    uint32_t *tasks = calloc(c->n + 1, sizeof *tasks);
    int root = 0;
    check(tasks);
    for (size_t i = 0; i < c->n; i++) {
        tasks[i] = task_of(r, &c->members[i].call);
        root = c->members[i].received > 0 ? (int)tasks[i] : root;
    }
    const uint32_t comm = comm_of(r, tasks, (uint32_t)c->n);
    for (size_t i = 0; i < c->n; i++) {
        const struct matching_member *m = &c->members[i];
        const struct action meet = {.kind = MEET,
                                    .operation = operation_of(function),
                                    .root = root,
                                    .comm = comm,
                                    .bytes = m->sent,
                                    .received = m->received};
        add(r, &m->call, meet);
    }
    free(tasks);
    return REFRAIN_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum refrain_status take_call(void *context, const struct call *call,
                                     const struct timestamp *timestamp, const struct call_fields *fields)
{
    struct run *r = context;
    const struct role *role = &r->roles.items[call->function];
    const char *function = r->reader.trace.functions.functions.items[call->function].name;
    const struct call_ref this = {.rank = call->rank, .thread = call->thread, .call = call->index};
    struct task *task = &r->tasks[task_of(r, &this)];
    const uint64_t left = task->calls.n > 0 ? task->calls.items[task->calls.n - 1].leave : 0;
    const uint64_t enter = timestamp->enter > left ? timestamp->enter : left;
    (void)fields;
    if (role->actions & ROLE_TEST || role->kind == CALL_ONE_SIDED)
        die("a call that is not translated", function);
    check(array_push(&task->calls,
                     ((struct interval){.enter = enter,
                                        .leave = timestamp->leave > enter ? timestamp->leave : enter,
                                        .keeps = role->kind == CALL_FILE || role->actions & ROLE_INIT})));
    if (role->actions & ROLE_FINALIZE)
        add(r, &this, (struct action){.kind = MEET, .operation = BARRIER, .comm = 1});
    return REFRAIN_OK;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)u;
    return REFRAIN_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int in_order(const void *a, const void *b)
{
    const struct action *x = a, *y = b;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void put_action(FILE *out, uint32_t task, const struct action *a)
{
    switch (a->kind) {
    case SEND:
    case ISEND:
        fprintf(out, "2:%u:0:%u:-1:%" PRIu64 ":%u:1:%d\n", task, a->peer, a->bytes, a->tag,
                a->kind == ISEND ? 2 : a->rendezvous);
        break;
    case RECV:
    case IRECV:
    case WAIT:
        fprintf(out, "3:%u:0:%u:-1:%" PRIu64 ":%u:1:%d\n", task, a->peer, a->bytes, a->tag,
                a->kind == WAIT ? 2 : a->kind == IRECV);
        break;
    case MEET:
        fprintf(out, "10:%u:0:%d:%u:%d:0:%" PRIu64 ":%" PRIu64 ":%d\n", task, a->operation, a->comm, a->root,
                a->bytes, a->received, a->operation == REDUCE ? 3 : 1);
        break;
    }
}

static void put_burst(FILE *out, uint32_t task, uint64_t *time)
{
    if (*time > 0)
        fprintf(out, "1:%u:0:%.9f\n", task, (double)*time * 1e-9);
    *time = 0;
}

static void put_task(const struct run *r, uint32_t number, FILE *out)
{
    struct task *t = &r->tasks[number];
    uint64_t burst = 0, left = 0;
    size_t at = 0;
    if (t->actions.n > 0)
        qsort(t->actions.items, t->actions.n, sizeof *t->actions.items, in_order);
    for (size_t i = 0; i < t->calls.n; i++) {
        const struct interval *c = &t->calls.items[i];
        burst += c->enter - left + (c->keeps ? c->leave - c->enter : 0);
        left = c->leave;
        for (; at < t->actions.n && t->actions.items[at].call == i; at++) {
            put_burst(out, number, &burst);
            put_action(out, number, &t->actions.items[at]);
        }
    }
    put_burst(out, number, &burst);
}

/* The head says where the list of the tasks' places is. */
static void put_head(const struct run *r, long list, FILE *out)
{
    fprintf(out, "#DIMEMAS:\"refrain\":1,%015ld:%u(", list, r->n);
    for (uint32_t i = 0; i < r->n; i++)
        fputs(i > 0 ? ",1" : "1", out);
    fprintf(out, "),%zu,0,0\n", r->comms.n);
}

static bool put(const struct run *r, FILE *out)
{
    long *places = calloc(r->n + (size_t)1, sizeof *places);
    check(places);
    put_head(r, 0, out);
    for (size_t i = 0; i < r->comms.n; i++) {
        const struct comm *c = &r->comms.items[i];
        fprintf(out, "d:1:%zu:%u", i + 1, c->n);
        for (uint32_t k = 0; k < c->n; k++)
            fprintf(out, ":%u", r->members.items[c->first + k]);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < r->n; i++) {
        places[i] = ftell(out);
        put_task(r, i, out);
    }
    const long list = ftell(out);
    for (uint32_t i = 0; i < r->n; i++)
        fprintf(out, "s:%u:%ld\n", i, places[i]);
    free(places);
    return fseek(out, 0, SEEK_SET) == 0 && (put_head(r, list, out), fclose(out) == 0);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void translate(struct run *r, uint64_t *begin)
{
    struct timestamps_source times = {0};
    struct match_hints hints = {0};
    const struct matching_sink sink = {.context = r,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .sent = take_sent,
                                       .call = take_call,
                                       .unmatched = take_unmatched,
                                       .in_order = true,
                                       .hints = &hints,
                                       .timestamps = &times};
    uint32_t *world = calloc(r->n + (size_t)1, sizeof *world);
    check(world);
    for (uint32_t i = 0; i < r->n; i++)
        world[i] = i;
    comm_of(r, world, r->n);
    free(world);
    if (timestamps_source_create(&times, &r->reader, false) != REFRAIN_OK ||
        run_begin_find(begin, &r->reader, &times, &r->roles) != REFRAIN_OK ||
        matching_run(&r->reader, &r->definitions, &sink) != REFRAIN_OK)
        exit(2);
    timestamps_source_free(&times);
    match_hints_free(&hints);
}

int main(int argc, char **argv)
{
    const char *how = argc == 4 ? argv[3] : "";
    const bool both = strcmp(how, "recorded") == 0;
    struct run r = {.sends = both || strcmp(how, "sends") == 0,
                    .collectives = both || strcmp(how, "collectives") == 0};
    uint64_t begin = 0;
    if (argc < 3 || argc > 4 || (argc == 4 && !r.sends && !r.collectives))
        die("usage: dimemas TRACE OUT [recorded|sends|collectives]", NULL);
    r.path = argv[1];
    if (reader_open(&r.reader, argv[1]) != REFRAIN_OK ||
        definitions_read(&r.definitions, &r.reader) != REFRAIN_OK ||
        roles_find(&r.roles, &r.reader.trace.functions) != REFRAIN_OK)
        return 2;
    r.n = r.reader.trace.n_ranks;
    check((r.tasks = calloc(r.n + (size_t)1, sizeof *r.tasks)) != NULL);
    translate(&r, &begin);
    FILE *out = fopen(argv[2], "w");
    if (!out || !put(&r, out))
        die("cannot be written", argv[2]);
    printf("%.9f\n", (double)begin * 1e-9);
    return 0;
}
