/* SPDX-License-Identifier: BSD-3-Clause */
/* The refrain command whose search for waiting lacks a metric, for bench/pattern_cost.sh.
 *
 *     WITHOUT=NAME pattern_cost waits …   as refrain waits …, but metric NAME (all: every one) gets no events
 *     WITHOUT=? pattern_cost waits …      lists the metrics that get events
 *
 * The linker replaces metrics_add_all (ld --wrap), so the library is the one that users have. What a metric
 * publishes then does not exist either, so metrics that subscribe to that alone cost nothing. */
#include "decoder/waits/search/wait_metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __real_metrics_add_all(struct metrics *m);
void __wrap_metrics_add_all(struct metrics *m);

static void unsubscribe(struct metrics *m, uint32_t metric)
{
    for (size_t kind = 0; kind < EVENT_KINDS; kind++) {
        struct subscribers *s = &m->subscribers[kind];
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++) {
            if (s->items[i] != metric)
                s->items[n++] = s->items[i];
        }
        s->n = n;
    }
}

void __wrap_metrics_add_all(struct metrics *m)
{
    const char *without = getenv("WITHOUT");
    const bool list = without && strcmp(without, "?") == 0;
    __real_metrics_add_all(m);
    for (uint32_t i = 0; without && i < m->n; i++) {
        const struct metric *row = m->items[i];
        if (list && row->events)
            puts(row->uniq_name);
        if (strcmp(without, "all") == 0 || strcmp(without, row->uniq_name) == 0)
            unsubscribe(m, i);
    }
    if (list)
        exit(EXIT_SUCCESS);
}
