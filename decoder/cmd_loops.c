/* refrain loops: what each rank does, as nested loops (docs/LOOPS.md). */
#include "commands.h"

#include "event_file.h"
#include "lift.h"
#include "log.h"
#include "loop_text.h"
#include "ranges.h"
#include "text.h"
#include "world.h"

#include <errno.h>
#include <stdlib.h>

#define WINDOW_MOST 1000000

struct report {
    struct event_forms forms;
    struct loop_groups groups;
    struct definitions definitions;
    ARRAY(uint32_t) communicators; /* by number: those that the models name */
};

static enum refrain_status parse_window(const char *text, size_t *window)
{
    char *end;
    *window = NLR_WINDOW;
    if (!text)
        return REFRAIN_OK;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, 10);
    if (errno == 0 && *text >= '0' && *text <= '9' && !*end && v > 0 && v <= WINDOW_MOST) {
        *window = (size_t)v;
        return REFRAIN_OK;
    }
    log_error("--window %s: wanted a number from 1 to %d", text, WINDOW_MOST);
    return REFRAIN_ERR_USAGE;
}

/* A TRACE or --events, and no options that the other one is for. */
static enum refrain_status check_source(const struct options *o)
{
    static const enum option_id of_traces[] = {OPTION_CALLS, OPTION_RANK, OPTION_THREAD, OPTION_WORLD};
    const bool events = options_has(o, OPTION_EVENTS);
    if (events == (o->n_operands > 0)) {
        log_error("wanted a TRACE or --events FILE%s (see refrain loops --help)", events ? ", not both" : "");
        return REFRAIN_ERR_USAGE;
    }
    for (size_t i = 0; events && i < sizeof of_traces / sizeof of_traces[0]; i++) {
        const struct option_value *given = options_find(o, of_traces[i]);
        if (given) {
            log_error("--%s is for traces, not for --events", given->spec->name);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

/* ---- models -------------------------------------------------------------------------------------------- */

static enum refrain_status lift_rank(struct report *p, struct call_event_source *source, uint32_t rank,
                                     const struct ranges *threads, size_t window)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(source->reader, rank, LANE_THREAD, &at, &lane);) {
        struct nlr *model;
        if (!ranges_has(threads, lane.shape->number))
            continue;
        status = lift_lane(source, &lane, window, &model);
        if (status == REFRAIN_OK)
            status = loop_groups_add(&p->groups, rank, lane.shape->number, model);
    }
    return status;
}

static enum refrain_status lift_ranks(struct report *p, const struct reader *r, const struct options *o,
                                      size_t window)
{
    const bool calls = options_has(o, OPTION_CALLS);
    struct call_event_source source = {0};
    struct ranges ranks = {0}, threads = {0};
    enum refrain_status status = ranges_parse(&ranks, options_value(o, OPTION_RANK));
    if (status == REFRAIN_OK)
        status = ranges_parse(&threads, options_value(o, OPTION_THREAD));
    if (status == REFRAIN_OK)
        status = ranges_check(&ranks, &r->trace);
    if (status == REFRAIN_OK)
        status = definitions_read(&p->definitions, r);
    if (status == REFRAIN_OK)
        status = call_event_source_create(&source, r, &p->definitions,
                                          calls ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES, &p->forms);
    if (status != REFRAIN_OK)
        goto out;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        if (ranges_has(&ranks, rank))
            status = lift_rank(p, &source, (uint32_t)rank, &threads, window);
    }
    for (size_t i = 0; i < source.communicators.n && status == REFRAIN_OK; i++) {
        if (!array_push(&p->communicators, source.communicators.items[i]))
            status = REFRAIN_ERR_MEMORY;
    }
    call_event_source_free(&source);
out:
    ranges_free(&threads);
    ranges_free(&ranks);
    return status;
}

static enum refrain_status make_models(struct report *p, const struct options *o)
{
    const char *events = options_value(o, OPTION_EVENTS);
    struct reader reader;
    size_t window;
    enum refrain_status status = check_source(o);
    if (status == REFRAIN_OK)
        status = parse_window(options_value(o, OPTION_WINDOW), &window);
    if (status != REFRAIN_OK)
        return status;
    if (events)
        return event_file_model(events, window, &p->forms, &p->groups);
    if ((status = world_open(&reader, o)) != REFRAIN_OK)
        return status;
    status = lift_ranks(p, &reader, o, window);
    reader_close(&reader);
    return status;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    const struct member *x = *(const struct member *const *)a, *y = *(const struct member *const *)b;
    if (x->second != y->second)
        return x->second ? 1 : -1;
    return x->rank_in_comm < y->rank_in_comm ? -1 : x->rank_in_comm > y->rank_in_comm;
}

/* The members of a communicator in their order, those that the trace has. NULL when memory is short. */
static uint32_t *members_of(const struct definitions *d, uint32_t number, size_t *n)
{
    const struct member **found = malloc((d->members.n + 1) * sizeof *found);
    uint32_t *ranks = malloc((d->members.n + 1) * sizeof *ranks);
    size_t all = 0;
    *n = 0;
    if (!found || !ranks) {
        log_error("out of memory: %zu members", d->members.n);
        free(ranks);
        ranks = NULL;
    }
    for (size_t i = 0; ranks && i < d->members.n; i++) {
        if (d->members.items[i].number == number)
            found[all++] = &d->members.items[i];
    }
    if (all > 0)
        qsort(found, all, sizeof *found, by_place);
    /* A rank that has several handles of it is one member. */
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || by_place(&found[i - 1], &found[i]) != 0)
            ranks[(*n)++] = found[i]->rank;
    }
    free(found);
    return ranks;
}

static enum refrain_status put_communicators(const struct report *p, struct json *json, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (json)
        json_array(json, "communicators");
    for (size_t i = 0; i < p->communicators.n && status == REFRAIN_OK; i++) {
        const uint32_t number = p->communicators.items[i];
        size_t n;
        uint32_t *ranks = members_of(&p->definitions, number, &n);
        if (!ranks)
            return REFRAIN_ERR_MEMORY;
        if (json) {
            json_object(json, NULL);
            json_uint(json, "number", number);
            json_array(json, "ranks");
            for (size_t k = 0; k < n; k++)
                json_uint(json, NULL, ranks[k]);
            json_end(json);
            json_end(json);
        } else {
            text_printf(&out->text, "# comm%u: ranks ", number);
            loop_put_ranks(ranks, n, &out->text);
            text_putc(&out->text, '\n');
        }
        free(ranks);
        status = output_drain(out);
    }
    if (json)
        json_end(json);
    return status;
}

static enum refrain_status put_models(const struct report *p, bool as_json, struct output *out)
{
    struct json j = json_of(&out->text);
    if (as_json)
        json_object(&j, NULL);
    enum refrain_status status = put_communicators(p, as_json ? &j : NULL, out);
    if (as_json)
        json_array(&j, "models");
    for (size_t i = 0; i < p->groups.groups.n && status == REFRAIN_OK && !out->closed; i++) {
        const struct loop_group *group = &p->groups.groups.items[i];
        if (!as_json && (i > 0 || p->communicators.n > 0))
            text_putc(&out->text, '\n');
        status = as_json ? loop_put_json(&p->groups, group, &j, out) : loop_put_text(&p->groups, group, out);
    }
    if (as_json) {
        json_end(&j);
        json_end(&j);
        text_putc(&out->text, '\n');
    }
    return status;
}

static enum refrain_status put_events(const struct report *p, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < p->groups.members.n && status == REFRAIN_OK && !out->closed; i++)
        status = loop_put_events(&p->groups, &p->groups.members.items[i], out);
    return status;
}

enum refrain_status cmd_loops(const struct options *o)
{
    struct report p = {0};
    struct output out = {0};
    p.groups.forms = &p.forms;
    enum refrain_status status = make_models(&p, o);
    if (status == REFRAIN_OK) {
        status = options_has(o, OPTION_EXPAND) ? put_events(&p, &out)
                                               : put_models(&p, options_has(o, OPTION_JSON), &out);
        const enum refrain_status written = output_close(&out);
        status = status == REFRAIN_OK ? written : status;
    }
    array_free(&p.communicators);
    definitions_free(&p.definitions);
    loop_groups_free(&p.groups);
    event_forms_free(&p.forms);
    return status;
}
