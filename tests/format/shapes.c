/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 9: shapes, entries, groups. */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

static void set_row(const struct trace *t, const struct input *in, const struct site *site, struct group *g,
                    size_t i, uint64_t signature)
{
    refuse_if(in, signature >= site->n_signatures, "a row's signature is none of the site's");
    g->signatures[i] = site->first_signature + (size_t)signature;
    const struct row *row = &t->rows[g->signatures[i]];
    const uint64_t n = ranks_count(t, g->ranks);
    for (size_t k = 0; k < row->n; k++) {
        const struct slot *slot = &row->slots[k];
        check_lists(in, slot, n);
        if (!(slot->forms & TRANSPOSED))
            continue;
        refuse_if(in, n > 2048 || n > slot->distance || slot->place >= n, "a transposed list of other ranks");
        for (size_t j = 0; j < n; j++)
            refuse_if(in, row->slots[k - slot->place - slot->distance + j].forms & (SUM | TRANSPOSED),
                      "a transposed list of what is no list");
    }
}

/* Slots that are sums; rows have `longest` slots at most. */
static void read_sums(const struct trace *t, struct input *in, struct group *g, size_t longest)
{
    uint64_t slot = 0;
    g->sums = zeroed(g->n_sums = get_count(in, 3), sizeof *g->sums);
    refuse_if(in, g->n_sums == 0, "no sums");
    for (size_t k = 1; k < g->n_columns; k++)
        refuse_if(in, g->columns[k - 1].slot >= g->columns[k].slot, "sums, and columns that do not ascend");
    for (size_t i = 0; i < g->n_sums; i++) {
        struct slot_sum *sum = &g->sums[i];
        uint64_t more = get_below(in, longest);
        refuse_if(in, (i > 0 && more == 0) || more >= longest - slot, "a sum of no slot");
        sum->slot = slot += more;
        sum->distance = get_uint(in);
        refuse_if(in, sum->distance < 2 || sum->distance > slot, "a sum of slots that are not there");
        for (size_t k = 0; k < g->n_columns; k++)
            refuse_if(in, g->columns[k].slot == slot, "a sum has a column");
        get_slots(in, t, &sum->factor, 0, 1, NULL, NULL);
        check_lists(in, &sum->factor, ranks_count(t, g->ranks));
    }
}

static void read_group(struct trace *t, struct input *in, const struct shape *shape,
                       const struct entry *entry, struct group *g)
{
    uint64_t parts = get_below(in, 256);
    g->ordered = parts & 64;
    refuse_if(in, g->ordered && parts & 2, "a group has a stream and an order");
    g->ranks = parts & 1 ? get_ranks(in, t, get_uint(in)) : shape->ranks;
    if (parts & 2) {
        g->stream = t->streams.roots[get_below(in, t->streams.n_roots)];
        refuse_if(in, !entry->in_loop && !(parts & 32) && rule_length(g->stream) != entry->calls,
                  "a row stream has another length than the site has calls");
    }
    g->n_rows = parts & 8 ? get_count(in, 1) : 1;
    refuse_if(in, g->n_rows == 0 || (g->n_rows > 1 && !g->stream && !g->ordered),
              "a group has no row, or has rows in no order");
    g->signatures = zeroed(g->n_rows, sizeof *g->signatures);
    uint64_t next = 0;
    for (size_t i = 0; i < g->n_rows; i++) {
        next += (uint64_t)get_int(in);
        set_row(t, in, &t->sites[entry->site], g, i, next++);
    }
    size_t longest = 0;
    for (size_t i = 0; i < g->n_rows; i++)
        longest = t->rows[g->signatures[i]].n > longest ? t->rows[g->signatures[i]].n : longest;
    g->columns = zeroed(g->n_columns = parts & 4 ? get_count(in, 2) : 0, sizeof *g->columns);
    for (size_t i = 0; i < g->n_columns; i++) {
        struct column *column = &g->columns[i];
        column->slot = get_below(in, longest);
        get_slots(in, t, &column->series, 0, 1, NULL, NULL);
        check_lists(in, &column->series, ranks_count(t, g->ranks));
    }
    if (g->ordered) {
        get_slots(in, t, &g->order, 0, 1, NULL, NULL);
        check_lists(in, &g->order, ranks_count(t, g->ranks));
    }
    if ((g->filled = parts & 32)) {
        refuse_if(in, !g->stream && !g->ordered, "a filler and no stream");
        get_slots(in, t, &g->filler, 0, 1, NULL, NULL);
        check_lists(in, &g->filler, ranks_count(t, g->ranks));
    }
    if (parts & 128)
        read_sums(t, in, g, longest);
    g->n_timings = t->times ? g->n_rows : 0;
    if (parts & 16) {
        g->n_timings = get_uint(in);
        for (size_t i = 0; g->n_timings > 0 && i < g->n_rows; i++)
            refuse_if(in, get_uint(in) > g->n_timings, "a row has a timing that is not there");
    }
    refuse_if(in, t->final && parts & 16, "a final file has timings of groups");
}

/* Checks that each rank of the shape is in exactly one of its groups, and that no other rank is. */
static void check_groups(const struct trace *t, const struct input *in, const struct shape *shape,
                         const struct entry *entry)
{
    uint64_t n = ranks_count(t, shape->ranks), total = 0, ordinal;
    for (size_t g = 0; g < entry->n_groups; g++)
        total = lengthen(in, total, ranks_count(t, entry->groups[g].ranks), 1);
    bool all = entry->n_groups == 1 && entry->groups[0].ranks == shape->ranks, found = total == n;
    for (uint64_t i = 0; !all && found && i < n; i++) {
        uint64_t rank = shape->ranks ? (uint64_t)series_at(shape->ranks, i) : t->first_rank + i;
        size_t g = 0;
        while (g < entry->n_groups && !ranks_find(t, entry->groups[g].ranks, rank, &ordinal))
            g++;
        found = g < entry->n_groups;
    }
    refuse_if(in, !found, "the groups of a site do not share out the shape's ranks");
}

static void read_entry(struct trace *t, struct input *in, const struct shape *shape, struct entry *entry)
{
    uint64_t h = get_uint(in);
    entry->n_groups = h & 1 ? check_count(in, h >> 1, 2) : 1;
    entry->groups = zeroed(entry->n_groups, sizeof *entry->groups);
    if (h & 1) {
        for (size_t g = 0; g < entry->n_groups; g++)
            read_group(t, in, shape, entry, &entry->groups[g]);
    } else {
        struct group *g = entry->groups;
        *g = (struct group){.ranks = shape->ranks, .n_rows = 1, .n_timings = t->times};
        g->signatures = zeroed(1, sizeof *g->signatures);
        set_row(t, in, &t->sites[entry->site], g, 0, h >> 1);
    }
    check_groups(t, in, shape, entry);
}

/* Reads the loops and marks the sites in them. */
static void read_loops(struct trace *t, struct input *in, struct shape *shape, bool *in_loop)
{
    shape->loops = zeroed(shape->n_loops = get_count(in, 4), sizeof *shape->loops);
    refuse_if(in, shape->n_loops == 0 || shape->n_loops > LOOPS_MAX, "no loops, or too many");
    for (struct loop *l = shape->loops; l < shape->loops + shape->n_loops; l++) {
        l->after = get_below(in, t->n_sites);
        l->sites = zeroed(l->n = get_count(in, 1), sizeof *l->sites);
        refuse_if(in, l->n == 0 || l->n > 64, "a loop of no or of too many sites");
        for (size_t i = 0; i < l->n; i++)
            in_loop[l->sites[i] = get_below(in, t->n_sites)] = true;
        get_slots(in, t, &l->counts, 0, 1, NULL, NULL);
        check_lists(in, &l->counts, ranks_count(t, shape->ranks));
    }
}

void read_shapes(struct trace *t)
{
    struct input *in = section(t, SHAP);
    if (!in)
        return;
    t->times = get_below(in, 2);
    refuse_if(in, t->times && t->final, "a final file has timings of groups");
    t->shapes = zeroed(t->n_shapes = get_count(in, 2), sizeof *t->shapes);
    refuse_if(in, t->n_shapes != t->skeletons.n_roots || t->skeletons.n_terminals > t->n_sites,
              "the skeletons are not those of the shapes");
    uint64_t *calls = zeroed(t->n_sites, sizeof *calls);
    bool *in_loop = zeroed(t->n_sites, sizeof *in_loop);
    for (size_t i = 0; i < t->n_shapes; i++) {
        struct shape *shape = &t->shapes[i];
        uint64_t v = get_uint(in);
        shape->kind = v & 1;
        shape->number = v >> 2;
        refuse_if(in, shape->kind == 0 && shape->number != 0, "definitions of a thread");
        bool loops = v & 2;
        v = get_uint(in);
        shape->ranks = v ? get_ranks(in, t, v - 1) : NULL;
        memset(in_loop, 0, t->n_sites * sizeof *in_loop);
        if (loops)
            read_loops(t, in, shape, in_loop);
        shape->skeleton = t->skeletons.roots[i];
        memset(calls, 0, t->n_sites * sizeof *calls);
        count_sites(&t->skeletons, shape->skeleton, calls);
        shape->entries = zeroed(t->n_sites, sizeof *shape->entries);
        for (size_t site = 0; site < t->n_sites; site++)
            if (calls[site] > 0 || in_loop[site]) {
                struct entry *entry = &shape->entries[shape->n_entries++];
                entry->site = site;
                entry->calls = calls[site];
                entry->in_loop = in_loop[site];
                read_entry(t, in, shape, entry);
            }
    }
    free(calls);
    free(in_loop);
    section_end(in);
}
