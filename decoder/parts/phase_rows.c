/* SPDX-License-Identifier: BSD-3-Clause */
#include "phase_rows.h"

#include "src/core/base/log.h"

#include <stdlib.h>

struct making {
    struct phase_rows *rows;
    const struct part_times *times;
    uint32_t *parts;     /* all, ascending: phase i is part i + 1 */
    uint32_t begin, end; /* phases of the main loop; begin == end: there is none */
};

static enum refrain_status sum_up(const struct making *m, uint32_t first, uint32_t last, struct part_sum *out)
{
    return part_times_sum(m->times, &m->parts[first + 1], last - first + (size_t)1, out);
}

static uint64_t top_number(const struct run_phase *p)
{
    return p->first.levels[0].number;
}

/* Finds the loop of the top level that takes longest. */
static enum refrain_status find_main_loop(struct making *m)
{
    const struct run_phases *p = m->rows->phases;
    enum refrain_status status = REFRAIN_OK;
    uint64_t most = 0;
    for (uint32_t i = 0, end; i < p->items.n && status == REFRAIN_OK; i = end) {
        const struct run_phase *phase = &p->items.items[i];
        struct part_sum sum = {0};
        for (end = i + 1; end < p->items.n && phase->loop && p->items.items[end].loop &&
                          top_number(&p->items.items[end]) == top_number(phase);)
            end++;
        if (phase->loop)
            status = sum_up(m, i, end - 1, &sum);
        if (sum.time <= most)
            continue;
        most = sum.time;
        m->begin = i;
        m->end = end;
    }
    if ((double)most < PHASE_ROWS_LOOP * (double)m->rows->run.time)
        m->begin = m->end = 0;
    return status;
}

static enum phase_section section_of(const struct making *m, uint32_t phase)
{
    return m->begin == m->end ? PHASE_WHOLE
           : phase < m->begin ? PHASE_WARM_UP
           : phase < m->end   ? PHASE_MAIN_LOOP
                              : PHASE_AFTER;
}

static bool is_there(const struct making *m, uint32_t phase)
{
    return m->rows->phases->items.items[phase].from_site != RUN_PHASE_NONE;
}

/* Is the next phase part of the same row? */
static bool goes_on(const struct making *m, uint32_t phase, uint32_t next)
{
    const struct run_phase *this = &m->rows->phases->items.items[phase],
                           *then = &m->rows->phases->items.items[next];
    return !this->met && this->first.n == 1 && (then->first.n == 1 || (then->first.n == 2 && then->leads)) &&
           section_of(m, phase) == section_of(m, next);
}

static enum refrain_status make_rows(struct making *m)
{
    struct phase_rows *r = m->rows;
    for (uint32_t i = 0; i < r->phases->items.n; i++) {
        struct phase_row *last = r->items.n > 0 ? &r->items.items[r->items.n - 1] : NULL;
        const struct phase_row row = {.section = section_of(m, i), .first = i, .last = i};
        if (!is_there(m, i))
            continue;
        if (last && goes_on(m, last->last, i))
            last->last = i;
        else if (!array_push(&r->items, row))
            return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < r->items.n && status == REFRAIN_OK; i++)
        status = sum_up(m, r->items.items[i].first, r->items.items[i].last, &r->items.items[i].sum);
    return status;
}

static enum refrain_status make_sections(struct making *m)
{
    struct phase_row *sections = m->rows->sections;
    enum refrain_status status = REFRAIN_OK;
    for (unsigned k = 0; k < PHASE_SECTIONS; k++)
        sections[k] = (struct phase_row){.section = (enum phase_section)k, .first = 1};
    for (size_t i = 0; i < m->rows->items.n; i++) {
        const struct phase_row *row = &m->rows->items.items[i];
        struct phase_row *section = &sections[row->section];
        section->first = phase_row_is_there(section) ? section->first : row->first;
        section->last = row->last;
    }
    for (unsigned k = 0; k < PHASE_SECTIONS && status == REFRAIN_OK; k++) {
        if (phase_row_is_there(&sections[k]))
            status = sum_up(m, sections[k].first, sections[k].last, &sections[k].sum);
    }
    return status;
}

enum refrain_status phase_rows_create(struct phase_rows *r, const struct run_phases *p,
                                      const struct part_times *t)
{
    struct making m = {.rows = r, .times = t, .parts = calloc(p->items.n + 1, sizeof *m.parts)};
    *r = (struct phase_rows){.phases = p};
    if (!m.parts) {
        log_error("out of memory: %zu phases", p->items.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i <= p->items.n; i++)
        m.parts[i] = i;
    enum refrain_status status = part_times_sum(t, m.parts, p->items.n + 1, &r->run);
    if (status == REFRAIN_OK)
        status = part_times_sum(t, m.parts, 1, &r->outside);
    if (status == REFRAIN_OK)
        status = find_main_loop(&m);
    if (status == REFRAIN_OK)
        status = make_rows(&m);
    if (status == REFRAIN_OK)
        status = make_sections(&m);
    free(m.parts);
    return status;
}

void phase_rows_free(struct phase_rows *r)
{
    array_free(&r->items);
    *r = (struct phase_rows){0};
}
