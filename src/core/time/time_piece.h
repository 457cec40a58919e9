/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of one lane as stored in a file (annex.h), and their conversion back to timestamps.
 *
 *     mode | calls | block: timestamp, length, coding | block: … | bytes of the first block | of the second …
 *
 * The timestamp of a block is the reconstructed end of the call before the block. So any block can be read
 * first. */
#ifndef REFRAIN_TIME_PIECE_H
#define REFRAIN_TIME_PIECE_H

#include "src/core/base/timestamp.h"
#include "time_code.h"

enum time_coding {
    TIME_CODED, /* by time_code.h */
    TIME_PLAIN  /* uint (number of gap << 1 | nested), uint number of duration, for each call */
};

struct time_block {
    uint64_t timestamp;
    enum time_coding coding;
    const uint8_t *data;
    size_t n;
};

struct time_piece {
    struct time_mode mode; /* owned */
    uint64_t calls;
    ARRAY(struct time_block) blocks; /* ⌈calls / TIME_BLOCK_CALLS⌉ */
};

/* Append the piece to `out`. */
void time_piece_encode(const struct time_piece *p, struct bytes *out);
/* Decode a piece. `data` must outlive it; errors are logged with `name`. */
enum refrain_status time_piece_decode(const char *name, const void *data, size_t n, struct time_piece *out);
void time_piece_free(struct time_piece *p);

/* Write and read a call of a plain block. False if the call is cut off. */
void time_plain_put(const struct time_call *call, struct bytes *out);
bool time_plain_get(struct bytes_reader *in, struct time_call *call);

/* A walk over the calls of a piece. */
struct time_walk {
    const struct time_piece *piece;
    uint64_t index; /* number of the next call */
    uint64_t left;  /* when the previous call ended */
    struct time_code code;
    bool is_plain; /* the current block is */
    struct bytes_reader plain;
};

enum refrain_status time_walk_start(struct time_walk *w, const struct time_piece *p);
/* Go to the first call of a block. */
void time_walk_seek(struct time_walk *w, uint64_t block);
/* Read the next call; `site` is its call site and `grid` the number of its function's grid.
 * REFRAIN_ERR_FORMAT, not logged, if there is no call or if it is invalid. */
enum refrain_status time_walk_next(struct time_walk *w, uint32_t site, uint32_t grid, struct timestamp *out);
void time_walk_stop(struct time_walk *w);

#endif
