/* SPDX-License-Identifier: BSD-3-Clause */
/* Matched probes: before a lane is read, the messages that they find are noted, because the call
 * that receives such a message does not name its communicator, and its sender only if the call
 * blocks. */
#include "call_event_impl.h"

#include <stdlib.h>

void call_event_forget_probes(struct call_event_source *s)
{
    s->probes.n = 0;
    map_clear(&s->found);
}

const struct call_event_probe *call_event_find_probe(const struct call_event_source *s, int64_t message)
{
    const uint32_t number = map_get(&s->found, (uint64_t)message);
    return number == MAP_NONE ? NULL : &s->probes.items[number];
}

/* Notes the sender and tag of the call; for a wildcard, those of the message that came. */
static void note_sender(struct call_view *v, struct call_event_probe *probe)
{
    const struct call_event_source *s = v->source;
    const int64_t *source = call_view_before(v, FIELD_SOURCE), *tag = call_view_before(v, FIELD_TAG),
                  *status = call_view_after(v, FIELD_STATUSES);
    const bool told = status && !(status[STATUS_FORM] & STATUS_PARTIAL);
    if (status)
        call_view_use(v, status, STATUS_SLOTS, CALL_EVENT_DECIDES);
    if (source)
        call_view_use(v, source, 1, CALL_EVENT_DECIDES);
    if (tag)
        call_view_use(v, tag, 1, CALL_EVENT_DECIDES);
    probe->source = source ? *source : s->any_source;
    probe->tag = tag ? *tag : s->any_tag;
    if (probe->source == s->any_source && told)
        probe->source = status[STATUS_SOURCE];
    if (probe->tag == s->any_tag && told)
        probe->tag = status[STATUS_TAG];
}

static enum refrain_status add(struct call_event_source *s, int64_t message,
                               const struct call_event_probe *probe)
{
    const uint32_t known = map_get(&s->found, (uint64_t)message);
    if (known == MAP_NONE)
        return array_push(&s->probes, *probe) &&
                       map_set(&s->found, (uint64_t)message, (uint32_t)(s->probes.n - 1))
                   ? REFRAIN_OK
                   : REFRAIN_ERR_MEMORY;
    struct call_event_probe *other = &s->probes.items[known];
    other->unclear = other->unclear || probe->unclear || other->comm != probe->comm;
    other->any = other->any || probe->any || other->source != probe->source || other->tag != probe->tag;
    return REFRAIN_OK;
}

/* Notes the messages that a row finds. Another row, or a column, may give the number another
 * meaning. */
static enum refrain_status note_probe(struct call_event_source *s, const struct group *group,
                                      uint32_t function, const int64_t *slots, uint32_t n_slots)
{
    uint8_t *uses = calloc(n_slots + (size_t)1, 1);
    struct call_view v = {.source = s, .slots = slots, .uses = uses};
    enum refrain_status status = uses ? call_view_look(&v, function, n_slots) : REFRAIN_ERR_MEMORY;
    const int64_t *message = status == REFRAIN_OK ? call_view_after(&v, FIELD_MESSAGE) : NULL,
                  *comm = status == REFRAIN_OK ? call_view_before(&v, FIELD_COMM) : NULL;
    if (message && comm && !(*message & 1)) {
        struct call_event_probe probe = {.comm = *comm, .kind = call_view_kind(&v, FIELD_COMM)};
        call_view_use(&v, message, 1, CALL_EVENT_DECIDES);
        call_view_use(&v, comm, 1, CALL_EVENT_DECIDES);
        probe.unclear = call_view_varies(&v, group);
        note_sender(&v, &probe);
        probe.any = call_view_varies(&v, group);
        status = add(s, *message, &probe);
    }
    free(uses);
    return status;
}

enum refrain_status call_event_note_probes(struct call_event_source *s, const struct lane_ref *lane,
                                           const struct entry *entry)
{
    const uint32_t function = s->reader->trace.sites.items[entry->site].function;
    return s->mode == CALL_EVENT_MESSAGES && s->roles.items[function].actions & ROLE_PROBE
               ? call_event_each_row(s, lane, entry, note_probe)
               : REFRAIN_OK;
}
