/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes the times of a lane, block by block: for each call the rounded gap before it, and its rounded
 * duration.
 *
 * The duration of a nested call is counted from the end of the previous call. A gap or duration is the number
 * of a value on the function's grid, or a number of units (time_mode.h). Numbers of units, and of grid values
 * after the table, may be large: only their length and the two bits after the leading one are modelled; this
 * is the number's *symbol*. A symbol is coded as two digits, which are predicted from the previous values at
 * the same call site, and from the previous call (digit_model.h).
 *
 * A block has up to TIME_BLOCK_CALLS calls, and can be read without the blocks before it. */
#ifndef REFRAIN_TIME_CODE_H
#define REFRAIN_TIME_CODE_H

#include "digit_model.h"
#include "time_mode.h"

#define TIME_BLOCK_CALLS (UINT32_C(1) << 15)

struct time_call {
    bool nested;
    uint64_t gap, duration; /* numbers */
};

/* A call site in the current block. */
struct time_site {
    uint32_t number;        /* from 1, in the order of first calls; 0: no call yet */
    uint32_t gap, duration; /* symbols of its last call */
};

struct time_code {
    const struct time_mode *mode;
    struct digit_model *model;    /* owned */
    struct range_encoder *writes; /* NULL: reads */
    struct range_decoder reads;
    ARRAY(struct time_site) sites; /* by the caller's numbers */
    uint32_t n_sites;              /* sites met in this block */
    uint32_t duration;             /* symbol of the previous call */
};

/* Make a code for many blocks, one after the other. */
enum refrain_status time_code_create(struct time_code *c, const struct time_mode *mode);
void time_code_free(struct time_code *c);

void time_code_start_writing(struct time_code *c, struct range_encoder *to); /* the caller finishes it */
void time_code_start_reading(struct time_code *c, const void *block, size_t n);

/* The most bytes that a call takes, with the end of its block. */
size_t time_code_bytes_most(const struct time_code *c);

/* Write the next call of the block from *call, or read it into *call. `site` is any number that identifies
 * the call site; `grid` is the number of its function's grid. False when memory is short, or if the input
 * is invalid. */
bool time_code_call(struct time_code *c, uint32_t site, uint32_t grid, struct time_call *call);

#endif
