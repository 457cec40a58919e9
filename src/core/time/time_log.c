/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_log.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "time_piece.h"
#include "time_round.h"

/* An open block stores for each call its site, as in a file, and two times: gap << 1 | nested, and
 * duration. A time takes two bytes, if it is short enough. Guessing times would take longer than
 * storing them.
 *
 *     t < LONG     u16 t             native byte order
 *     otherwise    u16 LONG  u64 t */
#define LONG            UINT16_MAX
#define CALL_BYTES_MOST 25
#define PIECE_BYTES     64 /* about the size of a piece without its blocks */
#define BLOCK_BYTES     16 /* size of a block's entry in the index */
/* Memory for open blocks doubles from ROOM_FIRST bytes to ROOM_SMALL; then all of it is allocated. */
#define ROOM_FIRST    4096
#define ROOM_FREE     2048 /* each log has this much: the first calls of each thread get their times */
#define ROOM_SMALL    ((size_t)64 << 10)
#define TIME_LOG_ROOM (TIME_LOG_OPEN + (size_t)CALL_BYTES_MOST * TIME_BLOCK_CALLS)
#define UNKNOWN       UINT8_MAX

struct log_block {
    size_t start;       /* position of an open block in `open` */
    uint64_t timestamp; /* for a coded block: the end of the call before it, for readers; … */
    struct bytes data;  /* … and its code */
};

struct time_log {
    struct time_stage stage;
    const struct time_mode *mode;
    struct time_budget *budget; /* NULL: no budget */
    bool full;
    uint64_t calls;          /* calls in the log */
    uint64_t left;           /* end of the last call */
    struct time_round round; /* state of rounding before the first open block */
    struct bytes open;
    size_t room;          /* bytes for `open` that are charged to the budget */
    ARRAY(uint8_t) grids; /* by number of the site */
    ARRAY(struct log_block) blocks;
    size_t n_done; /* number of coded blocks, which come first */
};

struct time_log *time_log_create(const struct time_mode *mode, struct time_budget *budget)
{
    struct time_log *l = calloc(1, sizeof *l);
    if (!l) {
        log_error("out of memory: the times of a lane");
        return NULL;
    }
    l->mode = mode;
    l->budget = budget;
    return l;
}

struct time_stage *time_log_stage(struct time_log *l)
{
    return &l->stage;
}

bool time_log_is_full(const struct time_log *l)
{
    return l->full;
}

void time_log_free(struct time_log *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n_done; i++)
        bytes_free(&l->blocks.items[i].data);
    bytes_free(&l->open);
    array_free(&l->grids);
    array_free(&l->blocks);
    free(l);
}

uint64_t time_log_calls(const struct time_log *l)
{
    return l->calls + l->stage.n;
}

size_t time_log_bytes(const struct time_log *l)
{
    size_t n = sizeof *l + l->open.cap + l->grids.cap + l->blocks.cap * sizeof *l->blocks.items;
    for (size_t i = 0; i < l->n_done; i++)
        n += l->blocks.items[i].data.cap;
    return n;
}

/* ---- coding ---------------------------------------------------------------------------------- */

/* A reader of an open block, which has its calls and sites. */
static struct bytes_reader open_block(const struct time_log *l, size_t block)
{
    const size_t start = l->blocks.items[block].start;
    const size_t end = block + 1 < l->blocks.n ? l->blocks.items[block + 1].start : l->open.n;
    return bytes_reader_of(l->open.data + start, end - start);
}

static uint64_t get_time(struct bytes_reader *in)
{
    uint64_t t;
    uint16_t low;
    memcpy(&low, bytes_get(in, sizeof low), sizeof low);
    if (low < LONG)
        return low;
    memcpy(&t, bytes_get(in, sizeof t), sizeof t);
    return t;
}

/* Read the next call of an open block and round it; returns its site. */
static uint32_t next_call(const struct time_log *l, struct bytes_reader *in, struct time_round *round,
                          struct time_call *call)
{
    const uint32_t site = (uint32_t)bytes_get_uint(in);
    const uint64_t gap = get_time(in), duration = get_time(in);
    const struct time_exact exact = {.nested = gap & 1, .gap = gap >> 1, .duration = duration};
    *call = time_round_call(round, l->grids.items[site], &exact);
    return site;
}

/* Code the calls of an open block, as long as they certainly fit in `most` bytes; *calls is their
 * number. */
static enum refrain_status code_block(const struct time_log *l, size_t block, struct time_round *round,
                                      struct time_code *code, uint64_t most, uint64_t *calls,
                                      struct bytes *out)
{
    struct bytes_reader in = open_block(l, block);
    struct range_encoder to = range_encoder_of(out);
    const size_t start = out->n, call_most = time_code_bytes_most(code);
    time_code_start_writing(code, &to);
    for (*calls = 0; bytes_left(&in) > 0 && out->n - start + call_most <= most; ++*calls) {
        struct time_call call;
        const uint32_t site = next_call(l, &in, round, &call);
        if (!time_code_call(code, site, l->grids.items[site], &call))
            return REFRAIN_ERR_MEMORY;
    }
    range_encoder_finish(&to);
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

static enum refrain_status copy_block(const struct time_log *l, size_t block, struct time_round *round,
                                      struct bytes *out)
{
    struct bytes_reader in = open_block(l, block);
    while (bytes_left(&in) > 0) {
        struct time_call call;
        next_call(l, &in, round, &call);
        time_plain_put(&call, out);
    }
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

/* Take `wanted` bytes from the budget, or as many as are left. Returns the number taken. */
static uint64_t take_from_budget(struct time_log *l, uint64_t wanted)
{
    if (!l->budget)
        return wanted;
    uint64_t left = atomic_load(&l->budget->left), taken;
    do
        taken = wanted < left ? wanted : left;
    while (!atomic_compare_exchange_weak(&l->budget->left, &left, left - taken));
    l->full = l->full || taken < wanted;
    return taken;
}

static enum refrain_status code_complete(struct time_log *l)
{
    struct time_code code;
    const size_t complete = (size_t)(l->calls / TIME_BLOCK_CALLS);
    enum refrain_status status = time_code_create(&code, l->mode);
    while (l->n_done < complete && status == REFRAIN_OK) {
        struct bytes data = {0};
        uint64_t calls;
        l->blocks.items[l->n_done].timestamp = time_round_timestamp(&l->round);
        status = code_block(l, l->n_done, &l->round, &code, UINT64_MAX, &calls, &data);
        if (status != REFRAIN_OK) {
            bytes_free(&data);
            break;
        }
        l->blocks.items[l->n_done++].data = data;
        take_from_budget(l, data.n);
    }
    time_code_free(&code);
    const size_t gone = l->n_done < l->blocks.n ? l->blocks.items[l->n_done].start : l->open.n;
    l->open.n -= gone;
    if (l->open.n > 0)
        memmove(l->open.data, l->open.data + gone, l->open.n);
    for (size_t i = l->n_done; i < l->blocks.n; i++)
        l->blocks.items[i].start -= gone;
    return status;
}

/* ---- one call -------------------------------------------------------------------------------- */

static enum refrain_status begin_block(struct time_log *l)
{
    if (l->open.n >= TIME_LOG_OPEN) {
        const enum refrain_status status = code_complete(l);
        if (status != REFRAIN_OK || l->full)
            return status;
    }
    const struct log_block b = {.start = l->open.n};
    return array_push(&l->blocks, b) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status know_site(struct time_log *l, uint32_t site, uint32_t grid)
{
    while (l->grids.n <= site) {
        if (!array_push(&l->grids, UNKNOWN))
            return REFRAIN_ERR_MEMORY;
    }
    l->grids.items[site] = (uint8_t)grid;
    return REFRAIN_OK;
}

/* Make room for at least one more call. If the budget has no room for it, the caller sees that
 * `room` is too small, and the log is full. */
static enum refrain_status make_room(struct time_log *l)
{
    const size_t wanted = l->room > 0 ? l->room : ROOM_FIRST;
    l->room += TIME_BUDGET_OPEN * take_from_budget(l, (wanted + TIME_BUDGET_OPEN - 1) / TIME_BUDGET_OPEN);
    l->room = l->room > ROOM_FREE ? l->room : ROOM_FREE;
    if (l->room < l->open.n + CALL_BYTES_MOST)
        return REFRAIN_OK;
    /* Allocate a large buffer at once: the system provides its pages as they are used, and no
     * growing buffer has to be copied. */
    const size_t all = l->room < ROOM_SMALL ? l->room : l->room < TIME_LOG_ROOM ? TIME_LOG_ROOM : l->room;
    void *data = l->open.data;
    const bool fine = array_grow(&data, l->open.n, &l->open.cap, 1, all - l->open.n);
    l->open.data = data;
    return fine ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static inline uint8_t *put_site(uint8_t *to, uint32_t site)
{
    for (; site >= 0x80; site >>= 7)
        *to++ = (uint8_t)(site | 0x80);
    *to++ = (uint8_t)site;
    return to;
}

static inline uint8_t *put_time(uint8_t *to, uint64_t t)
{
    const uint16_t low = t < LONG ? (uint16_t)t : LONG;
    memcpy(to, &low, sizeof low);
    to += sizeof low;
    if (t < LONG)
        return to;
    memcpy(to, &t, sizeof t);
    return to + sizeof t;
}

/* Do what only few calls need: start, make room, begin a block, enter a site. */
static enum refrain_status prepare(struct time_log *l, const struct time_entry *e)
{
    enum refrain_status status = REFRAIN_OK;
    if (l->calls == 0) {
        l->left = e->timestamps.enter;
        l->round = time_round_start(l->mode, l->left);
    }
    if (l->open.n + CALL_BYTES_MOST > l->room)
        status = make_room(l);
    l->full = l->open.n + CALL_BYTES_MOST > l->room;
    if (status == REFRAIN_OK && !l->full && l->calls % TIME_BLOCK_CALLS == 0)
        status = begin_block(l);
    if (status == REFRAIN_OK && (e->site >= l->grids.n || l->grids.items[e->site] == UNKNOWN))
        status = know_site(l, e->site, e->grid);
    return status;
}

enum refrain_status time_log_take(struct time_log *l)
{
    const uint32_t n = l->stage.n;
    l->stage.n = 0;
    for (uint32_t i = 0; i < n && !l->full; i++) {
        const struct time_entry *e = &l->stage.calls[i];
        if (l->calls % TIME_BLOCK_CALLS == 0 || l->open.n + CALL_BYTES_MOST > l->room ||
            e->site >= l->grids.n || l->grids.items[e->site] == UNKNOWN) {
            const enum refrain_status status = prepare(l, e);
            if (status != REFRAIN_OK)
                return status;
            if (l->full)
                break;
        }
        const uint64_t leave = e->timestamps.leave > l->left ? e->timestamps.leave : l->left,
                       enter = e->timestamps.enter < leave ? e->timestamps.enter : leave;
        const bool nested = enter < l->left;
        uint8_t *to = put_site(l->open.data + l->open.n, e->site);
        to = put_time(to, (nested ? l->left - enter : enter - l->left) << 1 | nested);
        to = put_time(to, leave - (nested ? l->left : enter));
        l->open.n = (size_t)(to - l->open.data);
        l->left = leave;
        l->calls++;
    }
    return REFRAIN_OK;
}

/* ---- storing --------------------------------------------------------------------------------- */

/* Append the open blocks to those of the piece. Their bytes go to `open`, one after the other; the
 * caller sets their addresses later, since `open` still moves. At most `limit` bytes. */
static enum refrain_status store_open(const struct time_log *l, bool coded, uint64_t limit,
                                      struct time_piece *p, struct bytes *open)
{
    struct time_code code = {0};
    struct time_round round = l->round;
    enum refrain_status status = coded ? time_code_create(&code, l->mode) : REFRAIN_OK;
    uint64_t calls = TIME_BLOCK_CALLS;
    while (p->blocks.n < l->blocks.n && calls == TIME_BLOCK_CALLS && status == REFRAIN_OK) {
        const uint64_t left = l->calls - p->calls;
        const size_t block = p->blocks.n, start = open->n;
        struct time_block b = {.timestamp = time_round_timestamp(&round),
                               .coding = coded ? TIME_CODED : TIME_PLAIN};
        calls = left < TIME_BLOCK_CALLS ? left : TIME_BLOCK_CALLS;
        status = coded ? code_block(l, block, &round, &code, limit - start, &calls, open)
                       : copy_block(l, block, &round, open);
        b.n = open->n - start;
        p->calls += calls;
        if (calls > 0)
            p->blocks.items[p->blocks.n++] = b;
    }
    time_code_free(&code);
    return status;
}

/* Append the coded blocks, as far as the limit permits. */
static void store_done(const struct time_log *l, uint64_t *limit, struct time_piece *p)
{
    for (size_t i = 0; i < l->n_done && l->blocks.items[i].data.n <= *limit; i++) {
        const struct log_block *b = &l->blocks.items[i];
        p->blocks.items[p->blocks.n++] =
            (struct time_block){b->timestamp, TIME_CODED, b->data.data, b->data.n};
        p->calls += TIME_BLOCK_CALLS;
        *limit -= b->data.n;
    }
}

enum refrain_status time_log_store(struct time_log *l, bool coded, uint64_t *limit, struct bytes *out)
{
    struct time_piece p = {.mode = *l->mode};
    struct bytes open = {0};
    enum refrain_status status = time_log_take(l);
    if (status == REFRAIN_OK && coded)
        status = code_complete(l);
    if (status == REFRAIN_OK && !array_reserve(&p.blocks, l->blocks.n))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        return status;
    const uint64_t index = PIECE_BYTES + l->blocks.n * BLOCK_BYTES;
    uint64_t left = !coded || !limit ? UINT64_MAX : *limit > index ? *limit - index : 0;
    store_done(l, &left, &p);
    const size_t n_done = p.blocks.n, start = out->n;
    if (n_done == l->n_done)
        status = store_open(l, coded, left, &p, &open);
    const uint8_t *at = open.data;
    for (size_t i = n_done; i < p.blocks.n; at += p.blocks.items[i++].n)
        p.blocks.items[i].data = at;
    if (status == REFRAIN_OK && p.calls > 0) {
        time_piece_encode(&p, out);
        status = out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    }
    if (limit)
        *limit -= out->n - start < *limit ? out->n - start : *limit;
    array_free(&p.blocks);
    bytes_free(&open);
    return status;
}
