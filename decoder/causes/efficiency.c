/* SPDX-License-Identifier: BSD-3-Clause */
#include "efficiency.h"

#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status efficiency_computing(const struct wait_search *s, uint64_t **by_lane)
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
    return REFRAIN_OK;
}

enum refrain_status efficiency_find(struct efficiency *e, const struct wait_search *s)
{
    uint64_t *of_lane, end;
    const enum refrain_status status = efficiency_computing(s, &of_lane);
    *e = (struct efficiency){0};
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
