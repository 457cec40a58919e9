/* SPDX-License-Identifier: BSD-3-Clause */
#include "efficiency.h"

#include "causes_text.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t efficiency_all_time(const struct wait_search *s)
{
    uint64_t begin, end, threads = 0;
    wait_search_run_span(s, &begin, &end);
    for (size_t i = 0; i < s->lanes.n; i++)
        threads += s->lanes.items[i].has_calls;
    return (end - begin) * threads;
}

/* ---- lanes without a thread ------------------------------------------------------------------ */

/* The part of a lane's time before calls at a site in which it had no thread: at least this share of it, this share of the
 * run, and so many nanoseconds a call. Less may be time in the tracer. */
#define ABSENT_LEAST        0.5
#define ABSENT_LEAST_OF_RUN 0.002
#define ABSENT_LEAST_CALL   20000

/* The gaps before calls as the tracer has summed them up, each in its thread: not the time before a thread began. */
struct gap_sum {
    uint64_t gaps, calls;
};

static void sum_gaps(const struct shape *shape, struct gap_sum *by_site)
{
    for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        struct gap_sum *sum = &by_site[entry->site];
        for (size_t g = 0; g < entry->groups.n; g++) {
            const struct group *group = &entry->groups.items[g];
            for (size_t k = 0; k < group->timings.n; k++) {
                sum->gaps = timing_sum(sum->gaps, group->timings.items[k].gap.sum);
                sum->calls = timing_sum(sum->calls, group->timings.items[k].count);
            }
        }
    }
}

/* Takes from the lanes' computing what is absent before calls at a site; returns it. The calls' own times say how long
 * lanes were in no call. The first thread of a rank stays. How the rest share it is not known: in proportion. */
static uint64_t take_absent(const struct wait_search *s, uint32_t site, const struct gap_sum *sum,
                            uint64_t *computing)
{
    const uint64_t *row = severities_row(&s->computing, 0, site),
                   *polls = severities_row(&s->polling, 0, site);
    uint64_t all = 0, later = 0;
    for (size_t i = 0; row && i < s->lanes.n; i++) {
        all += row[i] + (polls ? polls[i] : 0);
        later += s->lanes.items[i].thread > 0 ? row[i] : 0;
    }
    const uint64_t more = all > sum->gaps ? all - sum->gaps : 0, absent = more < later ? more : later;
    if ((double)absent <= ABSENT_LEAST * (double)all ||
        (double)absent < ABSENT_LEAST_OF_RUN * (double)efficiency_all_time(s) ||
        absent / ABSENT_LEAST_CALL < sum->calls || sum->calls == 0)
        return 0;
    for (size_t i = 0; i < s->lanes.n; i++) {
        if (s->lanes.items[i].thread > 0)
            computing[i] -= (uint64_t)((double)row[i] * ((double)absent / (double)later));
    }
    return absent;
}

/* The same of all sites, if only threads can be the reason; 0 also if memory is short. */
static uint64_t take_all_absent(const struct wait_search *s, uint64_t *computing)
{
    uint64_t absent = 0;
    if (s->from > 0 || s->to != UINT64_MAX || s->places || !s->reader || s->lanes.n <= s->lanes.n_ranks ||
        trace_meta(&s->reader->trace, META_UNRECORDED))
        return 0;
    const struct trace *t = &s->reader->trace;
    struct gap_sum *by_site = calloc(t->sites.n + 1, sizeof *by_site);
    for (size_t i = 0; by_site && i < t->shapes.n; i++)
        sum_gaps(&t->shapes.items[i], by_site);
    for (uint32_t site = 0; by_site && site < t->sites.n; site++)
        absent += take_absent(s, site, &by_site[site], computing);
    free(by_site);
    return absent;
}

static enum refrain_status find_computing(const struct wait_search *s, uint64_t **by_lane, uint64_t *absent)
{
    uint64_t *of_lane = calloc(s->lanes.n + 1, sizeof *of_lane);
    if (!of_lane) {
        log_error("out of memory: %zu threads", s->lanes.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t site = 0; site < s->computing.n_sites; site++) {
        const uint64_t *row = severities_row(&s->computing, 0, site);
        for (size_t i = 0; row && i < s->lanes.n; i++)
            of_lane[i] += row[i];
    }
    *by_lane = of_lane;
    *absent = take_all_absent(s, of_lane);
    return REFRAIN_OK;
}

enum refrain_status efficiency_computing(const struct wait_search *s, uint64_t **by_lane)
{
    uint64_t absent;
    return find_computing(s, by_lane, &absent);
}

/* ---- efficiency ------------------------------------------------------------------------------ */

enum refrain_status efficiency_find(struct efficiency *e, const struct wait_search *s)
{
    uint64_t *of_lane, end;
    *e = (struct efficiency){0};
    const enum refrain_status status = find_computing(s, &of_lane, &e->absent);
    if (status != REFRAIN_OK)
        return status;
    wait_search_run_span(s, &e->begin, &end);
    e->time = end - e->begin;
    for (size_t i = 0; i < s->lanes.n; i++) {
        e->threads += s->lanes.items[i].has_calls;
        e->computing += of_lane[i];
        e->most = of_lane[i] > e->most ? of_lane[i] : e->most;
    }
    free(of_lane);
    return REFRAIN_OK;
}

static double share(double part, double whole)
{
    return whole > 0 && part < whole ? part / whole : 1;
}

double efficiency_load_balance(const struct efficiency *e)
{
    return share((double)e->computing, (double)e->most * (double)e->threads);
}

double efficiency_communication(const struct efficiency *e)
{
    return e->most > 0 ? share((double)e->most, (double)e->time) : 1;
}

/* Threads leave MPI_Init one after another and compute before the last one has left. So the
 * longest computation may exceed the ideal time, or even the whole time. */
static uint64_t ideal(const struct efficiency *e)
{
    const uint64_t least = e->ideal > e->most ? e->ideal : e->most;
    return least < e->time ? least : e->time;
}

double efficiency_serialization(const struct efficiency *e)
{
    return e->ideal > 0 && e->most > 0 ? share((double)e->most, (double)ideal(e)) : 1;
}

double efficiency_transfer(const struct efficiency *e)
{
    return e->ideal > 0 && e->most > 0 ? share((double)ideal(e), (double)e->time)
                                       : efficiency_communication(e);
}

void efficiency_put_text(const struct efficiency *e, struct bytes *out)
{
    const double balance = efficiency_load_balance(e), communication = efficiency_communication(e);
    text_printf(out, "Parallel efficiency %.1f %% = load balance %.1f %% x communication efficiency %.1f %%",
                100 * balance * communication, 100 * balance, 100 * communication);
    if (e->ideal > 0)
        text_printf(out, " (serialization %.1f %% x transfer %.1f %%)", 100 * efficiency_serialization(e),
                    100 * efficiency_transfer(e));
    text_put(out, ", in the ");
    time_put(out, e->time);
    text_put(out, e->begin > 0 ? " after MPI_Init\n" : " of the run\n");
}

void efficiency_put_json(const struct efficiency *e, const char *name, struct json *j)
{
    const double balance = efficiency_load_balance(e), communication = efficiency_communication(e);
    json_object(j, name);
    json_real(j, "begin", (double)e->begin * 1e-9);
    json_real(j, "seconds", (double)e->time * 1e-9);
    json_uint(j, "threads", e->threads);
    json_real(j, "computing_seconds", (double)e->computing * 1e-9);
    json_real(j, "most_computing_seconds", (double)e->most * 1e-9);
    json_real(j, "parallel", balance * communication);
    json_real(j, "load_balance", balance);
    json_real(j, "communication", communication);
    if (e->ideal > 0) {
        json_real(j, "serialization", efficiency_serialization(e));
        json_real(j, "transfer", efficiency_transfer(e));
        json_real(j, "ideal_seconds", (double)e->ideal * 1e-9);
        json_real(j, "simulated_seconds", (double)e->simulated * 1e-9);
    }
    json_end(j);
}
