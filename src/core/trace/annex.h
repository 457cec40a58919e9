/* SPDX-License-Identifier: BSD-3-Clause */
/* The annex of a file: what is large and belongs to one lane of one rank, behind the blocks of the sections.
 *
 *     header | blocks | piece of rank 0 | piece of rank 1, lane 0 | piece of rank 1, lane 1 | …
 *                 └── section ANNX: whose piece, how long, checksum, for each
 *
 * Pieces are neither merged nor gathered: while traces are merged, only the index goes along, and each rank
 * writes its own pieces into the file (src/run/write_collective.h). They lie in the order of the index, without
 * gaps, so that the annex of several parts is the annex of one behind that of the other. */
#ifndef REFRAIN_ANNEX_H
#define REFRAIN_ANNEX_H

#include <stdbool.h>

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

enum annex_kind {
    ANNEX_TIMES,  /* of each call of a lane (time_piece.h) */
    ANNEX_COLUMN, /* the `lane`-th column of the rank that is here (annex_columns.h) */
    ANNEX_KINDS
};

struct annex_piece {
    uint32_t rank, kind, lane; /* they ascend, in this order */
    uint32_t sum;              /* of the bytes */
    uint64_t at, length;       /* in the annex */
};

struct annex {
    ARRAY(struct annex_piece) pieces;
    uint64_t length; /* of all */
    bool apart;      /* read from a file that does not have the pieces */
};

void annex_free(struct annex *a);
/* Behind those that are there; `data` is what the piece will be. */
enum refrain_status annex_add(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane,
                              const void *data, uint64_t length);
/* Appends next's pieces, whose ranks come behind. */
enum refrain_status annex_join(struct annex *a, const struct annex *next);
/* A piece that there is is not there any more, nor are its bytes. */
void annex_drop(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane);
/* NULL: there is no such piece. */
const struct annex_piece *annex_find(const struct annex *a, uint32_t rank, enum annex_kind kind,
                                     uint32_t lane);
/* Are the bytes those of the piece? */
bool annex_is_sound(const struct annex_piece *p, const void *data);
/* The same for the annex of a file: REFRAIN_ERR_FORMAT if they are not, which is logged. */
enum refrain_status annex_check_piece(const char *path, const struct annex_piece *p, const uint8_t *annex);

/* The index; nothing for an empty annex. */
void annex_encode(const struct annex *a, struct bytes *out);
/* The pieces of ranks first … end - 1, which lie one behind the other, as an index of their own. */
enum refrain_status annex_slice(const struct annex *a, uint32_t first, uint32_t end, struct annex *out);
/* REFRAIN_ERR_FORMAT without a message, for the caller knows where it stands. */
enum refrain_status annex_decode(struct bytes_reader *in, struct annex *out);

#endif
