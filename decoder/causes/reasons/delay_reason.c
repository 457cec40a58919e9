/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_reason.h"

#include "decoder/causes/efficiency.h"

#include <stdlib.h>

/* A further place is a reason if it explains at least this share of the waiting. */
#define FURTHER_LEAST 0.1
/* REASON_SERIALIZED: ranks work one after the other. This is the reason if ranks wait for messages, if they
 * compute for less than IDLE times as long as the late ranks do meanwhile, and if the late ranks compute at
 * most AS_OTHERS times as long as the mean of all ranks. */
#define IDLE      0.2
#define ALONE     0.9 /* a rank with this share of the cost is no chain */
#define AS_OTHERS 1.25
/* REASON_ALTERNATES: the late ranks take turns. This is the reason if several ranks are late, if at least
 * half of the cost is direct, if each late rank causes less than MOSTLY times the cost, and if the late ranks
 * wait at least MUTUAL times as long as the mean of all ranks. */
#define MUTUAL 0.5
#define MOSTLY 0.6

/* ---- the kind of a reason -------------------------------------------------------------------------- */

static bool moves_data(const struct wait_search *s, uint32_t site)
{
    const uint32_t wanted = ROLE_SEND | ROLE_RECEIVE | ROLE_RECEIVE_FOUND | ROLE_COMPLETE | ROLE_COLLECTIVE |
                            ROLE_RMA | ROLE_CLOSE | ROLE_FLUSH,
                   others = ROLE_FILE | ROLE_MAKES | ROLE_GRID | ROLE_INIT | ROLE_FINALIZE;
    const uint32_t actions = s->roles.items[s->reader->trace.sites.items[site].function].actions;
    return actions & wanted && !(actions & others);
}

/* Returns the mean of the ranks' values, weighted with their costs. */
static double weighted(const struct page_ranks *costs, const struct page_ranks *of)
{
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < costs->n; i++) {
        sum += (double)costs->values[i] * (double)of->values[i];
        all += (double)costs->values[i];
    }
    return all > 0 ? sum / all : 0;
}

static double mean(const struct page_ranks *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->n; i++)
        sum += (double)r->values[i];
    return r->n > 0 ? sum / r->n : 0;
}

static bool take_turns(const struct reason *r, const struct page_ranks *waiting)
{
    return r->place->direct >= r->place->further && waiting->values && r->late.n > 1 &&
           (double)r->late.values[r->late.worst] < MOSTLY * (double)r->cost &&
           weighted(&r->late, waiting) >= MUTUAL * mean(waiting);
}

/* A message waits for the rank before. A collective operation waits for a chain if the last one to enter it has
 * waited for several others. */
static bool is_serialized(const struct reason *r, uint64_t kinds, const struct page_ranks *computing)
{
    const uint64_t messages =
        EVENTS(EVENT_RECEIVE) | EVENTS(EVENT_SEND) | EVENTS(EVENT_LATE_SENDER) | EVENTS(EVENT_LATE_RECEIVER);
    const struct delay_place *p = r->place;
    const bool chain =
        p->further > p->direct && (double)r->late.values[r->late.worst] < ALONE * (double)r->cost;
    return (kinds & messages || chain) && computing->values &&
           (double)p->meanwhile < IDLE * (double)p->taken &&
           weighted(&r->late, computing) <= AS_OTHERS * mean(computing);
}

static enum refrain_status find_kind(struct reason *r, const struct causes_view *v,
                                     const struct reason_request *of)
{
    const uint64_t key = r->place->lanes.items[0].key;
    uint64_t *by_lane;
    if (critical_activity(key) != CRITICAL_COMPUTING) {
        r->kind = moves_data(v->search, critical_site(key)) ? REASON_TRANSFER : REASON_LONGER;
        return REFRAIN_OK;
    }
    const enum refrain_status status = efficiency_computing(v->search, &by_lane);
    if (status != REFRAIN_OK)
        return status;
    struct page_ranks computing = page_ranks_of(v->search, by_lane),
                      waiting = page_ranks_of(v->search, of->by_lane);
    if (is_serialized(r, of->kinds, &computing))
        r->kind = REASON_SERIALIZED;
    else if (take_turns(r, &waiting))
        r->kind = REASON_ALTERNATES;
    page_ranks_free(&computing);
    page_ranks_free(&waiting);
    free(by_lane);
    return REFRAIN_OK;
}

/* ---- choosing the places --------------------------------------------------------------------------- */

static uint64_t cost_of(const struct delay_place *p)
{
    return p->direct + p->further;
}

static bool is_computing(const struct delay_place *p)
{
    return critical_activity(p->lanes.items[0].key) == CRITICAL_COMPUTING;
}

/* Returns the costliest place. If that is a call and costs at most twice as much as the costliest
 * computation, returns the computation instead, because the call's cost is then a consequence of it. */
static const struct delay_place *find_first(const struct delay_places *p)
{
    const struct delay_place *first = &p->items[0];
    for (size_t i = 0; i < p->n; i++) {
        const struct delay_place *this = &p->items[i];
        if (is_computing(this))
            return 2 * cost_of(this) >= cost_of(first) ? this : first;
    }
    return first;
}

/* Adds a reason. */
static enum refrain_status add(struct reasons *out, const struct causes_view *v,
                               const struct delay_place *place, const struct reason_request *of)
{
    const uint64_t cost = cost_of(place);
    struct reason *r = &out->items[out->n];
    uint64_t *by_lane = calloc(v->search->lanes.n + 1, sizeof *by_lane);
    if (!by_lane)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < place->lanes.n; i++)
        by_lane[critical_lane(place->lanes.items[i].key)] += place->lanes.items[i].value;
    *r = (struct reason){.place = place,
                         .late = page_ranks_of(v->search, by_lane),
                         .cost = cost,
                         .explains = of->time > cost ? (double)cost / (double)of->time : 1};
    free(by_lane);
    if (!r->late.values)
        return REFRAIN_ERR_MEMORY;
    out->n++;
    return find_kind(r, v, of);
}

enum refrain_status reasons_find(struct reasons *out, const struct delays *d, const struct causes_view *v,
                                 const struct reason_request *r)
{
    *out = (struct reasons){0};
    enum refrain_status status = delay_places_find(&out->places, d, r->site, r->kinds);
    if (status != REFRAIN_OK || out->places.n == 0)
        return status;
    const struct delay_place *first = find_first(&out->places);
    bool has_call = !is_computing(first);
    status = add(out, v, first, r);
    for (size_t i = 0; status == REFRAIN_OK && i < out->places.n && out->n < REASONS_MOST; i++) {
        const struct delay_place *this = &out->places.items[i];
        if (out->items[0].kind == REASON_SERIALIZED ||
            (double)cost_of(this) < FURTHER_LEAST * (double)r->time)
            break;
        if (this == first || (has_call && !is_computing(this)))
            continue;
        has_call = has_call || !is_computing(this);
        status = add(out, v, this, r);
        /* Without a chain, no lane would wait at all: that is no further reason. */
        if (status == REFRAIN_OK && out->items[out->n - 1].kind == REASON_SERIALIZED)
            page_ranks_free(&out->items[--out->n].late);
    }
    return status;
}

void reasons_free(struct reasons *r)
{
    for (size_t i = 0; i < r->n; i++)
        page_ranks_free(&r->items[i].late);
    delay_places_free(&r->places);
    *r = (struct reasons){0};
}

uint32_t reason_place(const struct reason *r)
{
    return (uint32_t)(r->place->lanes.items[0].key >> 32);
}
