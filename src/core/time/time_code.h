/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a lane's times, block by block: what is kept of the gap before each call and of its duration.
 *
 * A call is three things: is it nested, and two values.
 *
 *     call before        this call                     calls in a callback    the call around them, nested
 *     ──────────|  gap  |─ duration ─|                 ──────────|
 *                                                  |──── gap ────|─ duration ─|
 *
 * The duration of a nested call is counted from the end of the call before. A value is a number, of those on
 * the grid of its function, or of units (time_mode.h). Where there are many, as of units or of what is behind a
 * grid's table, the length and the two bits behind the leading one are modelled, the others are not. Bits are
 * predicted from what stood at the same call site before, and just before (bit_model.h).
 *
 * A block has up to TIME_BLOCK_CALLS calls and can be read without those before it. */
#ifndef REFRAIN_TIME_CODE_H
#define REFRAIN_TIME_CODE_H

#include "bit_model.h"
#include "time_mode.h"

#define TIME_BLOCK_CALLS (UINT32_C(1) << 15)

struct time_call {
    bool nested;
    uint64_t gap, duration; /* numbers */
};

struct time_code {
    const struct time_mode *mode;
    struct bit_model *model;    /* owned */
    struct bit_encoder *writes; /* NULL: reads */
    struct bit_decoder reads;
    ARRAY(struct time_site) sites; /* of this block, by the caller's numbers */
    uint32_t n_sites;              /* met in this block */
    uint32_t site, gap, duration;  /* of the call before */
    uint32_t gap_contexts[BIT_MODEL_INPUTS], duration_contexts[BIT_MODEL_INPUTS]; /* of the call at hand */
};

/* A code for many blocks, one after the other. */
enum refrain_status time_code_create(struct time_code *c, const struct time_mode *mode);
void time_code_free(struct time_code *c);

void time_code_start_writing(struct time_code *c, struct bit_encoder *to); /* the caller finishes it */
void time_code_start_reading(struct time_code *c, const void *block, size_t n);

/* The next call of the block: written from *call, or read into it. `site` is any number that tells call sites
 * apart, `grid` that of its function. False when memory is short, or what is read makes no sense. */
bool time_code_call(struct time_code *c, uint32_t site, uint32_t grid, struct time_call *call);

#endif
