/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_text.h"

#include "causes_text.h"
#include "delays_text.h"

#include "notices.h"
#include "decoder/trace/site.h"
#include "decoder/util/json.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>
#include <stdlib.h>

/* The path's time of one site and activity: a part of the profile, which has this order. */
struct path_row {
    const struct profile_entry *lanes;
    size_t n;
    uint32_t site;
    enum critical_activity activity;
    uint64_t time, mean;
};

struct path_rows {
    struct path_row *items;
    size_t n, cap;
};

static uint64_t beyond_mean(const struct path_row *r)
{
    return r->time > r->mean ? r->time - r->mean : 0;
}

static int longest_first(const void *a, const void *b)
{
    const struct path_row *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return x->lanes < y->lanes ? -1 : x->lanes > y->lanes;
}

/* Returns how many threads share the work at a site: those that compute before it
 * (wait_lanes_sharing). */
static size_t count_sharing(const struct wait_search *s, uint32_t site)
{
    const uint64_t *computing = severities_row(&s->computing, 0, site);
    const size_t n = computing ? wait_lanes_sharing(&s->lanes, computing, NULL) : s->lanes.n;
    return n > 0 ? n : 1;
}

static bool find_rows(const struct critical_path *c, const struct wait_search *s, struct path_rows *out)
{
    const struct profile_entry *items = c->profile.items;
    *out = (struct path_rows){0};
    for (size_t i = 0; i < c->profile.n; i++) {
        struct path_row *last = out->n > 0 ? &out->items[out->n - 1] : NULL;
        const uint64_t key = items[i].key;
        if (!last || last->site != critical_site(key) || last->activity != critical_activity(key)) {
            const struct path_row row = {
                .lanes = &items[i], .site = critical_site(key), .activity = critical_activity(key)};
            if (!array_push(out, row))
                return false;
            last = &out->items[out->n - 1];
            last->mean =
                c->totals[(size_t)row.site * CRITICAL_ACTIVITIES + row.activity] / count_sharing(s, row.site);
        }
        last->n++;
        last->time += items[i].value;
    }
    if (out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, longest_first);
    return true;
}

/* A larger difference between the simulated and the recorded run is reported. */
#define OFF 0.01

/* ---- text ---------------------------------------------------------------------------------------- */

static void put_row(const struct critical_path *c, const struct causes_view *v, const struct path_row *r,
                    struct bytes *out)
{
    struct bytes time = {0};
    time_put(&time, r->time);
    text_printf(out, "%10.*s %5.1f %%  ", (int)time.n, (const char *)time.data,
                text_percent(r->time, c->length));
    bytes_free(&time);
    causes_put_place(v, r->lanes, r->n, out);
    text_put(out, "  ");
    causes_put_lanes(v, r->lanes, r->n, out);
    if (beyond_mean(r) > c->length / 1000) {
        text_put(out, "; ");
        time_put(out, beyond_mean(r));
        text_put(out, " beyond the mean");
    }
    text_putc(out, '\n');
}

/* Writes the sum of the rows of an activity, and the part of it beyond the mean. */
static void put_sum(const struct critical_path *c, const struct path_rows *rows,
                    enum critical_activity activity, const char *name, struct bytes *out)
{
    uint64_t time = 0, uneven = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->items[i].activity == activity) {
            time += rows->items[i].time;
            uneven += beyond_mean(&rows->items[i]);
        }
    }
    time_put(out, time);
    text_printf(out, " (%.1f %%) of it %s, ", text_percent(time, c->length), name);
    time_put(out, uneven);
    text_put(out, " of that beyond the mean");
}

/* Writes the simulated time if it differs from the recorded one. */
static void put_simulated(const struct efficiency *e, struct bytes *out)
{
    const double off = e->time > 0 ? (double)e->simulated / (double)e->time - 1 : 0;
    if (off > -OFF && off < OFF)
        return;
    text_put(out, "Simulated from the computing and the waiting of its ranks, the run takes ");
    time_put(out, e->simulated);
    text_printf(out, " (%+.1f %%): clocks are not exact, or some causes of waiting are not known.\n",
                100 * off);
}

enum refrain_status critical_put_text(const struct critical_search *s, const struct causes_view *v,
                                      struct bytes *out)
{
    const struct critical_path *c = &s->path;
    struct path_rows rows = {0};
    struct efficiency efficiency;
    uint64_t rest = 0;
    enum refrain_status status = critical_search_efficiency(s, v->search, &efficiency);
    if (status == REFRAIN_OK && !find_rows(c, v->search, &rows))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK) {
        array_free(&rows);
        return status;
    }
    if (v->endings)
        endings_put_cut_off(v->endings, out);
    struct notices notices = {0};
    notices_find(&notices, v->search, v->preceding, v->symbols);
    notices_put(&notices, false, out);
    efficiency_put_text(&efficiency, out);
    put_simulated(&efficiency, out);
    text_put(out, "The critical path is ");
    time_put(out, c->length);
    text_put(out, " long: ");
    put_sum(c, &rows, CRITICAL_COMPUTING, "computing", out);
    text_put(out, "; ");
    put_sum(c, &rows, CRITICAL_CALL, "in calls", out);
    text_put(out, "\n");
    for (size_t i = 0; i < rows.n; i++) {
        if (i < v->top)
            put_row(c, v, &rows.items[i], out);
        else
            rest += rows.items[i].time;
    }
    if (rest > 0) {
        text_printf(out, "  and %zu more: ", rows.n - v->top);
        time_put(out, rest);
        text_put(out, " (--top)\n");
    }
    struct causes_view of_delays = *v;
    of_delays.of_delays = true;
    status = delays_put_text(&c->delays, &of_delays, out);
    notices_put(&notices, true, out);
    notices_free(&notices);
    if (v->forced > 0)
        text_printf(out, "Of %" PRIu64 " calls it is not known what they waited for.\n", v->forced);
    if (v->until > 0) {
        text_put(out, "Analyzed until ");
        time_put(out, v->until);
        text_put(out, ": later calls have no times of their own (record with --time-budget none).\n");
    }
    site_put_hint(v->symbols, out);
    array_free(&rows);
    return status;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static void put_row_json(const struct causes_view *v, const struct path_row *r, struct json *j)
{
    json_object(j, NULL);
    causes_put_place_json(v, r->lanes, r->n, j);
    json_real(j, "seconds", (double)r->time * 1e-9);
    json_real(j, "mean_seconds", (double)r->mean * 1e-9);
    json_real(j, "beyond_mean_seconds", (double)beyond_mean(r) * 1e-9);
    causes_put_lanes_json(v, r->lanes, r->n, j);
    json_end(j);
}

enum refrain_status critical_put_json(const struct critical_search *s, const struct causes_view *v,
                                      struct bytes *out)
{
    const struct critical_path *c = &s->path;
    struct path_rows rows = {0};
    struct efficiency efficiency;
    struct json j = json_of(out);
    enum refrain_status status = critical_search_efficiency(s, v->search, &efficiency);
    if (status == REFRAIN_OK && !find_rows(c, v->search, &rows))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK) {
        array_free(&rows);
        return status;
    }
    json_object(&j, NULL);
    json_real(&j, "seconds", (double)c->length * 1e-9);
    json_uint(&j, "unknown_calls", v->forced);
    json_bool(&j, "cut_off", v->endings);
    struct notices notices = {0};
    notices_find(&notices, v->search, v->preceding, v->symbols);
    notices_put_json(&notices, &j);
    notices_free(&notices);
    if (v->until > 0)
        json_real(&j, "until", (double)v->until * 1e-9);
    efficiency_put_json(&efficiency, "efficiency", &j);
    json_array(&j, "path");
    for (size_t i = 0; i < rows.n; i++)
        put_row_json(v, &rows.items[i], &j);
    json_end(&j);
    struct causes_view of_delays = *v;
    of_delays.of_delays = true;
    status = delays_put_json(&c->delays, &of_delays, &j);
    json_end(&j);
    text_putc(out, '\n');
    array_free(&rows);
    return status;
}
