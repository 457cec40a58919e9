/* SPDX-License-Identifier: BSD-3-Clause */
#include "chain_start.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>

/* A lane is one of those that wait if it has at least WAITS of the waiting. A wait elsewhere is named if it is at
 * least ELSEWHERE of the run. */
#define WAITS     0.01
#define ELSEWHERE 0.2

bool chain_waits(const struct wait_search *s, const uint64_t *waiting, size_t lane)
{
    uint64_t all = 0;
    for (size_t l = 0; l < s->lanes.n; l++)
        all += waiting[l];
    return waiting[lane] > 0 && (double)waiting[lane] >= WAITS * (double)all;
}

/* Returns how long the lane waits at the site where it waits most, in ns. */
static uint64_t find_worst(const struct wait_search *s, size_t lane, uint32_t *worst)
{
    uint64_t most = 0;
    for (uint32_t metric = 0; metric < s->metrics->n; metric++) {
        for (uint32_t site = 0; metrics_is_waiting(s->metrics, metric) && site < s->values.n_sites; site++) {
            const uint64_t *row = severities_row(&s->values, metric, site);
            if (row && row[lane] > most) {
                most = row[lane];
                *worst = site;
            }
        }
    }
    return most;
}

bool chain_find_start(const struct wait_search *s, const struct delay_place *place, const uint64_t *waiting,
                      struct chain_start *out)
{
    uint64_t begin, end;
    bool is_chain = false;
    wait_search_run_span(s, &begin, &end);
    for (size_t i = 0; i < place->lanes.n; i++)
        is_chain = is_chain || chain_waits(s, waiting, critical_lane(place->lanes.items[i].key));
    for (size_t i = 0; is_chain && i < place->lanes.n; i++) {
        const uint32_t lane = critical_lane(place->lanes.items[i].key);
        uint32_t site = 0;
        const uint64_t time = chain_waits(s, waiting, lane) ? 0 : find_worst(s, lane, &site);
        if (time == 0 || (double)time < ELSEWHERE * (double)(end - begin))
            continue;
        *out = (struct chain_start){.rank = s->lanes.items[lane].rank, .site = site, .time = time};
        return true;
    }
    return false;
}

void chain_put_start(const struct causes_view *v, const struct chain_start *c, struct bytes *out)
{
    text_printf(out, "; rank %" PRIu32 " starts again only after ", c->rank);
    site_put_call(v->search->reader, v->symbols, c->site, out);
    text_put(out, ", where it waits ");
    time_put(out, c->time);
}

void chain_put_start_json(const struct causes_view *v, const struct chain_start *c, struct json *j)
{
    const struct reader *r = v->search->reader;
    json_object(j, "starts_after");
    json_uint(j, "rank", c->rank);
    json_string(j, "function", reader_function(r, c->site));
    site_put_json(&r->trace, v->symbols, c->site, j, "site");
    json_real(j, "seconds", (double)c->time * 1e-9);
    json_end(j);
}
