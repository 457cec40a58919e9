/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_server.h"

#include "decoder/times/lane_times.h"
#include "process_message.h"
#include "processes.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct served_lane {
    enum refrain_status status; /* of its beginning */
    struct lane_times times;
};

struct server {
    const struct messenger *messenger;
    struct reader reader;
    char *path;                        /* of the reader; NULL: nothing is open */
    ARRAY(struct served_lane *) lanes; /* by number; NULL: it has ended */
};

/* ---- the trace ------------------------------------------------------------------------------- */

static void free_lane(struct served_lane *lane)
{
    if (lane && lane->status == REFRAIN_OK)
        lane_times_stop(&lane->times);
    free(lane);
}

static void close_trace(struct server *s)
{
    for (size_t i = 0; i < s->lanes.n; i++)
        free_lane(s->lanes.items[i]);
    array_free(&s->lanes);
    if (s->path)
        reader_close(&s->reader);
    free(s->path);
    s->path = NULL;
}

/* Another machine may have another file at this path. */
static enum refrain_status check_same(const struct reader *r, const struct process_message *m)
{
    const char *run = trace_meta(&r->trace, "run");
    char host[256] = "";
    if (r->file_bytes == m->file_bytes && strcmp(run ? run : "", m->run) == 0)
        return REFRAIN_OK;
    gethostname(host, sizeof host - 1);
    log_error("%s on %s is not the trace that process 0 reads: give all processes the same file", r->path,
              host);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status open_trace(struct server *s, const struct process_message *m)
{
    struct reader reader;
    close_trace(s);
    char *path = strdup(m->path);
    if (!path) {
        log_error("out of memory: a path");
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = reader_open_world(&reader, path, m->world);
    if (status == REFRAIN_OK && (status = check_same(&reader, m)) != REFRAIN_OK)
        reader_close(&reader);
    if (status != REFRAIN_OK) {
        free(path);
        return status;
    }
    s->path = path;
    s->reader = reader;
    return REFRAIN_OK;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool find_lane(const struct server *s, const struct process_message *m, struct lane_ref *lane)
{
    for (size_t at = 0; s->path && reader_next_lane(&s->reader, m->rank, LANE_THREAD, &at, lane);) {
        if (lane->shape->number == m->thread)
            return true;
    }
    return false;
}

static enum refrain_status start_times(struct server *s, const struct process_message *m,
                                       struct lane_times *out)
{
    struct lane_ref lane;
    bool there;
    if (find_lane(s, m, &lane))
        return lane_times_start(out, &s->reader, &lane, &there);
    log_error("rank %" PRIu32 " has no thread %" PRIu32 " here: is process 0 another version of Refrain?",
              m->rank, m->thread);
    return REFRAIN_ERR_MPI;
}

/* Process 0 hears of an error when it asks for times. */
static enum refrain_status begin_lane(struct server *s, const struct process_message *m)
{
    struct served_lane *lane = calloc(1, sizeof *lane);
    if (!lane || !array_push(&s->lanes, lane)) {
        log_error("out of memory: the times of a lane");
        free(lane);
        return REFRAIN_ERR_MEMORY;
    }
    lane->status = start_times(s, m, &lane->times);
    return REFRAIN_OK;
}

/* Sends the next times of a lane. */
static enum refrain_status answer(struct server *s, const struct process_message *m)
{
    struct timestamp times[TIMES_TOGETHER];
    struct process_message out = {.kind = MESSAGE_TIMES, .lane = m->lane, .times = times};
    struct served_lane *lane = s->lanes.items[m->lane];
    enum refrain_status status = lane->status;
    while (status == REFRAIN_OK && out.n < TIMES_TOGETHER &&
           lane_times_next(&lane->times, &times[out.n], &status))
        out.n++;
    out.status = status;
    out.n = status == REFRAIN_OK ? out.n : 0;
    return process_message_send(s->messenger, 0, &out);
}

static void drop_lane(struct server *s, const struct process_message *m)
{
    free_lane(s->lanes.items[m->lane]);
    s->lanes.items[m->lane] = NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum refrain_status obey(struct server *s, const struct process_message *m)
{
    struct process_message out = {0};
    switch (m->kind) {
    case MESSAGE_OPEN:
        out = (struct process_message){.kind = MESSAGE_OPENED, .status = open_trace(s, m)};
        return process_message_send(s->messenger, 0, &out);
    case MESSAGE_BEGIN:
        return begin_lane(s, m);
    case MESSAGE_ASK:
        return answer(s, m);
    case MESSAGE_DROP:
        drop_lane(s, m);
        return REFRAIN_OK;
    case MESSAGE_CLOSE:
        close_trace(s);
        out.kind = MESSAGE_CLOSED;
        return process_message_send(s->messenger, 0, &out);
    default:
        return REFRAIN_OK;
    }
}

/* Lanes are numbered as they are begun. */
static bool is_sound(const struct server *s, const struct process_message *m)
{
    const bool is_known = m->lane < s->lanes.n && s->lanes.items[m->lane];
    return m->kind == MESSAGE_BEGIN                            ? m->lane == s->lanes.n
           : m->kind == MESSAGE_ASK || m->kind == MESSAGE_DROP ? is_known
                                                               : m->kind <= MESSAGE_STOP;
}

/* Waits for a message and obeys it; *stop: it was the last one. */
static enum refrain_status serve(struct server *s, bool *stop)
{
    struct messenger_mail mail = {0};
    struct process_message m;
    enum refrain_status status = REFRAIN_OK;
    for (unsigned pauses = 0; !mail.data;) {
        if (!s->messenger->receive(&mail))
            return processes_failed();
        if (!mail.data)
            processes_pause(&pauses);
    }
    if (process_message_get(mail.data, mail.n, &m) && is_sound(s, &m)) {
        *stop = m.kind == MESSAGE_STOP;
        status = obey(s, &m);
    } else {
        log_error("process %u has sent something that is no message: is it another version of Refrain?",
                  mail.from);
        status = REFRAIN_ERR_MPI;
    }
    free(mail.data);
    return status;
}

enum refrain_status time_server_run(const struct messenger *messenger)
{
    struct server s = {.messenger = messenger};
    enum refrain_status status = REFRAIN_OK;
    for (bool stop = false; !stop && status == REFRAIN_OK;)
        status = serve(&s, &stop);
    close_trace(&s);
    return status;
}
