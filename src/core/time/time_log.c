/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_log.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "time_piece.h"

/* A call takes up: site, number of the gap and maybe an exact one, the same of the duration. */
#define CALL_BYTES_MOST 52
#define FORGETS         8 /* the longest interval loses 1 / 2^8 with each other one, … */
#define UNKNOWN         UINT8_MAX
#define LEAST           1000 /* … and grows to twice what it was and so much, at most */

struct log_block {
    uint64_t timestamp;
    size_t start;      /* of an open one */
    struct bytes data; /* of one that is done */
};

struct time_log {
    const struct time_mode *mode;
    uint64_t calls;
    uint64_t left;    /* when the last call ended, … */
    uint64_t shown;   /* … and as a reader will see it; a number of units where there are units */
    uint64_t longest; /* interval; it forgets */
    struct bytes open;
    ARRAY(uint8_t) grids; /* of sites, by number */
    ARRAY(struct log_block) blocks;
    size_t n_done; /* blocks that are coded: the first ones */
};

struct time_log *time_log_create(const struct time_mode *mode)
{
    struct time_log *l = calloc(1, sizeof *l);
    if (l)
        l->mode = mode;
    else
        log_error("out of memory: the times of a lane");
    return l;
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
    return l->calls;
}

size_t time_log_bytes(const struct time_log *l)
{
    size_t n = sizeof *l + l->open.cap + l->grids.cap + l->blocks.cap * sizeof *l->blocks.items;
    for (size_t i = 0; i < l->n_done; i++)
        n += l->blocks.items[i].data.cap;
    return n;
}

/* ---- coding ---------------------------------------------------------------------------------- */

static uint64_t timestamp_of(const struct time_log *l)
{
    return l->mode->unit > 0 ? l->shown * l->mode->unit : l->shown;
}

/* An open block's bytes, calls and sites. */
static struct bytes_reader open_block(const struct time_log *l, size_t block)
{
    const size_t start = l->blocks.items[block].start;
    const size_t end = block + 1 < l->blocks.n ? l->blocks.items[block + 1].start : l->open.n;
    return bytes_reader_of(l->open.data + start, end - start);
}

static enum refrain_status code_block(const struct time_log *l, size_t block, struct time_code *code,
                                      struct bytes *out)
{
    struct bytes_reader in = open_block(l, block);
    struct bit_encoder to = bit_encoder_of(out);
    time_code_start_writing(code, &to);
    while (bytes_left(&in) > 0) {
        struct time_call call;
        const uint32_t site = (uint32_t)bytes_get_uint(&in);
        time_plain_get(l->mode, l->grids.items[site], &in, &call);
        if (!time_code_call(code, site, l->grids.items[site], &call))
            return REFRAIN_ERR_MEMORY;
    }
    bit_encoder_finish(&to);
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

/* Without the sites. */
static enum refrain_status copy_block(const struct time_log *l, size_t block, struct bytes *out)
{
    struct bytes_reader in = open_block(l, block);
    while (bytes_left(&in) > 0) {
        struct time_call call;
        const uint32_t grid = l->grids.items[bytes_get_uint(&in)];
        time_plain_get(l->mode, grid, &in, &call);
        time_plain_put(l->mode, grid, &call, out);
    }
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

static enum refrain_status code_complete(struct time_log *l)
{
    struct time_code code;
    const size_t complete = (size_t)(l->calls / TIME_BLOCK_CALLS);
    enum refrain_status status = time_code_create(&code, l->mode);
    while (l->n_done < complete && status == REFRAIN_OK) {
        struct bytes data = {0};
        status = code_block(l, l->n_done, &code, &data);
        if (status == REFRAIN_OK)
            l->blocks.items[l->n_done++].data = data;
        else
            bytes_free(&data);
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
        if (status != REFRAIN_OK)
            return status;
    }
    const struct log_block b = {.timestamp = timestamp_of(l), .start = l->open.n};
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

static bool make_room(struct time_log *l)
{
    void *data = l->open.data;
    const bool fine = array_grow(&data, l->open.n, &l->open.cap, 1, CALL_BYTES_MOST);
    l->open.data = data;
    return fine;
}

static inline uint8_t *put(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

/* Is r within the bound of t, which is at least the floor? */
static bool is_near(const struct time_grid *g, uint64_t t, uint64_t r)
{
    return (unsigned __int128)r * TIME_BASE_ONE <= (unsigned __int128)t * g->base &&
           (unsigned __int128)t * TIME_BASE_ONE <= (unsigned __int128)r * g->base;
}

/* An interval, as plain blocks have it (time_piece.h). A gap's number has another bit behind it, a duration's
 * none. */
struct interval {
    uint64_t t;
    unsigned shift, bit;
};

/* Steps 2 and 3. `below` and the next are t's neighbours; returns what t becomes. */
static __attribute__((noinline)) uint64_t make_up(const struct time_grid *g, const struct interval *i,
                                                  uint32_t below, int64_t error, uint8_t **to)
{
    const uint64_t wanted = i->t - (uint64_t)error;
    if (i->t >= g->floor && (int64_t)wanted >= 0 && is_near(g, i->t, wanted)) {
        *to = put(*to, (uint64_t)g->n << i->shift | i->bit);
        *to = put(*to, wanted);
        return wanted;
    }
    const uint32_t number = below + (time_grid_has_choice(g, below) && error < 0 && g->values[below] < i->t);
    *to = put(*to, (uint64_t)number << i->shift | i->bit);
    return g->values[number];
}

/* What t becomes, with the error so far. */
static inline uint64_t choose(const struct time_grid *g, const struct interval *i, int64_t error,
                              int64_t tolerance, uint8_t **to)
{
    const uint32_t below = time_grid_find(g, i->t);
    const uint32_t odd = below | time_grid_has_choice(g, below);
    const int64_t after = error + (int64_t)(g->values[odd] - i->t);
    if (after > tolerance || after < -tolerance)
        return make_up(g, i, below, error, to);
    *to = put(*to, (uint64_t)odd << i->shift | i->bit);
    return g->values[odd];
}

static inline int64_t tolerance_of(const struct time_log *l, const struct time_grid *g)
{
    const uint64_t t = (uint64_t)((unsigned __int128)l->longest * g->slack >> 16);
    return (int64_t)(t > g->floor ? t : g->floor);
}

static inline void remember(struct time_log *l, uint64_t t)
{
    l->longest -= l->longest >> FORGETS;
    if (t > l->longest)
        l->longest = t < 2 * l->longest + LEAST ? t : 2 * l->longest + LEAST;
}

static inline uint8_t *put_lossy(struct time_log *l, const struct time_grid *g, const struct timestamp *s,
                                 uint8_t *to)
{
    const int64_t tolerance = tolerance_of(l, g);
    const bool nested = s->enter < l->left;
    const struct interval gap = {nested ? l->left - s->enter : s->enter - l->left, 1, nested};
    if (nested) { /* where it begins leads to nothing else */
        choose(g, &gap, 0, tolerance, &to);
    } else {
        l->shown += choose(g, &gap, (int64_t)(l->shown - l->left), tolerance, &to);
        l->left = s->enter;
    }
    const struct interval duration = {s->leave - l->left, 0, 0};
    l->shown += choose(g, &duration, (int64_t)(l->shown - l->left), tolerance, &to);
    remember(l, gap.t > duration.t ? gap.t : duration.t);
    return to;
}

/* In units, to the nearest. */
static inline uint64_t count_units(const struct time_log *l, uint64_t t)
{
    return l->mode->unit == 1 ? t : (t + l->mode->unit / 2) / l->mode->unit;
}

static inline uint8_t *put_units(struct time_log *l, const struct timestamp *s, uint8_t *to)
{
    const uint64_t enter = count_units(l, s->enter), leave = count_units(l, s->leave);
    const bool nested = enter < l->shown;
    to = put(to, (nested ? l->shown - enter : enter - l->shown) << 1 | nested);
    to = put(to, leave - (nested ? l->shown : enter));
    l->shown = leave;
    return to;
}

enum refrain_status time_log_add(struct time_log *l, uint32_t site, uint32_t grid,
                                 const struct timestamp *timestamps)
{
    struct timestamp s = *timestamps;
    enum refrain_status status = REFRAIN_OK;
    if (l->calls == 0) {
        l->left = s.enter;
        l->shown = l->mode->unit > 0 ? count_units(l, s.enter) : s.enter;
    }
    if (s.leave < l->left)
        s.leave = l->left;
    if (s.enter > s.leave)
        s.enter = s.leave;
    if (l->calls % TIME_BLOCK_CALLS == 0)
        status = begin_block(l);
    if (status == REFRAIN_OK && (site >= l->grids.n || l->grids.items[site] == UNKNOWN))
        status = know_site(l, site, grid);
    if (status == REFRAIN_OK && l->open.cap - l->open.n < CALL_BYTES_MOST && !make_room(l))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        return status;
    uint8_t *to = put(l->open.data + l->open.n, site);
    to = l->mode->unit > 0 ? put_units(l, &s, to) : put_lossy(l, &l->mode->grids.items[grid], &s, to);
    l->open.n = (size_t)(to - l->open.data);
    l->left = s.leave;
    l->calls++;
    return REFRAIN_OK;
}

/* ---- storing --------------------------------------------------------------------------------- */

enum refrain_status time_log_store(struct time_log *l, bool coded, struct bytes *out)
{
    struct time_piece p = {.mode = *l->mode, .calls = l->calls};
    struct time_code code = {0};
    struct bytes open = {0};
    size_t *starts = calloc(l->blocks.n + 1, sizeof *starts); /* in `open` */
    enum refrain_status status = coded ? code_complete(l) : REFRAIN_OK;
    if (!starts || !array_reserve(&p.blocks, l->blocks.n))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && coded)
        status = time_code_create(&code, l->mode);
    for (size_t i = l->n_done; i < l->blocks.n && status == REFRAIN_OK; i++) {
        starts[i] = open.n;
        status = coded ? code_block(l, i, &code, &open) : copy_block(l, i, &open);
        starts[i + 1] = open.n;
    }
    for (size_t i = 0; i < l->blocks.n && status == REFRAIN_OK; i++) {
        const struct log_block *b = &l->blocks.items[i];
        const bool done = i < l->n_done;
        p.blocks.items[p.blocks.n++] =
            (struct time_block){.timestamp = b->timestamp,
                                .coding = done || coded ? TIME_CODED : TIME_PLAIN,
                                .data = done ? b->data.data : open.data + starts[i],
                                .n = done ? b->data.n : starts[i + 1] - starts[i]};
    }
    if (status == REFRAIN_OK) {
        time_piece_encode(&p, out);
        status = out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    }
    array_free(&p.blocks);
    time_code_free(&code);
    bytes_free(&open);
    free(starts);
    return status;
}
