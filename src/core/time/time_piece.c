/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_piece.h"

#include "src/core/base/log.h"

#include <assert.h>

/* ---- as bytes -------------------------------------------------------------------------------- */

void time_piece_encode(const struct time_piece *p, struct bytes *out)
{
    uint64_t before = 0;
    time_mode_encode(&p->mode, out);
    bytes_put_uint(out, p->calls);
    for (size_t i = 0; i < p->blocks.n; i++) {
        const struct time_block *b = &p->blocks.items[i];
        bytes_put_uint(out, b->timestamp - before);
        bytes_put_uint(out, (uint64_t)b->n << 1 | b->coding);
        before = b->timestamp;
    }
    for (size_t i = 0; i < p->blocks.n; i++)
        bytes_put(out, p->blocks.items[i].data, p->blocks.items[i].n);
}

static enum refrain_status decode_blocks(struct bytes_reader *in, struct time_piece *p)
{
    uint64_t timestamp = 0;
    const uint64_t n = p->calls / TIME_BLOCK_CALLS + (p->calls % TIME_BLOCK_CALLS > 0);
    if (in->failed || n > bytes_left(in) / 2)
        return REFRAIN_ERR_FORMAT;
    if (!array_reserve(&p->blocks, n))
        return REFRAIN_ERR_MEMORY;
    for (uint64_t i = 0; i < n; i++) {
        timestamp += bytes_get_uint(in);
        const uint64_t length = bytes_get_uint(in);
        p->blocks.items[p->blocks.n++] =
            (struct time_block){.timestamp = timestamp, .coding = length & 1, .n = length >> 1};
    }
    for (uint64_t i = 0; i < n && !in->failed; i++)
        p->blocks.items[i].data = bytes_get(in, p->blocks.items[i].n);
    return in->failed || bytes_left(in) > 0 ? REFRAIN_ERR_FORMAT : REFRAIN_OK;
}

enum refrain_status time_piece_decode(const char *name, const void *data, size_t n, struct time_piece *out)
{
    struct bytes_reader in = bytes_reader_of(data, n);
    struct time_piece p = {0};
    enum refrain_status status = time_mode_decode(&in, &p.mode);
    if (status == REFRAIN_OK) {
        p.calls = bytes_get_uint(&in);
        status = decode_blocks(&in, &p);
    }
    if (status == REFRAIN_OK) {
        *out = p;
        return REFRAIN_OK;
    }
    if (status == REFRAIN_ERR_FORMAT)
        log_error("%s: the times are damaged", name);
    time_piece_free(&p);
    return status;
}

void time_piece_free(struct time_piece *p)
{
    time_mode_free(&p->mode);
    array_free(&p->blocks);
    *p = (struct time_piece){0};
}

/* ---- plain calls ----------------------------------------------------------------------------- */

void time_plain_put(const struct time_call *call, struct bytes *out)
{
    bytes_put_uint(out, call->gap << 1 | call->nested);
    bytes_put_uint(out, call->duration);
}

bool time_plain_get(struct bytes_reader *in, struct time_call *call)
{
    const uint64_t gap = bytes_get_uint(in);
    *call = (struct time_call){.nested = gap & 1, .gap = gap >> 1, .duration = bytes_get_uint(in)};
    return !in->failed;
}

/* ---- going through --------------------------------------------------------------------------- */

enum refrain_status time_walk_start(struct time_walk *w, const struct time_piece *p)
{
    *w = (struct time_walk){.piece = p};
    const enum refrain_status status = time_code_create(&w->code, &p->mode);
    if (status == REFRAIN_OK)
        time_walk_seek(w, 0);
    return status;
}

void time_walk_stop(struct time_walk *w)
{
    time_code_free(&w->code);
}

void time_walk_seek(struct time_walk *w, uint64_t block)
{
    assert(block <= w->piece->blocks.n);
    w->index = block * TIME_BLOCK_CALLS;
    if (w->index >= w->piece->calls)
        return;
    const struct time_block *b = &w->piece->blocks.items[block];
    w->left = b->timestamp;
    w->is_plain = b->coding == TIME_PLAIN;
    if (w->is_plain)
        w->plain = bytes_reader_of(b->data, b->n);
    else
        time_code_start_reading(&w->code, b->data, b->n);
}

/* Convert a number to nanoseconds; false if that overflows. */
static bool value_of(const struct time_mode *m, uint32_t grid, uint64_t number, uint64_t *ns)
{
    if (m->unit > 0)
        return !__builtin_mul_overflow(number, m->unit, ns);
    const struct time_grid *g = &m->grids.items[grid];
    if (number > g->n && number - g->n > UINT64_MAX / 2 / g->step)
        return false;
    *ns = time_grid_value(g, number);
    return true;
}

enum refrain_status time_walk_next(struct time_walk *w, uint32_t site, uint32_t grid, struct timestamp *out)
{
    const struct time_mode *m = &w->piece->mode;
    struct time_call call = {0};
    uint64_t gap, duration, leave;
    struct timestamp s;
    if (w->index >= w->piece->calls)
        return REFRAIN_ERR_FORMAT;
    if (w->index % TIME_BLOCK_CALLS == 0)
        time_walk_seek(w, w->index / TIME_BLOCK_CALLS);
    if (!(w->is_plain ? time_plain_get(&w->plain, &call) : time_code_call(&w->code, site, grid, &call)) ||
        !value_of(m, grid, call.gap, &gap) || !value_of(m, grid, call.duration, &duration))
        return REFRAIN_ERR_FORMAT;
    if (call.nested)
        s.enter = gap < w->left ? w->left - gap : 0;
    else if (__builtin_add_overflow(w->left, gap, &s.enter))
        return REFRAIN_ERR_FORMAT;
    if (__builtin_add_overflow(call.nested ? w->left : s.enter, duration, &leave))
        return REFRAIN_ERR_FORMAT;
    s.leave = w->left = leave;
    w->index++;
    *out = s;
    return REFRAIN_OK;
}
