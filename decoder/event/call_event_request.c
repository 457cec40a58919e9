/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests: before a lane is read, the operation of each request is noted. A start of
 * the request then is this operation. */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

void call_event_forget_requests(struct call_event_source *s)
{
    for (size_t i = 0; i < s->requests.n; i++)
        event_list_free(&s->requests.items[i].events);
    s->requests.n = 0;
    map_clear(&s->started);
    map_clear(&s->partitioned);
}

/* ---- persistent requests --------------------------------------------------------------------- */

#define SEVERAL (MAP_NONE - 1)

static uint64_t hash_of(const struct event_list *l)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < l->items.n; i++)
        hash = mix(hash, l->items.items[i].template);
    for (size_t i = 0; i < l->numbers.n; i++)
        hash = mix(hash, (uint64_t)l->numbers.items[i]);
    return hash;
}

/* Partitioned messages with the same partner and tag match in the order in which their requests were made (MPI 4.1,
 * 4.2.1), which the events do not show. `number` is that of the request. */
static enum refrain_status note_partitioned(struct call_event_source *s, const struct event_list *events,
                                            uint32_t number)
{
    const uint64_t key = hash_of(events);
    const uint32_t known = map_get(&s->partitioned, key);
    if (known == number || known == SEVERAL)
        return REFRAIN_OK;
    return map_set(&s->partitioned, key, known == MAP_NONE ? number : SEVERAL) ? REFRAIN_OK
                                                                               : REFRAIN_ERR_MEMORY;
}

/* Do several requests have these events? */
static bool is_several(const struct call_event_source *s, const struct call_event_request *r)
{
    return r->partitioned && map_get(&s->partitioned, hash_of(&r->events)) == SEVERAL;
}

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
    made.partitioned = v.role->actions & ROLE_PARTITIONED;
    const uint32_t known = map_get(&s->started, (uint64_t)*request);
    if (made.partitioned)
        status = note_partitioned(s, &made.events, known == MAP_NONE ? (uint32_t)s->requests.n : known);
    if (status != REFRAIN_OK)
        goto out;
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

/* Returns what a request is for; NULL if nothing says that. */
static const struct call_event_request *find_request(const struct call_view *v, int64_t request)
{
    const uint32_t number = map_get(&v->source->started, (uint64_t)request);
    const struct call_event_request *r = number == MAP_NONE ? NULL : &v->source->requests.items[number];
    return r && !r->unclear ? r : NULL;
}

static enum refrain_status put_unclear(struct call_view *v, const int64_t *request)
{
    call_view_begin(v, "local");
    text_put(&v->source->draft.text, v->function->name);
    text_put(&v->source->draft.text, " request=");
    call_view_put_handle(v, call_view_kind(v, FIELD_REQUESTS), request);
    return call_view_end(v);
}

/* Which partitions, by number. */
struct partitions {
    const char *verb;
    const int64_t *first, *last; /* last NULL: one partition */
};

static void put_numbers(struct event_draft *d, const struct partitions *p)
{
    text_put(&d->text, p->last ? " partitions" : " partition");
    event_draft_number(d, *p->first);
    if (p->last) {
        text_putc(&d->text, '-');
        event_draft_number(d, *p->last);
    }
}

/* The event of a partitioned request; with partitions, if they are not NULL:
 *
 *     0 send 1 partitioned7 comm0      0 ready 1 partitioned7 partition3 comm0 */
static enum refrain_status put_partitioned(struct call_view *v, const struct call_event_request *r,
                                           const struct partitions *partitions)
{
    static const char word[] = "partitioned"; /* the tag follows: a byte */
    struct event_draft *d = &v->source->draft;
    const bool several = is_several(v->source, r);
    event_draft_clear(d);
    if (r->events.items.n == 0) /* to nobody */
        return REFRAIN_OK;
    const struct event *e = &r->events.items.items[0];
    const struct event_template *template = &v->source->templates->items.items[e->template];
    const char *text = event_template_text(v->source->templates, template), *end = text + template->n;
    const char *tag = memmem(text, template->n, word, strlen(word));
    const int64_t *number = r->events.numbers.items + e->first;
    if (!tag || template->n < strlen("@ send"))
        return REFRAIN_OK;
    for (const char *at = text; at < end; at++) {
        if (at == text + strlen("@ ") && partitions) {
            text_put(&d->text, partitions->verb);
            at += strlen("send");
        }
        if (at == tag + strlen(word) && several)
            text_putc(&d->text, '?');
        if (*at == EVENT_RANK)
            event_draft_rank(d, *number++);
        else if (*at == EVENT_NUMBER)
            event_draft_number(d, *number++);
        else
            text_putc(&d->text, *at);
        if (at == tag + strlen(word) && partitions)
            put_numbers(d, partitions);
    }
    return call_view_end(v);
}

enum refrain_status call_view_put_start(struct call_view *v)
{
    const struct slot_range range = v->row.before[FIELD_REQUESTS];
    const int64_t *requests = v->slots + range.at;
    enum refrain_status status = REFRAIN_OK;
    call_view_use(v, requests, range.n, CALL_EVENT_DECIDES);
    for (uint32_t i = 0; i < range.n && status == REFRAIN_OK; i++) {
        const struct call_event_request *r = find_request(v, requests[i]);
        if (!r)
            status = put_unclear(v, requests + i);
        else if (is_several(v->source, r))
            status = put_partitioned(v, r, NULL);
        else if (!v->noting)
            status = append_list(v->out, &r->events);
    }
    return status;
}

/* ---- partitions ------------------------------------------------------------------------------ */

enum refrain_status call_view_put_partitions(struct call_view *v)
{
    const struct slot_range range = v->row.before[FIELD_PARTITION];
    const int64_t *request = call_view_before(v, FIELD_REQUESTS);
    const int64_t *flag = v->role->actions & ROLE_TEST ? call_view_after(v, FIELD_FLAG) : NULL;
    struct partitions p = {.verb = flag ? "arrived" : "ready",
                           .last = call_view_before(v, FIELD_LAST_PARTITION)};
    enum refrain_status status = REFRAIN_OK;
    if (!request)
        return REFRAIN_OK;
    call_view_use(v, request, 1, CALL_EVENT_DECIDES);
    if (flag)
        call_view_use(v, flag, 1, CALL_EVENT_DECIDES);
    call_view_use(v, v->slots + range.at, range.n, CALL_EVENT_NUMBER);
    if (p.last)
        call_view_use(v, p.last, 1, CALL_EVENT_NUMBER);
    if (flag && !*flag)
        return REFRAIN_OK;
    const struct call_event_request *r = find_request(v, *request);
    if (!r)
        return put_unclear(v, request);
    for (uint32_t i = 0; i < range.n && status == REFRAIN_OK; i++) {
        p.first = v->slots + range.at + i;
        status = put_partitioned(v, r, &p);
    }
    return status;
}
