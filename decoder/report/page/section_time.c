/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of costs.h:
 *
 *     "rows":[{"function":"MPI_Recv","site":"exchange (halo.c:31)","calls":4000,
 *              "sent":0,"received":32000,"seconds":1.1,
 *              "share":0.12,"mean":0.3,"least":0,"least_rank":0,"most":0.6,"most_rank":3,
 *              "durations":{"shortest":1e-6,"median":2.1e-6,"longest":0.01,
 *                           "octave":9,"counts":[17,3900,0,83]}}, …]
 *
 * Computation and the time between polls are rows without `site`. Times are there if they are known; `least` and `most` if they
 * are known for each rank.
 * `durations` are those of single calls; counts[i] of them took 2^(octave + i) ns to less than twice that. */
#include "report_sections.h"

#include "decoder/util/text.h"

static void put_durations(const struct report *r, const struct cost *c, struct json *j)
{
    const size_t site = costs_has_site(c) ? c->site : r->times.n_sites;
    const struct durations *d = r->times.sites && c->site != COSTS_POLLING ? r->times.sites[site] : NULL;
    uint64_t before = 0;
    if (!d)
        return;
    json_object(j, "durations");
    report_json_seconds(j, "shortest", d->least);
    report_json_seconds(j, "median", durations_median(d));
    report_json_seconds(j, "longest", d->most);
    for (unsigned exponent = 0; before < d->n; exponent++) {
        const uint64_t n = durations_octave(d, exponent);
        if (before == 0 && n > 0) {
            json_uint(j, "octave", exponent);
            json_array(j, "counts");
        }
        if (before + n > 0)
            json_uint(j, NULL, n);
        before += n;
    }
    json_end(j);
    json_end(j);
}

static void put_row(const struct report *r, const struct cost *c, struct bytes *text, struct json *j)
{
    json_object(j, NULL);
    json_string(j, "function", costs_name(r->reader, c));
    if (costs_has_site(c)) {
        report_put_site(r, c->site, text);
        report_json_text(j, "site", text);
        json_uint(j, "calls", c->calls);
        json_uint(j, "sent", c->sent);
        json_uint(j, "received", c->received);
    }
    if (c->timed) {
        report_json_seconds(j, "seconds", c->time);
        if (!c->is_init)
            json_real(j, "share", costs_share(&r->costs, c->time));
        report_json_seconds(j, "mean", costs_mean(&r->costs, c));
    }
    if (c->by_rank) {
        report_json_seconds(j, "least", c->least);
        json_uint(j, "least_rank", c->least_rank);
        report_json_seconds(j, "most", c->most);
        json_uint(j, "most_rank", c->most_rank);
    }
    put_durations(r, c, j);
    json_end(j);
}

/* Returns the most expensive row that is part of the run. */
static const struct cost *largest(const struct costs *c)
{
    size_t i = 0;
    while (i < c->items.n && c->items.items[i].is_init)
        i++;
    return i < c->items.n && c->items.items[i].timed ? &c->items.items[i] : NULL;
}

static void put_says(const struct report *r, struct bytes *text)
{
    const struct cost *c = largest(&r->costs);
    if (!c) {
        text_put(text, "Which calls were made where; times are not in this trace.");
        return;
    }
    text_printf(text, "The largest part of the run, %.1f %%, is %s", 100 * costs_share(&r->costs, c->time),
                costs_name(r->reader, c));
    if (costs_has_site(c)) {
        text_put(text, " at ");
        report_put_site(r, c->site, text);
    }
    text_printf(text, ". Each row is a call site; times are those of a %s. MPI_Init is apart.",
                r->costs.threads > r->costs.ranks ? "thread" : "rank");
}

enum refrain_status section_time(const struct report *r, struct json *j)
{
    struct bytes text = {0};
    put_says(r, &text);
    report_json_text(j, "says", &text);
    if (!r->timed)
        json_string(j, "missing", report_how_to_time);
    json_array(j, "rows");
    for (size_t i = 0; i < r->costs.items.n; i++)
        put_row(r, &r->costs.items.items[i], &text, j);
    json_end(j);
    bytes_free(&text);
    return REFRAIN_OK;
}
