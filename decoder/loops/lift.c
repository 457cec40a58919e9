/* SPDX-License-Identifier: BSD-3-Clause */
#include "lift_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Shorter powers are lifted unit by unit: two units make a loop, at least one is skipped, and one
 * is the last. */
#define LEAST_UNITS 4

/* Larger models of rules are not kept; such a rule is lifted again each time. */
#define KEPT_MOST 1024

static enum refrain_status no_memory(void)
{
    log_error("out of memory: lifting a lane");
    return REFRAIN_ERR_MEMORY;
}

/* ---- calls one by one ------------------------------------------------------------------------ */

static enum refrain_status append_events(struct nlr *out, const struct event_list *events)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < events->items.n && status == REFRAIN_OK; i++) {
        const struct event *e = &events->items.items[i];
        status = nlr_append(out, e->template, events->numbers.items + e->first, e->n);
    }
    return status;
}

/* Lifts a call of the site and the loops before number `level` that follow it. */
static enum refrain_status lift_call(struct lift *l, struct nlr *out, uint32_t site, size_t level);

static enum refrain_status lift_loop(struct lift *l, struct nlr *out, size_t number)
{
    const struct loop *loop = &l->shape->loops.items[number];
    int64_t times = 0;
    bool same = true;
    series_cursor_next(&l->counts[number], &times);
    for (uint32_t k = 0; k < loop->n; k++)
        same = same && lift_site_of(l, loop->sites[k])->fixed && !lift_has_loop(l, loop->sites[k], number);
    struct nlr *once = same && times > 0 ? nlr_create(l->window) : NULL;
    if (same && times > 0 && !once)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = REFRAIN_OK;
    for (int64_t i = 0; i < (same ? times > 0 : times) && status == REFRAIN_OK; i++) {
        for (uint32_t k = 0; k < loop->n && status == REFRAIN_OK; k++)
            status = lift_call(l, same ? once : out, loop->sites[k], number);
    }
    if (once && status == REFRAIN_OK && (status = nlr_finish(once)) == REFRAIN_OK)
        status = nlr_append_model(out, once, (uint64_t)times);
    nlr_free(once);
    return status;
}

static enum refrain_status lift_call(struct lift *l, struct nlr *out, uint32_t site, size_t level)
{
    struct lift_site *s = lift_site_of(l, site);
    const struct event_list *events;
    enum refrain_status status = REFRAIN_OK;
    if (!s->silent && (status = lift_site_next(s, l->source, &events)) == REFRAIN_OK)
        status = append_events(out, events);
    for (size_t i = 0; i < level && status == REFRAIN_OK; i++) {
        if (l->eventful[i] && l->shape->loops.items[i].after == site)
            status = lift_loop(l, out, i);
    }
    return status;
}

/* ---- repetitions ----------------------------------------------------------------------------- */

/* Finds a unit in the next n expansions of the symbol: `period` expansions that repeat. */
static bool find_units(struct lift *l, const struct lift_symbol *s, uint64_t n, uint64_t *period,
                       uint64_t *times)
{
    size_t at = 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        struct lift_site *site = &l->sites[s->calls.items[i].entry];
        lift_site_repetitions(site, l->given + at);
        for (size_t end = at + lift_site_lists(site); at < end; at++) {
            repetitions_in_units(&l->given[at], s->calls.items[i].n, &l->common[at]);
            if (l->common[at].n == 0)
                return false;
        }
    }
    return repetitions_agree(l->common, at, n, 2, period, times);
}

/* Skips this many expansions of the symbol, fewer than find_units found. */
static enum refrain_status pass(struct lift *l, const struct lift_symbol *s, uint64_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        struct lift_site *site = &l->sites[s->calls.items[i].entry];
        const size_t lists = lift_site_lists(site);
        struct repetition *chosen = malloc(lists * sizeof *chosen);
        if (!chosen)
            return no_memory();
        for (size_t k = 0; k < lists; k++, at++)
            chosen[k] = l->given[at].items[l->common[at].items[l->common[at].at].level];
        lift_site_pass(site, chosen, n * s->calls.items[i].n);
        free(chosen);
    }
    return REFRAIN_OK;
}

/* ---- powers ---------------------------------------------------------------------------------- */

static enum refrain_status lift_power(struct lift *l, struct nlr *out, uint32_t symbol, uint64_t n,
                                      unsigned depth);

/* Lifts all sites of a rule one after another. */
static enum refrain_status lift_flat(struct lift *l, struct nlr *out, uint32_t rule)
{
    struct rules view = *l->shape->skeleton;
    struct rules_cursor cursor;
    uint32_t site;
    view.n_rules = rule + 1;
    enum refrain_status status = rules_cursor_start(&cursor, &view);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && rules_cursor_next(&cursor, &site))
        status = lift_call(l, out, site, l->shape->loops.n);
    rules_cursor_stop(&cursor);
    return status;
}

static enum refrain_status lift_once(struct lift *l, struct nlr *out, uint32_t symbol, unsigned depth)
{
    const struct rules *r = l->shape->skeleton;
    const uint32_t rule = symbol & ~RULES_REF;
    enum refrain_status status = REFRAIN_OK;
    if (!(symbol & RULES_REF))
        return lift_call(l, out, symbol, l->shape->loops.n);
    if (depth >= LIFT_DEPTH_MAX)
        return lift_flat(l, out, rule);
    for (uint32_t k = r->first[rule]; k < r->first[rule + 1] && status == REFRAIN_OK; k++)
        status = lift_power(l, out, r->items[k].symbol, r->items[k].count, depth + 1);
    return status;
}

/* Makes a separate model of n expansions. */
static enum refrain_status lift_apart(struct lift *l, uint32_t symbol, uint64_t n, unsigned depth,
                                      struct nlr **out)
{
    struct nlr *model = nlr_create(l->window);
    if (!model)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status =
        n == 1 ? lift_once(l, model, symbol, depth + 1) : lift_power(l, model, symbol, n, depth + 1);
    if (status == REFRAIN_OK)
        status = nlr_finish(model);
    if (status == REFRAIN_OK)
        *out = model;
    else
        nlr_free(model);
    return status;
}

/* Lifts a symbol that has only fixed sites: its model holds everywhere. */
static enum refrain_status lift_fixed(struct lift *l, struct nlr *out, uint32_t symbol, uint64_t n,
                                      unsigned depth)
{
    struct lift_symbol *s = lift_symbol_of(l, symbol);
    struct nlr *model = s->model;
    enum refrain_status status = REFRAIN_OK;
    if (s->large && n == 1)
        return lift_once(l, out, symbol, depth);
    if (!model && (status = lift_apart(l, symbol, 1, depth, &model)) != REFRAIN_OK)
        return status;
    status = nlr_append_model(out, model, n);
    s->large = model->nodes.n > KEPT_MOST;
    if (s->large)
        nlr_free(model);
    s->model = s->large ? NULL : model;
    return status;
}

/* Makes a loop of units: two are lifted, and more follow. *n: remaining expansions. */
static enum refrain_status lift_loop_of_units(struct lift *l, struct nlr *out, uint32_t symbol,
                                              uint64_t period, const struct nlr *first,
                                              const struct nlr *second, uint64_t *n, unsigned depth,
                                              bool *found)
{
    const struct lift_symbol *s = lift_symbol_of(l, symbol);
    uint64_t inner, times;
    *found = false;
    if (!find_units(l, s, *n, &inner, &times) || period % inner != 0)
        return REFRAIN_OK;
    times /= period / inner;
    if (times < 2)
        return REFRAIN_OK;
    struct nlr *last = NULL;
    enum refrain_status status = pass(l, s, (times - 1) * period);
    if (status == REFRAIN_OK)
        status = lift_apart(l, symbol, period, depth, &last);
    if (status != REFRAIN_OK)
        return status;
    *n -= times * period;
    *found = true;
    if (nlr_continues(first, second, last, times + 1)) {
        status = nlr_append_loop(out, first, second, times + 2);
    } else if (nlr_fit(first, last)) {
        log_error("inconsistent trace: a repetition does not continue in the same way");
        status = REFRAIN_ERR_CHECK;
    } else { /* its numbers happen to form loops, those of the others do not */
        status = nlr_append_loop(out, first, second, times + 1);
        if (status == REFRAIN_OK)
            status = nlr_append_model(out, last, 1);
    }
    nlr_free(last);
    return status;
}

/* Lifts a repeated unit with all its repetitions. *fits: the units' models have one template. */
static enum refrain_status lift_units(struct lift *l, struct nlr *out, uint32_t symbol, uint64_t period,
                                      uint64_t *n, unsigned depth, bool *fits)
{
    struct nlr *first = NULL, *second = NULL;
    bool found = false;
    enum refrain_status status = lift_apart(l, symbol, period, depth, &first);
    if (status == REFRAIN_OK)
        status = lift_apart(l, symbol, period, depth, &second);
    if (status != REFRAIN_OK)
        goto out;
    *n -= 2 * period;
    *fits = nlr_fit(first, second);
    if (*fits)
        status = lift_loop_of_units(l, out, symbol, period, first, second, n, depth, &found);
    if (status == REFRAIN_OK && !found && (status = nlr_append_model(out, first, 1)) == REFRAIN_OK)
        status = nlr_append_model(out, second, 1);
out:
    nlr_free(second);
    nlr_free(first);
    return status;
}

/* Stops lifting if the model has no structure. */
static enum refrain_status check_size(const struct lift *l, const struct nlr *out)
{
    if (l->most == 0 || out->tops.n <= l->most)
        return REFRAIN_OK;
    log_error(
        "rank %u has no structure: more than %zu events and loops in a row do not repeat; refrain text and "
        "refrain loops --expand print them",
        l->rank, l->most);
    return REFRAIN_ERR_USAGE;
}

/* If two units do not fit, perhaps because numbers of the first happened to form a loop, later
 * units may fit. So fitting is tried again, with growing pauses. */
static enum refrain_status lift_power(struct lift *l, struct nlr *out, uint32_t symbol, uint64_t n,
                                      unsigned depth)
{
    const struct lift_symbol *s = lift_symbol_of(l, symbol);
    enum refrain_status status = REFRAIN_OK;
    uint64_t period, times, wait = 0, pause = 1;
    bool fits = true;
    if (!s->active)
        return REFRAIN_OK;
    if (s->calls.n == 0 && !s->in_loops)
        return lift_fixed(l, out, symbol, n, depth);
    while (n > 0 && status == REFRAIN_OK) {
        if (wait == 0 && n >= LEAST_UNITS && !s->in_loops && depth < LIFT_DEPTH_MAX &&
            find_units(l, s, n, &period, &times) && times >= LEAST_UNITS) {
            status = lift_units(l, out, symbol, period, &n, depth, &fits);
            wait = fits ? 0 : pause;
            pause *= fits ? 1 : 2;
        } else {
            status = lift_once(l, out, symbol, depth);
            wait -= wait > 0;
            n--;
        }
        if (status == REFRAIN_OK)
            status = check_size(l, out);
    }
    return status;
}

/* ---- a lane ---------------------------------------------------------------------------------- */

static void stop(struct lift *l)
{
    for (size_t i = 0; l->sites && i < l->shape->entries.n; i++)
        lift_site_close(&l->sites[i]);
    for (size_t i = 0; l->of_site && i < l->shape->entries.n; i++) {
        nlr_free(l->of_site[i].model);
        array_free(&l->of_site[i].calls);
    }
    for (size_t i = 0; l->of_rule && i < l->shape->skeleton->n_rules; i++) {
        nlr_free(l->of_rule[i].model);
        array_free(&l->of_rule[i].calls);
    }
    free(l->common);
    free(l->given);
    free(l->of_rule);
    free(l->of_site);
    free(l->sites);
    free(l->entry_of);
}

static enum refrain_status start(struct lift *l, const struct lane_ref *lane)
{
    const struct trace *t = &l->source->reader->trace;
    const size_t n = l->shape->entries.n;
    size_t lists = 0;
    l->entry_of = calloc(t->sites.n + 1, sizeof *l->entry_of);
    l->sites = calloc(n + 1, sizeof *l->sites);
    l->of_site = calloc(n + 1, sizeof *l->of_site);
    l->of_rule = calloc(l->shape->skeleton->n_rules, sizeof *l->of_rule);
    enum refrain_status status = call_event_lane(l->source, lane);
    if (status == REFRAIN_OK && (!l->entry_of || !l->sites || !l->of_site || !l->of_rule))
        status = no_memory();
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct entry *entry = &l->shape->entries.items[i];
        l->entry_of[entry->site] = (uint32_t)i;
        status = lift_site_open(&l->sites[i], l->source, lane, entry);
        lists += status == REFRAIN_OK ? lift_site_lists(&l->sites[i]) : 0;
    }
    if (status != REFRAIN_OK)
        return status;
    l->given = calloc(lists + 1, sizeof *l->given);
    l->common = calloc(lists + 1, sizeof *l->common);
    if (!l->given || !l->common)
        return no_memory();
    for (size_t i = 0; i < l->shape->loops.n; i++) {
        const int64_t which = rankfn_at(&l->shape->loops.items[i].counts, lane->ordinal, lane->rank);
        series_cursor_start(&l->counts[i], t->columns.items[which]);
    }
    return lift_describe_symbols(l);
}

enum refrain_status lift_lane(struct call_event_source *source, const struct lane_ref *lane, size_t window,
                              size_t most, struct nlr **out)
{
    struct lift l = {
        .source = source, .shape = lane->shape, .window = window, .rank = lane->rank, .most = most};
    enum refrain_status status = start(&l, lane);
    if (status == REFRAIN_OK)
        status = lift_apart(&l, RULES_REF | (lane->shape->skeleton->n_rules - 1), 1, 0, out);
    stop(&l);
    return status;
}
