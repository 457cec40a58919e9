/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_helpers.h"

#include "process_message.h"
#include "processes.h"
#include "src/core/base/array.h"
#include "src/core/base/log.h"

#include <pthread.h>
#include <stdlib.h>

struct supplied_lane {
    struct time_helpers *helpers;
    unsigned process;
    uint32_t number;
    uint64_t to_ask; /* messages that have not been asked for */
    struct messenger_mail arrived[TIMES_AHEAD];
    unsigned n_arrived;
    struct timestamp times[TIMES_TOGETHER];
};

/* The lanes of a helper, by their numbers; NULL: it has ended. */
struct helper {
    ARRAY(struct supplied_lane *) lanes;
};

struct time_helpers {
    struct time_supply supply;
    const struct messenger *messenger;
    pthread_mutex_t lock;   /* of the messenger, and of all that follows except the lanes' times */
    struct helper *helpers; /* by process; the first one is not used */
    unsigned next;          /* the helper of the next lane */
    unsigned answers;       /* OPENED or CLOSED that have come */
    enum refrain_status status;
};

/* ---- messages, with the lock ----------------------------------------------------------------- */

static enum refrain_status send_all(const struct time_helpers *h, const struct process_message *m)
{
    enum refrain_status status = REFRAIN_OK;
    for (unsigned i = 1; i < h->messenger->n && status == REFRAIN_OK; i++)
        status = process_message_send(h->messenger, i, m);
    return status;
}

/* Returns true if the lane keeps the mail. Times of a lane that has ended are not kept. */
static bool keep(struct time_helpers *h, const struct messenger_mail *mail, const struct process_message *m)
{
    const struct helper *helper = &h->helpers[mail->from];
    struct supplied_lane *l = m->lane < helper->lanes.n ? helper->lanes.items[m->lane] : NULL;
    if (m->status != REFRAIN_OK && h->status == REFRAIN_OK && l)
        h->status = m->status; /* the helper has said why */
    if (!l || l->n_arrived == TIMES_AHEAD || m->status != REFRAIN_OK)
        return false;
    l->arrived[l->n_arrived++] = *mail;
    return true;
}

/* Takes a message, if one is there; *any is set then. */
static enum refrain_status take(struct time_helpers *h, bool *any)
{
    struct messenger_mail mail;
    struct process_message m;
    bool kept = false;
    if (!h->messenger->receive(&mail))
        return h->status = processes_failed();
    if (!mail.data)
        return REFRAIN_OK;
    *any = true;
    if (!process_message_get(mail.data, mail.n, &m)) {
        log_error("process %u has sent something that is no message: is it another version of Refrain?",
                  mail.from);
        h->status = REFRAIN_ERR_MPI;
    } else if (m.kind == MESSAGE_TIMES) {
        kept = keep(h, &mail, &m);
    } else {
        h->answers++;
        if (m.kind == MESSAGE_OPENED && h->status == REFRAIN_OK)
            h->status = m.status;
    }
    if (!kept)
        free(mail.data);
    return REFRAIN_OK;
}

/* Waits for an answer of each helper. They all come, even if some say that they have failed. */
static enum refrain_status wait_for_answers(struct time_helpers *h)
{
    unsigned pauses = 0;
    enum refrain_status status = REFRAIN_OK;
    while (h->answers + 1 < h->messenger->n && status == REFRAIN_OK && h->status != REFRAIN_ERR_MPI) {
        bool any = false;
        status = take(h, &any);
        if (any)
            pauses = 0;
        else
            processes_pause(&pauses);
    }
    h->answers = 0;
    return h->status;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static enum refrain_status ask(struct supplied_lane *l)
{
    const struct process_message m = {.kind = MESSAGE_ASK, .lane = l->number};
    if (l->to_ask == 0)
        return REFRAIN_OK;
    l->to_ask--;
    return process_message_send(l->helpers->messenger, l->process, &m);
}

static enum refrain_status begin_lane(struct supplied_lane *l, const struct lane_ref *lane)
{
    struct time_helpers *h = l->helpers;
    l->process = 1 + h->next;
    h->next = (h->next + 1) % (h->messenger->n - 1);
    struct helper *helper = &h->helpers[l->process];
    l->number = (uint32_t)helper->lanes.n;
    if (!array_push(&helper->lanes, l))
        return REFRAIN_ERR_MEMORY;
    const struct process_message m = {
        .kind = MESSAGE_BEGIN, .lane = l->number, .rank = lane->rank, .thread = lane->shape->number};
    enum refrain_status status = process_message_send(h->messenger, l->process, &m);
    for (unsigned i = 0; i < TIMES_AHEAD && status == REFRAIN_OK; i++)
        status = ask(l);
    if (status != REFRAIN_OK) /* the caller frees it */
        helper->lanes.items[l->number] = NULL;
    return status;
}

static void end(struct supplied_lane *l)
{
    struct time_helpers *h = l->helpers;
    const struct process_message m = {.kind = MESSAGE_DROP, .lane = l->number};
    pthread_mutex_lock(&h->lock);
    h->helpers[l->process].lanes.items[l->number] = NULL;
    if (h->status != REFRAIN_ERR_MPI && process_message_send(h->messenger, l->process, &m) != REFRAIN_OK)
        h->status = REFRAIN_ERR_MPI;
    for (unsigned i = 0; i < l->n_arrived; i++)
        free(l->arrived[i].data);
    pthread_mutex_unlock(&h->lock);
    free(l);
}

static enum refrain_status begin(void *context, const struct lane_ref *lane, uint64_t calls,
                                 struct supplied_lane **out)
{
    struct time_helpers *h = context;
    struct supplied_lane *l = calloc(1, sizeof *l);
    if (!l) {
        log_error("out of memory: times of a lane");
        return REFRAIN_ERR_MEMORY;
    }
    l->helpers = h;
    l->to_ask = calls / TIMES_TOGETHER + (calls % TIMES_TOGETHER > 0);
    pthread_mutex_lock(&h->lock);
    const enum refrain_status status = begin_lane(l, lane);
    pthread_mutex_unlock(&h->lock);
    if (status == REFRAIN_OK)
        *out = l;
    else
        free(l);
    return status;
}

/* With the lock: takes the lane's first message and asks for another one, if a message has come. */
static enum refrain_status take_first(struct supplied_lane *l, struct messenger_mail *out)
{
    if (l->n_arrived == 0)
        return l->helpers->status;
    *out = l->arrived[0];
    l->n_arrived--;
    for (unsigned i = 0; i < l->n_arrived; i++)
        l->arrived[i] = l->arrived[i + 1];
    return ask(l);
}

/* The lane's next message. The lock is free while this thread waits. */
static enum refrain_status wait_for_times(struct supplied_lane *l, struct messenger_mail *out)
{
    struct time_helpers *h = l->helpers;
    enum refrain_status status = REFRAIN_OK;
    unsigned pauses = 0;
    for (*out = (struct messenger_mail){0}; !out->data && status == REFRAIN_OK;) {
        bool any = false;
        pthread_mutex_lock(&h->lock);
        if (l->n_arrived == 0)
            take(h, &any);
        status = take_first(l, out);
        pthread_mutex_unlock(&h->lock);
        if (any)
            pauses = 0;
        else if (!out->data)
            processes_pause(&pauses);
    }
    return status;
}

static enum refrain_status next(struct supplied_lane *l, const struct timestamp **times, size_t *n)
{
    struct messenger_mail mail;
    struct process_message m;
    enum refrain_status status = wait_for_times(l, &mail);
    if (status == REFRAIN_OK && process_message_get(mail.data, mail.n, &m) &&
        process_message_times(&m, l->times)) {
        *times = l->times;
        *n = m.n;
    } else if (status == REFRAIN_OK) {
        log_error("process %u has sent damaged times", mail.from);
        status = REFRAIN_ERR_MPI;
    }
    free(mail.data);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void free_helpers(struct time_helpers *h)
{
    for (unsigned i = 0; h->helpers && i < h->messenger->n; i++)
        array_free(&h->helpers[i].lanes);
    free(h->helpers);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

enum refrain_status time_helpers_open(struct time_helpers **out, const struct reader *r)
{
    const struct messenger *messenger = processes_messenger();
    const char *run = trace_meta(&r->trace, "run");
    const struct process_message open = {.kind = MESSAGE_OPEN,
                                         .world = r->world,
                                         .file_bytes = r->file_bytes,
                                         .run = run ? run : "",
                                         .path = r->path};
    *out = NULL;
    if (!messenger)
        return REFRAIN_OK;
    struct time_helpers *h = calloc(1, sizeof *h);
    if (h)
        h->helpers = calloc(messenger->n, sizeof *h->helpers);
    if (!h || !h->helpers) {
        log_error("out of memory: the lanes of %u processes", messenger->n);
        free(h);
        return REFRAIN_ERR_MEMORY;
    }
    h->supply = (struct time_supply){.context = h, .begin = begin, .next = next, .end = end};
    h->messenger = messenger;
    pthread_mutex_init(&h->lock, NULL);
    enum refrain_status status = send_all(h, &open);
    if (status == REFRAIN_OK)
        status = wait_for_answers(h);
    if (status == REFRAIN_OK)
        *out = h;
    else
        free_helpers(h);
    return status;
}

const struct time_supply *time_helpers_supply(const struct time_helpers *h)
{
    return h ? &h->supply : NULL;
}

enum refrain_status time_helpers_close(struct time_helpers *h, enum refrain_status status)
{
    const struct process_message m = {.kind = MESSAGE_CLOSE};
    if (!h)
        return status;
    enum refrain_status closed = status == REFRAIN_ERR_MPI ? status : h->status;
    if (closed != REFRAIN_ERR_MPI && (closed = send_all(h, &m)) == REFRAIN_OK)
        closed = wait_for_answers(h);
    free_helpers(h);
    return status == REFRAIN_OK || closed == REFRAIN_ERR_MPI ? closed : status;
}
