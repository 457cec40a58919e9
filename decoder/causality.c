#include "causality.h"

#include "log.h"
#include "matching.h"

#include <stdlib.h>
#include <string.h>

/* A message takes as long as this at least: nanoseconds, also room for the events between its ends in an
 * archive. */
#define LATENCY 100

/* Most are settled by the first walk, what it has raised too late by the next. */
#define WALKS_MAX 16

/* Nobody leaves before all have entered. */
static const char *const meeting[] = {"MPI_Barrier",    "MPI_Allreduce",      "MPI_Allgather",
                                      "MPI_Allgatherv", "MPI_Alltoall",       "MPI_Alltoallv",
                                      "MPI_Alltoallw",  "MPI_Reduce_scatter", "MPI_Reduce_scatter_block"};

struct walk {
    struct causality *causality;
    const struct reader *reader;
    bool *meets; /* by function */
    bool first;
    uint64_t raised;
};

static struct shifts *shifts_of(const struct walk *w, uint32_t rank)
{
    return &w->causality->of_rank[rank - w->reader->trace.first_rank];
}

/* Something that left at `sent`, when the sender's time was that, comes to a rank. */
static enum refrain_status arrive(struct walk *w, uint64_t sent, uint64_t own_sent, const struct call_ref *at)
{
    struct causality *c = w->causality;
    struct shifts *shifts = shifts_of(w, at->rank);
    const uint64_t left = at->stamp.leave, now = shifts_time(shifts, left);
    if (w->first) {
        c->arrivals++;
        c->early_before += left < own_sent;
    }
    c->early_after += now < sent;
    if (now >= sent + LATENCY)
        return REFRAIN_OK;
    w->raised++;
    return shifts_raise(shifts, left, sent + LATENCY) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    struct walk *w = context;
    if (!m->is_completed)
        return REFRAIN_OK;
    const uint64_t enter = m->send.stamp.enter;
    return arrive(w, shifts_time(shifts_of(w, m->send.rank), enter), enter, &m->completed);
}

static enum refrain_status take_collective(void *context, const struct matching_collective *m)
{
    struct walk *w = context;
    uint64_t latest = 0, own_latest = 0;
    enum refrain_status status = REFRAIN_OK;
    if (!w->meets[m->function] || !m->agree || m->n < m->expected)
        return REFRAIN_OK;
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t enter = m->members[i].stamp.enter;
        const uint64_t entered = shifts_time(shifts_of(w, m->members[i].rank), enter);
        latest = entered > latest ? entered : latest;
        own_latest = enter > own_latest ? enter : own_latest;
    }
    for (size_t i = 0; i < m->n && status == REFRAIN_OK; i++)
        status = arrive(w, latest, own_latest, &m->members[i]);
    return status;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)u;
    return REFRAIN_OK;
}

/* Of each function, large counts or not. */
static bool *find_meetings(const struct functable *t)
{
    bool *meets = calloc(t->functions.n + 1, sizeof *meets);
    for (size_t f = 0; meets && f < t->functions.n; f++) {
        const char *name = t->functions.items[f].name;
        for (size_t i = 0; i < sizeof meeting / sizeof meeting[0]; i++) {
            const size_t n = strlen(meeting[i]);
            if (strncmp(name, meeting[i], n) == 0 && (!name[n] || strcmp(name + n, "_c") == 0))
                meets[f] = true;
        }
    }
    return meets;
}

enum refrain_status causality_find(struct causality *c, const struct reader *r, const struct definitions *d,
                                   const struct stamps_source *stamps)
{
    struct walk w = {.causality = c, .reader = r, .meets = find_meetings(&r->trace.functions), .first = true};
    const struct matching_sink sink = {.context = &w,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .unmatched = take_unmatched,
                                       .in_order = true,
                                       .stamps = stamps};
    enum refrain_status status = REFRAIN_OK;
    *c = (struct causality){.n_ranks = r->trace.n_ranks};
    c->of_rank = calloc(c->n_ranks + (size_t)1, sizeof *c->of_rank);
    if (!c->of_rank || !w.meets) {
        log_error("out of memory: the clocks of %u ranks", c->n_ranks);
        status = REFRAIN_ERR_MEMORY;
    }
    for (int walk = 0; walk < WALKS_MAX && status == REFRAIN_OK && (w.first || w.raised > 0); walk++) {
        w.raised = c->early_after = 0;
        status = matching_run(r, d, &sink);
        w.first = false;
    }
    free(w.meets);
    if (status != REFRAIN_OK)
        causality_free(c);
    return status;
}

void causality_free(struct causality *c)
{
    for (uint32_t i = 0; c->of_rank && i < c->n_ranks; i++)
        shifts_free(&c->of_rank[i]);
    free(c->of_rank);
    *c = (struct causality){0};
}

enum refrain_status causality_apply(struct causality *c, const char *clock, const struct reader *r,
                                    const struct definitions *d, struct stamps_source *stamps)
{
    if (!clock || strcmp(clock, "linear") == 0)
        return REFRAIN_OK;
    if (strcmp(clock, "causal") != 0) {
        log_error("--clock %s: wanted linear or causal", clock);
        return REFRAIN_ERR_USAGE;
    }
    const enum refrain_status status = causality_find(c, r, d, stamps);
    if (status == REFRAIN_OK)
        stamps->shifts = c->of_rank;
    return status;
}
