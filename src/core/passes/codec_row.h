/* SPDX-License-Identifier: BSD-3-Clause */
/* A row's slots as bytes: the body of the SIGN section.
 *
 * A slot is a function of the rank (rankfn.h) whose lists are numbers in the table of series. Most
 * slots are small constants of one byte. Slots that repeat, or that equal those of the reference
 * row, are one code. For example, an MPI_Irecv
 *
 *     before: buf, count, type, source, tag, comm   result   after: request
 *     2       8    45    rank-1  7    17            0        8          08 20 B4 01 11 1C 44 00 20
 *
 * and the next one, from rank + 1 into request 5 (symbol << 1 = 10): copy 3, offset 1, copy 3, 10
 *
 *                                                                       27 21 27 28 */
#ifndef REFRAIN_CODEC_ROW_H
#define REFRAIN_CODEC_ROW_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

/* In addition to the RANKFN_ bits: a constant. If the group has one rank and the trace is not
 * final, the offset that belongs to the constant also holds. */
#define SLOT_NATURAL 16u
/* Alone, in a final file: cut from a global list (global_lists.h), plain or relative. */
#define SLOT_GLOBAL_PLAIN    128u
#define SLOT_GLOBAL_RELATIVE 256u
/* Alone, in a final file: a running sum (prefix_sums.h) of the slot before and `constant` times the
 * slot that is `plain` slots before. */
#define SLOT_SUM 32u
/* Alone, in a final file: a slot of an array that is the transpose of the array `plain` slots
 * before (transposed_counts.h). All slots of the array have this code. */
#define SLOT_TRANSPOSED 64u

struct slot_code {
    uint32_t forms; /* RANKFN_ bits, or SLOT_NATURAL alone */
    /* Members without a bit in `forms` are 0, with two exceptions. SLOT_SUM: `plain` is the
     * distance and `constant` the factor. SLOT_TRANSPOSED: `plain` is the distance. */
    uint32_t plain, relative; /* numbers of series */
    int64_t constant, offset;
};

typedef ARRAY(struct slot_code) slot_codes;

bool slot_code_equal(const struct slot_code *a, const struct slot_code *b);
void codec_put_slot(struct bytes *out, const struct slot_code *slot);
/* Write n slots, given the n_ref slots of a reference row. *next is the number after the series
 * that was named last, at first 0. It has a code of its own, since rows usually name lists in
 * ascending order. */
void codec_put_row(struct bytes *out, const struct slot_code *slots, size_t n, const struct slot_code *ref,
                   size_t n_ref, uint32_t *next);

/* Read a slot. False, with nothing logged, if the bytes are invalid or name a series >= n_series. */
bool codec_get_slot(struct bytes_reader *in, uint64_t n_series, struct slot_code *slot);
/* Append n slots to `slots`; the reference row is slots->items[ref … ref + n_ref - 1]; `next` as
 * above. */
enum refrain_status codec_get_row(struct bytes_reader *in, uint64_t n_series, size_t n, size_t ref,
                                  size_t n_ref, uint32_t *next, slot_codes *slots);

#endif
