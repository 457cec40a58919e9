/* SPDX-License-Identifier: BSD-3-Clause */
/* The annex of a file: large data that belongs to one lane of one rank, stored after the blocks of the
 * sections.
 *
 *     header | blocks | piece of rank 0 | piece of rank 1, lane 0 | piece of rank 1, lane 1 | …
 *                 └── section ANNX: whose piece, how long, checksum, for each
 *
 * Pieces are neither merged nor gathered: a merge handles only the index, and each rank writes its own
 * pieces into the file (src/run/write_collective.h). The pieces lie in the order of the index, without
 * gaps, so the annex of several parts is the concatenation of their annexes. */
#ifndef REFRAIN_ANNEX_H
#define REFRAIN_ANNEX_H

#include <stdbool.h>

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

enum annex_kind {
    ANNEX_TIMES,  /* times of each call of a lane (time_piece.h) */
    ANNEX_COLUMN, /* column number `lane` of the rank's columns in the annex (annex_columns.h) */
    ANNEX_KINDS
};

struct annex_piece {
    uint32_t rank, kind, lane; /* pieces ascend by these three, in this order */
    uint32_t sum;              /* checksum of the bytes */
    uint64_t at, length;       /* in the annex */
};

struct annex {
    ARRAY(struct annex_piece) pieces;
    uint64_t length; /* bytes of all pieces */
    bool apart;      /* read from a file that does not have the pieces */
};

void annex_free(struct annex *a);
/* Append a piece to the index; `data` is the content that the piece will have. */
enum refrain_status annex_add(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane,
                              const void *data, uint64_t length);
/* Append next's pieces; their ranks must come after. */
enum refrain_status annex_join(struct annex *a, const struct annex *next);
/* Remove an existing piece and its bytes. */
void annex_drop(struct annex *a, uint32_t rank, enum annex_kind kind, uint32_t lane);
/* Find a piece; NULL if there is no such piece. */
const struct annex_piece *annex_find(const struct annex *a, uint32_t rank, enum annex_kind kind,
                                     uint32_t lane);
/* Do the bytes match the piece's checksum? */
bool annex_is_sound(const struct annex_piece *p, const void *data);
/* The same for the annex of a file. If the bytes do not match, returns REFRAIN_ERR_FORMAT and logs the
 * error. */
enum refrain_status annex_check_piece(const char *path, const struct annex_piece *p, const uint8_t *annex);

/* Encode the index; writes nothing for an empty annex. */
void annex_encode(const struct annex *a, struct bytes *out);
/* Make a separate index of the pieces of ranks first … end - 1, which are contiguous. */
enum refrain_status annex_slice(const struct annex *a, uint32_t first, uint32_t end, struct annex *out);
/* Decode an index. REFRAIN_ERR_FORMAT is not logged; the caller logs it with the position. */
enum refrain_status annex_decode(struct bytes_reader *in, struct annex *out);

#endif
