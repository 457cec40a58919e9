/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_reason.h"

#include "decoder/causes/efficiency.h"
#include "joined_lanes.h"

#include <stdlib.h>

/* A further place is a reason if it explains at least this share of the waiting. */
#define FURTHER_LEAST 0.1
/* A reason has at most so many places, each with at least this share of the cost, and at each the lanes compute
 * more than MORE times as long as the others. All of them have at least JOINED_WHOLE of what the lanes cost;
 * otherwise each place is a reason of its own. */
#define JOINED_MOST  8
#define JOINED_LEAST 0.01
#define JOINED_WHOLE 0.5
#define MORE         1.02
/* REASON_SERIALIZED: ranks work one after the other. This is the reason if ranks wait for messages, if they
 * compute for less than IDLE times as long as the late ranks do meanwhile, and if the late ranks compute at
 * most AS_OTHERS times as long as the mean of all ranks. */
#define IDLE      0.2
#define ALONE     0.9 /* a rank with this share of the cost is no chain */
#define AS_OTHERS 1.25
#define MESSAGES                                                                                             \
    (EVENTS(EVENT_RECEIVE) | EVENTS(EVENT_SEND) | EVENTS(EVENT_LATE_SENDER) | EVENTS(EVENT_LATE_RECEIVER))
/* It is the reason, too, if the late ranks have done at least MORE_PARTS times as many parts before, each of which takes
 * at most AS_OTHERS times as long as those of the others, and if they compute at most EVENLY times as long as the mean of
 * all ranks. */
#define MORE_PARTS 1.5
#define EVENLY     1.1
/* REASON_ALTERNATES: the late ranks take turns. This is the reason if several ranks are late, if at least
 * half of the cost is direct, if each late rank causes less than MOSTLY times the cost, and if the late ranks
 * wait at least MUTUAL times as long as the mean of all ranks. It is the reason, too, if all of several ranks are late:
 * then no rank is there with which they could be compared. */
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
    return r->sum.direct >= r->sum.further && waiting->values && r->late.n > 1 &&
           (double)r->late.values[r->late.worst] < MOSTLY * (double)r->cost &&
           weighted(&r->late, waiting) >= MUTUAL * mean(waiting);
}

static bool are_all_late(const struct reason *r, size_t n_lanes)
{
    size_t lane = 0;
    while (lane < n_lanes && r->lanes.are[lane])
        lane++;
    return lane == n_lanes && r->late.n > 1;
}

/* Returns the mean of the ranks that have a value. */
static double mean_of_any(const struct page_ranks *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++)
        n += r->values[i] > 0;
    return n > 0 ? mean(r) * r->n / n : 0;
}

/* Do the late ranks compute more before this call than others? Then they are no chain, even if they do not compute
 * more in all. */
static bool compute_more(const struct reason *r, const struct wait_search *s, uint32_t site)
{
    const uint64_t *row = severities_row(&s->computing, 0, site);
    if (!row)
        return false;
    struct page_ranks here = page_ranks_of(s, row);
    const bool more = here.values && weighted(&r->late, &here) > AS_OTHERS * mean_of_any(&here);
    page_ranks_free(&here);
    return more;
}

/* A message waits for the rank before. A collective operation waits for a chain if the last one to enter it has
 * waited for several others. */
static bool is_serialized(const struct reason *r, uint64_t kinds, const struct page_ranks *computing)
{
    const struct delay_place *p = &r->sum;
    const bool chain =
        p->further > p->direct && (double)r->late.values[r->late.worst] < ALONE * (double)r->cost;
    return (kinds & MESSAGES || chain) && computing->values &&
           (double)p->meanwhile < IDLE * (double)p->taken &&
           weighted(&r->late, computing) <= AS_OTHERS * mean(computing);
}

/* In a pipeline with several parts of work, a rank does other parts while it would wait. The late ones have done more
 * parts before, of which each takes as long as those of the others. */
static bool is_pipeline(const struct reason *r, uint64_t kinds, const struct page_ranks *computing)
{
    const struct delay_place *p = &r->sum;
    return kinds & MESSAGES && r->n_places == 1 && r->late.n > 1 && computing->values &&
           weighted(&r->late, computing) <= EVENLY * mean(computing) &&
           (double)r->late.values[r->late.worst] < ALONE * (double)r->cost && p->usual_parts > 0 &&
           (double)p->parts >= MORE_PARTS * p->usual_parts &&
           (double)p->taken / (double)p->parts <= AS_OTHERS * ((double)p->usual / p->usual_parts);
}

static bool is_at(const struct reason *r, const struct delay *d)
{
    for (size_t i = 0; i < r->n_places; i++) {
        if (reason_place(&r->places[i]) == d->key >> 32)
            return delays_are_wanted(&r->of, d);
    }
    return false;
}

/* Returns the kind of waiting that the reason causes most, as EVENTS of wait_event.h. */
static uint64_t main_kind(const struct reason *r, const struct delays *d)
{
    uint64_t costs[EVENT_KINDS] = {0};
    size_t most = 0;
    for (size_t i = 0; i < d->items.n; i++) {
        const struct delay *this = &d->items.items[i];
        costs[this->wait_kind] += is_at(r, this) ? this->direct + this->further : 0;
        most = costs[this->wait_kind] > costs[most] ? this->wait_kind : most;
    }
    return EVENTS(most);
}

/* Each lane is late at some time, of those that the reason is about. */
static void take_all(struct reason *r, size_t n_lanes)
{
    r->kind = REASON_ALTERNATES;
    for (size_t i = 0; i < n_lanes; i++)
        r->lanes.are[i] = r->of.which != DELAYS_OF_OTHERS || !r->of.lanes[i];
}

static enum refrain_status find_kind(struct reason *r, const struct delays *d, const struct causes_view *v,
                                     const struct reason_request *of)
{
    const uint64_t key = r->places->lanes.items[0].key;
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
    if (!compute_more(r, v->search, critical_site(key)) &&
        (is_serialized(r, main_kind(r, d), &computing) || is_pipeline(r, main_kind(r, d), &computing)))
        r->kind = REASON_SERIALIZED;
    else if (take_turns(r, &waiting) || are_all_late(r, v->search->lanes.n))
        take_all(r, v->search->lanes.n);
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

static void add_sums(struct delay_place *sum, const struct delay_place *p)
{
    sum->direct += p->direct;
    sum->further += p->further;
    sum->taken += p->taken;
    sum->usual += p->usual;
    sum->meanwhile += p->meanwhile;
    sum->times += p->times;
    sum->parts += p->parts;
    sum->usual_parts += p->usual_parts;
}

/* Adds a reason: n places together. */
static enum refrain_status add(struct reasons *out, const struct delays *d, const struct causes_view *v,
                               const struct delay_place *places, size_t n, const struct reason_request *of)
{
    struct reason *r = &out->items[out->n];
    uint64_t *by_lane = calloc(v->search->lanes.n + 1, sizeof *by_lane);
    if (!by_lane)
        return REFRAIN_ERR_MEMORY;
    *r = (struct reason){
        .places = places, .n_places = n, .of = {of->site, of->kinds, DELAYS_ALL, out->joined}};
    if (out->joined)
        r->of.which = places == out->of_joined.items ? DELAYS_OF_LANES : DELAYS_OF_OTHERS;
    for (size_t i = 0; i < n; i++) {
        add_sums(&r->sum, &places[i]);
        for (size_t k = 0; k < places[i].lanes.n; k++)
            by_lane[critical_lane(places[i].lanes.items[k].key)] += places[i].lanes.items[k].value;
    }
    r->cost = cost_of(&r->sum);
    r->explains = of->time > r->cost ? (double)r->cost / (double)of->time : 1;
    r->late = page_ranks_of(v->search, by_lane);
    free(by_lane);
    out->n++;
    if (!r->late.values ||
        late_lanes_find(&r->lanes, v->search, places, n, r->cost, of->by_lane) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; out->joined && i < v->search->lanes.n; i++)
        r->lanes.are[i] = r->of.which == DELAYS_OF_LANES
                              ? r->lanes.are[i] || out->joined[i]
                              : r->lanes.are[i] && (!out->joined[i] || !is_computing(places));
    return find_kind(r, d, v, of);
}

static void drop_last(struct reasons *r)
{
    page_ranks_free(&r->items[--r->n].late);
    late_lanes_free(&r->items[r->n].lanes);
}

static void stop_joining(struct reasons *r)
{
    while (r->n > 0)
        drop_last(r);
    free(r->joined);
    delay_places_free(&r->of_joined);
    r->joined = NULL;
}

/* Do the joined lanes compute more than others before the calls of a place, or does no other lane compute there? */
static bool joined_compute_more(const struct reasons *r, const struct wait_search *s,
                                const struct delay_place *p)
{
    const uint64_t *row = severities_row(&s->computing, 0, critical_site(p->lanes.items[0].key));
    double few = 0, others = 0;
    size_t n_few = 0, n_others = 0;
    for (size_t i = 0; row && i < s->lanes.n; i++) {
        few += r->joined[i] ? (double)row[i] : 0;
        others += r->joined[i] ? 0 : (double)row[i];
        n_few += r->joined[i] && row[i] > 0;
        n_others += !r->joined[i] && row[i] > 0;
    }
    return n_others == 0 || (n_few > 0 && few / (double)n_few > MORE * others / (double)n_others);
}

/* Several lanes are joined only if all of them are late at the costliest place. */
static bool are_together(const struct reasons *r, size_t n_lanes)
{
    const struct delay_place *first = &r->of_joined.items[0];
    size_t few = 0, late = 0;
    for (size_t i = 0; i < n_lanes; i++)
        few += r->joined[i];
    for (size_t i = 0; i < first->lanes.n; i++)
        late += (double)first->lanes.items[i].value >= FURTHER_LEAST * (double)cost_of(first);
    return few == 1 || late == few;
}

/* Moves the places that are joined to the front: the costliest ones, where the lanes compute more than others.
 * Returns how many these are; 0: too little of the cost is there. */
static size_t count_joined(struct reasons *r, const struct wait_search *s)
{
    struct delay_places *p = &r->of_joined;
    uint64_t all = 0, chosen = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        all += cost_of(&p->items[i]);
    for (size_t i = 0; i < p->n && n < JOINED_MOST; i++) {
        const struct delay_place this = p->items[i];
        if ((double)cost_of(&this) < JOINED_LEAST * (double)all || !joined_compute_more(r, s, &this))
            continue;
        p->items[i] = p->items[n];
        p->items[n++] = this;
        chosen += cost_of(&this);
    }
    return (double)chosen >= JOINED_WHOLE * (double)all ? n : 0;
}

/* Joins the lanes that are as late at these n places, too. *n becomes the number of places of all of them. */
static enum refrain_status join_as_late(struct reasons *r, const struct delays *d,
                                        const struct wait_search *s, const struct delays_wanted *wanted,
                                        const uint64_t *waiting, size_t *n)
{
    struct late_lanes late;
    uint64_t cost = 0;
    for (size_t i = 0; i < *n; i++)
        cost += cost_of(&r->of_joined.items[i]);
    enum refrain_status status = late_lanes_find(&late, s, r->of_joined.items, *n, cost, waiting);
    if (status == REFRAIN_OK && late.as_late) {
        for (size_t i = 0; i < s->lanes.n; i++)
            r->joined[i] = r->joined[i] || late.are[i];
        delay_places_free(&r->of_joined);
        status = delay_places_find(&r->of_joined, d, wanted);
        *n = status == REFRAIN_OK ? count_joined(r, s) : 0;
    }
    late_lanes_free(&late);
    return status;
}

/* Adds the reason that a few lanes compute longer, if they do. */
static enum refrain_status add_joined(struct reasons *out, const struct delays *d,
                                      const struct causes_view *v, const struct reason_request *r)
{
    struct delays_wanted wanted = {.site = r->site, .kinds = r->kinds};
    enum refrain_status status = joined_lanes_find(&out->joined, d, v->search->lanes.n, &wanted);
    if (status != REFRAIN_OK || !out->joined)
        return status;
    wanted.which = DELAYS_OF_LANES;
    wanted.lanes = out->joined;
    status = delay_places_find(&out->of_joined, d, &wanted);
    const bool together =
        status == REFRAIN_OK && out->of_joined.n > 0 && are_together(out, v->search->lanes.n);
    size_t n = together ? count_joined(out, v->search) : 0;
    if (n > 0)
        status = join_as_late(out, d, v->search, &wanted, r->by_lane, &n);
    if (status == REFRAIN_OK && n > 0)
        status = add(out, d, v, out->of_joined.items, n, r);
    if (status == REFRAIN_OK &&
        (n == 0 || out->items[0].kind != REASON_LONGER || out->items[0].explains < FURTHER_LEAST))
        stop_joining(out);
    return status;
}

static enum refrain_status add_places(struct reasons *out, const struct delays *d,
                                      const struct causes_view *v, const struct reason_request *r)
{
    const struct delay_place *first = out->n == 0 ? find_first(&out->places) : NULL;
    enum refrain_status status = first ? add(out, d, v, first, 1, r) : REFRAIN_OK;
    bool has_call = first && !is_computing(first);
    for (size_t i = 0; status == REFRAIN_OK && i < out->places.n && out->n < REASONS_MOST; i++) {
        const struct delay_place *this = &out->places.items[i];
        if (out->items[0].kind == REASON_SERIALIZED ||
            (double)cost_of(this) < FURTHER_LEAST * (double)r->time)
            break;
        if (this == first || (has_call && !is_computing(this)))
            continue;
        has_call = has_call || !is_computing(this);
        status = add(out, d, v, this, 1, r);
        /* Without a chain, no lane would wait at all: that is no further reason, except of other lanes. */
        if (status == REFRAIN_OK && !out->joined && out->items[out->n - 1].kind == REASON_SERIALIZED)
            drop_last(out);
    }
    return status;
}

enum refrain_status reasons_find(struct reasons *out, const struct delays *d, const struct causes_view *v,
                                 const struct reason_request *r)
{
    *out = (struct reasons){0};
    enum refrain_status status = r->joins ? add_joined(out, d, v, r) : REFRAIN_OK;
    const struct delays_wanted wanted = {r->site, r->kinds, out->joined ? DELAYS_OF_OTHERS : DELAYS_ALL,
                                         out->joined};
    if (status == REFRAIN_OK)
        status = delay_places_find(&out->places, d, &wanted);
    return status == REFRAIN_OK && out->places.n > 0 ? add_places(out, d, v, r) : status;
}

void reasons_free(struct reasons *r)
{
    stop_joining(r);
    delay_places_free(&r->places);
    *r = (struct reasons){0};
}

uint32_t reason_place(const struct delay_place *p)
{
    return (uint32_t)(p->lanes.items[0].key >> 32);
}
