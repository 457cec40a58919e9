/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums what the calls of a site by one rank send or access. */
#include "decoder/loops/lift_site.h"
#include "matrix.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const struct event_templates *templates, const struct event_template *template,
                   const char *text)
{
    const size_t n = strlen(text);
    return template->n > n && memcmp(event_template_text(templates, template), text, n) == 0;
}

enum refrain_status matrix_add_event(struct matrix *m, const struct event_templates *templates,
                                     const struct event_list *list, size_t at, uint64_t times)
{
    assert(at < list->items.n);
    const struct event *e = &list->items.items[at];
    const int64_t *numbers = list->numbers.items + e->first;
    const struct event_template *template = &templates->items.items[e->template];
    const bool outside = begins(templates, template, "outside send ");
    if (!outside &&
        !begins(templates, template, (const char[]){EVENT_RANK, ' ', 's', 'e', 'n', 'd', ' ', 0})) {
        m->unclear += times; /* "0 local MPI_Start request=req0" */
        return REFRAIN_OK;
    }
    /* "0 send 1 bytes8", "0 send outside bytes8", "outside send 1 bytes8"; with labels, two more
     * numbers follow. */
    const uint32_t n = m->labels ? e->n - 2 : e->n;
    const uint32_t from = outside ? MATRIX_OUTSIDE : (uint32_t)numbers[0], to = outside ? (uint32_t)numbers[0]
                                                                                : n == 2
                                                                                    ? MATRIX_OUTSIDE
                                                                                    : (uint32_t)numbers[1];
    const uint64_t bytes = (uint64_t)numbers[n - 1] * times;
    if (!m->labels)
        return matrix_add(m, from, to, times, bytes);
    const struct matrix_label label = {.site = m->site, .comm = numbers[n], .tag = numbers[n + 1]};
    return matrix_add_labelled(m, &label, from, to, times, bytes);
}

static enum refrain_status add_events(struct matrix *m, const struct event_templates *templates,
                                      const struct event_list *list, uint64_t times)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < list->items.n && status == REFRAIN_OK; i++)
        status = matrix_add_event(m, templates, list, i, times);
    return status;
}

/* ---- call by call, except for what repeats ------------------------------------------------------ */

/* Shorter repetitions are walked: two times are examined, at least one is skipped, and one is the
 * last. */
#define LEAST_TIMES 4
/* Deeper repetitions in repetitions are walked. */
#define DEPTH_MOST 32

struct walk {
    struct call_event_source *source;
    struct lift_site site;
    struct repetitions *lists; /* of the rows and of the columns that matter */
};

/* Finds a repetition of `period` calls in the next n calls. */
static bool find_repetition(struct walk *w, uint64_t n, uint64_t *period, uint64_t *times)
{
    const size_t lists = lift_site_lists(&w->site);
    lift_site_repetitions(&w->site, w->lists);
    for (size_t i = 0; i < lists; i++)
        w->lists[i].at = 0;
    return repetitions_agree(w->lists, lists, n, 2, period, times);
}

/* Skips this many calls, which must be fewer than find_repetition found. */
static enum refrain_status pass(struct walk *w, uint64_t calls)
{
    const size_t lists = lift_site_lists(&w->site);
    struct repetition *chosen = malloc(lists * sizeof *chosen);
    if (!chosen) {
        log_error("out of memory: %zu columns", lists);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < lists; i++)
        chosen[i] = w->lists[i].items[w->lists[i].at];
    lift_site_pass(&w->site, chosen, calls);
    free(chosen);
    return REFRAIN_OK;
}

static enum refrain_status walk(struct walk *w, struct matrix *m, uint64_t n, unsigned depth);

/* Returns how many repetitions of two walked ones remain in the next n calls; 0 if they are too
 * few to skip any. */
static uint64_t times_left(struct walk *w, uint64_t n, uint64_t period)
{
    uint64_t inner, times;
    if (!find_repetition(w, n, &inner, &times) || period % inner != 0)
        return 0;
    times /= period / inner;
    return times > 1 ? times : 0;
}

/* Walks two repetitions, computes the rest, and walks the last one as a check. *n: the remaining calls. */
static enum refrain_status walk_times(struct walk *w, struct matrix *m, uint64_t period, uint64_t *n,
                                      unsigned depth)
{
    struct matrix first = {.labels = m->labels, .site = m->site}, second = first, last = first;
    uint64_t times = 0;
    enum refrain_status status = walk(w, &first, period, depth + 1);
    if (status == REFRAIN_OK)
        status = walk(w, &second, period, depth + 1);
    if (status == REFRAIN_OK && (times = times_left(w, *n - 2 * period, period)) > 0) {
        status = pass(w, (times - 1) * period);
        if (status == REFRAIN_OK)
            status = walk(w, &last, period, depth + 1);
        if (status == REFRAIN_OK && !matrix_continues(&first, &second, &last, times + 1)) {
            log_error("inconsistent trace: a repetition does not continue in the same way");
            status = REFRAIN_ERR_CHECK;
        }
    }
    if (status == REFRAIN_OK && times > 0)
        status = matrix_add_progress(m, &first, &second, times + 2);
    else if (status == REFRAIN_OK && (status = matrix_add_all(m, &first, 1)) == REFRAIN_OK)
        status = matrix_add_all(m, &second, 1);
    *n -= (times + 2) * period;
    matrix_free(&last);
    matrix_free(&second);
    matrix_free(&first);
    return status;
}

static enum refrain_status walk(struct walk *w, struct matrix *m, uint64_t n, unsigned depth)
{
    enum refrain_status status = REFRAIN_OK;
    const struct event_list *events;
    uint64_t period, times;
    while (n > 0 && status == REFRAIN_OK) {
        if (n >= LEAST_TIMES && depth < DEPTH_MOST && find_repetition(w, n, &period, &times) &&
            times >= LEAST_TIMES) {
            status = walk_times(w, m, period, &n, depth);
            continue;
        }
        n--;
        status = lift_site_next(&w->site, w->source, &events);
        if (status == REFRAIN_OK)
            status = add_events(m, w->source->templates, events, 1);
    }
    return status;
}

/* ---- a site ---------------------------------------------------------------------------------- */

/* No column matters and rows have no order, so the rules give the number of calls of each row. */
static enum refrain_status add_rows(struct matrix *m, const struct walk *w, uint64_t calls)
{
    const struct group *group = w->site.group;
    const uint32_t n = (uint32_t)group->rows.n;
    uint64_t *times = calloc(n + (size_t)1, sizeof *times);
    enum refrain_status status = REFRAIN_OK;
    if (!times) {
        log_error("out of memory: %u rows", n);
        return REFRAIN_ERR_MEMORY;
    }
    times[0] = calls;
    if (group->stream) {
        times[0] = 0;
        status = rules_count(group->stream, times, n);
        times[0] += group_filler(group) ? calls - rules_length(group->stream) : 0;
    }
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = add_events(m, w->source->templates, &w->site.rows[i], times[i]);
    free(times);
    return status;
}

enum refrain_status matrix_add_site(struct matrix *m, struct call_event_source *source,
                                    const struct lane_ref *lane, const struct entry *entry, uint64_t calls)
{
    struct walk w = {.source = source};
    m->site = entry->site;
    enum refrain_status status = lift_site_open(&w.site, source, lane, entry);
    if (status != REFRAIN_OK || w.site.silent || calls == 0)
        goto out;
    if (w.site.fixed) {
        status = add_events(m, source->templates, &w.site.rows[0], calls);
    } else if (w.site.n_columns == 0 && !group_order(w.site.group)) {
        status = add_rows(m, &w, calls);
    } else if ((w.lists = calloc(lift_site_lists(&w.site), sizeof *w.lists))) {
        status = walk(&w, m, calls, 0);
    } else {
        log_error("out of memory: %zu columns", lift_site_lists(&w.site));
        status = REFRAIN_ERR_MEMORY;
    }
out:
    free(w.lists);
    lift_site_close(&w.site);
    return status;
}
