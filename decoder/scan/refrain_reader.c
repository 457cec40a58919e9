/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader library: event_lane.h for other programs. */
#include "refrain_reader.h"

#include "decoder/loops/event_lane.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

struct refrain_reader {
    char *path;
    struct reader reader;
    struct definitions definitions;
    struct symbols symbols;
    struct event_templates templates;
    struct call_event_source source;
    struct event_lane lane;
    bool has_lane;
    ARRAY(struct event_value) values; /* requested values; their names are owned */
    struct bytes text;
};

static enum refrain_status open_all(struct refrain_reader *r, uint32_t world,
                                    enum refrain_reader_events events)
{
    enum refrain_status status = reader_open_world(&r->reader, r->path, world);
    if (status == REFRAIN_OK)
        status = definitions_read(&r->definitions, &r->reader);
    if (status == REFRAIN_OK)
        status = symbols_open(&r->symbols, &r->reader.trace, NULL);
    if (status == REFRAIN_OK)
        status = call_event_source_create(
            &r->source, &r->reader, &r->definitions,
            events == REFRAIN_READER_CALLS ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES, &r->templates);
    r->source.renderer.symbols = &r->symbols;
    return status;
}

struct refrain_reader *refrain_reader_open(const char *path, uint32_t world,
                                           enum refrain_reader_events events)
{
    struct refrain_reader *r = calloc(1, sizeof *r);
    if (r)
        r->path = strdup(path);
    if (!r || !r->path)
        log_error("out of memory: opening %s", path);
    if (r && r->path && open_all(r, world, events) == REFRAIN_OK)
        return r;
    refrain_reader_close(r);
    return NULL;
}

void refrain_reader_close(struct refrain_reader *r)
{
    if (!r)
        return;
    event_lane_stop(&r->lane);
    if (r->source.reader)
        call_event_source_free(&r->source);
    event_templates_free(&r->templates);
    symbols_close(&r->symbols);
    definitions_free(&r->definitions);
    reader_close(&r->reader);
    for (size_t i = 0; i < r->values.n; i++)
        free((char *)r->values.items[i].name);
    array_free(&r->values);
    bytes_free(&r->text);
    free(r->path);
    free(r);
}

int refrain_reader_lane(struct refrain_reader *r, uint32_t rank, uint32_t thread)
{
    struct lane_ref lane;
    event_lane_stop(&r->lane);
    r->has_lane = event_lane_find(&r->reader, rank, thread, &lane) == REFRAIN_OK &&
                  event_lane_start(&r->lane, &r->source, &lane) == REFRAIN_OK;
    return r->has_lane ? 0 : -1;
}

uint64_t refrain_reader_length(const struct refrain_reader *r)
{
    return r->lane.position.events;
}

int refrain_reader_seek(struct refrain_reader *r, uint64_t event)
{
    if (!r->has_lane)
        log_error("%s: no lane was chosen", r->path);
    return r->has_lane && event_lane_seek(&r->lane, event) == REFRAIN_OK ? 0 : -1;
}

uint64_t refrain_reader_call(const struct refrain_reader *r)
{
    return r->lane.call.index;
}

/* Returns the value of a name, which is looked up once; NULL on failure. */
static const struct event_value *find_value(struct refrain_reader *r, const char *name)
{
    struct event_value value;
    for (size_t i = 0; i < r->values.n; i++) {
        if (strcmp(r->values.items[i].name, name) == 0)
            return &r->values.items[i];
    }
    char *own = strdup(name);
    if (own && event_value_find(&r->reader, own, &value) == REFRAIN_OK && array_push(&r->values, value))
        return &r->values.items[r->values.n - 1];
    free(own);
    return NULL;
}

const char *refrain_reader_value(struct refrain_reader *r, const char *name)
{
    const struct event_value *value = find_value(r, name);
    if (!value)
        return NULL;
    if (!r->lane.there) {
        log_error("%s: no event was sought", r->path);
        return NULL;
    }
    r->text.n = 0;
    if (event_lane_put(&r->lane, value, &r->text) != REFRAIN_OK)
        return NULL;
    bytes_put_u8(&r->text, '\0');
    return r->text.failed ? NULL : (const char *)r->text.data;
}
