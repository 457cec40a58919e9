/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 9, end: assembles the calls of each lane of each rank from the tables. */
#include "steps.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A position of a rank at one of the sites of a lane. */
struct place {
    const struct group *group;
    uint64_t ordinal, next;           /* of the rank in the group; of the call at the site */
    size_t *columns;                  /* this rank's series for each column of the group */
    const struct body *order, *fills; /* the rows, the filler's numbers; NULL if there are none */
    uint64_t row, fill;               /* next in the stream or order; how many of its fillers have come */
};

static uint64_t stream_length(const struct place *place)
{
    return place->order ? body_length(place->order) : rule_length(place->group->stream);
}

static const struct body *choose_column(const struct trace *t, const struct slot *slot, uint64_t rank,
                                        const struct place *place)
{
    uint64_t number = (uint64_t)slot_at(t, slot, rank, place->ordinal);
    if (number >= t->n_columns)
        refuse("an order or filler of rank %" PRIu64 " is no series", rank);
    return &t->columns[number];
}

static void place_rank(const struct trace *t, const struct entry *entry, uint64_t rank, struct place *place)
{
    const struct group *g = entry->groups;
    *place = (struct place){0};
    /* check_groups made sure that it is in one */
    while (!ranks_find(t, g->ranks, rank, &place->ordinal))
        g++;
    place->group = g;
    place->columns = zeroed(g->n_columns, sizeof *place->columns);
    for (size_t i = 0; i < g->n_columns; i++) {
        uint64_t number = (uint64_t)slot_at(t, &g->columns[i].series, rank, place->ordinal);
        if (number >= t->n_columns)
            refuse("a column of rank %" PRIu64 " is no series", rank);
        place->columns[i] = (size_t)number;
    }
    if (g->ordered)
        place->order = choose_column(t, &g->order, rank, place);
    if (g->filled) {
        place->fills = choose_column(t, &g->filler, rank, place);
        if (body_length(place->fills) != stream_length(place))
            refuse("a filler of rank %" PRIu64 " is not as long as the stream", rank);
    }
}

/* At the end of the rank's calls: checks that stream and columns are used up, too. */
static void leave_place(const struct trace *t, const struct place *place, uint64_t rank)
{
    const struct group *g = place->group;
    if ((g->stream || g->ordered) && place->row != stream_length(place))
        refuse("a stream of rank %" PRIu64 " is not as long as the site has calls", rank);
    for (size_t i = 0; i < g->n_columns; i++)
        if (body_length(&t->columns[place->columns[i]]) != place->next)
            refuse("a column of rank %" PRIu64 " is not as long as the site has calls", rank);
    free(place->columns);
}

/* Returns the row of the next call at the place. */
static uint64_t next_row(struct place *place)
{
    const struct rule *stream = place->group->stream;
    if (!stream && !place->order)
        return 0;
    uint64_t row = place->row;
    if (row >= stream_length(place)) {
        if (!place->fills)
            refuse("a stream has fewer rows than the site has calls");
        return 0;
    }
    if (place->fills && place->fill < (uint64_t)series_at(place->fills, row)) {
        place->fill++;
        return 0;
    }
    place->row++;
    place->fill = 0;
    return place->order ? (uint64_t)series_at(place->order, row) : rule_at(stream, row);
}

/* Returns slot i of the row: the value that another slot has on another rank; two slots give that
 * rank and this rank's number there. */
static int64_t transposed_at(const struct trace *t, const struct group *g, const struct row *row, size_t i,
                             uint64_t ordinal)
{
    const struct slot *slot = &row->slots[i];
    const uint64_t rank = g->ranks ? (uint64_t)series_at(g->ranks, slot->place) : t->first_rank + slot->place;
    return slot_at(t, slot - slot->place - slot->distance + ordinal, rank, slot->place);
}

/* Fills the slots of the rank's next call at the place. */
static const struct row *next_call(struct trace *t, struct place *place, uint64_t rank, int64_t *slots)
{
    const struct group *g = place->group;
    uint64_t n = place->next++, number = next_row(place);
    if (number >= g->n_rows)
        refuse("a stream of rank %" PRIu64 " has a row that is not there", rank);
    const struct row *row = &t->rows[g->signatures[number]];
    for (size_t i = 0; i < row->n; i++)
        if (row->slots[i].forms & SUM)
            slots[i] = (int64_t)((uint64_t)slots[i - 1] +
                                 row->slots[i].factor * (uint64_t)slots[i - row->slots[i].distance]);
        else if (row->slots[i].forms & TRANSPOSED)
            slots[i] = transposed_at(t, g, row, i, place->ordinal);
        else
            slots[i] = slot_at(t, &row->slots[i], rank, place->ordinal);
    for (size_t i = 0; i < g->n_columns; i++)
        if (n >= body_length(&t->columns[place->columns[i]]))
            refuse("a column of rank %" PRIu64 " has fewer values than the site has calls", rank);
        else if (g->columns[i].slot < row->n)
            slots[g->columns[i].slot] = (int64_t)((uint64_t)slots[g->columns[i].slot] +
                                                  (uint64_t)series_at(&t->columns[place->columns[i]], n));
    for (const struct slot_sum *s = g->sums; s < g->sums + g->n_sums && s->slot < row->n; s++)
        slots[s->slot] = (int64_t)((uint64_t)slots[s->slot] + (uint64_t)slots[s->slot - 1] +
                                   (uint64_t)slot_at(t, &s->factor, rank, place->ordinal) *
                                       (uint64_t)slots[s->slot - s->distance]);
    t->calls[g->signatures[number]]++;
    return row;
}

/* Space for the expansion of a lane: the longest row, all sites, and the counts of the loops. */
struct room {
    int64_t *slots;
    struct place *places;
    const struct body *counts[LOOPS_MAX];
    uint64_t used[LOOPS_MAX]; /* of the counts */
};

static void expand_call(struct trace *t, struct output *o, struct room *room, uint64_t number)
{
    const struct site *site = &t->sites[number];
    size_t n = next_call(t, &room->places[number], o->rank, room->slots)->n;
    if (!row_fits(t, site->function, room->slots, n))
        refuse("rank %" PRIu64 ", call %" PRIu64 ": this is no call of %s", o->rank, o->calls,
               site->function->name);
    uint64_t entry = 0, leaving = 0;
    o->timed = o->stamps && next_stamps(o->stamps, t, number, &entry, &leaving);
    if (o->work == COMPARE)
        compare_call(o, site, room->slots, n, entry, leaving);
    else if (o->work == PRINT)
        print_call(o, site, room->slots, n);
    else if (o->work == PRINT_TIMES && o->timed)
        print_times(o, site, global_time(t, o->rank, entry), global_time(t, o->rank, leaving));
    o->calls++;
}

/* Expands a site and what the first `n_loops` loops add after it. */
static void expand_site(struct trace *t, struct output *o, struct room *room, uint64_t number, size_t n_loops)
{
    expand_call(t, o, room, number);
    for (size_t i = 0; i < n_loops; i++) {
        const struct loop *l = &o->shape->loops[i];
        if (l->after != number)
            continue;
        if (room->used[i] >= body_length(room->counts[i]))
            refuse("a loop of rank %" PRIu64 " comes more often than it has counts", o->rank);
        int64_t times = series_at(room->counts[i], room->used[i]++);
        if (times < 0)
            refuse("a loop of rank %" PRIu64 " comes %" PRId64 " times", o->rank, times);
        for (; times > 0; times--)
            for (size_t k = 0; k < l->n; k++)
                expand_site(t, o, room, l->sites[k], i);
    }
}

static void expand_lane(struct trace *t, struct output *o, struct room *room)
{
    const struct shape *shape = o->shape;
    uint64_t ordinal = 0;
    ranks_find(t, shape->ranks, o->rank, &ordinal);
    for (size_t i = 0; i < shape->n_loops; i++) {
        uint64_t number = (uint64_t)slot_at(t, &shape->loops[i].counts, o->rank, ordinal);
        if (number >= t->n_columns)
            refuse("the counts of a loop of rank %" PRIu64 " are no series", o->rank);
        room->counts[i] = &t->columns[number];
        room->used[i] = 0;
    }
    for (size_t i = 0; i < shape->n_entries; i++)
        place_rank(t, &shape->entries[i], o->rank, &room->places[shape->entries[i].site]);
    for (uint64_t i = 0; i < rule_length(shape->skeleton); i++)
        expand_site(t, o, room, rule_at(shape->skeleton, i), shape->n_loops);
    for (size_t i = 0; i < shape->n_loops; i++)
        if (room->used[i] != body_length(room->counts[i]))
            refuse("a loop of rank %" PRIu64 " has more counts than it comes", o->rank);
    for (size_t i = 0; i < shape->n_entries; i++)
        leave_place(t, &room->places[shape->entries[i].site], o->rank);
}

/* Returns the shape of a rank's lane; it has at most one. */
static const struct shape *find_shape(const struct trace *t, uint64_t rank, unsigned kind, uint64_t number)
{
    const struct shape *found = NULL;
    uint64_t ordinal;
    for (const struct shape *s = t->shapes; s < t->shapes + t->n_shapes; s++)
        if (s->kind == kind && s->number == number && ranks_find(t, s->ranks, rank, &ordinal)) {
            if (found)
                refuse("rank %" PRIu64 " has two shapes of one lane", rank);
            found = s;
        }
    return found;
}

/* Returns when the first call of the rank's threads began. */
static uint64_t find_origin(const struct trace *t, uint64_t rank)
{
    uint64_t origin = UINT64_MAX;
    for (const struct piece *p = t->pieces; p < t->pieces + t->n_pieces; p++)
        if (p->rank == rank && p->kind == 0 && p->content.start)
            origin = first_stamp(p) < origin ? first_stamp(p) : origin;
    return origin;
}

/* Expands all lanes of all ranks. Returns the number of the threads' calls. */
uint64_t expand(struct trace *t, enum work work, const char *raw)
{
    size_t longest = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        longest = t->rows[i].n > longest ? t->rows[i].n : longest;
    struct room room = {.slots = zeroed(longest, sizeof *room.slots),
                        .places = zeroed(t->n_sites, sizeof *room.places)};
    uint64_t n_calls = 0, ordinal;
    for (uint64_t rank = t->first_rank; rank < t->first_rank + t->n_ranks; rank++)
        for (const struct shape *s = t->shapes; s < t->shapes + t->n_shapes; s++) {
            if (!ranks_find(t, s->ranks, rank, &ordinal))
                continue;
            find_shape(t, rank, s->kind, s->number);
            struct output o = {
                .work = work, .rank = rank, .shape = s, .origin = global_time(t, rank, find_origin(t, rank))};
            if (s->kind == 1)
                o.stamps = open_stamps(t, rank, s->number);
            if (work == COMPARE && rule_length(s->skeleton) > 0)
                o.record = open_record(raw, rank, s->kind, s->number);
            expand_lane(t, &o, &room);
            close_stamps(o.stamps);
            if (left(&o.record) > 0)
                leave(1, o.record.name, "it has more than the %" PRIu64 " calls of the trace", o.calls);
            free((void *)o.record.start);
            n_calls += s->kind == 1 ? o.calls : 0;
        }
    return n_calls;
}

/* Checks that each record belongs to a lane of the trace, unless it has no calls. */
void check_directory(const struct trace *t, const char *raw)
{
    DIR *directory = opendir(raw);
    if (!directory)
        leave(2, raw, "%s", strerror(errno));
    for (const struct dirent *d; (d = readdir(directory));) {
        uint64_t rank, thread = 0;
        int end = 0;
        bool lane =
            sscanf(d->d_name, "rank.%" SCNu64 ".lane.%" SCNu64 ".raw%n", &rank, &thread, &end) == 2 && end;
        if (!lane && (sscanf(d->d_name, "rank.%" SCNu64 ".definitions.raw%n", &rank, &end) != 1 || !end))
            continue;
        const struct shape *shape = find_shape(t, rank, lane, thread);
        if (d->d_name[end] || (shape && rule_length(shape->skeleton) > 0))
            continue;
        struct input record = open_record(raw, rank, lane, thread);
        if (left(&record) > 0)
            leave(1, record.name, "the trace has no calls of this lane");
    }
    closedir(directory);
}
