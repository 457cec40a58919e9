/* SPDX-License-Identifier: BSD-3-Clause */
#include "delays_text.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <stdlib.h>

static const struct delays_wanted all_delays = {.site = DELAYS_ANYWHERE, .kinds = DELAYS_ANY_KIND};

void delay_costs_put(const struct delay_place *p, struct bytes *out)
{
    const uint64_t least = (p->direct + p->further) / 1000;
    if (p->direct > least)
        time_put(out, p->direct);
    text_put(out, p->direct > least ? " in ranks that wait for it" : "");
    text_put(out, p->direct > least && p->further > least ? ", " : "");
    if (p->further > least)
        time_put(out, p->further);
    text_put(out, p->further > least ? " in ranks that wait for those" : "");
}

/* Returns the waiting that work at the place causes, by rank from the first one on; the caller frees it. NULL if memory
 * is short. */
static uint64_t *costs_by_rank(const struct delays *d, const struct causes_view *v,
                               const struct delay_place *p)
{
    const struct wait_lanes *l = &v->search->lanes;
    const uint64_t *costs = d->costs[p->lanes.items[0].key >> 32];
    uint64_t *by_rank = calloc(l->n_ranks + (size_t)1, sizeof *by_rank);
    if (!by_rank)
        log_error("out of memory: waiting of %u ranks", l->n_ranks);
    for (size_t i = 0; by_rank && costs && i < l->n; i++)
        by_rank[l->items[i].rank - l->first_rank] += costs[i];
    return by_rank;
}

/* Writes the ranks that wait for at least a twentieth as long as the one that waits most. */
static bool put_waiting(const struct delays *d, const struct causes_view *v, const struct delay_place *p,
                        struct bytes *out)
{
    const uint32_t first = v->search->lanes.first_rank, n = v->search->lanes.n_ranks;
    uint64_t *by_rank = costs_by_rank(d, v, p), most = 1;
    for (uint32_t i = 0; by_rank && i < n; i++)
        most = by_rank[i] > most ? by_rank[i] : most;
    if (by_rank)
        text_put(out, causes_put_ranks(by_rank, first, n, (most + 19) / 20, out) ? " wait" : " waits");
    free(by_rank);
    return by_rank;
}

/* Writes "1.790 s  computing before MPI_Send at …  rank 5; 1.580 s in ranks that wait for it,
 * 210 ms in ranks that wait for those; ranks 0-4 wait, most in MPI_Recv at …". */
static bool put_place(const struct delays *d, const struct causes_view *v, const struct delay_place *p,
                      struct bytes *out)
{
    struct bytes time = {0};
    time_put(&time, p->direct + p->further);
    text_printf(out, "%10.*s  ", (int)time.n, (const char *)time.data);
    bytes_free(&time);
    causes_put_place(v, p->lanes.items, p->lanes.n, out);
    text_put(out, "  ");
    causes_put_lanes(v, p->lanes.items, p->lanes.n, out);
    text_put(out, "; ");
    delay_costs_put(p, out);
    text_put(out, "; ");
    const bool ok = put_waiting(d, v, p, out);
    text_put(out, p->waits.n > 1 ? ", most in " : " in ");
    site_put_call(v->search->reader, v->symbols, (uint32_t)p->waits.items[p->worst].key, out);
    text_putc(out, '\n');
    return ok;
}

enum refrain_status delays_put_text(const struct delays *d, const struct causes_view *v, struct bytes *out)
{
    struct delay_places p;
    uint64_t rest = 0;
    enum refrain_status status = delay_places_find(&p, d, &all_delays);
    if (status == REFRAIN_OK && p.n > 0) {
        text_put(out, "\nAll ranks together wait ");
        time_put(out, d->waiting);
        text_put(
            out,
            " for late partners (completions after the last one came are apart), which take longer here:\n");
    }
    for (size_t i = 0; status == REFRAIN_OK && i < p.n; i++) {
        if (i >= v->top)
            rest += p.items[i].direct + p.items[i].further;
        else if (!put_place(d, v, &p.items[i], out))
            status = REFRAIN_ERR_MEMORY;
    }
    if (rest > 0) {
        text_printf(out, "  and %zu more: ", p.n - v->top);
        time_put(out, rest);
        text_put(out, " (--top)\n");
    }
    delay_places_free(&p);
    return status;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

void delay_place_put_json(const struct causes_view *v, const struct delay_place *p, struct json *j)
{
    const struct reader *r = v->search->reader;
    causes_put_place_json(v, p->lanes.items, p->lanes.n, j);
    json_real(j, "direct_seconds", (double)p->direct * 1e-9);
    json_real(j, "further_seconds", (double)p->further * 1e-9);
    json_real(j, "taken_seconds", (double)p->taken * 1e-9);
    json_real(j, "usual_seconds", (double)p->usual * 1e-9);
    json_real(j, "meanwhile_seconds", (double)p->meanwhile * 1e-9);
    json_uint(j, "times", p->times);
    causes_put_lanes_json(v, p->lanes.items, p->lanes.n, j);
    json_array(j, "waits");
    for (size_t i = 0; i < p->waits.n; i++) {
        const uint32_t site = (uint32_t)p->waits.items[i].key;
        json_object(j, NULL);
        json_string(j, "function", reader_function(r, site));
        site_put_json(&r->trace, v->symbols, site, j, "site");
        json_real(j, "seconds", (double)p->waits.items[i].value * 1e-9);
        json_end(j);
    }
    json_end(j);
}

static bool put_waiting_json(const struct delays *d, const struct causes_view *v, const struct delay_place *p,
                             struct json *j)
{
    uint64_t *by_rank = costs_by_rank(d, v, p);
    json_array(j, "waiting");
    for (uint32_t i = 0; by_rank && i < v->search->lanes.n_ranks; i++) {
        if (by_rank[i] == 0)
            continue;
        json_object(j, NULL);
        json_uint(j, "rank", v->search->lanes.first_rank + i);
        json_real(j, "seconds", (double)by_rank[i] * 1e-9);
        json_end(j);
    }
    json_end(j);
    free(by_rank);
    return by_rank;
}

enum refrain_status delays_put_json(const struct delays *d, const struct causes_view *v, struct json *j)
{
    struct delay_places p;
    enum refrain_status status = delay_places_find(&p, d, &all_delays);
    json_real(j, "waiting_seconds", (double)d->waiting * 1e-9);
    json_real(j, "unexplained_seconds", (double)d->unexplained * 1e-9);
    json_array(j, "delays");
    for (size_t i = 0; status == REFRAIN_OK && i < p.n; i++) {
        json_object(j, NULL);
        delay_place_put_json(v, &p.items[i], j);
        status = put_waiting_json(d, v, &p.items[i], j) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        json_end(j);
    }
    json_end(j);
    delay_places_free(&p);
    return status;
}
