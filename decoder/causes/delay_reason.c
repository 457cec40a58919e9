/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_reason.h"

#include "chain_start.h"
#include "efficiency.h"
#include "page_ranks.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>
#include <stdlib.h>

/* From this factor on, the difference says more than the ratio. */
#define MUCH 10
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

struct reason {
    const uint64_t *waiting; /* ns: of each lane */
    const struct delay_place *place;
    /* The place with the highest cost. If it is not `place`, it is a call whose cost is a consequence of
     * `place`. */
    const struct delay_place *costliest;
    enum reason_kind kind;
    struct page_ranks late; /* the waiting that each late rank causes */
    uint64_t cost;
    double explains; /* share of the waiting that `place` explains; 0 to 1 */
    double also;     /* share of the waiting that `costliest` explains */
    size_t chain_of; /* number of the finding that has this chain, too, and was printed before; 0: none */
};

/* ---- choosing the place ---------------------------------------------------------------------------- */

/* Returns the costliest place. If that is a call and costs at most twice as much as the costliest
 * computation, returns the computation instead, because the call's cost is then a consequence of it. */
static const struct delay_place *find_place(const struct delay_places *p)
{
    const struct delay_place *first = &p->items[0];
    for (size_t i = 0; i < p->n; i++) {
        const struct delay_place *this = &p->items[i];
        if (critical_activity(this->lanes.items[0].key) == CRITICAL_COMPUTING)
            return 2 * (this->direct + this->further) >= first->direct + first->further ? this : first;
    }
    return first;
}

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

static double explains(const struct delay_place *p, const struct reason_request *of)
{
    const uint64_t cost = p->direct + p->further;
    return of->time > cost ? (double)cost / (double)of->time : 1;
}

static enum refrain_status find_reason(struct reason *r, const struct causes_view *v,
                                       const struct delay_places *p, const struct reason_request *of)
{
    const struct delay_place *place = find_place(p);
    uint64_t *by_lane = calloc(v->search->lanes.n + 1, sizeof *by_lane);
    *r = (struct reason){.waiting = of->by_lane,
                         .place = place,
                         .costliest = &p->items[0],
                         .cost = place->direct + place->further,
                         .explains = explains(place, of),
                         .also = explains(&p->items[0], of)};
    if (!by_lane)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < place->lanes.n; i++)
        by_lane[critical_lane(place->lanes.items[i].key)] += place->lanes.items[i].value;
    r->late = page_ranks_of(v->search, by_lane);
    free(by_lane);
    if (!r->late.values)
        return REFRAIN_ERR_MEMORY;
    return find_kind(r, v, of);
}

/* ---- text ------------------------------------------------------------------------------------------ */

/* Writes "40 % longer", "3.2 times as long" or "8.300 ms longer each time". The comparison is with
 * the other ranks at this place or, if these do almost nothing there, with everything that they
 * compute meanwhile. */
static void put_excess(const struct delay_place *p, struct bytes *out)
{
    const bool alone = p->taken >= MUCH * p->usual;
    const uint64_t than = alone && p->meanwhile < p->taken ? p->meanwhile : p->usual;
    const double ratio = than > 0 ? (double)p->taken / (double)than : MUCH;
    if (ratio >= MUCH) {
        time_put(out, (p->taken - than) / (p->parts > 0 ? p->parts : 1));
        text_put(out, " longer each time");
    } else if (ratio >= 2) {
        text_printf(out, "%.1f times as long", ratio);
    } else {
        text_printf(out, "%.0f %% longer", 100 * (ratio - 1));
    }
}

/* Has the lane more than a little share of what the place costs? */
static bool is_late(const struct delay_place *p, size_t lane)
{
    for (size_t i = 0; i < p->lanes.n; i++) {
        if (critical_lane(p->lanes.items[i].key) == lane)
            return p->lanes.items[i].value > (p->direct + p->further) / 20;
    }
    return false;
}

/* Lanes that call the place's site, after the same call as the late ones if these have one in common. */
struct callers {
    size_t all, late;
    bool comparable; /* the late ones can be compared with lanes that wait */
};

static struct callers find_callers(const struct causes_view *v, const struct reason *r)
{
    const struct wait_search *s = v->search;
    const uint64_t worst = causes_worst(r->place->lanes.items, r->place->lanes.n);
    const uint32_t behind = causes_site_behind(v, worst),
                   common = causes_common_behind(v, r->place->lanes.items, r->place->lanes.n);
    const uint64_t *visits = severities_row(&s->values, s->visits, critical_site(worst));
    struct callers c = {0};
    size_t others = 0, missing = 0;
    for (size_t l = 0; l < s->lanes.n; l++) {
        const uint64_t key = critical_key(critical_site(worst), critical_activity(worst), (uint32_t)l);
        const bool calls =
                       visits && visits[l] > 0 && (common != behind || causes_site_behind(v, key) == behind),
                   late = is_late(r->place, l), waits = chain_waits(s, r->waiting, l);
        c.all += calls;
        c.late += calls && late;
        others += calls && waits && !late;
        missing += waits && !calls;
    }
    c.comparable = others > 0 || (missing == 0 && c.all > 1);
    return c;
}

static const char *in_words(const struct callers *c)
{
    return c->comparable       ? ""
           : c->all == 1       ? ", which only this rank runs"
           : c->all == c->late ? ", which the other ranks do not run"
                               : ", which ranks that wait do not run";
}

static void put_longer(const struct causes_view *v, const struct reason *r, struct bytes *out)
{
    const uint64_t key = causes_worst(r->place->lanes.items, r->place->lanes.n);
    const bool computes = critical_activity(key) == CRITICAL_COMPUTING;
    bool several;
    page_ranks_put_weighted(&r->late, out, &several);
    if (computes)
        text_put(out, several ? " compute " : " computes ");
    else
        text_put(out, several ? " spend " : " spends ");
    const struct callers callers = find_callers(v, r);
    if (!callers.comparable) {
        time_put(out, r->place->taken / (r->place->parts > 0 ? r->place->parts : 1));
        text_put(out, " each time");
    } else {
        put_excess(r->place, out);
    }
    text_put(out, computes ? " " : " in ");
    causes_put_where(v, r->place->lanes.items, r->place->lanes.n, out);
    text_put(out, in_words(&callers));
}

static void put_alternates(const struct causes_view *v, const struct reason *r, struct bytes *out)
{
    text_put(out, "a different rank computes longest each time");
    if (page_ranks_put_shares(&r->late, r->cost, " (the waiting is caused by", out))
        text_putc(out, ')');
    text_put(out, ", ");
    put_excess(r->place, out);
    text_putc(out, ' ');
    causes_put_where(v, r->place->lanes.items, r->place->lanes.n, out);
}

static void put_serialized(const struct causes_view *v, const struct reason *r, struct bytes *out)
{
    bool several;
    if (r->chain_of > 0) {
        text_printf(out, "of the chain of finding %zu", r->chain_of);
        return;
    }
    text_put(
        out,
        "ranks work one after the other (serialized): each computes as much as the others, but the others "
        "wait meanwhile; the time is that of ");
    page_ranks_put_weighted(&r->late, out, &several);
    text_put(out, " ");
    causes_put_where(v, r->place->lanes.items, r->place->lanes.n, out);
    struct chain_start start;
    if (chain_find_start(v->search, r->place, r->waiting, &start))
        chain_put_start(v, &start, out);
}

static void put_transfer(const struct causes_view *v, const struct reason *r, struct bytes *out)
{
    bool several;
    causes_put_where(v, r->place->lanes.items, r->place->lanes.n, out);
    text_put(out, " itself takes this time, on ");
    page_ranks_put_weighted(&r->late, out, &several);
}

static const struct {
    const char *name;
    void (*put)(const struct causes_view *v, const struct reason *r, struct bytes *out);
} kinds[] = {[REASON_LONGER] = {"longer", put_longer},
             [REASON_ALTERNATES] = {"alternates", put_alternates},
             [REASON_SERIALIZED] = {"serialized", put_serialized},
             [REASON_TRANSFER] = {"transfer", put_transfer}};

static void put_reason(const struct causes_view *v, const struct reason *r, struct bytes *out)
{
    text_put(out, "              because ");
    kinds[r->kind].put(v, r, out);
    text_printf(out, " (explains %.0f %% of this waiting: ", 100 * r->explains);
    delay_costs_put(r->place, out);
    text_putc(out, ')');
    if (r->place != r->costliest) {
        text_put(out, ", and ");
        causes_put_where(v, r->costliest->lanes.items, r->costliest->lanes.n, out);
        text_printf(out, " takes long itself (explains %.0f %%)", 100 * r->also);
    }
    text_putc(out, '\n');
}

/* After a reason of another kind, "that delay" is not clear. */
static void put_without(const struct removal *r, const struct page_ranks *late, bool is_second,
                        struct bytes *out)
{
    if (!r || r->run == 0)
        return;
    text_put(out, "              without ");
    if (r->kind == REASON_SERIALIZED) {
        text_put(out, "waiting there");
    } else if (is_second) {
        text_put(out, "the delay of ");
        page_ranks_put(late, out);
    } else {
        text_put(out, "that delay");
    }
    text_put(out, " the run would take ");
    if (r->run - r->without < r->run / 1000) {
        /* Other ranks are as late as these, or the end of the run depends on other ranks. */
        text_put(out, "no less time\n");
        return;
    }
    time_put(out, r->without);
    text_put(out, " instead of ");
    time_put(out, r->run);
    text_putc(out, '\n');
}

/* The barrier may be needless if the run is shorter by at least this share without it. */
#define BARRIER_LEAST 0.01

static void put_without_barrier(const struct removal *r, struct bytes *out)
{
    if (!r || r->without_barrier == 0 || (double)r->without_barrier > (1 - BARRIER_LEAST) * (double)r->run)
        return;
    text_put(out, "              without this barrier the run would take ");
    time_put(out, r->without_barrier);
    text_put(out, " instead of ");
    time_put(out, r->run);
    text_put(out, ", if the program does not need it\n");
}

/* Finds the first reason; `out` is zero if there is none. The caller frees both results in any
 * case. */
static enum refrain_status find_first(const struct delays *d, const struct causes_view *v,
                                      const struct reason_request *r, struct delay_places *p,
                                      struct reason *out)
{
    const enum refrain_status status = delay_places_find(p, d, r->site, r->kinds);
    *out = (struct reason){0};
    return status == REFRAIN_OK && p->n > 0 ? find_reason(out, v, p, r) : status;
}

enum refrain_status delays_find_removal(const struct delays *d, const struct causes_view *v,
                                        const struct reason_request *r, struct removal *out)
{
    struct reason reason;
    struct delay_places p;
    const enum refrain_status status = find_first(d, v, r, &p, &reason);
    *out = (struct removal){0};
    if (status == REFRAIN_OK && p.n > 0)
        *out = (struct removal){
            .any = true, .kind = reason.kind, .place = (uint32_t)(reason.place->lanes.items[0].key >> 32)};
    page_ranks_free(&reason.late);
    delay_places_free(&p);
    return status;
}

/* Returns the finding that has the reason's chain, too, and was printed before; 0 if none was. From now on, the
 * current finding has it. */
static size_t find_said(struct reasons_said *said, const struct reason *r)
{
    const uint32_t place = (uint32_t)(r->place->lanes.items[0].key >> 32);
    if (!said || r->kind != REASON_SERIALIZED)
        return 0;
    for (size_t i = 0; i < said->n_chains; i++) {
        if (said->chains[i].place == place)
            return said->chains[i].finding;
    }
    if (said->n_chains < sizeof said->chains / sizeof said->chains[0]) {
        said->chains[said->n_chains].place = place;
        said->chains[said->n_chains++].finding = said->finding;
    }
    return 0;
}

enum refrain_status delays_put_reason(const struct delays *d, const struct causes_view *v,
                                      const struct reason_request *r, struct bytes *out)
{
    struct reason reason;
    struct delay_places p;
    const enum refrain_status status = find_first(d, v, r, &p, &reason);
    if (status == REFRAIN_OK && p.n > 0) {
        reason.chain_of = find_said(r->said, &reason);
        put_reason(v, &reason, out);
        put_without(r->without, &reason.late, r->is_second, out);
        put_without_barrier(r->without, out);
    }
    page_ranks_free(&reason.late);
    delay_places_free(&p);
    return status;
}

enum refrain_status delays_put_reason_json(const struct delays *d, const struct causes_view *v,
                                           const struct reason_request *r, const char *name, struct json *j)
{
    struct reason reason;
    struct delay_places p;
    const enum refrain_status status = find_first(d, v, r, &p, &reason);
    if (status == REFRAIN_OK && p.n > 0) {
        json_object(j, name);
        json_string(j, "kind", kinds[reason.kind].name);
        json_real(j, "explains", reason.explains);
        delay_place_put_json(v, reason.place, j);
        struct chain_start start;
        if (reason.kind == REASON_SERIALIZED &&
            chain_find_start(v->search, reason.place, reason.waiting, &start))
            chain_put_start_json(v, &start, j);
        if (r->without && r->without->run > 0) {
            json_real(j, "run_seconds", (double)r->without->run * 1e-9);
            json_real(j, "without_seconds", (double)r->without->without * 1e-9);
            if (r->without->without_barrier > 0)
                json_real(j, "without_barrier_seconds", (double)r->without->without_barrier * 1e-9);
        }
        json_end(j);
    } else {
        json_null(j, name);
    }
    page_ranks_free(&reason.late);
    delay_places_free(&p);
    return status;
}
