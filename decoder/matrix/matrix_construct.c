/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of constructs. The model lists a rank's events in the order of its calls, so both are walked
 * side by side. This gives each call its construct in the model and the messages that it sends:
 *
 *     model of rank 0        calls of rank 0, as events of CALL_EVENT_MESSAGES and of CALL_EVENT_SENT
 *     1    0 recv 1 tag5     MPI_Irecv       0 recv 1 tag5
 *     2    for 2 {           MPI_Sendrecv    0 send 1 tag6   0 send 1 bytes8     in construct 2
 *     2.1    0 send 1 tag6                   0 recv 1 tag6
 *     2.2    0 recv 1 tag6   MPI_Sendrecv    0 send 1 tag6   0 send 1 bytes16    in construct 2
 *                                            0 recv 1 tag6
 */
#include "decoder/loops/lift_site.h"
#include "matrix.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A lane's calls as events of one mode. */
struct side {
    struct call_event_source source;
    struct event_templates templates;
    struct lift_site *sites;         /* by entry */
    const struct event_list *events; /* of the current call; NULL: none */
};

struct lane_sends {
    const struct reader *reader;
    struct lane_ref lane;
    struct lane_walk walk;
    uint32_t *entry_of; /* by site */
    struct side messages, sent;
    size_t at;      /* the current event of messages.events */
    size_t at_sent; /* number of earlier events of the call that may be sends */
    bool fits;      /* messages.events has as many possible sends as sent.events has events */
};

/* Is the event a send or a possible send: "@ send …", "@ local MPI_Start…"? */
static bool may_send(const struct event_templates *templates, uint32_t number)
{
    static const char *const kinds[] = {" send ", " local "};
    const struct event_template *template = &templates->items.items[number];
    const char *text = event_template_text(templates, template);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t n = strlen(kinds[i]);
        if (template->n > 1 + n && memcmp(text + 1, kinds[i], n) == 0)
            return true;
    }
    return false;
}

/* ---- the calls of a lane --------------------------------------------------------------------- */

static void side_close(struct side *side, const struct lane_ref *lane)
{
    for (size_t i = 0; side->sites && i < lane->shape->entries.n; i++)
        lift_site_close(&side->sites[i]);
    free(side->sites);
    side->sites = NULL;
    side->events = NULL;
}

static enum refrain_status side_open(struct side *side, const struct lane_ref *lane)
{
    const struct trace *t = &side->source.reader->trace;
    const size_t n = lane->shape->entries.n;
    enum refrain_status status = call_event_lane(&side->source, lane);
    if (status == REFRAIN_OK && !(side->sites = calloc(n + 1, sizeof *side->sites))) {
        log_error("out of memory: %zu sites", n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct entry *entry = &lane->shape->entries.items[i];
        side->sites[i].silent = true;
        if (call_event_may(&side->source, t->sites.items[entry->site].function))
            status = lift_site_open(&side->sites[i], &side->source, lane, entry);
    }
    return status;
}

static enum refrain_status side_next(struct side *side, uint32_t entry)
{
    side->events = NULL;
    return side->sites[entry].silent ? REFRAIN_OK
                                     : lift_site_next(&side->sites[entry], &side->source, &side->events);
}

static void sends_stop(struct lane_sends *s)
{
    side_close(&s->messages, &s->lane);
    side_close(&s->sent, &s->lane);
    lane_walk_stop(&s->walk);
}

/* The caller stops the walk even after an error. */
static enum refrain_status sends_start(struct lane_sends *s, const struct lane_ref *lane)
{
    s->lane = *lane;
    for (size_t i = 0; i < lane->shape->entries.n; i++)
        s->entry_of[lane->shape->entries.items[i].site] = (uint32_t)i;
    enum refrain_status status =
        lane_walk_start(&s->walk, &s->reader->trace, lane->shape, lane->ordinal, lane->rank);
    if (status == REFRAIN_OK)
        status = side_open(&s->messages, lane);
    return status == REFRAIN_OK ? side_open(&s->sent, lane) : status;
}

static enum refrain_status next_call(struct lane_sends *s, bool *end)
{
    const struct event_list *events;
    enum refrain_status status = REFRAIN_OK;
    uint32_t site;
    size_t n = 0;
    *end = !lane_walk_next(&s->walk, &site);
    if (!*end && (status = side_next(&s->messages, s->entry_of[site])) == REFRAIN_OK)
        status = side_next(&s->sent, s->entry_of[site]);
    if (*end || status != REFRAIN_OK)
        return status;
    events = s->messages.events;
    for (size_t i = 0; events && i < events->items.n; i++)
        n += may_send(&s->messages.templates, events->items.items[i].template);
    s->fits = n == (s->sent.events ? s->sent.events->items.n : 0);
    s->at = s->at_sent = 0;
    return REFRAIN_OK;
}

/* Moves to the next event. *end: there is none. */
static enum refrain_status sends_next(struct lane_sends *s, bool *end)
{
    const struct event_list *events = s->messages.events;
    enum refrain_status status = REFRAIN_OK;
    *end = false;
    if (events) {
        s->at_sent += may_send(&s->messages.templates, events->items.items[s->at].template);
        s->at++;
    }
    while (status == REFRAIN_OK && !*end && (!s->messages.events || s->at == s->messages.events->items.n))
        status = next_call(s, end);
    return status;
}

/* Adds what the current event sends. */
static enum refrain_status add(struct matrix *m, const struct lane_sends *s)
{
    if (!may_send(&s->messages.templates, s->messages.events->items.items[s->at].template))
        return REFRAIN_OK;
    if (s->fits)
        return matrix_add_event(m, &s->sent.templates, s->sent.events, s->at_sent, 1);
    m->unclear++;
    return REFRAIN_OK;
}

/* ---- ranges of a body ------------------------------------------------------------------------ */

/* Ranges of one body, ascending. */
struct ranges {
    const struct construct_range *items;
    size_t n;
};

/* Returns the range that contains the last event; `n` if there is none. */
static size_t find_range(const struct model_path *at, const struct ranges *ranges)
{
    const struct construct_path *first = &ranges->items[0].first;
    const uint32_t last = first->n - 1;
    bool inside = at->depth >= last;
    for (uint32_t i = 0; i < last && inside; i++)
        inside = at->frames[i].at == first->levels[i].number;
    if (!inside)
        return ranges->n;
    const uint64_t number = at->frames[last].at;
    const size_t k =
        BISECT(i, ranges->n, ranges->items[i].first.levels[last].number + ranges->items[i].n <= number);
    return k < ranges->n && ranges->items[k].first.levels[last].number <= number ? k : ranges->n;
}

static enum refrain_status differ(const struct model_process *p)
{
    log_error("the model of rank %u has other events than its calls", p->rank);
    return REFRAIN_ERR_CHECK;
}

static enum refrain_status count_lane(struct matrix *m, struct lane_sends *s, const struct lane_ref *lane,
                                      const struct model *model, uint32_t process,
                                      const struct ranges *ranges)
{
    const struct model_process *p = &model->processes.items[process];
    struct model_path at;
    enum refrain_status status = sends_start(s, lane);
    bool end = false;
    model_path_start(&at, model->all, process);
    while (status == REFRAIN_OK && model_path_next(&at)) {
        if ((status = sends_next(s, &end)) == REFRAIN_OK && end)
            status = differ(p);
        const size_t range = find_range(&at, ranges);
        if (status == REFRAIN_OK && range < ranges->n)
            status = add(&m[range], s);
    }
    if (status == REFRAIN_OK && (status = sends_next(s, &end)) == REFRAIN_OK && !end)
        status = differ(p);
    sends_stop(s);
    return status;
}

/* Finds the lane of a process of the model. */
static bool find_lane(const struct reader *r, const struct model_process *p, struct lane_ref *lane)
{
    for (size_t at = 0; reader_next_lane(r, p->rank, LANE_THREAD, &at, lane);) {
        if (lane->shape->number == p->thread)
            return true;
    }
    return false;
}

static enum refrain_status count_lanes(struct matrix *m, struct lane_sends *s, const struct model *model,
                                       const struct ranges *ranges)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < model->processes.n && status == REFRAIN_OK; i++) {
        const struct model_process *p = &model->processes.items[i];
        struct lane_ref lane;
        bool has = false;
        for (size_t k = 0; k < ranges->n && !has; k++)
            has = construct_range_has(&ranges->items[k], i);
        if (has)
            status = find_lane(s->reader, p, &lane) ? count_lane(m, s, &lane, model, i, ranges) : differ(p);
    }
    return status;
}

enum refrain_status matrix_of_constructs(struct matrix *m, const struct reader *r,
                                         const struct definitions *d, const struct model *model,
                                         const struct construct_range *range)
{
    return matrix_of_ranges(m, r, d, model, range, 1);
}

enum refrain_status matrix_of_ranges(struct matrix *m, const struct reader *r, const struct definitions *d,
                                     const struct model *model, const struct construct_range *ranges,
                                     size_t n)
{
    assert(n > 0);
    struct lane_sends s = {.reader = r};
    for (size_t i = 0; i < n; i++)
        m[i] = (struct matrix){.first_rank = r->trace.first_rank, .n_ranks = r->trace.n_ranks};
    enum refrain_status status =
        call_event_source_create(&s.messages.source, r, d, CALL_EVENT_MESSAGES, &s.messages.templates);
    if (status != REFRAIN_OK)
        return status;
    status = call_event_source_create(&s.sent.source, r, d, CALL_EVENT_SENT, &s.sent.templates);
    if (status != REFRAIN_OK)
        goto out;
    if (!(s.entry_of = calloc(r->trace.sites.n + 1, sizeof *s.entry_of))) {
        log_error("out of memory: %zu sites", r->trace.sites.n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = count_lanes(m, &s, model, &(struct ranges){ranges, n});
    for (size_t i = 0; i < n; i++) {
        if (status == REFRAIN_OK)
            matrix_finish(&m[i]);
        else
            matrix_free(&m[i]);
    }
    free(s.entry_of);
    call_event_source_free(&s.sent.source);
    event_templates_free(&s.sent.templates);
out:
    call_event_source_free(&s.messages.source);
    event_templates_free(&s.messages.templates);
    return status;
}
