/* SPDX-License-Identifier: BSD-3-Clause */
#include "regular.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "page_ranks.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>

/* A lane has a quartile from so many times on. It is longer if it is at least RATIO times that of the others and
 * APART ns longer. */
#define TIMES 8
#define RATIO 1.05
#define APART 200
/* If times vary much, the quartile of few of them is chance: of n, it has an error of about sqrt(3 / (4 * n)) times the
 * difference between the markers beside it, at 1/8 and 5/8 of the times. The excess is at least ERRORS times that. */
#define ERRORS 4.0
/* If the mean of most lanes is more than UNLIKE times their lower quartile, there are visits of different kinds: of
 * those, the quartile only shows the short ones. It shows enough if what is longer is more than what they hide. */
#define UNLIKE 3
/* The excess is worth a line from this share of the run on, if it causes at least this share of it as waiting. A
 * place is named if it has at least this share of the excess. */
#define RUN_LEAST   0.005
#define COST_LEAST  0.05
#define PLACE_LEAST 0.1
/* A lane that computes less at other places instead is not late: at all places together it must take at least this
 * share of the excess longer than most lanes with its thread number. So many lanes are tried. */
#define WHOLE_LEAST 0.5
#define TRIES       8

struct finder {
    const struct delays *delays;
    const struct wait_lanes *lanes;
    const struct site *sites;
    float *sorted;     /* values of the lanes at a place */
    uint64_t *of_lane; /* excess at all places, by lane */
};

/* What lanes compute between calls at two sites. At opposite borders, for example, ranks send in different lines:
 * then other lanes compute `instead` between calls of the same functions, one of them at the same site. */
#define INSTEAD_MOST 16
struct place_times {
    uint32_t behind, site;
    const struct preceding_time *of_lane, *first; /* by lane; of the first lane that is there often enough */
    const struct preceding_time *instead[INSTEAD_MOST]; /* by lane */
    size_t n_instead;
    double usual, mean; /* medians of the lanes' quartiles and means, ns; 0: there are not several lanes */
};

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static bool is_same_function(const struct finder *f, uint32_t a, uint32_t b)
{
    return a != PRECEDING_NONE && b != PRECEDING_NONE && f->sites[a].function == f->sites[b].function;
}

/* Does a lane compute as often at the one place as another lane at the other place? */
static bool is_as_often(const struct preceding_time *a, const struct preceding_time *b)
{
    const uint32_t most = a->times.n > b->times.n ? a->times.n : b->times.n,
                   least = a->times.n > b->times.n ? b->times.n : a->times.n;
    return least >= TIMES && most - least <= most / 10;
}

static void find_instead(const struct finder *f, struct place_times *p)
{
    const struct preceding *all = &f->delays->preceding;
    for (uint32_t site = 0; site < all->n_sites; site++) {
        const struct preceding_site *s = all->sites[site];
        for (size_t i = 0; s && is_same_function(f, site, p->site) && i < s->n; i++) {
            const bool one_end = (site == p->site) != (s->behind[i] == p->behind);
            if (one_end && is_same_function(f, s->behind[i], p->behind) && p->n_instead < INSTEAD_MOST)
                p->instead[p->n_instead++] = s->of_lane[i];
        }
    }
}

/* Returns what the lane computes at the place or instead; NULL if there is nothing. */
static const struct preceding_time *times_of(const struct place_times *p, size_t lane)
{
    const struct preceding_time *t = &p->of_lane[lane];
    if (t->times.n > 0)
        return t->times.n >= TIMES ? t : NULL;
    for (size_t i = 0; i < p->n_instead; i++) {
        if (is_as_often(&p->instead[i][lane], p->first))
            return &p->instead[i][lane];
    }
    return NULL;
}

static double lower_of(const struct preceding_time *t)
{
    return quantile_lower(&t->times);
}

static double mean_of(const struct preceding_time *t)
{
    return (double)t->sum / t->times.n;
}

/* Returns the median of a value of the lanes, the lower one of two; 0 if a single lane is there. */
static double median_of(const struct finder *f, const struct place_times *p,
                        double (*value)(const struct preceding_time *t))
{
    size_t n = 0;
    for (size_t lane = 0; lane < f->delays->preceding.n_lanes; lane++) {
        const struct preceding_time *t = times_of(p, lane);
        if (t)
            f->sorted[n++] = (float)value(t);
    }
    if (n < 2)
        return 0;
    qsort(f->sorted, n, sizeof *f->sorted, ascending);
    return (double)f->sorted[(n - 1) / 2];
}

static void find_usual(const struct finder *f, struct place_times *p)
{
    for (size_t lane = 0; lane < f->delays->preceding.n_lanes && !p->first; lane++)
        p->first = p->of_lane[lane].times.n >= TIMES ? &p->of_lane[lane] : NULL;
    if (!p->first)
        return;
    find_instead(f, p);
    p->usual = median_of(f, p, lower_of);
    p->mean = median_of(f, p, mean_of);
}

static bool is_chance(const struct preceding_time *t, double excess)
{
    const double beside = (double)t->times.value[3] - (double)t->times.value[1];
    return excess * excess * t->times.n < ERRORS * ERRORS * 0.75 * beside * beside;
}

static uint64_t excess_of(const struct preceding_time *t, const struct place_times *p)
{
    const double lower = lower_of(t), usual = p->usual;
    const bool hides = p->mean > UNLIKE * usual && p->mean - usual > lower - usual;
    return t->times.n < TIMES || usual <= 0 || lower < RATIO * usual || lower < usual + APART || hides ||
                   is_chance(t, lower - usual)
               ? 0
               : (uint64_t)((lower - usual) * t->times.n);
}

/* A place tells the more, the larger its excess is, also in proportion: a few per cent of much work may be chance. */
static double weight_of(const struct regular_place *p)
{
    return (double)p->excess * (double)(p->lower - p->usual) / (double)p->lower;
}

/* Keeps the places that tell most; the last one of `places` may be zeroed. */
static void add_place(struct regular *r, const struct regular_place *place)
{
    size_t at = r->n < REGULAR_PLACES ? r->n++ : REGULAR_PLACES - 1;
    if (r->places[at].excess > 0 && weight_of(&r->places[at]) >= weight_of(place))
        return;
    for (; at > 0 && weight_of(&r->places[at - 1]) < weight_of(place); at--)
        r->places[at] = r->places[at - 1];
    r->places[at] = *place;
}

/* Adds the excess at all places: of each lane, or, if out is not NULL, the places of out->lane. */
static void add_all(struct finder *f, struct regular *out)
{
    const struct preceding *p = &f->delays->preceding;
    for (size_t site = 0; site < p->n_sites; site++) {
        const struct preceding_site *s = p->sites[site];
        for (size_t i = 0; s && i < s->n; i++) {
            struct place_times place = {
                .behind = s->behind[i], .site = (uint32_t)site, .of_lane = s->of_lane[i]};
            if (s->behind[i] != PRECEDING_NONE)
                find_usual(f, &place);
            for (size_t lane = 0; !out && lane < p->n_lanes; lane++)
                f->of_lane[lane] += excess_of(&s->of_lane[i][lane], &place);
            const struct preceding_time *t = out ? &s->of_lane[i][out->lane] : NULL;
            if (t && excess_of(t, &place) > 0)
                add_place(out, &(struct regular_place){.behind = s->behind[i],
                                                       .site = (uint32_t)site,
                                                       .excess = excess_of(t, &place),
                                                       .lower = (uint64_t)lower_of(t),
                                                       .usual = (uint64_t)place.usual});
        }
    }
}

/* Returns the waiting that the lane's computing before the calls of the places causes. */
static uint64_t cost_of(const struct delays *d, const struct regular *r)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < d->items.n; i++) {
        const struct delay *this = &d->items.items[i];
        bool is_there = false;
        for (size_t k = 0; k < r->n; k++)
            is_there = is_there || this->key == critical_key(r->places[k].site, CRITICAL_COMPUTING, r->lane);
        cost += is_there ? this->direct + this->further : 0;
    }
    return cost;
}

/* Returns what the lane computes at all places, as if it took the lower quartile each time. */
static double whole_of(const struct preceding *p, size_t lane)
{
    double sum = 0;
    for (size_t site = 0; site < p->n_sites; site++) {
        const struct preceding_site *s = p->sites[site];
        for (size_t i = 0; s && i < s->n; i++)
            sum += lower_of(&s->of_lane[i][lane]) * s->of_lane[i][lane].times.n;
    }
    return sum;
}

static bool is_longer_in_all(const struct finder *f, uint32_t lane)
{
    const struct preceding *p = &f->delays->preceding;
    size_t n = 0;
    for (size_t i = 0; i < p->n_lanes; i++) {
        if (i != lane && f->lanes->items[i].thread == f->lanes->items[lane].thread)
            f->sorted[n++] = (float)whole_of(p, i);
    }
    if (n == 0)
        return true;
    qsort(f->sorted, n, sizeof *f->sorted, ascending);
    return whole_of(p, lane) - (double)f->sorted[(n - 1) / 2] >= WHOLE_LEAST * (double)f->of_lane[lane];
}

/* Returns the lane with the largest excess that is not made up for elsewhere; its excess is 0 if there is none. */
static uint32_t find_lane(struct finder *f)
{
    uint32_t lane = 0;
    for (size_t try = 0; try < TRIES; try++) {
        for (uint32_t i = 0; i < f->delays->preceding.n_lanes; i++)
            lane = f->of_lane[i] > f->of_lane[lane] ? i : lane;
        if (f->of_lane[lane] == 0 || is_longer_in_all(f, lane))
            return lane;
        f->of_lane[lane] = 0;
    }
    f->of_lane[lane] = 0;
    return lane;
}

enum refrain_status regular_find(struct regular *out, const struct delays *d, const struct wait_lanes *lanes,
                                 const struct trace *t, uint64_t run)
{
    const size_t n = d->preceding.n_lanes;
    struct finder f = {d, lanes, t->sites.items, malloc((n + 1) * sizeof *f.sorted),
                       calloc(n + 1, sizeof *f.of_lane)};
    struct regular found = {0};
    const bool ok = f.sorted && f.of_lane;
    if (ok) {
        add_all(&f, NULL);
        found.lane = n > 0 ? find_lane(&f) : 0;
        found.excess = f.of_lane[found.lane];
        add_all(&f, &found);
        found.cost = cost_of(d, &found);
        if ((double)found.excess < RUN_LEAST * (double)run ||
            (double)found.cost < COST_LEAST * (double)found.excess)
            found = (struct regular){0};
        *out = found;
    }
    free(f.sorted);
    free(f.of_lane);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: times of %zu threads", n);
    return REFRAIN_ERR_MEMORY;
}

static void put_lane(const struct regular *r, const struct causes_view *v, struct bytes *out)
{
    const struct wait_lanes *all = &v->search->lanes;
    text_printf(out, "rank %" PRIu32, all->items[r->lane].rank);
    if (all->n > all->n_ranks)
        text_printf(out, " thread %" PRIu32, all->items[r->lane].thread);
}

void regular_put(const struct regular *r, const struct causes_view *v, uint64_t run, struct bytes *out)
{
    if (r->excess == 0)
        return;
    text_put(out, "Each time, not only now and then, ");
    put_lane(r, v, out);
    text_put(out, " computes longer: ");
    time_put(out, r->excess);
    text_printf(out, " in all (%.1f %% of the run)", text_percent(r->excess, run));
    for (size_t i = 0; i < r->n; i++) {
        const struct regular_place *p = &r->places[i];
        if (i > 0 && (double)p->excess < PLACE_LEAST * (double)r->excess)
            break;
        if ((double)p->excess >= PAGE_ALL * (double)r->excess)
            text_put(out, ", ");
        else
            text_printf(out, i == 0 ? ", %.0f %% of it " : "; %.0f %% ", text_percent(p->excess, r->excess));
        site_put_between(v->search->reader, v->symbols, p->behind, p->site, out);
        text_put(out, i == 0 ? ": at least " : ": ");
        time_put(out, p->lower);
        text_put(out, i == 0 ? " in 3 of 4 times, most ranks at least " : ", ");
        time_put(out, p->usual);
    }
    text_putc(out, '\n');
}

void regular_put_json(const struct regular *r, const struct causes_view *v, uint64_t run, struct json *j)
{
    const struct reader *reader = v->search->reader;
    if (r->excess == 0) {
        json_null(j, "regular");
        return;
    }
    json_object(j, "regular");
    json_uint(j, "rank", v->search->lanes.items[r->lane].rank);
    json_uint(j, "thread", v->search->lanes.items[r->lane].thread);
    json_real(j, "seconds", (double)r->excess * 1e-9);
    json_real(j, "share", run > 0 ? (double)r->excess / (double)run : 0);
    json_real(j, "costs_seconds", (double)r->cost * 1e-9);
    json_array(j, "places");
    for (size_t i = 0; i < r->n; i++) {
        const struct regular_place *p = &r->places[i];
        json_object(j, NULL);
        json_string(j, "function", reader_function(reader, p->site));
        site_put_json(&reader->trace, v->symbols, p->site, j, "site");
        json_object(j, "behind");
        json_string(j, "function", reader_function(reader, p->behind));
        site_put_json(&reader->trace, v->symbols, p->behind, j, "site");
        json_end(j);
        json_real(j, "seconds", (double)p->excess * 1e-9);
        json_real(j, "lower_seconds", (double)p->lower * 1e-9);
        json_real(j, "usual_seconds", (double)p->usual * 1e-9);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}
