/* Messages and collective operations. */
#include "call_event_impl.h"

#include "render_impl.h"
#include "text.h"

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Where ranks of the communicator are not those of the run, another partner is not foreseeable. */
static void use_peer(const struct call_view *v, const int64_t *comm, const int64_t *peer)
{
    const struct call_event_source *s = v->source;
    const bool number = comm && *comm == s->groups.world && s->any_source < 0 && s->proc_null < 0;
    if (comm)
        call_view_use(v, comm, 1, CALL_EVENT_DECIDES);
    if (peer)
        call_view_use(v, peer, 1, number ? CALL_EVENT_WHOLE : CALL_EVENT_DECIDES);
}

/* The partner, a rank in the run. */
static void put_peer(struct call_view *v, const int64_t *comm, const int64_t *peer)
{
    const struct call_event_source *s = v->source;
    struct event_draft *d = &v->source->draft;
    struct group_view group;
    int64_t rank = GROUPS_NOBODY;
    if (!peer || *peer == s->any_source) {
        text_put(&d->text, "any");
        return;
    }
    if (comm && groups_view(&s->groups, s->rank, *comm, &group))
        rank = groups_peer(&s->groups, &group, *peer);
    if (rank == GROUPS_NOBODY)
        text_put(&d->text, "outside");
    else
        event_draft_rank(d, rank);
}

static void put_tag(struct call_view *v, const int64_t *tag)
{
    struct event_draft *d = &v->source->draft;
    text_put(&d->text, " tag");
    if (tag)
        call_view_use(v, tag, 1, v->source->any_tag < 0 ? CALL_EVENT_WHOLE : CALL_EVENT_DECIDES);
    if (!tag || *tag == v->source->any_tag)
        text_put(&d->text, "any");
    else
        event_draft_number(d, *tag);
}

/* A partner that is nobody makes no event. */
static enum refrain_status put_message(struct call_view *v, const char *what, const int64_t *peer,
                                       const int64_t *tag)
{
    const int64_t *comm = call_view_value(&v->before[FIELD_COMM]);
    use_peer(v, comm, peer);
    if (peer && *peer == v->source->proc_null)
        return REFRAIN_OK;
    call_view_begin(v, what);
    put_peer(v, comm, peer);
    put_tag(v, tag);
    return call_view_end(v);
}

static enum refrain_status put_send(struct call_view *v)
{
    const enum role_field tag = v->before[FIELD_SEND_TAG].kind ? FIELD_SEND_TAG : FIELD_TAG;
    return put_message(v, "send", call_view_value(&v->before[FIELD_DEST]), call_view_value(&v->before[tag]));
}

/* What was asked for; if that was any, and the call is back with a message, what came. */
static enum refrain_status put_receive(struct call_view *v)
{
    const enum role_field field = v->before[FIELD_RECEIVE_TAG].kind ? FIELD_RECEIVE_TAG : FIELD_TAG;
    const int64_t *source = call_view_value(&v->before[FIELD_SOURCE]),
                  *tag = call_view_value(&v->before[field]);
    const int64_t *status = v->after[FIELD_REQUESTS].kind ? NULL : call_view_value(&v->after[FIELD_STATUSES]);
    if (status)
        call_view_use(v, status + STATUS_FORM, 1, CALL_EVENT_DECIDES);
    if (status && !(status[STATUS_FORM] & STATUS_PARTIAL)) {
        if (source && *source == v->source->any_source) {
            call_view_use(v, source, 1, CALL_EVENT_DECIDES);
            source = status + STATUS_SOURCE;
        }
        if (tag && *tag == v->source->any_tag) {
            call_view_use(v, tag, 1, CALL_EVENT_DECIDES);
            tag = status + STATUS_TAG;
        }
    }
    return put_message(v, "recv", source, tag);
}

/* A communicator is named. */
static enum refrain_status note_communicator(struct call_event_source *s, int64_t handle)
{
    const struct member *m = handle & 1 ? NULL : definitions_member(s->definitions, s->rank, handle >> 1);
    if (!m || map_get(&s->named, m->number) != MAP_NONE)
        return REFRAIN_OK;
    return array_push(&s->communicators, m->number) && map_set(&s->named, m->number, 0) ? REFRAIN_OK
                                                                                        : REFRAIN_ERR_MEMORY;
}

static enum refrain_status put_collective(struct call_view *v, const struct role *role)
{
    static const enum role_field fields[] = {[ROLE_COMM] = FIELD_COMM,
                                             [ROLE_NEW_COMM] = FIELD_COMM,
                                             [ROLE_WINDOW] = FIELD_WINDOW,
                                             [ROLE_IN_FILE] = FIELD_FILE};
    const struct layout_item *in = &v->before[fields[role->scope]], *made = &v->after[fields[role->scope]];
    const struct layout_item *item = in->kind && role->scope != ROLE_NEW_COMM ? in : made;
    if (!item->kind)
        return REFRAIN_OK;
    call_view_begin(v, "sync");
    text_put(&v->source->draft.text, v->function->name);
    text_putc(&v->source->draft.text, ' ');
    call_view_put_handle(v, item);
    const enum refrain_status status =
        fields[role->scope] == FIELD_COMM ? note_communicator(v->source, item->slots[0]) : REFRAIN_OK;
    return status == REFRAIN_OK ? call_view_end(v) : status;
}

/* Of the functions that make, start or are a message or a collective operation. */
enum refrain_status call_view_put_role(struct call_view *v, const struct role *role)
{
    enum refrain_status status = REFRAIN_OK;
    if (role->actions & ROLE_SEND)
        status = put_send(v);
    if (status == REFRAIN_OK && role->actions & (ROLE_RECEIVE | ROLE_RECEIVE_FOUND))
        status = put_receive(v);
    if (status == REFRAIN_OK && role->actions & ROLE_COLLECTIVE)
        status = put_collective(v, role);
    return status;
}
