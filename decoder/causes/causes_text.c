/* SPDX-License-Identifier: BSD-3-Clause */
#include "causes_text.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>

/* A lane matters for the place's name if it has more than 1 / FEW of the value. */
#define FEW 20

uint32_t causes_site_behind(const struct causes_view *v, uint64_t key)
{
    if (critical_activity(key) != CRITICAL_COMPUTING)
        return PRECEDING_NONE;
    return (v->of_delays ? preceding_find_longer : preceding_find)(v->preceding, critical_lane(key),
                                                                   critical_site(key));
}

uint32_t causes_common_behind(const struct causes_view *v, const struct profile_entry *lanes, size_t n)
{
    const uint32_t behind = causes_site_behind(v, causes_worst(lanes, n));
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += lanes[i].value;
    for (size_t i = 0; i < n; i++) {
        if (lanes[i].value > all / FEW && causes_site_behind(v, lanes[i].key) != behind)
            return PRECEDING_NONE;
    }
    return behind;
}

void causes_put_where(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out)
{
    const struct reader *r = v->search->reader;
    const uint64_t key = lanes[0].key;
    const uint32_t site = critical_site(key), behind = causes_common_behind(v, lanes, n);
    if (behind == PRECEDING_NONE) {
        text_put(out, critical_activity(key) == CRITICAL_COMPUTING ? "before " : "");
        site_put_call(r, v->symbols, site, out);
    } else {
        site_put_between(r, v->symbols, behind, site, out);
    }
}

void causes_put_place(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out)
{
    text_put(out, critical_activity(lanes[0].key) == CRITICAL_COMPUTING ? "computing " : "");
    causes_put_where(v, lanes, n, out);
}

void causes_put_place_json(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                           struct json *j)
{
    const struct reader *r = v->search->reader;
    const uint64_t key = lanes[0].key;
    json_string(j, "activity", critical_activity(key) == CRITICAL_COMPUTING ? "computing" : "call");
    json_string(j, "function", reader_function(r, critical_site(key)));
    site_put_json(&r->trace, v->symbols, critical_site(key), j, "site");
    const uint32_t behind = causes_common_behind(v, lanes, n);
    if (behind == PRECEDING_NONE)
        return;
    json_object(j, "behind");
    json_string(j, "function", reader_function(r, behind));
    site_put_json(&r->trace, v->symbols, behind, j, "site");
    json_end(j);
}

#define RANGES_MOST 6

bool causes_put_ranks(const uint64_t *values, uint32_t first, uint32_t n, uint64_t least, struct bytes *out)
{
    uint32_t in = 0, ranges = 0;
    for (uint32_t i = 0; i < n; i++) {
        in += values[i] >= least;
        ranges += values[i] >= least && (i == 0 || values[i - 1] < least);
    }
    if (in == n && n > 1) {
        text_put(out, "all ranks");
        return true;
    }
    if (ranges > RANGES_MOST) {
        text_printf(out, "%" PRIu32 " ranks", in);
        return true;
    }
    text_put(out, in == 1 ? "rank" : "ranks");
    char before = ' ';
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] < least)
            continue;
        const uint32_t begin = i;
        while (i + 1 < n && values[i + 1] >= least)
            i++;
        text_printf(out, "%c%" PRIu32, before, first + begin);
        if (i > begin)
            text_printf(out, "-%" PRIu32, first + i);
        before = ',';
    }
    return in != 1;
}

static size_t worst(const struct profile_entry *lanes, size_t n)
{
    size_t most = 0;
    for (size_t i = 1; i < n; i++) {
        if (lanes[i].value > lanes[most].value)
            most = i;
    }
    return most;
}

uint64_t causes_worst(const struct profile_entry *lanes, size_t n)
{
    return lanes[worst(lanes, n)].key;
}

void causes_put_lanes(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out)
{
    const struct wait_lanes *all = &v->search->lanes;
    const size_t most = worst(lanes, n);
    const struct wait_lane *l = &all->items[critical_lane(lanes[most].key)];
    if (n > 1)
        text_printf(out, "%zu %s, most in ", n, all->n > all->n_ranks ? "threads" : "ranks");
    text_printf(out, "rank %" PRIu32, l->rank);
    if (l->thread > 0)
        text_printf(out, " thread %" PRIu32, l->thread);
    if (n > 1) {
        text_put(out, ": ");
        time_put(out, lanes[most].value);
    }
}

void causes_put_lanes_json(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                           struct json *j)
{
    json_array(j, "lanes");
    for (size_t i = 0; i < n; i++) {
        const struct wait_lane *l = &v->search->lanes.items[critical_lane(lanes[i].key)];
        json_object(j, NULL);
        json_uint(j, "rank", l->rank);
        json_uint(j, "thread", l->thread);
        json_real(j, "seconds", (double)lanes[i].value * 1e-9);
        json_end(j);
    }
    json_end(j);
}

/* Returns the mean over the calls at a site of the lanes that have values of a metric, in bytes. */
static uint64_t bytes_per_call(const struct wait_search *s, const char *point, const char *collective,
                               uint32_t site)
{
    const uint32_t numbers[] = {metrics_find(s->metrics, point), metrics_find(s->metrics, collective)};
    const uint64_t *calls = severities_row(&s->values, s->visits, site);
    uint64_t bytes = 0, n = 0;
    for (size_t lane = 0; calls && lane < s->lanes.n; lane++) {
        uint64_t here = 0;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            const uint64_t *row =
                numbers[i] == METRIC_NONE ? NULL : severities_row(&s->values, numbers[i], site);
            here += row ? row[lane] : 0;
        }
        bytes += here;
        n += here > 0 ? calls[lane] : 0;
    }
    return n > 0 ? bytes / n : 0;
}

void causes_put_volume(const struct wait_search *s, uint32_t site, struct bytes *out)
{
    const uint64_t *visits = severities_row(&s->values, s->visits, site),
                   sent = bytes_per_call(s, "bytes_sent", "bytes_cout", site),
                   received = bytes_per_call(s, "bytes_rcvd", "bytes_cin", site);
    uint64_t calls = 0;
    for (size_t lane = 0; visits && lane < s->lanes.n; lane++)
        calls += visits[lane];
    if (calls == 0)
        return;
    text_printf(out, " (%" PRIu64 " %s", calls, calls == 1 ? "call" : "calls");
    if (sent > 0 || received > 0) {
        text_put(out, " of ");
        text_size(out, received > 0 && (sent == 0 || received < sent) ? received : sent);
    }
    text_putc(out, ')');
}
