/* refrain model: one model of the whole program, from the loop models of its processes (docs/MODEL.md). */
#include "commands.h"

#include "event_file.h"
#include "lift.h"
#include "log.h"
#include "model_svg.h"
#include "model_text.h"
#include "world.h"

#include <errno.h>
#include <stdlib.h>

#define WINDOW_MOST 1000000

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

/* The loop models of all threads of all ranks of a trace. */
static enum refrain_status lift_all(const struct reader *r, size_t window, struct event_forms *forms,
                                    struct loop_groups *groups)
{
    struct definitions definitions = {0};
    struct call_event_source source = {0};
    enum refrain_status status = definitions_read(&definitions, r);
    if (status == REFRAIN_OK)
        status = call_event_source_create(&source, r, &definitions, CALL_EVENT_MESSAGES, forms);
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            struct nlr *own;
            if ((status = lift_lane(&source, &lane, window, &own)) == REFRAIN_OK)
                status = loop_groups_add(groups, (uint32_t)rank, lane.shape->number, own);
        }
    }
    if (source.reader)
        call_event_source_free(&source);
    definitions_free(&definitions);
    return status;
}

static enum refrain_status take_loops(const struct options *o, struct event_forms *forms,
                                      struct loop_groups *groups)
{
    const char *events = options_value(o, OPTION_EVENTS);
    struct reader reader;
    size_t window;
    enum refrain_status status = parse_window(options_value(o, OPTION_WINDOW), &window);
    if (status != REFRAIN_OK)
        return status;
    if (!events == (o->n_operands == 0)) {
        log_error("wanted a TRACE or --events FILE%s (see refrain model --help)", events ? ", not both" : "");
        return REFRAIN_ERR_USAGE;
    }
    if (events)
        return event_file_model(events, window, forms, groups);
    if ((status = world_open(&reader, o)) != REFRAIN_OK)
        return status;
    status = lift_all(&reader, window, forms, groups);
    reader_close(&reader);
    return status;
}

/* All processes of the rank that --expand names. */
static enum refrain_status put_expanded(const struct model *m, const char *word, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    char *end;
    bool any = false;
    errno = 0;
    const unsigned long rank = strtoul(word, &end, 10);
    for (uint32_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        if (errno != 0 || *word < '0' || *word > '9' || *end || m->processes.items[i].rank != rank)
            continue;
        any = true;
        status = model_put_events(m, i, out);
    }
    if (!any && status == REFRAIN_OK) {
        log_error("--expand %s: there is no such rank", word);
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

static enum refrain_status print(const struct model *m, const struct options *o)
{
    const char *rank = options_value(o, OPTION_EXPAND);
    struct output out = {0};
    enum refrain_status status = rank                          ? put_expanded(m, rank, &out)
                                 : options_has(o, OPTION_JSON) ? model_put_json(m, &out)
                                 : options_has(o, OPTION_SVG)  ? model_put_svg(m, &out)
                                                               : model_put_text(m, &out);
    const enum refrain_status written = output_close(&out);
    return status == REFRAIN_OK ? written : status;
}

enum refrain_status cmd_model(const struct options *o)
{
    struct event_forms forms = {0};
    struct loop_groups groups = {.forms = &forms};
    struct model model = {0};
    enum refrain_status status = take_loops(o, &forms, &groups);
    if (status == REFRAIN_OK)
        status = model_create(&model, &groups);
    if (status == REFRAIN_OK)
        status = print(&model, o);
    model_free(&model);
    loop_groups_free(&groups);
    event_forms_free(&forms);
    return status;
}
