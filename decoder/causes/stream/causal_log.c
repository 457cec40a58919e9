/* SPDX-License-Identifier: BSD-3-Clause */
#include "causal_log.h"

#include "src/core/base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first byte of an entry: its event, and … */
enum { ENTER, LEAVE, JOIN, FORGET, EVENT_BITS = 3 };
#define SAME_LANE 4  /* same lane as the previous event */
#define MARKED    8  /* for ENTER: a mark follows */
#define LEFT      16 /* for ENTER: the duration of the call follows, and it has no causes */

#define KIND_BITS 5 /* bits of a cause's kind */

enum refrain_status causal_log_create(struct causal_log *l, size_t n_lanes)
{
    *l = (struct causal_log){.n_lanes = n_lanes,
                             .block = CAUSAL_LOG_BLOCK,
                             .lane = CAUSAL_NONE,
                             .left = calloc(n_lanes + 1, sizeof *l->left)};
    if (l->left)
        return REFRAIN_OK;
    log_error("out of memory: %zu threads", n_lanes);
    return REFRAIN_ERR_MEMORY;
}

void causal_log_free(struct causal_log *l)
{
    if (l->file)
        fclose(l->file);
    bytes_free(&l->bytes);
    array_free(&l->blocks);
    free(l->left);
    *l = (struct causal_log){0};
}

/* ---- keeping ------------------------------------------------------------------------------------- */

static FILE *open_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    folder = folder && *folder ? folder : "/tmp";
    if (snprintf(path, sizeof path, "%s/refrain-XXXXXX", folder) >= (int)sizeof path)
        return NULL;
    const int fd = mkstemp(path);
    if (fd < 0)
        return NULL;
    unlink(path);
    FILE *file = fdopen(fd, "w+b");
    if (!file)
        close(fd);
    return file;
}

/* Continues without the log, since its results matter less than the others. */
static void lose(struct causal_log *l, const char *why)
{
    log_warning("%" PRIu64 " MB do not fit into a temporary file: %s; set TMPDIR to a directory with more "
                "space to see the times without delays",
                (l->in_file + l->bytes.n) >> 20, why);
    l->lost = true;
    bytes_free(&l->bytes);
}

void causal_log_begin_block(struct causal_log *l)
{
    l->bytes.n = 0;
    l->lane = CAUSAL_NONE;
    l->entered = 0;
}

/* Writes the bytes to the file once they fill a block. */
static enum refrain_status flush(struct causal_log *l)
{
    if (l->bytes.failed)
        return REFRAIN_ERR_MEMORY;
    if (l->bytes.n < l->block)
        return REFRAIN_OK;
    if (!array_push(&l->blocks, l->bytes.n))
        return REFRAIN_ERR_MEMORY;
    if (l->in_file + l->bytes.n > CAUSAL_LOG_MOST)
        lose(l, "that is too much");
    else if ((!l->file && !(l->file = open_file())) ||
             fwrite(l->bytes.data, 1, l->bytes.n, l->file) < l->bytes.n || fflush(l->file) != 0)
        lose(l, strerror(errno));
    l->in_file += l->bytes.n;
    causal_log_begin_block(l);
    return REFRAIN_OK;
}

static void put_head(struct causal_log *l, uint8_t head, uint32_t lane)
{
    const bool same = lane == l->lane;
    bytes_put_u8(&l->bytes, head | (same ? SAME_LANE : 0));
    if (!same)
        bytes_put_uint(&l->bytes, lane);
    l->lane = lane;
}

static enum refrain_status keep_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct causal_log *l = context;
    if (l->lost)
        return REFRAIN_OK;
    const enum refrain_status status = flush(l);
    if (status != REFRAIN_OK || l->lost)
        return status;
    const size_t head = l->bytes.n;
    put_head(l, ENTER | (mark != CAUSAL_NONE ? MARKED : 0), call->lane);
    bytes_put_uint(&l->bytes, call->site);
    bytes_put_uint(&l->bytes, call->enter - l->left[call->lane]);
    if (mark != CAUSAL_NONE)
        bytes_put_uint(&l->bytes, mark);
    l->entered = head + 1;
    return REFRAIN_OK;
}

static enum refrain_status keep_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct causal_log *l = context;
    if (l->lost)
        return REFRAIN_OK;
    if (l->entered > 0 && l->lane == call->lane && n == 0 && !l->bytes.failed) {
        l->bytes.data[l->entered - 1] |= LEFT;
        bytes_put_uint(&l->bytes, call->leave - call->enter);
    } else {
        put_head(l, LEAVE, call->lane);
        bytes_put_uint(&l->bytes, call->leave - call->enter);
        bytes_put_uint(&l->bytes, n);
        for (size_t i = 0; i < n; i++)
            bytes_put_uint(&l->bytes, (uint64_t)causes[i].mark << KIND_BITS | causes[i].kind);
    }
    l->left[call->lane] = call->leave;
    l->entered = 0;
    return REFRAIN_OK;
}

static enum refrain_status keep_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    struct causal_log *l = context;
    if (l->lost)
        return REFRAIN_OK;
    bytes_put_u8(&l->bytes, JOIN);
    bytes_put_uint(&l->bytes, mark);
    bytes_put_uint(&l->bytes, n);
    for (size_t i = 0; i < n; i++)
        bytes_put_uint(&l->bytes, members[i].mark);
    l->entered = 0;
    return REFRAIN_OK;
}

static void keep_forget(void *context, uint32_t mark)
{
    struct causal_log *l = context;
    if (l->lost)
        return;
    bytes_put_u8(&l->bytes, FORGET);
    bytes_put_uint(&l->bytes, mark);
    l->entered = 0;
}

enum refrain_status causal_log_add_block(struct causal_log *l, const struct bytes *block)
{
    const enum refrain_status status = l->lost ? REFRAIN_OK : flush(l);
    if (status == REFRAIN_OK && !l->lost)
        bytes_put(&l->bytes, block->data, block->n);
    return status;
}

struct causal_sink causal_log_sink(struct causal_log *l)
{
    return (struct causal_sink){l, keep_enter, keep_leave, keep_forget, keep_join};
}

/* ---- reading the log ----------------------------------------------------------------------------- */

struct causal_teller {
    struct causal_sink sink;
    struct causal_call *calls; /* by lane: its last call */
    uint32_t lane;
    ARRAY(struct causal_cause) marks; /* by number; `kind` is unknown */
    ARRAY(struct causal_cause) causes;
};

static bool set_mark(struct causal_teller *t, uint32_t mark, uint32_t lane, uint64_t at)
{
    while (t->marks.n <= mark) {
        if (!array_push(&t->marks, (struct causal_cause){0}))
            return false;
    }
    t->marks.items[mark] = (struct causal_cause){.lane = lane, .mark = mark, .at = at};
    return true;
}

/* Reads causes into t->causes. */
static bool get_causes(struct causal_teller *t, struct bytes_reader *r, bool with_kind)
{
    t->causes.n = 0;
    for (uint64_t n = bytes_get_uint(r); n > 0; n--) {
        const uint64_t cause = bytes_get_uint(r);
        struct causal_cause c = t->marks.items[with_kind ? cause >> KIND_BITS : cause];
        c.kind = with_kind ? cause & ((1 << KIND_BITS) - 1) : 0;
        if (!array_push(&t->causes, c))
            return false;
    }
    return true;
}

static enum refrain_status tell_enter(struct causal_teller *t, uint8_t head, struct bytes_reader *r)
{
    struct causal_call *c = &t->calls[t->lane];
    c->lane = t->lane;
    c->site = (uint32_t)bytes_get_uint(r);
    c->enter = c->leave + bytes_get_uint(r);
    const uint32_t mark = head & MARKED ? (uint32_t)bytes_get_uint(r) : CAUSAL_NONE;
    if (mark != CAUSAL_NONE && !set_mark(t, mark, t->lane, c->enter))
        return REFRAIN_ERR_MEMORY;
    c->leave = c->enter;
    const enum refrain_status status = t->sink.enter(t->sink.context, c, mark);
    if (status != REFRAIN_OK || !(head & LEFT))
        return status;
    c->leave = c->enter + bytes_get_uint(r);
    return t->sink.leave(t->sink.context, c, NULL, 0);
}

static enum refrain_status tell_leave(struct causal_teller *t, struct bytes_reader *r)
{
    struct causal_call *c = &t->calls[t->lane];
    c->leave = c->enter + bytes_get_uint(r);
    return get_causes(t, r, true) ? t->sink.leave(t->sink.context, c, t->causes.items, t->causes.n)
                                  : REFRAIN_ERR_MEMORY;
}

static enum refrain_status tell_join(struct causal_teller *t, struct bytes_reader *r)
{
    const uint32_t mark = (uint32_t)bytes_get_uint(r);
    uint64_t last = 0;
    if (!get_causes(t, r, false))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < t->causes.n; i++)
        last = t->causes.items[i].at > last ? t->causes.items[i].at : last;
    if (!set_mark(t, mark, CAUSAL_NONE, last))
        return REFRAIN_ERR_MEMORY;
    return t->sink.join ? t->sink.join(t->sink.context, mark, t->causes.items, t->causes.n) : REFRAIN_OK;
}

struct causal_teller *causal_teller_create(size_t n_lanes, const struct causal_sink *sink)
{
    struct causal_teller *t = calloc(1, sizeof *t);
    struct causal_call *calls = calloc(n_lanes + 1, sizeof *calls);
    if (!t || !calls) {
        log_error("out of memory: %zu threads", n_lanes);
        free(t);
        free(calls);
        return NULL;
    }
    *t = (struct causal_teller){.sink = *sink, .calls = calls};
    return t;
}

void causal_teller_free(struct causal_teller *t)
{
    if (!t)
        return;
    free(t->calls);
    array_free(&t->marks);
    array_free(&t->causes);
    free(t);
}

enum refrain_status causal_teller_tell(struct causal_teller *t, const uint8_t *data, size_t n)
{
    struct bytes_reader r = bytes_reader_of(data, n);
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && bytes_left(&r) > 0) {
        const uint8_t head = *r.at++, event = head & EVENT_BITS;
        if (event <= LEAVE && !(head & SAME_LANE))
            t->lane = (uint32_t)bytes_get_uint(&r);
        if (event == ENTER)
            status = tell_enter(t, head, &r);
        else if (event == LEAVE)
            status = tell_leave(t, &r);
        else if (event == JOIN)
            status = tell_join(t, &r);
        else
            t->sink.forget(t->sink.context, (uint32_t)bytes_get_uint(&r));
    }
    return status;
}

/* Reads n bytes of the file, from `at` on; other threads read it, too. */
static enum refrain_status read_block(const struct causal_log *l, uint64_t at, uint8_t *data, size_t n)
{
    while (n > 0) {
        const ssize_t got = pread(fileno(l->file), data, n, (off_t)at);
        if (got <= 0) {
            log_error("cannot read the temporary file in TMPDIR: %s",
                      got < 0 ? strerror(errno) : "it was cut off");
            return REFRAIN_ERR_IO;
        }
        data += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return REFRAIN_OK;
}

static enum refrain_status tell_file(const struct causal_log *l, struct causal_teller *t)
{
    struct bytes block = {0};
    enum refrain_status status = REFRAIN_OK;
    uint64_t at = 0;
    for (size_t i = 0; i < l->blocks.n && status == REFRAIN_OK; at += l->blocks.items[i++]) {
        const size_t n = l->blocks.items[i];
        uint8_t *data = n > block.cap ? realloc(block.data, n) : block.data;
        if (!data) {
            log_error("out of memory: %zu MB", n >> 20);
            status = REFRAIN_ERR_MEMORY;
            break;
        }
        block = (struct bytes){.data = data, .cap = n > block.cap ? n : block.cap};
        status = read_block(l, at, data, n);
        if (status == REFRAIN_OK)
            status = causal_teller_tell(t, data, n);
    }
    bytes_free(&block);
    return status;
}

enum refrain_status causal_log_tell(const struct causal_log *l, const struct causal_sink *sink)
{
    struct causal_teller *t = causal_teller_create(l->n_lanes, sink);
    enum refrain_status status = t && !l->bytes.failed ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && l->file)
        status = tell_file(l, t);
    if (status == REFRAIN_OK)
        status = causal_teller_tell(t, l->bytes.data, l->bytes.n);
    causal_teller_free(t);
    return status;
}
