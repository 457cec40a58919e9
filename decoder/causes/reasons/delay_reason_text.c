/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_reason_text.h"

#include "chain_start.h"
#include "lateness.h"

#include "decoder/causes/delays_text.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>
#include <stdlib.h>

/* From this factor on, the difference says more than the ratio. */
#define MUCH 10

/* With what the time of the late ranks at a place is compared. */
enum basis {
    WITH_OTHERS_HERE,      /* the time of the other ranks there */
    WITH_OTHERS_ELSEWHERE, /* everything that they compute meanwhile: they do almost nothing there */
    WITH_OWN               /* likewise, but this is even longer: the time that would let nobody wait */
};

static enum basis basis_of(const struct delay_place *p, uint64_t *than)
{
    const uint64_t cost = p->direct + p->further;
    *than = p->usual;
    if (p->taken < MUCH * p->usual)
        return WITH_OTHERS_HERE;
    if (p->meanwhile < p->taken) {
        *than = p->meanwhile;
        return WITH_OTHERS_ELSEWHERE;
    }
    *than = cost < p->taken ? p->taken - cost : p->usual;
    return WITH_OWN;
}

/* Do the other ranks compute not much less meanwhile, at other places? */
static bool is_elsewhere(const struct delay_place *p)
{
    uint64_t than;
    return basis_of(p, &than) == WITH_OTHERS_ELSEWHERE && 2 * than >= p->taken;
}

/* Writes "40 % longer" or "3.2 times as long"; `ratio` is below MUCH. */
static void put_ratio(double ratio, struct bytes *out)
{
    if (ratio >= 1.995)
        text_printf(out, "%.1f times as long", ratio);
    else
        text_printf(out, "%.*f %% longer", ratio < 1.01 ? 1 : 0, 100 * (ratio - 1));
}

/* Writes how much longer the late ranks take than was usual when others waited for them, at all places of the
 * reason: on average, if no ratio says it. */
static void put_excess(const struct reason *r, struct bytes *out)
{
    const struct delay_place *p = &r->sum;
    uint64_t than = 0;
    for (size_t i = 0; i < r->n_places; i++) {
        uint64_t at_place;
        basis_of(&r->places[i], &at_place);
        than += at_place;
    }
    if (p->taken < MUCH * than) {
        put_ratio((double)p->taken / (double)than, out);
        return;
    }
    text_put(out, "on average ");
    time_put(out, (p->taken - than) / (p->parts > 0 ? p->parts : 1));
    text_put(out, " longer");
}

/* In the whole run a lane takes longer if it takes at least so many times as long as others. */
#define LONGER 1.005

/* Do the late ranks take so much longer than others that only the difference says how much? */
static bool is_much(const struct lateness *c)
{
    return c->taken >= MUCH * c->usual;
}

/* From this share on, what one of several times takes longer than the others' mean is nearly all. */
#define ONCE 0.9

static bool is_once(const struct lateness *c)
{
    const double more = (double)c->taken - (double)c->usual;
    return c->times > 1 && (double)c->longest.time - (double)c->usual / (double)c->times >= ONCE * more;
}

/* Writes "302.0 ms longer in all (100 times)", or without "longer" if there is nothing to compare with. */
static void put_in_all(const struct lateness *c, bool computes, struct bytes *out)
{
    const uint64_t more = c->taken - c->usual;
    time_put(out, more);
    text_put(out, c->n_others > 0 ? " longer" : "");
    text_put(out, c->times == 1 ? "" : " in all");
    if (is_once(c)) {
        text_printf(out, ", nearly all of it once (of %" PRIu64 " times, until %.3f s),", c->times,
                    (double)c->longest.at * 1e-9);
        return;
    }
    if (c->times == 1)
        text_put(out, " (once)");
    else if (c->times > 1)
        text_printf(out, " (%" PRIu64 " %s)", c->times, computes ? "times" : "calls");
}

/* Writes how much longer the late ranks take than the others there: one number for one fact, whether it is of a
 * finding or of all waiting. */
static void put_compared(const struct lateness *c, bool computes, struct bytes *out)
{
    const bool is_longer = (double)c->taken >= LONGER * (double)c->usual;
    if (is_much(c) || (is_longer && is_once(c)))
        put_in_all(c, computes, out);
    else if (is_longer)
        put_ratio((double)c->taken / (double)c->usual, out);
    else
        text_put(out, "longer now and then, not in all,");
}

static const char *in_words(const struct lateness *c)
{
    return c->comparable || c->has_more             ? ""
           : c->all == 1                            ? ", which only this rank runs"
           : c->all > c->named && c->all == c->late ? ""
           : c->all == c->late                      ? ", which the other ranks do not run"
                                                    : ", which ranks that wait do not run";
}

/* At most PLACES_NAMED places are named, each with at least PLACE_LEAST of the cost, except for the first. */
#define PLACES_NAMED 3
#define PLACE_LEAST  0.1

static uint64_t cost_of_place(const struct delay_place *p)
{
    return p->direct + p->further;
}

/* "84 % of the delay between MPI_Recv (p.c:13) and MPI_Send (p.c:18), 12 % before MPI_Allreduce at total (p.c:40)" */
static void put_places(const struct reason_text *t, const struct reason *r, struct bytes *out)
{
    for (size_t i = 0; i < r->n_places && i < PLACES_NAMED; i++) {
        const struct delay_place *p = &r->places[i];
        const double share = (double)cost_of_place(p) / (double)r->cost;
        if (i > 0 && share < PLACE_LEAST)
            break;
        text_printf(out, i == 0 ? "%.0f %% of the delay " : ", %.0f %% ", 100 * share);
        causes_put_where(t->view, p->lanes.items, p->lanes.n, out);
    }
}

/* A call is said to be held up by other threads if they explain this part of what it takes without other waiting. */
#define HELD_UP 0.3

/* Do other threads hold up the calls of the late ranks at the place? */
static bool is_competition(const struct reason_text *t, const struct delay_place *p)
{
    const struct wait_search *s = t->view->search;
    const uint32_t site = critical_site(causes_worst(p->lanes.items, p->lanes.n));
    uint64_t held_up = 0, other = 0, all = 0;
    if (s->overlaps.off || critical_activity(p->lanes.items[0].key) == CRITICAL_COMPUTING)
        return false;
    for (uint32_t i = 0; i < s->metrics->n; i++) {
        const uint64_t *by_lane = severities_row(&s->values, i, site);
        const bool is_cause = metrics_is_cause(s->metrics, i);
        uint64_t sum = 0;
        for (size_t k = 0; by_lane && k < p->lanes.n; k++)
            sum += by_lane[critical_lane(p->lanes.items[k].key)];
        if (i == s->profile_of_site[site])
            all += sum;
        else if (s->metrics->items[i]->events & EVENTS(EVENT_OVERLAP))
            held_up += sum;
        else if (is_cause)
            other += sum;
    }
    return held_up > 0 && (double)held_up >= HELD_UP * ((double)all - (double)other);
}

/* Returns the late ranks, each with the value 1. */
static struct page_ranks late_ranks(const struct reason_text *t, const struct reason *r)
{
    const struct wait_search *s = t->view->search;
    uint64_t *by_lane = calloc(s->lanes.n + 1, sizeof *by_lane);
    for (size_t i = 0; by_lane && i < s->lanes.n; i++)
        by_lane[i] = r->lanes.are[i];
    struct page_ranks late = by_lane ? page_ranks_of(s, by_lane) : (struct page_ranks){0};
    for (uint32_t i = 0; late.values && i < late.n; i++)
        late.values[i] = late.values[i] > 0;
    free(by_lane);
    return late;
}

/* Do all late ranks cause about as much waiting, and no others? */
static bool are_alike(const struct reason *r, const struct page_ranks *late)
{
    const uint64_t half = r->late.values[r->late.worst] / 2 + 1;
    bool alike = !r->lanes.as_late;
    for (uint32_t i = 0; i < late->n && alike; i++)
        alike = late->values[i] == 0 || r->late.values[i] >= half;
    return alike;
}

/* Writes which ranks are late, with their shares if each has one. *several: more than one is. */
static void put_late(const struct reason_text *t, const struct reason *r, struct bytes *out, bool *several)
{
    struct page_ranks late = late_ranks(t, r);
    *several = false;
    out->failed = out->failed || !late.values;
    if (late.values && !are_alike(r, &late))
        *several = page_ranks_put(&late, out) > 1;
    else if (late.values)
        (t->request->joins ? page_ranks_put_each : page_ranks_put_weighted)(&r->late, out, several);
    page_ranks_free(&late);
}

static void put_longer(const struct reason_text *t, const struct reason *r, struct bytes *out)
{
    const uint64_t key = causes_worst(r->places->lanes.items, r->places->lanes.n);
    const bool computes = critical_activity(key) == CRITICAL_COMPUTING;
    bool several;
    put_late(t, r, out, &several);
    struct lateness c;
    out->failed = !lateness_find(&c, t->view, r, t->request->by_lane) || out->failed;
    const bool one_place = (double)cost_of_place(&r->places[0]) >= PAGE_ALL * (double)r->cost,
               elsewhere = computes && one_place && !c.comparable && is_elsewhere(&r->places[0]),
               alone = one_place && !c.comparable && !elsewhere;
    const bool means = alone || (c.n_others > 0 && is_much(&c));
    text_put(out, several && means && c.alike ? " each" : "");
    if (computes)
        text_put(out, several ? " compute " : " computes ");
    else
        text_put(out, several ? " spend " : " spends ");
    text_put(out, several && means && !c.alike ? "on average " : "");
    if (c.n_others > 0)
        put_compared(&c, computes, out);
    else if (alone)
        put_in_all(&c, computes, out);
    else if (c.comparable || elsewhere)
        put_excess(r, out);
    else
        text_put(out, "longer");
    if (!one_place) {
        text_put(out, ", ");
        put_places(t, r, out);
        return;
    }
    text_put(out, computes ? " " : " in ");
    causes_put_where(t->view, r->places->lanes.items, r->places->lanes.n, out);
    text_put(out, elsewhere ? " than the others do meanwhile at other places"
                  : !computes && is_competition(t, r->places) ? ", which other threads of the rank hold up"
                                                              : in_words(&c));
}

/* Is a reason before this one in the text about the same place? Then it is about other times. */
static bool is_again(const struct reasons *r, const size_t *order, size_t i)
{
    const struct reason *this = &r->items[order[i]];
    bool is = false;
    for (size_t k = 0; k < i && this->kind == REASON_LONGER; k++) {
        const struct reason *before = &r->items[order[k]];
        is = is ||
             (before->kind == REASON_LONGER && reason_place(before->places) == reason_place(this->places));
    }
    return is;
}

/* A rank that causes this share of the waiting is the longest most times. */
#define MOST_TIMES 0.75

static void put_alternates(const struct reason_text *t, const struct reason *r, struct bytes *out)
{
    if ((double)r->late.values[r->late.worst] < MOST_TIMES * (double)r->cost)
        text_put(out, "a different rank computes longest each time");
    else
        text_printf(out, "rank %" PRIu32 " computes longest most times, others at other times",
                    r->late.first + r->late.worst);
    if (page_ranks_put_shares(&r->late, r->cost, " (the waiting is caused by", out))
        text_putc(out, ')');
    text_put(out, ", ");
    put_excess(r, out);
    text_putc(out, ' ');
    causes_put_where(t->view, r->places->lanes.items, r->places->lanes.n, out);
}

/* Returns the finding with the chain at this place that was printed before; 0 if there is none. From now on, the
 * current finding has it. */
static size_t find_said(struct reasons_said *said, uint32_t place)
{
    if (!said)
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

static void put_serialized(const struct reason_text *t, const struct reason *r, struct bytes *out)
{
    bool several;
    if (t->request->joins) {
        text_put(out, "ranks work one after the other (serialized) ");
        causes_put_where(t->view, r->places->lanes.items, r->places->lanes.n, out);
        return;
    }
    const size_t chain_of = find_said(t->said, reason_place(r->places));
    if (chain_of > 0) {
        text_printf(out, "of the chain of finding %zu", chain_of);
        return;
    }
    text_put(
        out,
        "ranks work one after the other (serialized): each computes as much as the others, but the others "
        "wait meanwhile; the time is that of ");
    page_ranks_put_weighted(&r->late, out, &several);
    text_put(out, " ");
    causes_put_where(t->view, r->places->lanes.items, r->places->lanes.n, out);
    struct chain_start start;
    if (chain_find_start(t->view->search, r->places, t->request->by_lane, &start))
        chain_put_start(t->view, &start, out);
}

static void put_transfer(const struct reason_text *t, const struct reason *r, struct bytes *out)
{
    bool several;
    causes_put_where(t->view, r->places->lanes.items, r->places->lanes.n, out);
    causes_put_volume(t->view->search, critical_site(r->places->lanes.items[0].key), out);
    text_put(out, is_competition(t, r->places) ? " is held up by other threads of the rank, on "
                  : t->crowded                 ? " itself takes this time, or waits for a processor, on "
                                               : " itself takes this time, on ");
    page_ranks_put_weighted(&r->late, out, &several);
}

static void (*const kinds[])(const struct reason_text *t, const struct reason *r,
                             struct bytes *out) = {[REASON_LONGER] = put_longer,
                                                   [REASON_ALTERNATES] = put_alternates,
                                                   [REASON_SERIALIZED] = put_serialized,
                                                   [REASON_TRANSFER] = put_transfer};

static void put_reason(const struct reason_text *t, const struct reason *r, bool is_further,
                       struct bytes *out)
{
    text_printf(out, "              %sbecause ", is_further ? "also " : "");
    kinds[r->kind](t, r, out);
    text_printf(out, " (explains %.0f %% of this waiting: ", 100 * r->explains);
    delay_costs_put(&r->sum, out);
    text_put(out, ")\n");
}

/* Writes the length of the run after a change. */
static void put_run(const struct removal *removal, uint64_t without, struct bytes *out)
{
    text_put(out, " the run would take ");
    if (removal->run - without < removal->run / 1000) {
        text_put(out, "no less time");
        return;
    }
    time_put(out, without);
    text_put(out, " instead of ");
    time_put(out, removal->run);
}

/* Other ranks may be as late as these, or the end of the run may depend on other ranks. After another reason,
 * "that delay" is not clear. */
static void put_change(const struct reason_text *t, const struct reason *r, bool is_further,
                       struct bytes *out)
{
    bool several;
    if (r->kind == REASON_TRANSFER) {
        text_put(out, "if it took no time");
    } else if (r->kind == REASON_SERIALIZED) {
        text_put(out, "without waiting there");
    } else if (!is_further) {
        text_put(out, "without that delay");
    } else {
        text_put(out, "without the delay of ");
        if (r->kind == REASON_LONGER)
            put_late(t, r, out, &several);
        else
            page_ranks_put(&r->late, out);
    }
}

/* The run after the change that the text names. */
static uint64_t changed_run(const struct removal *removal, const struct reasons *r, size_t number)
{
    return r->items[number].kind == REASON_TRANSFER ? removal->instant[number] : removal->without[number];
}

/* The barrier may be needless if the run is shorter by at least this share without it. */
#define BARRIER_LEAST 0.01

static void put_without_barrier(const struct removal *r, struct bytes *out)
{
    if (r->without_barrier == 0 || (double)r->without_barrier > (1 - BARRIER_LEAST) * (double)r->run)
        return;
    text_put(out, "              without this barrier the run would take ");
    time_put(out, r->without_barrier);
    text_put(out, " instead of ");
    time_put(out, r->run);
    text_put(out, ", if the program does not need it\n");
}

void reasons_put(const struct reasons *r, const struct reason_text *t, struct bytes *out)
{
    const struct removal *removal = t->removal && t->removal->run > 0 ? t->removal : NULL;
    for (size_t i = 0; i < r->n && (t->most == 0 || i < t->most); i++) {
        const bool is_further = i > 0 || t->is_further;
        put_reason(t, &r->items[i], is_further, out);
        if (!removal)
            continue;
        text_put(out, "              ");
        put_change(t, &r->items[i], is_further, out);
        put_run(removal, changed_run(removal, r, i), out);
        text_putc(out, '\n');
    }
    if (removal && r->n > 0)
        put_without_barrier(removal, out);
}

void reasons_sort(const struct reasons *r, const struct removal *removal, size_t *order)
{
    for (size_t i = 0; i < r->n; i++) {
        size_t at = i;
        for (; at > 0 && removal && removal->without[i] < removal->without[order[at - 1]]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* A main reason explains at least this share of all waiting. */
#define EXPLAINS_LEAST 0.05

void reasons_put_main(const struct reasons *r, const struct reason_text *t, struct bytes *out)
{
    const struct removal *removal = t->removal && t->removal->run > 0 ? t->removal : NULL;
    size_t order[REASONS_MOST];
    reasons_sort(r, removal, order);
    for (size_t i = 0; i < r->n; i++) {
        const struct reason *this = &r->items[order[i]];
        if (this->explains < EXPLAINS_LEAST)
            continue;
        text_printf(out, "%5.1f %%  ", 100 * this->explains);
        kinds[this->kind](t, this, out);
        text_put(out, is_again(r, order, i) ? ", at other times" : "");
        if (removal && removal->without[order[i]] > 0) {
            text_put(out, this->kind == REASON_TRANSFER ? "; if it took no time" : "; without that");
            put_run(removal, changed_run(removal, r, order[i]), out);
        }
        text_putc(out, '\n');
    }
}
