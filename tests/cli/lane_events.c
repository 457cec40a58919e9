/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the events of every lane of a trace, call by call. `refrain loops --expand` prints the
 * same from models.
 *
 *     lane_events messages|calls TRACE */
#include "decoder/event/call_event.h"
#include "decoder/util/output.h"
#include "decoder/util/text.h"

#include <string.h>

static void put_event(const struct event_templates *templates, const struct event_list *events,
                      const struct event *e, struct bytes *out)
{
    const struct event_template *template = &templates->items.items[e->template];
    const char *text = event_template_text(templates, template);
    size_t number = e->first;
    for (size_t i = 0; i < template->n; i++) {
        if (text[i] == EVENT_NUMBER || text[i] == EVENT_RANK)
            text_int(out, events->numbers.items[number++]);
        else
            text_putc(out, text[i]);
    }
    text_putc(out, '\n');
}

static enum refrain_status put_lane(struct call_event_source *s, const struct lane_ref *lane,
                                    struct output *out)
{
    struct cursor cursor;
    struct call call;
    struct event_list events = {0};
    enum refrain_status status = call_event_lane(s, lane);
    if (status == REFRAIN_OK)
        status = cursor_start(&cursor, s->reader, lane);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && cursor_next(&cursor, &call, &status)) {
        event_list_clear(&events);
        status = call_event_put(s, call.function, call.slots, call.n_slots, &events, NULL);
        for (size_t i = 0; i < events.items.n && status == REFRAIN_OK; i++)
            put_event(s->templates, &events, &events.items.items[i], &out->text);
        if (status == REFRAIN_OK)
            status = output_drain(out);
    }
    cursor_stop(&cursor);
    event_list_free(&events);
    return status;
}

int main(int argc, char **argv)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct event_templates templates = {0};
    struct call_event_source source = {0};
    struct output out = {0};
    if (argc != 3)
        return 2;
    const bool calls = strcmp(argv[1], "calls") == 0;
    enum refrain_status status = reader_open(&reader, argv[2]);
    if (status != REFRAIN_OK)
        return reader_exit(status);
    if ((status = definitions_read(&definitions, &reader)) == REFRAIN_OK)
        status = call_event_source_create(&source, &reader, &definitions,
                                          calls ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES, &templates);
    if (status == REFRAIN_OK) {
        for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(&reader, &rank); rank++) {
            struct lane_ref lane;
            for (size_t at = 0;
                 status == REFRAIN_OK && reader_next_lane(&reader, (uint32_t)rank, LANE_THREAD, &at, &lane);)
                status = put_lane(&source, &lane, &out);
        }
        call_event_source_free(&source);
    }
    const enum refrain_status written = output_close(&out);
    event_templates_free(&templates);
    definitions_free(&definitions);
    reader_close(&reader);
    return reader_exit(status == REFRAIN_OK ? written : status);
}
