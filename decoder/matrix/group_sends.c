/* SPDX-License-Identifier: BSD-3-Clause */
#include "group_sends.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

struct sending {
    const struct reader *reader;
    struct event_templates templates;
    struct call_event_source source;
    struct matrix_labels labels;
    struct matrix one; /* the sends of one call */
    int64_t world;
    group_sends_take *take;
    void *context;
    bool all;
};

/* The ranks of the group that is examined. */
struct sending_group {
    const struct shape *shape;
    const struct group *group;
    uint32_t site, function;
    uint32_t n;
    int64_t *ranks, *to;
    uint64_t *calls; /* calls of the site, by ordinal in the group */
};

static enum refrain_status no_memory(void)
{
    log_error("out of memory: a group of ranks");
    return REFRAIN_ERR_MEMORY;
}

/* ---- one row --------------------------------------------------------------------------------- */

/* Finds the slot with the destination; UINT32_MAX if there is none. */
static enum refrain_status find_dest(const struct sending *s, uint32_t function, const int64_t *slots,
                                     uint32_t n, uint32_t *dest)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    *dest = UINT32_MAX;
    layout_start(&layout, &s->reader->trace.functions, function, slots, n);
    while (layout_next(&layout, &item, &status))
        if (item.param && strcmp(item.param->name, "dest") == 0 && item.n_slots == 1)
            *dest = (uint32_t)(item.slots - slots);
    return status;
}

/* Finds what rank number `at` of the group sends in one call; uses[i] is how slot i matters
 * (call_event.h). */
static enum refrain_status look(struct sending *s, const struct sending_group *g, const struct row *row,
                                uint32_t at, uint8_t *uses, uint32_t *dest)
{
    const struct event_list nothing = {0};
    struct event_list events = nothing;
    struct lane_ref lane = {.shape = g->shape, .rank = (uint32_t)g->ranks[at]};
    int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
    enum refrain_status status = slots ? REFRAIN_OK : no_memory();
    matrix_clear(&s->one);
    ranks_find(g->shape->ranks, g->ranks[at], &lane.ordinal);
    if (status == REFRAIN_OK)
        status = call_event_lane(&s->source, &lane);
    if (status == REFRAIN_OK) {
        row_at(row, at, lane.rank, slots);
        status = find_dest(s, g->function, slots, row->n_slots, dest);
    }
    if (status == REFRAIN_OK)
        status = call_event_put(&s->source, g->function, slots, row->n_slots, &events, uses);
    for (size_t i = 0; i < events.items.n && status == REFRAIN_OK; i++)
        status = matrix_add_event(&s->one, &s->templates, &events, i, 1);
    event_list_free(&events);
    free(slots);
    return status;
}

/* Is it one message on MPI_COMM_WORLD to the rank in the slot? */
static bool is_plain(const struct sending *s, int64_t to)
{
    const struct matrix_cell *cell = s->one.cells.items;
    return s->one.unclear == 0 && s->one.cells.n == 1 && cell->messages == 1 && cell->to == to &&
           s->labels.items.items[cell->label].comm == s->world;
}

/* Do all slots that matter, except `dest`, have the same value on all ranks and in all calls? */
static bool is_same(const struct sending_group *g, const struct row *row, const uint8_t *uses, uint32_t dest)
{
    bool same = true;
    for (uint32_t i = 0; i < row->n_slots && same; i++)
        same = uses[i] == CALL_EVENT_UNUSED || i == dest || row_slot(row, i)->forms & RANKFN_CONSTANT;
    for (size_t i = 0; i < g->group->columns.n && same; i++) {
        const uint32_t slot = g->group->columns.items[i].slot;
        same = slot != dest && (slot >= row->n_slots || uses[slot] == CALL_EVENT_UNUSED);
    }
    return same;
}

/* Finds the first and the last rank of the group that send to a process. Returns false if none
 * does. */
static bool find_ends(const struct sending_group *g, int64_t nobody, uint32_t *first, uint32_t *last)
{
    uint32_t at = 0, end = g->n;
    while (at < g->n && g->to[at] == nobody)
        at++;
    while (end > at && g->to[end - 1] == nobody)
        end--;
    *first = at;
    *last = end - 1;
    return end > at;
}

static enum refrain_status send_all(struct sending *s, const struct sending_group *g, uint64_t times,
                                    bool times_all, uint64_t bytes)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < g->n && s->all && status == REFRAIN_OK; i++) {
        const uint64_t n = times_all ? g->calls[i] - times : times;
        if (g->to[i] == s->source.proc_null || n == 0)
            continue;
        s->all = g->to[i] >= 0 && g->to[i] - s->reader->trace.first_rank < s->reader->trace.n_ranks;
        if (s->all)
            status = s->take(s->context, (uint32_t)g->ranks[i], (uint32_t)g->to[i], n, n * bytes);
    }
    return status;
}

/* Takes a row that occurs `times` times on each rank; if times_all, it occurs in all calls of the
 * site except `times`. */
static enum refrain_status take_row(struct sending *s, struct sending_group *g, const struct row *row,
                                    uint64_t times, bool times_all)
{
    uint8_t *uses = calloc(row->n_slots + (size_t)1, 1);
    uint32_t dest = UINT32_MAX, first = 0, last = 0;
    uint64_t bytes = 0;
    enum refrain_status status = uses ? look(s, g, row, 0, uses, &dest) : no_memory();
    if (status == REFRAIN_OK && (dest == UINT32_MAX || !is_same(g, row, uses, dest)))
        s->all = false;
    if (status != REFRAIN_OK || !s->all)
        goto out;
    rankfn_values(row_slot(row, dest), g->ranks, g->n, g->to);
    if (!find_ends(g, s->source.proc_null, &first, &last))
        goto out; /* no rank sends */
    status = look(s, g, row, first, uses, &dest);
    s->all = is_same(g, row, uses, dest);
    if (status == REFRAIN_OK && s->all && s->one.cells.n == 0 && s->one.unclear == 0)
        goto out; /* the calls failed or did not return */
    s->all = s->all && is_plain(s, g->to[first]);
    if (status == REFRAIN_OK && s->all) {
        bytes = s->one.cells.items[0].bytes;
        status = look(s, g, row, last, uses, &dest);
        s->all = is_plain(s, g->to[last]) && s->one.cells.items[0].bytes == bytes;
    }
    if (status == REFRAIN_OK && s->all)
        status = send_all(s, g, times, times_all, bytes);
out:
    free(uses);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static enum refrain_status take_rows(struct sending *s, struct sending_group *g)
{
    const struct group *group = g->group;
    const uint32_t n = (uint32_t)group->rows.n;
    const uint64_t length = group->stream ? rules_length(group->stream) : 0;
    uint64_t *times = calloc(n + (size_t)1, sizeof *times);
    enum refrain_status status = times ? REFRAIN_OK : no_memory();
    if (status == REFRAIN_OK && group->stream)
        status = rules_count(group->stream, times, n);
    for (uint32_t row = 0; row < n && status == REFRAIN_OK && s->all; row++) {
        /* A group's only row occurs in each call of the site; a filler row occurs when no other
         * row does. */
        const bool rest = row == 0 && (!group->stream || group_filler(group));
        if (rest || times[row] > 0)
            status = take_row(s, g, &group->rows.items[row], rest ? length - times[row] : times[row], rest);
    }
    free(times);
    return status;
}

static enum refrain_status take_group(struct sending *s, const struct shape *shape, uint32_t site,
                                      const struct group *group)
{
    const uint64_t n = series_length(group->ranks);
    struct sending_group g = {.shape = shape,
                              .group = group,
                              .site = site,
                              .function = s->reader->trace.sites.items[site].function,
                              .n = (uint32_t)n};
    enum refrain_status status;
    if (group_order(group) || group->sums.n > 0 || s->source.roles.items[g.function].actions & ROLE_START) {
        s->all = false;
        return REFRAIN_OK;
    }
    g.ranks = malloc((n + 1) * sizeof *g.ranks);
    g.to = malloc((n + 1) * sizeof *g.to);
    status = g.ranks && g.to ? REFRAIN_OK : no_memory();
    if (status == REFRAIN_OK) {
        series_values(group->ranks, 0, n, g.ranks);
        status = lane_walk_calls(&s->reader->trace, shape, site, group->ranks, &g.calls);
    }
    if (status == REFRAIN_OK)
        status = take_rows(s, &g);
    free(g.calls);
    free(g.to);
    free(g.ranks);
    return status;
}

static enum refrain_status take_shape(struct sending *s, const struct shape *shape)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < shape->entries.n && status == REFRAIN_OK && s->all; i++) {
        const struct entry *entry = &shape->entries.items[i];
        if (!call_event_may(&s->source, s->reader->trace.sites.items[entry->site].function))
            continue;
        for (size_t k = 0; k < entry->groups.n && status == REFRAIN_OK && s->all; k++)
            status = take_group(s, shape, entry->site, &entry->groups.items[k]);
    }
    return status;
}

enum refrain_status group_sends(const struct reader *r, const struct definitions *d, group_sends_take *take,
                                void *context, bool *all)
{
    struct sending s = {.reader = r, .take = take, .context = context, .all = true};
    s.one.labels = &s.labels;
    s.world = functable_handle(&r->trace.functions, "COMMUNICATOR", "MPI_COMM_WORLD");
    enum refrain_status status = call_event_source_create(&s.source, r, d, CALL_EVENT_LABELLED, &s.templates);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < r->trace.shapes.n && status == REFRAIN_OK && s.all; i++)
        if (r->trace.shapes.items[i].kind == LANE_THREAD)
            status = take_shape(&s, &r->trace.shapes.items[i]);
    *all = s.all;
    matrix_free(&s.one);
    matrix_labels_free(&s.labels);
    call_event_source_free(&s.source);
    event_templates_free(&s.templates);
    return status;
}
