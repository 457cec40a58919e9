/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_metric.h"

#include <assert.h>
#include <string.h>

_Static_assert(EVENT_KINDS <= 64, "a set of kinds is a word");

const char *const metric_units[] = {
    [METRIC_SECONDS] = "sec", [METRIC_OCCURRENCES] = "occ", [METRIC_BYTES] = "bytes"};

uint32_t metrics_find(const struct metrics *m, const char *uniq_name)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (strcmp(m->items[i]->uniq_name, uniq_name) == 0)
            return i;
    }
    return METRIC_NONE;
}

void metrics_start(struct metrics *m)
{
    *m = (struct metrics){0};
}

void metrics_add(struct metrics *m, const struct metric *family)
{
    for (const struct metric *row = family; row->uniq_name; row++) {
        assert(m->n < METRICS_MAX && metrics_find(m, row->uniq_name) == METRIC_NONE);
        const uint32_t self = (uint32_t)m->n;
        m->parents[self] = row->parent ? metrics_find(m, row->parent) : METRIC_NONE;
        assert(!row->parent || m->parents[self] != METRIC_NONE);
        m->items[m->n++] = row;
        for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
            if (row->events & EVENTS(kind))
                m->subscribers[kind].items[m->subscribers[kind].n++] = self;
        }
    }
}

void metrics_add_all(struct metrics *m)
{
    const struct metric *const families[] = {metrics_time,     metrics_count,       metrics_imbalance,
                                             patterns_message, patterns_collective, patterns_run,
                                             patterns_window,  patterns_threads,    patterns_grid};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        metrics_add(m, families[i]);
}

bool metrics_is_cause(const struct metrics *m, uint32_t metric)
{
    const struct metric *row = m->items[metric];
    return row->part && !m->items[m->parents[metric]]->part &&
           metrics_is_below(m, metric, metrics_find(m, "time"));
}

bool metrics_is_waiting(const struct metrics *m, uint32_t metric)
{
    return metrics_is_cause(m, metric) && !m->items[metric]->apart;
}

bool metrics_is_wanted(const struct metrics *m, uint32_t metric, uint32_t below)
{
    if (metrics_is_cause(m, metric))
        return below == METRIC_NONE ? !m->items[metric]->apart : metrics_is_below(m, metric, below);
    return metric == below && m->items[metric]->part && metrics_is_below(m, metric, metrics_find(m, "time"));
}

bool metrics_is_below(const struct metrics *m, uint32_t metric, uint32_t above)
{
    while (metric != above && metric != METRIC_NONE)
        metric = m->parents[metric];
    return metric == above;
}
