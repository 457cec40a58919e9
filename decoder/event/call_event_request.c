/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests: before a lane is read, the operation of each request is noted. A start of
 * the request then is this operation. */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"

#include <stdlib.h>

void call_event_forget_requests(struct call_event_source *s)
{
    for (size_t i = 0; i < s->requests.n; i++)
        event_list_free(&s->requests.items[i].events);
    s->requests.n = 0;
    map_clear(&s->started);
}

/* ---- persistent requests --------------------------------------------------------------------- */

/* Notes the operations of the requests that a row makes. Another row, or a column, may give the
 * number another meaning. */
static enum refrain_status note_request(struct call_event_source *s, const struct group *group,
                                        uint32_t function, const int64_t *slots, uint32_t n_slots)
{
    struct call_event_request made = {0};
    uint8_t *uses = calloc(n_slots + (size_t)1, 1);
    struct call_view v = {.source = s, .slots = slots, .uses = uses, .out = &made.events};
    enum refrain_status status = uses ? call_view_look(&v, function, n_slots) : REFRAIN_ERR_MEMORY;
    const int64_t *request = status == REFRAIN_OK ? call_view_after(&v, FIELD_REQUESTS) : NULL;
    if (status != REFRAIN_OK || !request)
        goto out;
    call_view_use(&v, request, 1, CALL_EVENT_DECIDES);
    if ((status = call_view_put_role(&v)) != REFRAIN_OK)
        goto out;
    made.unclear = call_view_varies(&v, group);
    const uint32_t known = map_get(&s->started, (uint64_t)*request);
    if (known == MAP_NONE) {
        const uint32_t number = (uint32_t)s->requests.n;
        status = array_push(&s->requests, made) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        if (status == REFRAIN_OK) {
            made.events = (struct event_list){0};
            status = map_set(&s->started, (uint64_t)*request, number) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        }
    } else if (made.unclear || !event_list_equal(&s->requests.items[known].events, &made.events)) {
        s->requests.items[known].unclear = true;
    }
out:
    event_list_free(&made.events);
    free(uses);
    return status;
}

enum refrain_status call_event_note_site(struct call_event_source *s, const struct lane_ref *lane,
                                         const struct entry *entry)
{
    const uint32_t function = s->reader->trace.sites.items[entry->site].function;
    return s->roles.items[function].variant == VARIANT_PERSISTENT
               ? call_event_each_row(s, lane, entry, note_request)
               : REFRAIN_OK;
}

/* ---- starting -------------------------------------------------------------------------------- */

static enum refrain_status append_list(struct event_list *to, const struct event_list *from)
{
    if (!array_reserve(&to->items, from->items.n) || !array_reserve(&to->numbers, from->numbers.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < from->items.n; i++) {
        struct event e = from->items.items[i];
        e.first += to->numbers.n;
        to->items.items[to->items.n++] = e;
    }
    for (size_t i = 0; i < from->numbers.n; i++)
        to->numbers.items[to->numbers.n++] = from->numbers.items[i];
    return REFRAIN_OK;
}

enum refrain_status call_view_put_start(struct call_view *v)
{
    const struct slot_range range = v->row.before[FIELD_REQUESTS];
    const int64_t *requests = v->slots + range.at;
    enum refrain_status status = REFRAIN_OK;
    call_view_use(v, requests, range.n, CALL_EVENT_DECIDES);
    for (uint32_t i = 0; i < range.n && status == REFRAIN_OK; i++) {
        const uint32_t number = map_get(&v->source->started, (uint64_t)requests[i]);
        const struct call_event_request *r = number == MAP_NONE ? NULL : &v->source->requests.items[number];
        if (r && !r->unclear) {
            status = v->noting ? REFRAIN_OK : append_list(v->out, &r->events);
            continue;
        }
        call_view_begin(v, "local");
        text_put(&v->source->draft.text, v->function->name);
        text_put(&v->source->draft.text, " request=");
        call_view_put_handle(v, call_view_kind(v, FIELD_REQUESTS), requests + i);
        status = call_view_end(v);
    }
    return status;
}
