/* SPDX-License-Identifier: BSD-3-Clause */
#include "lane_walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

static const struct series *counts_of(const struct trace *t, const struct loop *l, uint64_t ordinal,
                                      uint32_t rank)
{
    return t->columns.items[rankfn_at(&l->counts, ordinal, rank)];
}

/* ---- counting -------------------------------------------------------------------------------- */

static enum refrain_status misfit(const char *what)
{
    log_error("inconsistent trace: the counts of a loop %s", what);
    return REFRAIN_ERR_CHECK;
}

/* Go from the last loop to the first: each loop adds calls, which the loops before it then expand. */
enum refrain_status lane_walk_count(const struct trace *t, const struct shape *s, uint64_t ordinal,
                                    uint32_t rank, uint64_t *calls, uint64_t *all)
{
    assert(ordinal < series_length(s->ranks));
    uint64_t sum, most;
    enum refrain_status status = rules_count(s->skeleton, calls, (uint32_t)t->sites.n);
    *all = rules_length(s->skeleton);
    for (size_t i = s->loops.n; i-- > 0 && status == REFRAIN_OK;) {
        const struct loop *l = &s->loops.items[i];
        const struct series *counts = counts_of(t, l, ordinal, rank);
        if (series_length(counts) != calls[l->after])
            return misfit("do not fit its calls");
        if (!series_total(counts, &sum, &most) || sum > (UINT64_C(1) << 62) / l->n ||
            *all > (UINT64_C(1) << 62) - sum * l->n)
            return misfit("are negative or too large");
        *all += sum * l->n;
        for (uint32_t k = 0; k < l->n; k++)
            calls[l->sites[k]] += sum;
    }
    return status;
}

enum refrain_status lane_walk_calls(const struct trace *t, const struct shape *s, uint32_t site,
                                    const struct series *ranks, uint64_t **calls)
{
    const uint64_t n = series_length(ranks);
    uint64_t *of_rank = malloc((n + 1) * sizeof *of_rank),
             *of_site = malloc((t->sites.n + 1) * sizeof *of_site);
    struct series_cursor wanted, in_shape;
    int64_t rank, next = -1;
    uint64_t passed = 0, all;
    enum refrain_status status = REFRAIN_OK;
    if (!of_rank || !of_site) {
        log_error("out of memory: counting the calls of %llu ranks", (unsigned long long)n);
        status = REFRAIN_ERR_MEMORY;
    }
    series_cursor_start(&wanted, ranks);
    series_cursor_start(&in_shape, s->ranks);
    for (uint64_t i = 0; status == REFRAIN_OK && series_cursor_next(&wanted, &rank); i++) {
        while (next < rank && series_cursor_next(&in_shape, &next))
            passed++;
        status = lane_walk_count(t, s, passed - 1, (uint32_t)rank, of_site, &all);
        of_rank[i] = of_site[site];
    }
    free(of_site);
    if (status == REFRAIN_OK)
        *calls = of_rank;
    else
        free(of_rank);
    return status;
}

/* ---- walking --------------------------------------------------------------------------------- */

enum refrain_status lane_walk_start(struct lane_walk *w, const struct trace *t, const struct shape *s,
                                    uint64_t ordinal, uint32_t rank)
{
    assert(ordinal < series_length(s->ranks));
    *w = (struct lane_walk){.shape = s};
    for (size_t i = 0; i < s->loops.n; i++)
        series_cursor_start(&w->counts[i], counts_of(t, &s->loops.items[i], ordinal, rank));
    return rules_cursor_start(&w->skeleton, s->skeleton);
}

void lane_walk_stop(struct lane_walk *w)
{
    rules_cursor_stop(&w->skeleton);
    *w = (struct lane_walk){0};
}

/* Begin the loops before loop `level` that follow the site. The last of them is entered first,
 * since it continues after the others have ended. */
static void enter_loops(struct lane_walk *w, uint32_t site, size_t level)
{
    for (size_t i = level; i-- > 0;) {
        int64_t left = 0;
        if (w->shape->loops.items[i].after != site)
            continue;
        series_cursor_next(&w->counts[i], &left);
        if (left > 0)
            w->frames[w->depth++] = (struct lane_walk_frame){.loop = (uint32_t)i, .left = (uint64_t)left};
    }
}

/* Return the next site of the innermost loop. */
static uint32_t next_of_loop(struct lane_walk *w, size_t *level)
{
    struct lane_walk_frame *f = &w->frames[w->depth - 1];
    const struct loop *l = &w->shape->loops.items[f->loop];
    const uint32_t site = l->sites[f->at++];
    *level = f->loop;
    if (f->at == l->n) {
        f->at = 0;
        f->left--;
    }
    if (f->left == 0)
        w->depth--;
    return site;
}

bool lane_walk_next(struct lane_walk *w, uint32_t *site)
{
    size_t level = w->shape->loops.n;
    if (w->depth > 0)
        *site = next_of_loop(w, &level);
    else if (!rules_cursor_next(&w->skeleton, site))
        return false;
    w->index++;
    enter_loops(w, *site, level);
    return true;
}

/* ---- seeking --------------------------------------------------------------------------------- */

/* State of a search; the arrays have a number for each site. */
struct seek {
    struct lane_walk *walk;
    uint64_t index;   /* number of the call that is sought */
    uint64_t *passed; /* calls of each site so far */
    uint64_t *added;  /* calls of each site in the step */
    uint32_t n;       /* sites */
};

/* s->added has the calls of each site in a step of the walk. Add those of the loops before loop
 * `level` that belong to the step, and return their number. With `move`, the loops' counts advance. */
static uint64_t add_loops(struct seek *s, size_t level, bool move)
{
    uint64_t all = 0;
    for (size_t i = level; i-- > 0;) {
        const struct loop *l = &s->walk->shape->loops.items[i];
        struct series_cursor *counts = &s->walk->counts[i];
        const uint64_t end = counts->index + s->added[l->after];
        const uint64_t sum =
            series_total_before(counts->series, end) - series_total_before(counts->series, counts->index);
        for (uint32_t k = 0; k < l->n; k++)
            s->added[l->sites[k]] += sum;
        all += sum * l->n;
        if (move)
            series_cursor_seek(counts, end);
    }
    return all;
}

/* Move the walk to just after so many sites of the skeleton and the loops that these begin. */
static enum refrain_status place(struct seek *s, uint64_t sites)
{
    struct lane_walk *w = s->walk;
    memset(s->added, 0, s->n * sizeof *s->added);
    enum refrain_status status = rules_cursor_seek(&w->skeleton, sites, s->added, s->n);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < w->shape->loops.n; i++)
        series_cursor_seek(&w->counts[i], 0);
    w->depth = 0;
    w->index = sites + add_loops(s, w->shape->loops.n, true);
    memcpy(s->passed, s->added, s->n * sizeof *s->passed);
    return REFRAIN_OK;
}

/* Count the calls in so many repetitions of the innermost loop, which is at its beginning. */
static uint64_t measure(struct seek *s, uint64_t times, bool move)
{
    const struct lane_walk_frame *f = &s->walk->frames[s->walk->depth - 1];
    const struct loop *l = &s->walk->shape->loops.items[f->loop];
    memset(s->added, 0, s->n * sizeof *s->added);
    for (uint32_t k = 0; k < l->n; k++)
        s->added[l->sites[k]] += times;
    return times * l->n + add_loops(s, f->loop, move);
}

/* Pass all whole repetitions of the innermost loop that end before the wanted call; false if there
 * are none. */
static bool pass_repetitions(struct seek *s)
{
    struct lane_walk *w = s->walk;
    if (w->depth == 0 || w->frames[w->depth - 1].at > 0)
        return false;
    const uint64_t before = s->index - w->index;
    const uint64_t times = BISECT(i, w->frames[w->depth - 1].left, measure(s, i + 1, false) <= before);
    if (times == 0)
        return false;
    w->index += measure(s, times, true);
    for (uint32_t i = 0; i < s->n; i++)
        s->passed[i] += s->added[i];
    w->frames[w->depth - 1].left -= times;
    w->depth -= w->frames[w->depth - 1].left == 0;
    return true;
}

/* Move the walk as `place` does. True if the walk is not beyond the wanted call. Does nothing after
 * an error. */
static bool is_before(struct seek *s, uint64_t sites, enum refrain_status *status)
{
    if (*status == REFRAIN_OK)
        *status = place(s, sites);
    return *status == REFRAIN_OK && s->walk->index <= s->index;
}

/* Move the walk to the last site of the skeleton that is not beyond the wanted call. */
static enum refrain_status place_before(struct seek *s)
{
    const struct shape *shape = s->walk->shape;
    enum refrain_status status = REFRAIN_OK;
    const uint64_t sites = shape->loops.n == 0
                               ? s->index
                               : BISECT(i, rules_length(shape->skeleton), is_before(s, i + 1, &status));
    return status == REFRAIN_OK ? place(s, sites) : status;
}

/* With loops, the place in the skeleton is found by bisection, and each step sums up all counts. */
uint64_t lane_walk_seek_cost(const struct lane_walk *w)
{
    const struct rules *skeleton = w->shape->skeleton;
    uint64_t elements = skeleton->first[skeleton->n_rules], steps = 1;
    for (size_t i = 0; i < w->shape->loops.n; i++)
        elements += series_weight(w->counts[i].series);
    for (uint64_t n = w->shape->loops.n > 0 ? rules_length(skeleton) : 0; n > 0; n /= 2)
        steps++;
    return elements * steps;
}

enum refrain_status lane_walk_seek(struct lane_walk *w, uint64_t index, uint64_t *passed, uint32_t n)
{
    struct seek s = {.walk = w, .index = index, .passed = passed, .n = n};
    if (!(s.added = malloc((n + (size_t)1) * sizeof *s.added))) {
        log_error("out of memory: seeking among calls of %u sites", n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = place_before(&s);
    while (status == REFRAIN_OK && w->index < index) {
        uint32_t site;
        if (!pass_repetitions(&s) && lane_walk_next(w, &site))
            passed[site]++;
    }
    free(s.added);
    return status;
}
