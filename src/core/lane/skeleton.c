/* SPDX-License-Identifier: BSD-3-Clause */
#include "skeleton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/core/trace/stream_walk.h"

enum {
    LIMIT_LEAST = 64, /* a grammar smaller than this is not searched while it grows */
    LOOP_COST = 8     /* number of symbols that a loop must save */
};

/* Longer sequences are not searched, because each trial walks the whole sequence. */
#define SEARCH_MAX (UINT64_C(1) << 22)

#define NO_SITE UINT32_MAX

enum refrain_status skeleton_create(struct skeleton *s)
{
    *s = (struct skeleton){.grammar = grammar_create(), .limit = LIMIT_LEAST};
    return s->grammar ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static void free_loop(struct skeleton_loop *l)
{
    free(l->sites);
    series_free(l->counts);
    *l = (struct skeleton_loop){0};
}

void skeleton_free(struct skeleton *s)
{
    for (uint32_t i = 0; i < s->n_loops; i++)
        free_loop(&s->loops[i]);
    grammar_free(s->grammar);
    *s = (struct skeleton){0};
}

size_t skeleton_bytes(const struct skeleton *s)
{
    size_t bytes = grammar_bytes(s->grammar);
    for (uint32_t i = 0; i < s->n_loops; i++)
        bytes += s->loops[i].n * sizeof *s->loops[i].sites + series_bytes(s->loops[i].counts);
    return bytes;
}

bool skeleton_has_loop(const struct skeleton *s, uint32_t site)
{
    for (uint32_t i = 0; i < s->n_loops; i++) {
        for (uint32_t k = 0; k < s->loops[i].n; k++) {
            if (s->loops[i].sites[k] == site)
                return true;
        }
    }
    return false;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static enum refrain_status feed(struct skeleton *s, uint32_t stage, uint32_t site, uint64_t count);

/* End the repetitions of an open loop. The sites of an incomplete repetition are appended again like any
 * other sites. */
static enum refrain_status close_loop(struct skeleton *s, uint32_t stage)
{
    struct skeleton_loop *l = &s->loops[stage];
    const uint32_t at = l->at;
    enum refrain_status status = series_append(l->counts, (int64_t)l->times);
    l->open = false;
    l->at = 0;
    for (uint32_t i = 0; i < at && status == REFRAIN_OK; i++)
        status = feed(s, stage, l->sites[i], 1);
    return status;
}

/* Take as much of site^count as continues the open loop; *count becomes the rest. */
static void follow(struct skeleton_loop *l, uint32_t site, uint64_t *count)
{
    if (l->n == 1 && l->sites[0] == site) {
        l->times += *count;
        *count = 0;
    }
    while (*count > 0 && l->sites[l->at] == site) {
        --*count;
        if (++l->at == l->n) {
            l->at = 0;
            l->times++;
        }
    }
}

HOT static enum refrain_status feed(struct skeleton *s, uint32_t stage, uint32_t site, uint64_t count)
{
    enum refrain_status status = REFRAIN_OK;
    if (stage == s->n_loops)
        return grammar_append(s->grammar, site, count);
    struct skeleton_loop *l = &s->loops[stage];
    while (count > 0 && status == REFRAIN_OK) {
        if (l->open) {
            follow(l, site, &count);
            if (count > 0)
                status = close_loop(s, stage);
        } else if (l->after == site) {
            status = feed(s, stage + 1, site, 1);
            l->open = true;
            l->times = 0;
            count--;
        } else {
            return feed(s, stage + 1, site, count);
        }
    }
    return status;
}

/* ---- finding loops --------------------------------------------------------------------------- */

/* Write the expansion of a symbol into `sites`. */
static void expand(const struct rules *r, uint32_t symbol, uint32_t *sites, uint32_t *n)
{
    if (!(symbol & RULES_REF)) {
        sites[(*n)++] = symbol;
        return;
    }
    const uint32_t rule = symbol & ~RULES_REF;
    for (uint32_t i = r->first[rule]; i < r->first[rule + 1]; i++) {
        for (uint64_t k = 0; k < r->items[i].count; k++)
            expand(r, r->items[i].symbol, sites, n);
    }
}

/* Find the site that is most often directly before the body (outside of the body's own repetitions). The
 * body is sites[from …], then the sites before `from`. NO_SITE: there is none. */
static enum refrain_status find_before(const struct rules *r, const uint32_t *sites, uint32_t n,
                                       uint32_t from, uint32_t *before)
{
    const uint32_t n_sites = rules_alphabet(r), first = sites[from], last = sites[(from + n - 1) % n];
    uint64_t *times = calloc(n_sites + (size_t)1, sizeof *times), count;
    struct stream_walk walk;
    uint32_t site, previous = NO_SITE;
    if (!times) {
        log_error("out of memory: counting %u sites", n_sites);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = stream_walk_start(&walk, r, 0);
    while (status == REFRAIN_OK && stream_walk_next(&walk, &site, &count)) {
        if (site == first && previous != last && previous != NO_SITE)
            times[previous]++;
        previous = site;
    }
    stream_walk_stop(&walk);
    for (uint32_t i = 0; i < n; i++) {
        if (sites[i] < n_sites)
            times[sites[i]] = 0;
    }
    *before = NO_SITE;
    for (uint32_t i = 0; i < n_sites; i++) {
        if (times[i] > 0 && (*before == NO_SITE || times[i] > times[*before]))
            *before = i;
    }
    free(times);
    return status;
}

/* Make the skeleton that s would be with one more loop. The loop's body is sites[from …], then the sites
 * before `from`. */
static enum refrain_status try_loop(const struct rules *r, const uint32_t *sites, uint32_t n, uint32_t from,
                                    uint32_t after, struct skeleton *out)
{
    struct stream_walk walk = {0};
    uint32_t site;
    uint64_t count;
    enum refrain_status status = skeleton_create(out);
    if (status != REFRAIN_OK)
        return status;
    struct skeleton_loop *l = &out->loops[out->n_loops++];
    *l = (struct skeleton_loop){
        .after = after, .n = n, .sites = malloc(n * sizeof *sites), .counts = series_create()};
    if (!l->sites || !l->counts) {
        log_error("out of memory: a loop of %u sites", n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        l->sites[i] = sites[(from + i) % n];
    if (status == REFRAIN_OK)
        status = stream_walk_start(&walk, r, 0);
    while (status == REFRAIN_OK && stream_walk_next(&walk, &site, &count))
        status = feed(out, 0, site, count);
    stream_walk_stop(&walk);
    if (status != REFRAIN_OK)
        skeleton_free(out);
    return status;
}

static enum refrain_status measure(const struct skeleton *s, size_t *symbols)
{
    struct rules *r;
    enum refrain_status status = grammar_rules(s->grammar, &r);
    if (status != REFRAIN_OK)
        return status;
    *symbols = r->first[r->n_rules];
    rules_free(r);
    return REFRAIN_OK;
}

/* Try a loop, and keep it if it saves enough symbols over the best one so far. */
static enum refrain_status keep_better(const struct rules *r, const uint32_t *sites, uint32_t n,
                                       uint32_t from, uint32_t after, size_t saves, struct skeleton *best,
                                       size_t *least)
{
    struct skeleton trial;
    size_t symbols = 0;
    enum refrain_status status = try_loop(r, sites, n, from, after, &trial);
    if (status != REFRAIN_OK)
        return status;
    status = measure(&trial, &symbols);
    if (status == REFRAIN_OK && symbols + saves <= *least) {
        skeleton_free(best);
        *best = trial;
        *least = symbols;
    } else {
        skeleton_free(&trial);
    }
    return status;
}

/* Is the body smaller, as a sequence of numbers, if it begins with sites[x] than with sites[y]? */
static bool begins_smaller(const uint32_t *sites, uint32_t n, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = sites[(x + i) % n], b = sites[(y + i) % n];
        if (a != b)
            return a < b;
    }
    return false;
}

/* Try the body with each of its sites as the first one: the grammar may show another first site than the
 * program has. The order of the trials does not depend on what the grammar shows, so ranks that make the
 * same calls get the same loop. */
static enum refrain_status try_rotations(const struct rules *r, const uint32_t *sites, uint32_t n,
                                         struct skeleton *best, size_t *least)
{
    enum refrain_status status = REFRAIN_OK;
    const uint64_t trials = SEARCH_MAX / rules_length(r);
    uint32_t first = 0;
    for (uint32_t from = 1; from < n; from++)
        first = begins_smaller(sites, n, from, first) ? from : first;
    for (uint32_t i = 0; i < n && i <= trials && status == REFRAIN_OK; i++) {
        const uint32_t from = (first + i) % n;
        status = keep_better(r, sites, n, from, sites[(from + n - 1) % n], 1, best, least);
    }
    return status;
}

/* Find a body whose number of repetitions keeps changing. */
static enum refrain_status find_repeated(const struct rules *r, struct skeleton *best)
{
    uint32_t sites[LOOP_SITES_MAX], n = 0, symbol = 0;
    size_t least = r->first[r->n_rules];
    bool found;
    if (least <= LOOP_COST)
        return REFRAIN_OK;
    least -= LOOP_COST - 1;
    enum refrain_status status = rules_find_varying(r, LOOP_SITES_MAX, &symbol, &found);
    if (status != REFRAIN_OK || !found)
        return status;
    expand(r, symbol, sites, &n);
    return try_rotations(r, sites, n, best, &least);
}

/* Find the body of a loop that may have no iteration: after the site before it, the body comes once or not
 * at all. One missing iteration in a rule or at the end of the grammar is ignored. */
static enum refrain_status find_optional(const struct skeleton *s, const struct rules *r,
                                         struct skeleton *best)
{
    size_t least = r->first[r->n_rules];
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < s->n_loops && status == REFRAIN_OK; i++) {
        const struct skeleton_loop *l = &s->loops[i];
        uint32_t before;
        status = find_before(r, l->sites, l->n, 0, &before);
        if (status == REFRAIN_OK && before != NO_SITE)
            status = keep_better(r, l->sites, l->n, 0, before, 2 * (size_t)l->n + 2, best, &least);
    }
    return status;
}

/* Add one more loop if it makes the grammar smaller. */
static enum refrain_status add_loop(struct skeleton *s, bool *added)
{
    struct rules *r;
    struct skeleton best = {0};
    *added = false;
    if (s->n_loops == LOOPS_MAX || grammar_length(s->grammar) > SEARCH_MAX)
        return REFRAIN_OK;
    enum refrain_status status = grammar_rules(s->grammar, &r);
    if (status != REFRAIN_OK)
        return status;
    status = find_optional(s, r, &best);
    if (status == REFRAIN_OK && !best.grammar)
        status = find_repeated(r, &best);
    *added = status == REFRAIN_OK && best.grammar;
    if (*added) {
        grammar_free(s->grammar);
        s->grammar = best.grammar;
        s->loops[s->n_loops++] = best.loops[0];
    } else {
        skeleton_free(&best);
    }
    rules_free(r);
    return status;
}

static enum refrain_status add_loops(struct skeleton *s)
{
    bool added = true;
    enum refrain_status status = REFRAIN_OK;
    while (added && status == REFRAIN_OK)
        status = add_loop(s, &added);
    s->limit = 2 * grammar_size(s->grammar);
    if (s->limit < LIMIT_LEAST)
        s->limit = LIMIT_LEAST;
    return status;
}

HOT enum refrain_status skeleton_append(struct skeleton *s, uint32_t site, uint64_t count)
{
    assert(count >= 1);
    enum refrain_status status =
        s->n_loops == 0 ? grammar_append(s->grammar, site, count) : feed(s, 0, site, count);
    return status == REFRAIN_OK && grammar_size(s->grammar) > s->limit ? add_loops(s) : status;
}

enum refrain_status skeleton_settle(struct skeleton *s)
{
    enum refrain_status status = add_loops(s);
    for (uint32_t i = 0; i < s->n_loops && status == REFRAIN_OK; i++) {
        while (s->loops[i].open && status == REFRAIN_OK)
            status = close_loop(s, i);
    }
    return status;
}
