#include "operation.h"

#include "log.h"
#include "operation_impl.h"

#include <stdlib.h>
#include <string.h>

/* Calls of a thread before it is the next one's turn. */
#define TURN 64

/* ---- what is the same for all ranks ---------------------------------------------------------------------
 */

static int64_t constant(const struct functable *t, const char *set, const char *name)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (strcmp(c->name, name) == 0 && (!set || strcmp(c->set, set) == 0))
            return c->value;
    }
    return INT64_MIN;
}

static bool has_function(const struct functable *t, const char *name)
{
    for (size_t i = 0; i < t->functions.n; i++) {
        if (strcmp(t->functions.items[i].name, name) == 0)
            return true;
    }
    return false;
}

enum refrain_status operation_source_create(struct operation_source *s, const struct reader *r,
                                            const struct definitions *d)
{
    const struct functable *t = &r->trace.functions;
    *s = (struct operation_source){.reader = r,
                                   .definitions = d,
                                   .any_source = constant(t, "RANK", "MPI_ANY_SOURCE"),
                                   .any_tag = constant(t, "TAG", "MPI_ANY_TAG"),
                                   .proc_null = constant(t, "RANK", "MPI_PROC_NULL"),
                                   .pending = constant(t, NULL, "MPI_ERR_PENDING"),
                                   .truncate = constant(t, NULL, "MPI_ERR_TRUNCATE"),
                                   .no_succeed = constant(t, NULL, "MPI_MODE_NOSUCCEED"),
                                   .cancels = has_function(t, "MPI_Cancel")};
    enum refrain_status status = roles_find(t, &s->roles);
    if (status == REFRAIN_OK)
        status = groups_create(&s->groups, r, d);
    if (status != REFRAIN_OK)
        operation_source_free(s);
    return status;
}

void operation_source_free(struct operation_source *s)
{
    groups_free(&s->groups);
    free(s->roles);
    *s = (struct operation_source){0};
}

/* ---- a rank ----------------------------------------------------------------------------------------------
 */

static enum refrain_status add_lane(struct operations *o, const struct lane_ref *ref)
{
    const struct operation_source *s = o->source;
    struct operation_lane *grown = realloc(o->lanes, (o->n_lanes + 1) * sizeof *grown);
    if (!grown) {
        log_error("out of memory: the lanes of rank %u", o->rank);
        return REFRAIN_ERR_MEMORY;
    }
    o->lanes = grown;
    struct operation_lane *l = &o->lanes[o->n_lanes];
    *l = (struct operation_lane){.thread = ref->shape->number};
    enum refrain_status status = cursor_start(&l->cursor, s->reader, ref);
    if (status != REFRAIN_OK)
        return status;
    status = call_forms_start(&l->forms, s->reader, s->definitions, s->roles, ref);
    if (status == REFRAIN_OK && s->stamps &&
        (status = stamps_start(&l->stamps, s->stamps, ref)) != REFRAIN_OK)
        call_forms_stop(&l->forms);
    if (status == REFRAIN_OK)
        o->n_lanes++;
    else
        cursor_stop(&l->cursor);
    return status;
}

enum refrain_status operations_create(const struct operation_source *s, uint32_t rank,
                                      struct operations **out)
{
    struct operations *o = calloc(1, sizeof *o);
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    if (!o) {
        log_error("out of memory: the operations of rank %u", rank);
        return REFRAIN_ERR_MEMORY;
    }
    o->source = s;
    o->rank = rank;
    o->left = TURN;
    requests_start(&o->requests);
    for (size_t at = 0; status == REFRAIN_OK && reader_next_lane(s->reader, rank, LANE_THREAD, &at, &lane);)
        status = add_lane(o, &lane);
    if (status == REFRAIN_OK)
        *out = o;
    else
        operations_free(o);
    return status;
}

void operations_free(struct operations *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_lanes; i++) {
        stamps_stop(&o->lanes[i].stamps);
        call_forms_stop(&o->lanes[i].forms);
        cursor_stop(&o->lanes[i].cursor);
    }
    free(o->lanes);
    requests_stop(&o->requests);
    objects_free(&o->objects);
    map_free(&o->by_what);
    array_free(&o->counters);
    array_free(&o->queue);
    free(o);
}

size_t operations_lanes(const struct operations *o)
{
    return o->n_lanes;
}

/* ---- which thread goes on --------------------------------------------------------------------------------
 */

static size_t lane_of_key(const struct operations *o, uint64_t key)
{
    const uint32_t thread = (uint32_t)(key >> 32 & INT32_MAX);
    size_t i = 0;
    while (i < o->n_lanes && o->lanes[i].thread != thread)
        i++;
    return i;
}

/* The call waits for a request. One that waits for another thread's lets that go on. */
static bool wait_for(struct operations *o, struct operation_lane *l, uint64_t key, bool posting)
{
    if (!l->waits || l->key != key)
        o->progress++;
    l->waits = true;
    l->posting = posting;
    l->key = key;
    l->looked = o->progress;
    const size_t home = lane_of_key(o, key);
    if (!posting && home < o->n_lanes) {
        o->current = home;
        o->left = UINT32_MAX;
    }
    return true;
}

/* May the call complete (or start) a request that another thread has made? It has to be there, and that
 * thread must not be able to complete it first. */
static bool must_wait_for(struct operations *o, struct operation_lane *l, uint64_t key, bool completes)
{
    const size_t home = lane_of_key(o, key);
    if (home >= o->n_lanes || &o->lanes[home] == l)
        return false;
    const struct operation_lane *h = &o->lanes[home];
    if (requests_find(&o->requests, key) == REQUEST_NONE)
        return !h->ended && wait_for(o, l, key, false);
    const bool stuck = h->ended || (h->waits && h->posting && h->key == key);
    return completes && !stuck && wait_for(o, l, key, false);
}

static bool must_wait(struct operations *o, struct operation_lane *l)
{
    const struct call_form *f = l->form;
    struct completion c;
    uint64_t key;
    int64_t handle;
    for (int message = 0; message < 2; message++) {
        if (operation_made(l, message, &handle) && operation_key(o, l, handle, message, &key) &&
            requests_find(&o->requests, key) != REQUEST_NONE)
            return wait_for(o, l, key, true);
    }
    for (size_t i = 0; operation_completion(o, l, &i, &c);) {
        if (operation_key(o, l, c.handle, false, &key) && must_wait_for(o, l, key, true))
            return true;
    }
    if (!(f->role->actions & (ROLE_START | ROLE_FREE | ROLE_RECEIVE_FOUND)))
        return false;
    const struct call_place requests = f->before[FIELD_REQUESTS], message = f->before[FIELD_MESSAGE];
    for (uint32_t i = 0; i < requests.n; i++) {
        if (operation_key(o, l, l->call.slots[requests.at + i], false, &key) &&
            must_wait_for(o, l, key, f->role->actions & ROLE_FREE))
            return true;
    }
    return message.n > 0 && operation_key(o, l, l->call.slots[message.at], true, &key) &&
           must_wait_for(o, l, key, true);
}

/* Take the lane's next call, unless it has to wait. */
static enum refrain_status step(struct operations *o, struct operation_lane *l, bool forced)
{
    enum refrain_status status = REFRAIN_OK;
    if (!l->held) {
        if (!cursor_next(&l->cursor, &l->call, &status)) {
            l->ended = status == REFRAIN_OK;
            o->progress++;
            return status;
        }
        if (o->source->stamps && (status = stamps_next(&l->stamps, &l->call, &l->stamp)) != REFRAIN_OK)
            return status;
        if ((status = call_forms_of(&l->forms, &l->call, &l->form)) != REFRAIN_OK)
            return status;
        l->held = true;
    }
    if (o->n_lanes > 1 && !forced && must_wait(o, l))
        return REFRAIN_OK;
    l->held = l->waits = false;
    o->progress++;
    return l->form->role->actions ? operation_take(o, l) : REFRAIN_OK;
}

static bool can_go_on(const struct operations *o, const struct operation_lane *l)
{
    return !l->ended && !(l->waits && l->looked == o->progress);
}

/* All wait for one another. The best that can be done is to believe in one that completes a request which is
 * there. NULL if all have ended. */
static struct operation_lane *choose_forced(struct operations *o)
{
    struct operation_lane *any = NULL;
    for (size_t i = 0; i < o->n_lanes; i++) {
        struct operation_lane *l = &o->lanes[i];
        if (l->ended)
            continue;
        if (!l->posting && requests_find(&o->requests, l->key) != REQUEST_NONE)
            return l;
        any = any ? any : l;
    }
    return any;
}

/* The lane whose turn it is; NULL if none can go on. */
static struct operation_lane *choose(struct operations *o)
{
    if (o->n_lanes == 0)
        return NULL;
    if (o->left == 0) {
        o->current = (o->current + 1) % o->n_lanes;
        o->left = TURN;
    }
    for (size_t i = 0; i < o->n_lanes; i++) {
        struct operation_lane *l = &o->lanes[o->current];
        if (can_go_on(o, l)) {
            o->left--;
            return l;
        }
        o->current = (o->current + 1) % o->n_lanes;
        o->left = TURN;
    }
    return NULL;
}

/* Behind the last call: what is still in use. */
static enum refrain_status drain(struct operations *o)
{
    enum refrain_status status = REFRAIN_OK;
    o->drained = true;
    for (size_t i = 0; i < o->requests.slots.n && status == REFRAIN_OK; i++) {
        const struct request *r = &o->requests.slots.items[i];
        if (r->used && r->active)
            status = operation_finish(o, r, NULL, NULL, OPERATION_NEVER);
    }
    return status;
}

bool operations_next(struct operations *o, const struct operation **out, enum refrain_status *status)
{
    *status = REFRAIN_OK;
    while (o->at == o->queue.n) {
        o->at = o->queue.n = 0;
        struct operation_lane *l = choose(o);
        if (l) {
            *status = step(o, l, false);
        } else if ((l = choose_forced(o))) {
            *status = step(o, l, true);
        } else if (!o->drained) {
            *status = drain(o);
        } else {
            return false;
        }
        if (*status != REFRAIN_OK)
            return false;
    }
    *out = &o->queue.items[o->at++];
    return true;
}
