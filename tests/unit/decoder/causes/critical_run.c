/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_run.h"

#include <criterion/criterion.h>

/* All waiting has a cause, except for a nanosecond for each time. */
static void is_explained(const struct delays *d)
{
    uint64_t sum = d->unexplained;
    for (size_t i = 0; i < d->items.n; i++)
        sum += d->items.items[i].direct + d->items.items[i].further;
    cr_assert_eq(sum, d->waiting);
    cr_assert_eq(d->unexplained, 0);
}

/* The stays follow each other from the begin to the end, and are as long in each lane as the path is. */
static void has_route(const struct critical_search *c)
{
    const struct critical_path *p = &c->path;
    struct critical_stays stays;
    uint64_t at = p->begin;
    cr_assert_eq(
        critical_route_find(&p->route, p->last_lane, p->begin, p->begin + p->length, SIZE_MAX, &stays),
        REFRAIN_OK);
    for (uint32_t lane = 0; lane < p->n_lanes; lane++) {
        uint64_t length = 0;
        for (size_t i = 0; i < p->profile.n; i++)
            length += critical_lane(p->profile.items[i].key) == lane ? p->profile.items[i].value : 0;
        for (size_t i = 0; i < stays.n; i++)
            length -= stays.items[i].lane == lane ? stays.items[i].to - stays.items[i].from : 0;
        cr_assert_eq(length, 0, "lane %u", lane);
    }
    for (size_t i = 0; i < stays.n; i++) {
        cr_assert_eq(stays.items[i].from, at);
        at = stays.items[i].to;
    }
    cr_assert_eq(at, p->begin + p->length);
    array_free(&stays);
}

void find(struct found *f, struct spoken *s)
{
    find_parts(f, s, NULL);
}

void find_parts(struct found *f, struct spoken *s, struct part_times *parts)
{
    uint64_t sum = 0, last = 0;
    *f = (struct found){.spoken = s};
    /* Ranks that make the same calls get the mean of their times. */
    for (uint32_t rank = 0; rank < s->n_ranks; rank++) {
        for (uint32_t i = 0; i < rank; i++)
            CALL(s, 0, 0, rank, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    }
    spoken_end(s);
    metrics_start(&f->metrics);
    metrics_add_all(&f->metrics);
    f->search.to = UINT64_MAX;
    f->search.worst_of = METRIC_NONE;
    f->critical.simulates = f->critical.keeps_log = f->critical.keeps_route = true;
    f->critical.parts = parts;
    f->search.listener = critical_search_open(&f->critical);
    cr_assert_eq(timestamps_source_create(&f->timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&f->search, &s->reader, &s->definitions, &f->metrics, &f->timestamps),
                 REFRAIN_OK);
    for (size_t i = 0; i < f->critical.path.profile.n; i++)
        sum += f->critical.path.profile.items[i].value;
    for (size_t i = 0; i < f->search.lanes.n; i++)
        last = f->search.lanes.items[i].last > last ? f->search.lanes.items[i].last : last;
    cr_assert_eq(sum, f->critical.path.length);
    is_explained(&f->critical.path.delays);
    has_route(&f->critical);
    cr_assert_eq(f->critical.path.length, last);
    cr_assert_eq(resimulation_end(&f->critical.anew, CRITICAL_AS_IT_WAS), last);
    cr_assert_leq(resimulation_end(&f->critical.anew, CRITICAL_IDEAL), last);
    cr_assert_eq(f->critical.listener.stream.forced, 0);
    cr_assert_eq(f->critical.listener.stream.mark_of_call.n, 0);
    cr_assert_eq(f->critical.listener.stream.pending, 0);
}

void stop(struct found *f)
{
    critical_search_free(&f->critical);
    wait_search_free(&f->search);
    timestamps_source_free(&f->timestamps);
    spoken_free(f->spoken);
}

uint64_t of_rank(const struct found *f, uint32_t rank, enum critical_activity activity)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->critical.path.profile.n; i++) {
        const uint64_t key = f->critical.path.profile.items[i].key;
        sum += critical_lane(key) == rank && critical_activity(key) == activity
                   ? f->critical.path.profile.items[i].value
                   : 0;
    }
    return sum;
}
