#include "cursor.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

struct cursor_site {
    const struct group *group;
    uint64_t ordinal; /* of the rank in the group */
    uint64_t passed;  /* calls of the site before the current position */
    bool reached;     /* do stream and columns stand at `passed`? They are set up at the first call */
    struct rules_cursor stream; /* where the group has a stream */
    struct series_cursor *columns;
    int64_t **rows; /* evaluated at the rank, NULL until needed; as the group's rows */
};

void row_at(const struct row *row, uint64_t ordinal, uint32_t rank, int64_t *slots)
{
    for (uint32_t i = 0; i < row->n_slots; i++)
        slots[i] = rankfn_at(&row->slots[i], ordinal, rank);
}

static enum refrain_status no_memory(void)
{
    log_error("out of memory: a cursor over a lane");
    return REFRAIN_ERR_MEMORY;
}

/* Every rank of a shape is in one group of each entry: trace_check sees to it. */
static enum refrain_status find_group(struct cursor_site *s, const struct entry *entry, uint32_t rank)
{
    for (size_t i = 0; i < entry->groups.n; i++) {
        const struct group *group = &entry->groups.items[i];
        if (ranks_find(group->ranks, rank, &s->ordinal)) {
            s->group = group;
            return REFRAIN_OK;
        }
    }
    log_error("rank %u has a call of site %u but no rows of it", rank, entry->site);
    return REFRAIN_ERR_FORMAT;
}

enum refrain_status cursor_start(struct cursor *c, const struct reader *r, const struct lane_ref *lane)
{
    const struct shape *shape = lane->shape;
    const size_t n = shape->entries.n;
    *c = (struct cursor){.reader = r, .lane = *lane, .n_sites = n};
    c->sites = calloc(n + 1, sizeof *c->sites);
    c->entry_of_site = calloc(r->trace.sites.n + 1, sizeof *c->entry_of_site);
    c->skipped = calloc(r->trace.sites.n + 1, sizeof *c->skipped);
    enum refrain_status status = c->sites && c->entry_of_site && c->skipped ? REFRAIN_OK : no_memory();
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        c->entry_of_site[shape->entries.items[i].site] = (uint32_t)i;
        status = find_group(&c->sites[i], &shape->entries.items[i], lane->rank);
    }
    if (status == REFRAIN_OK)
        status = rules_cursor_start(&c->skeleton, shape->skeleton);
    if (status != REFRAIN_OK)
        cursor_stop(c);
    return status;
}

void cursor_stop(struct cursor *c)
{
    for (size_t i = 0; c->sites && i < c->n_sites; i++) {
        struct cursor_site *s = &c->sites[i];
        rules_cursor_stop(&s->stream);
        free(s->columns);
        for (size_t k = 0; s->rows && k < s->group->rows.n; k++)
            free(s->rows[k]);
        free(s->rows);
    }
    rules_cursor_stop(&c->skeleton);
    free(c->sites);
    free(c->entry_of_site);
    free(c->skipped);
    array_free(&c->patched);
    *c = (struct cursor){0};
}

uint64_t cursor_calls(const struct cursor *c)
{
    return rules_length(c->lane.shape->skeleton);
}

enum refrain_status cursor_seek(struct cursor *c, uint64_t index)
{
    const size_t n = c->reader->trace.sites.n;
    memset(c->skipped, 0, n * sizeof *c->skipped);
    enum refrain_status status = rules_cursor_seek(&c->skeleton, index, c->skipped, (uint32_t)n);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < c->n_sites; i++) {
        c->sites[i].passed = c->skipped[c->lane.shape->entries.items[i].site];
        c->sites[i].reached = false;
    }
    c->index = index;
    return REFRAIN_OK;
}

/* Bring stream and columns of a site to its position. */
static enum refrain_status reach(const struct cursor *c, struct cursor_site *s)
{
    const struct group *group = s->group;
    enum refrain_status status;
    if (!s->rows) {
        s->rows = calloc(group->rows.n + 1, sizeof *s->rows);
        s->columns = calloc(group->columns.n + 1, sizeof *s->columns);
        if (!s->rows || !s->columns)
            return no_memory();
    }
    if (group->stream) {
        rules_cursor_stop(&s->stream);
        if ((status = rules_cursor_start(&s->stream, group->stream)) != REFRAIN_OK ||
            (status = rules_cursor_seek(&s->stream, s->passed, NULL, 0)) != REFRAIN_OK)
            return status;
    }
    for (size_t i = 0; i < group->columns.n; i++) {
        const int64_t which = rankfn_at(&group->columns.items[i].series, s->ordinal, c->lane.rank);
        series_cursor_start(&s->columns[i], c->reader->trace.columns.items[which]);
        series_cursor_seek(&s->columns[i], s->passed);
    }
    s->reached = true;
    return REFRAIN_OK;
}

/* The row as it is for this rank, evaluated once. NULL when memory is short. */
static const int64_t *row_of(const struct cursor *c, struct cursor_site *s, uint32_t number)
{
    const struct row *row = &s->group->rows.items[number];
    if (!s->rows[number]) {
        int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
        if (!slots) {
            no_memory();
            return NULL;
        }
        row_at(row, s->ordinal, c->lane.rank, slots);
        s->rows[number] = slots;
    }
    return s->rows[number];
}

/* The row with the columns' values of this call over it. A column moves on at every call, also where the row
 * is too short to have its slot. */
static const int64_t *patch(struct cursor *c, struct cursor_site *s, const int64_t *row, uint32_t n)
{
    c->patched.n = 0;
    if (!array_reserve(&c->patched, (size_t)n + 1))
        return NULL;
    memcpy(c->patched.items, row, n * sizeof *row);
    for (size_t i = 0; i < s->group->columns.n; i++) {
        const uint32_t slot = s->group->columns.items[i].slot;
        int64_t value;
        if (series_cursor_next(&s->columns[i], &value) && slot < n)
            c->patched.items[slot] = value;
    }
    return c->patched.items;
}

bool cursor_next(struct cursor *c, struct call *call, enum refrain_status *status)
{
    uint32_t site, number = 0;
    *status = REFRAIN_OK;
    if (!rules_cursor_next(&c->skeleton, &site))
        return false;
    struct cursor_site *s = &c->sites[c->entry_of_site[site]];
    if (!s->reached && (*status = reach(c, s)) != REFRAIN_OK)
        return false;
    if (s->group->stream)
        rules_cursor_next(&s->stream, &number);

    const uint32_t n_slots = s->group->rows.items[number].n_slots;
    const int64_t *slots = row_of(c, s, number);
    if (slots && s->group->columns.n > 0)
        slots = patch(c, s, slots, n_slots);
    if (!slots) {
        *status = REFRAIN_ERR_MEMORY;
        return false;
    }
    s->passed++;
    *call = (struct call){.index = c->index++,
                          .rank = c->lane.rank,
                          .thread = c->lane.shape->number,
                          .site = site,
                          .function = c->reader->trace.sites.items[site].function,
                          .slots = slots,
                          .n_slots = n_slots};
    return true;
}
