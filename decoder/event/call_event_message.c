/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collective operations as events. */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"

/* ---- communicators --------------------------------------------------------------------------- */

/* Notes that an event names this communicator; its members are listed beside the models. */
static enum refrain_status note_communicator(const struct call_view *v, int64_t handle)
{
    struct call_event_source *s = v->source;
    const struct member *m =
        handle & 1 || v->noting ? NULL : definitions_member(s->definitions, s->rank, handle >> 1);
    if (!m || map_get(&s->named, m->number) != MAP_NONE)
        return REFRAIN_OK;
    return array_push(&s->communicators, m->number) && map_set(&s->named, m->number, 0) ? REFRAIN_OK
                                                                                        : REFRAIN_ERR_MEMORY;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* If ranks of the communicator are not ranks of the run, a rule for other partners is not
 * possible. */
void call_view_use_peer(const struct call_view *v, const int64_t *comm, const int64_t *peer)
{
    const struct call_event_source *s = v->source;
    const bool number = comm && *comm == s->groups.world && s->any_source < 0 && s->proc_null < 0;
    if (comm)
        call_view_use(v, comm, 1, CALL_EVENT_DECIDES);
    if (peer)
        call_view_use(v, peer, 1, number ? CALL_EVENT_WHOLE : CALL_EVENT_DECIDES);
}

/* Returns a rank in the run; GROUPS_NOBODY if it is unknown. */
int64_t call_view_peer(const struct call_event_source *s, const int64_t *comm, const int64_t *peer)
{
    struct group_view group;
    return comm && peer && groups_view(&s->groups, s->rank, *comm, &group)
               ? groups_peer(&s->groups, &group, *peer)
               : GROUPS_NOBODY;
}

void call_view_put_process(struct event_draft *d, int64_t rank)
{
    if (rank == GROUPS_NOBODY)
        text_put(&d->text, "outside");
    else
        event_draft_rank(d, rank);
}

/* Writes the partner. */
static void put_peer(struct call_view *v, const int64_t *comm, const int64_t *peer)
{
    struct call_event_source *s = v->source;
    if (!peer || *peer == s->any_source)
        text_put(&s->draft.text, "any");
    else
        call_view_put_process(&s->draft, call_view_peer(s, comm, peer));
}

static void use_tag(const struct call_view *v, const int64_t *tag)
{
    if (tag)
        call_view_use(v, tag, 1, v->source->any_tag < 0 ? CALL_EVENT_WHOLE : CALL_EVENT_DECIDES);
}

static void put_tag(struct call_view *v, const char *word, const int64_t *tag)
{
    struct event_draft *d = &v->source->draft;
    text_putc(&d->text, ' ');
    text_put(&d->text, word);
    if (!tag || *tag == v->source->any_tag)
        text_put(&d->text, "any");
    else
        event_draft_number(d, *tag);
}

/* Writes the communicator, except for MPI_COMM_WORLD: messages of different communicators never
 * match, whatever their tags (MPI 4.1, 3.5). */
static enum refrain_status put_communicator(struct call_view *v, const struct kind *kind, const int64_t *comm)
{
    if (!comm || *comm == v->source->groups.world)
        return REFRAIN_OK;
    text_putc(&v->source->draft.text, ' ');
    call_view_put_handle(v, kind, comm);
    return note_communicator(v, *comm);
}

/* A message from or to MPI_PROC_NULL is no event. `kind` is the kind of comm, which is NULL if
 * unknown. Partitioned messages match only each other, in the order of their requests (MPI 4.1,
 * 4.2.1), so they have another word before the tag. */
static enum refrain_status put_message_on(struct call_view *v, const char *what, const struct kind *kind,
                                          const int64_t *comm, const int64_t *peer, const int64_t *tag)
{
    call_view_use_peer(v, comm, peer);
    use_tag(v, tag);
    if (peer && *peer == v->source->proc_null)
        return REFRAIN_OK;
    call_view_begin(v, what);
    put_peer(v, comm, peer);
    put_tag(v, v->role->actions & ROLE_PARTITIONED ? "partitioned" : "tag", tag);
    const enum refrain_status status = put_communicator(v, kind, comm);
    return status == REFRAIN_OK ? call_view_end(v) : status;
}

static enum refrain_status put_message(struct call_view *v, const char *what, const int64_t *peer,
                                       const int64_t *tag)
{
    const int64_t *comm = call_view_before(v, FIELD_COMM);
    return put_message_on(v, what, comm ? call_view_kind(v, FIELD_COMM) : NULL, comm, peer, tag);
}

static enum refrain_status put_send(struct call_view *v)
{
    const int64_t *tag = call_view_before(v, FIELD_SEND_TAG);
    return put_message(v, "send", call_view_before(v, FIELD_DEST),
                       tag ? tag : call_view_before(v, FIELD_TAG));
}

/* Writes the source and tag of the call. If one was a wildcard and the call returned with a
 * message, writes the message's own. This may differ between the calls of a row, so both matter. */
static enum refrain_status put_receive(struct call_view *v)
{
    const int64_t *source = call_view_before(v, FIELD_SOURCE), *tag = call_view_before(v, FIELD_RECEIVE_TAG);
    const int64_t *status = call_view_after(v, FIELD_REQUESTS) ? NULL : call_view_after(v, FIELD_STATUSES);
    tag = tag ? tag : call_view_before(v, FIELD_TAG);
    if (status) {
        const int64_t *comm = call_view_before(v, FIELD_COMM);
        call_view_use(v, status + STATUS_FORM, 1, CALL_EVENT_DECIDES);
        call_view_use_peer(v, comm, source);
        call_view_use_peer(v, comm, status + STATUS_SOURCE);
        use_tag(v, tag);
        use_tag(v, status + STATUS_TAG);
    }
    if (status && !(status[STATUS_FORM] & STATUS_PARTIAL)) {
        if (source && *source == v->source->any_source)
            source = status + STATUS_SOURCE;
        if (tag && *tag == v->source->any_tag)
            tag = status + STATUS_TAG;
    }
    return put_message(v, "recv", source, tag);
}

/* Writes the receive of a message that a probe found. The sender is in the call's status; if the
 * call has none, it is the probe's. MPI_PROC_NULL sends no message. */
static enum refrain_status put_found(struct call_view *v)
{
    const int64_t *message = call_view_before(v, FIELD_MESSAGE);
    const int64_t *status = call_view_after(v, FIELD_REQUESTS) ? NULL : call_view_after(v, FIELD_STATUSES);
    if (!message)
        return put_message(v, "recv", NULL, NULL);
    const struct call_event_probe *probe = *message & 1 ? NULL : call_event_find_probe(v->source, *message);
    call_view_use(v, message, 1, CALL_EVENT_DECIDES);
    if (status) { /* marked for any message: in another call the message may be a known one */
        call_view_use(v, status + STATUS_FORM, 1, CALL_EVENT_DECIDES);
        call_view_use_peer(v, probe ? &probe->comm : NULL, status + STATUS_SOURCE);
        use_tag(v, status + STATUS_TAG);
    }
    if (*message & 1)
        return REFRAIN_OK;
    if (!probe || probe->unclear)
        return put_message(v, "recv", NULL, NULL);
    const int64_t *source = probe->any ? NULL : &probe->source, *tag = probe->any ? NULL : &probe->tag;
    if (status && !(status[STATUS_FORM] & STATUS_PARTIAL)) {
        source = status + STATUS_SOURCE;
        tag = status + STATUS_TAG;
    }
    return put_message_on(v, "recv", probe->kind, &probe->comm, source, tag);
}

/* Marks how the slots matter for the number of bytes. */
static void use_volume(struct call_view *v, const struct volume_sum *template)
{
    for (uint32_t i = 0; i < v->n_slots; i++) {
        if (template->uses.items[i] == VOLUME_AMOUNT)
            call_view_use(v, v->slots + i, 1, CALL_EVENT_WHOLE);
        else if (template->uses.items[i] == VOLUME_DECIDES)
            call_view_use(v, v->slots + i, 1, CALL_EVENT_DECIDES);
    }
}

/* A partitioned send has its buffer this many times. */
static uint64_t partitions_of(struct call_view *v)
{
    const int64_t *partitions = call_view_before(v, FIELD_PARTITIONS);
    if (!partitions)
        return 1;
    call_view_use(v, partitions, 1, CALL_EVENT_DECIDES);
    return (uint64_t)*partitions;
}

enum refrain_status call_view_volume(struct call_view *v, struct volume *out)
{
    struct call_event_source *s = v->source;
    const struct call call = {.rank = s->rank,
                              .function =
                                  (uint32_t)(v->function - s->reader->trace.functions.functions.items),
                              .slots = v->slots,
                              .n_slots = v->n_slots};
    enum refrain_status status = volume_sum_clear(&s->volume, v->n_slots);
    if (status == REFRAIN_OK)
        status = volume_sum_take(&s->volumes, &call, &v->row, &s->volume);
    if (status != REFRAIN_OK)
        return status;
    *out = volume_at(&s->volume, v->slots);
    use_volume(v, &s->volume);
    return REFRAIN_OK;
}

enum refrain_status call_view_put_transfer(struct call_view *v, int64_t from, int64_t to, uint64_t bytes,
                                           const int64_t *label)
{
    struct event_draft *d = &v->source->draft;
    event_draft_clear(d);
    call_view_put_process(d, from);
    text_put(&d->text, " send ");
    call_view_put_process(d, to);
    text_put(&d->text, " bytes");
    event_draft_number(d, (int64_t)bytes);
    if (label) {
        text_put(&d->text, " comm");
        event_draft_number(d, label[0]);
        text_put(&d->text, " tag");
        event_draft_number(d, label[1]);
    }
    return call_view_end(v);
}

/* Finds the communicator and the tag. A tag that varies does not matter: its column is left out. */
static void find_label(const struct call_view *v, const int64_t *comm, int64_t *label)
{
    const struct call_event_source *s = v->source;
    const int64_t *tag = call_view_before(v, FIELD_SEND_TAG);
    struct group_view group;
    tag = tag ? tag : call_view_before(v, FIELD_TAG);
    label[0] = comm && groups_view(&s->groups, s->rank, *comm, &group) ? group.comm : -1;
    label[1] = tag ? *tag : -1;
}

static enum refrain_status put_sent(struct call_view *v)
{
    const struct call_event_source *s = v->source;
    const int64_t *comm = call_view_before(v, FIELD_COMM), *peer = call_view_before(v, FIELD_DEST);
    struct volume volume;
    int64_t label[2];
    const enum refrain_status status = call_view_volume(v, &volume);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t bytes = volume.sent * partitions_of(v);
    if (comm)
        call_view_use(v, comm, 1, CALL_EVENT_DECIDES);
    if (peer)
        call_view_use(v, peer, 1, CALL_EVENT_DECIDES);
    if (peer && *peer == s->proc_null)
        return REFRAIN_OK;
    find_label(v, comm, label);
    return call_view_put_transfer(v, s->rank, call_view_peer(s, comm, peer), bytes,
                                  s->mode == CALL_EVENT_LABELLED ? label : NULL);
}

static enum refrain_status put_collective(struct call_view *v)
{
    static const enum role_field fields[] = {[ROLE_COMM] = FIELD_COMM,
                                             [ROLE_NEW_COMM] = FIELD_COMM,
                                             [ROLE_WINDOW] = FIELD_WINDOW,
                                             [ROLE_IN_FILE] = FIELD_FILE};
    const enum role_field field = fields[v->role->scope];
    const int64_t *in = v->role->scope == ROLE_NEW_COMM ? NULL : call_view_before(v, field);
    const int64_t *handle = in ? in : call_view_after(v, field);
    if (!handle)
        return REFRAIN_OK;
    call_view_begin(v, "sync");
    text_put(&v->source->draft.text, v->function->name);
    text_putc(&v->source->draft.text, ' ');
    call_view_put_handle(v, call_view_kind(v, field), handle);
    const enum refrain_status status = field == FIELD_COMM ? note_communicator(v, *handle) : REFRAIN_OK;
    return status == REFRAIN_OK ? call_view_end(v) : status;
}

/* Writes the event of a function that creates, starts or is a message or collective operation. */
enum refrain_status call_view_put_role(struct call_view *v)
{
    const uint32_t actions = v->role->actions;
    enum refrain_status status = REFRAIN_OK;
    if (v->source->mode == CALL_EVENT_SENT || v->source->mode == CALL_EVENT_LABELLED)
        return actions & ROLE_SEND ? put_sent(v) : REFRAIN_OK;
    if (actions & ROLE_SEND)
        status = put_send(v);
    if (status == REFRAIN_OK && actions & ROLE_RECEIVE)
        status = put_receive(v);
    if (status == REFRAIN_OK && actions & ROLE_RECEIVE_FOUND)
        status = put_found(v);
    if (status == REFRAIN_OK && actions & ROLE_COLLECTIVE)
        status = put_collective(v);
    return status;
}
