/* The calls of each lane of each rank, put together from the tables, as the end of section 9 has it. */
#include "steps.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a rank is at one of the sites of a lane. */
struct place {
    const struct group *group;
    uint64_t ordinal, next; /* of the rank in the group; of the call at the site */
    size_t *columns;        /* column series of this rank, for each column of the group */
};

static void place_rank(const struct trace *t, const struct entry *entry, uint64_t rank, struct place *place)
{
    const struct group *g = entry->groups;
    *place = (struct place){0};
    while (!ranks_find(t, g->ranks, rank, &place->ordinal)) /* it is in one, see check_groups */
        g++;
    place->group = g;
    place->columns = zeroed(g->n_columns, sizeof *place->columns);
    for (size_t i = 0; i < g->n_columns; i++) {
        uint64_t number = (uint64_t)slot_at(t, &g->columns[i].series, rank, place->ordinal);
        if (number >= t->n_columns || body_length(&t->columns[number]) != entry->calls)
            refuse("a column of rank %" PRIu64 " is no series, or not as long as the site has calls", rank);
        place->columns[i] = (size_t)number;
    }
}

/* The slots of the next call of the rank at the place. */
static const struct row *next_call(struct trace *t, struct place *place, uint64_t rank, int64_t *slots)
{
    const struct group *g = place->group;
    uint64_t n = place->next++, number = g->stream ? rule_at(g->stream, n) : 0;
    if (number >= g->n_rows)
        refuse("a stream of rank %" PRIu64 " has a row that is not there", rank);
    const struct row *row = &t->rows[g->signatures[number]];
    for (size_t i = 0; i < row->n; i++)
        slots[i] = slot_at(t, &row->slots[i], rank, place->ordinal);
    for (size_t i = 0; i < g->n_columns; i++)
        if (g->columns[i].slot < row->n)
            slots[g->columns[i].slot] = series_at(&t->columns[place->columns[i]], n);
    t->calls[g->signatures[number]]++;
    return row;
}

/* `slots` and `places` are room for the longest row and for all sites. */
static void expand_lane(struct trace *t, struct output *o, int64_t *slots, struct place *places)
{
    const struct shape *shape = o->shape;
    for (size_t i = 0; i < shape->n_entries; i++)
        place_rank(t, &shape->entries[i], o->rank, &places[shape->entries[i].site]);
    for (; o->calls < rule_length(shape->skeleton); o->calls++) {
        uint64_t number = rule_at(shape->skeleton, o->calls);
        const struct site *site = &t->sites[number];
        size_t n = next_call(t, &places[number], o->rank, slots)->n;
        if (!row_fits(t, site->function, slots, n))
            refuse("rank %" PRIu64 ", call %" PRIu64 ": this is no call of %s", o->rank, o->calls,
                   site->function->name);
        if (o->compare)
            compare_call(o, site, slots, n);
        else
            print_call(o, site, slots, n);
    }
    for (size_t i = 0; i < shape->n_entries; i++)
        free(places[shape->entries[i].site].columns);
}

/* The shape of a rank's lane; it has at most one. */
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

/* Expands all lanes of all ranks; the number of calls of threads. */
uint64_t expand(struct trace *t, const char *raw)
{
    size_t longest = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        longest = t->rows[i].n > longest ? t->rows[i].n : longest;
    int64_t *slots = zeroed(longest, sizeof *slots);
    struct place *places = zeroed(t->n_sites, sizeof *places);
    uint64_t n_calls = 0, ordinal;
    for (uint64_t rank = t->first_rank; rank < t->first_rank + t->n_ranks; rank++)
        for (const struct shape *s = t->shapes; s < t->shapes + t->n_shapes; s++) {
            if (!ranks_find(t, s->ranks, rank, &ordinal))
                continue;
            find_shape(t, rank, s->kind, s->number);
            struct output o = {.rank = rank, .shape = s, .compare = raw != NULL};
            if (raw && rule_length(s->skeleton) > 0)
                o.record = open_record(raw, rank, s->kind, s->number);
            expand_lane(t, &o, slots, places);
            if (left(&o.record) > 0)
                leave(1, o.record.name, "it has more than the %" PRIu64 " calls of the trace", o.calls);
            free((void *)o.record.start);
            n_calls += s->kind == 1 ? o.calls : 0;
        }
    return n_calls;
}

/* Each record is that of a lane of the trace, unless it has no calls. */
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
