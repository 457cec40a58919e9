/* SPDX-License-Identifier: BSD-3-Clause */
/* A row's slots as bytes: the body of the SIGN section.
 *
 * A slot is a function of the rank (rankfn.h) whose lists are numbers in the table of series. Most are small
 * constants, one byte each; runs that repeat, or that are as in the row of reference, are one code. Example,
 * an MPI_Irecv
 *
 *     before: buf, count, type, source, tag, comm   result   after: request
 *     2       8    45    rank-1  7    17            0        8          08 20 B4 01 11 1C 44 00 20
 *
 * and the next one, from rank + 1 into request 5 (symbol << 1 = 10): copy 3, offset 1, copy 3, 10
 *
 *                                                                       27 21 27 28
 */
#ifndef REFRAIN_CODEC_ROW_H
#define REFRAIN_CODEC_ROW_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

/* Beside the RANKFN_ bits: a constant and, where the group has one rank and merging goes on, also the offset
 * that this makes. */
#define SLOT_NATURAL 16u
/* Alone, in a final file: cut out of a global list (global_lists.h), plain or relative. */
#define SLOT_GLOBAL_PLAIN    128u
#define SLOT_GLOBAL_RELATIVE 256u
/* Alone, in a final file: a running sum (prefix_sums.h), of the slot before and `constant` times the one
 * `plain` slots before. */
#define SLOT_SUM 32u
/* Alone, in a final file: as are all of its kind right before it, a slot of an array that is the transpose of
 * the one `plain` slots before (transposed_counts.h). */
#define SLOT_TRANSPOSED 64u

struct slot_code {
    uint32_t forms;           /* RANKFN_ bits, or SLOT_NATURAL alone */
    uint32_t plain, relative; /* numbers of series; of a running sum the distance */
    int64_t constant, offset; /* what has no bit in forms is 0; of a running sum the factor, which is not */
};

typedef ARRAY(struct slot_code) slot_codes;

bool slot_code_equal(const struct slot_code *a, const struct slot_code *b);
void codec_put_slot(struct bytes *out, const struct slot_code *slot);
/* Write n slots, given the n_ref slots of a row of reference. *next is the number of the series after the
 * one that was named last, at first 0: it has its own code, since rows usually name lists in ascending
 * order. */
void codec_put_row(struct bytes *out, const struct slot_code *slots, size_t n, const struct slot_code *ref,
                   size_t n_ref, uint32_t *next);

/* Read back. False, with nothing logged, when the bytes are invalid or name a series >= n_series. */
bool codec_get_slot(struct bytes_reader *in, uint64_t n_series, struct slot_code *slot);
/* Append n slots to `slots`; the row of reference is slots->items[ref … ref + n_ref - 1]; `next` as above. */
enum refrain_status codec_get_row(struct bytes_reader *in, uint64_t n_series, size_t n, size_t ref,
                                  size_t n_ref, uint32_t *next, slot_codes *slots);

#endif
