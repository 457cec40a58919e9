/* SPDX-License-Identifier: BSD-3-Clause */
/* A series: a long sequence of 64-bit integers as nested affine loops.
 *
 * Rank functions, rank sets and column streams are all series. Example: the right neighbour of every rank
 * of a 3 x 4 grid whose rows do not wrap, with -1 at the border,
 *
 *     1 2 3 -1   5 6 7 -1   9 10 11 -1          loop 3 { loop 3 { 1 + 4i + j }  -1 + 0i }
 *
 * Elements lie in one array in preorder; `depth` loops enclose each, and a leaf's coefficients, one for each
 * enclosing loop, outermost first, lie in `coef`:
 *
 *     nodes  [loop count=3 span=4] [loop count=3 span=2] [leaf 1; 4 1] [leaf -1; 0]
 *
 * Values wrap modulo 2^64 (two's complement), so that every int64 sequence is exactly reversible.
 *
 * If there are many values outside of loops, they are kept in as many bits as they need (pack.h), and
 * written as in bitplane_code.h.
 *
 * Built by appending; the reductions are those of nested loop recognition (Ketterlin, Clauss: "Prediction
 * and trace compression of data access addresses through nested loop recognition", CGO 2008): three
 * successive blocks of the same form in affine progression become a loop, and a loop followed by the next
 * instance of its body counts one more. Blocks are tried up to SERIES_BLOCK_MAX elements long, so that
 * appending costs O(1) amortised in the length of the series. */
#ifndef REFRAIN_SERIES_H
#define REFRAIN_SERIES_H

#include "src/core/base/bytes.h"
#include "src/core/base/repetition.h"
#include "src/core/base/status.h"

#define SERIES_BLOCK_MAX 16
#define SERIES_DEPTH_MAX 8

struct series; /* opaque; NULL is not a series */

struct series *series_create(void); /* empty; NULL when memory is short */
/* Make a series of one value. NULL when memory is short. */
struct series *series_single(int64_t value);
void series_free(struct series *s); /* drops one owner; the last owner frees the series */
struct series *series_copy(const struct series *s);

/* Owners. A trace has the same list in many places, and often merges it with the same other list. So
 * places may share one series, and equal addresses save work. A series with several owners must not
 * change; all owners must be in one thread. */

/* Add an owner, which must free the series. */
struct series *series_share(struct series *s);
bool series_is_shared(const struct series *s); /* has it two or more owners? */
/* Make the caller the only owner of *s: a shared series is replaced by a copy. On errors *s does not
 * change. */
enum refrain_status series_own(struct series **s);

/* Return the series of scale * v + shift for each v of s. O(size of the series). */
struct series *series_map(const struct series *s, int64_t scale, int64_t shift);
/* Return the series of v + scale * w for the values v of a and w of b; both must have the same length.
 * O(number of innermost runs). */
struct series *series_sum(const struct series *a, const struct series *b, int64_t scale);

/* Remove all values; the memory stays allocated. */
void series_empty(struct series *s);
/* These change a series, which may not be shared. After an error it may only be freed. */
enum refrain_status series_append(struct series *s, int64_t value);
/* Append first, first + step, … (count values). O(1), as for a single value. */
enum refrain_status series_append_run(struct series *s, int64_t first, int64_t step, uint64_t count);
/* Pack all irregular elements up to the end: single values, and loops so short that they are chance. The
 * values do not change. */
enum refrain_status series_pack(struct series *s);
/* Append a whole series without expanding it. `tail` must not be s; it does not change. */
enum refrain_status series_concat(struct series *s, const struct series *tail);

uint64_t series_length(const struct series *s);
/* A measure of size: roughly the bytes that series_encode would write. */
size_t series_cost(const struct series *s);
/* The same, but faster: irregular values are not coded to find their size. O(number of elements), for
 * frequent comparisons of lists. */
size_t series_weight(const struct series *s);
/* Is series_cost at most `bytes`? Irregular values are coded only if they are short. */
bool series_costs_at_most(const struct series *s, size_t bytes);
size_t series_bytes(const struct series *s); /* memory held */
/* Return value number i; the caller ensures that i < length. O(size of the series), independent of its
 * length. */
int64_t series_at(const struct series *s, uint64_t i);
/* Write `n` values from number `first` on; the caller makes sure that they exist. */
void series_values(const struct series *s, uint64_t first, uint64_t n, int64_t *values);
/* The sum of the values, into *sum, and the largest (0 if there is none), into *most; false if a value is
 * negative, or if the sum may be 2^62 or more. O(size of the series). */
bool series_total(const struct series *s, uint64_t *sum, uint64_t *most);
/* The sum of the first n <= length values of a series that has a total. O(size of the series). */
uint64_t series_total_before(const struct series *s, uint64_t n);
/* Find bounds of the values, not always the closest ones. False if no bounds are certain, because values
 * of loops may wrap. The series must not be empty. O(size of the series). */
bool series_bounds(const struct series *s, int64_t *least, int64_t *most);
/* Which of n different, ascending values does the series have? Sets `found` for each value that it has. It
 * may also set `found` for a value that nested loops skip within their bounds, or if the values of a loop
 * may wrap. O(size of the series * log n). */
struct series_sought {
    int64_t value;
    bool found;
};
void series_seek(const struct series *s, struct series_sought *sought, size_t n);
/* Is every value the same? Then it is put into *value. False for an empty series. */
bool series_is_constant(const struct series *s, int64_t *value);
/* Same values in the same order? Cheap when the forms are equal; otherwise compares value by value. */
bool series_equal(const struct series *a, const struct series *b);
/* Hash of the series' form. Equal forms have equal hashes, so equal values built in the same way have too. */
uint64_t series_hash(const struct series *s);

/* Sequential reading. Cursors can be copied, need no release, and are valid only as long as the series. */
struct series_cursor {
    const struct series *series;
    uint64_t index; /* number of the next value */
    uint32_t node;
    uint32_t in_pack; /* if the node is a pack, the number of its values already read */
    uint32_t depth;
    uint32_t loop[SERIES_DEPTH_MAX];
    uint64_t i[SERIES_DEPTH_MAX];
};
void series_cursor_start(struct series_cursor *c, const struct series *s);
void series_cursor_seek(struct series_cursor *c, uint64_t index);
bool series_cursor_next(struct series_cursor *c, int64_t *value); /* false at the end */
/* Return how many values from here on are in one innermost loop over one value, so that they are an affine
 * progression. *first and *step describe it. Returns 0 at the end. The cursor does not move. */
uint64_t series_cursor_run(const struct series_cursor *c, int64_t *first, int64_t *step);
/* Skip n values of the run that series_cursor_run returned. */
void series_cursor_skip(struct series_cursor *c, uint64_t n);

/* Get the loops around the next value. O(their nodes). */
void series_cursor_repetitions(struct series_cursor *c, struct repetitions *out);
/* Skip `times` rounds of a repetition; fewer than it has left. */
void series_cursor_repeat(struct series_cursor *c, const struct repetition *r, uint64_t times);

void series_encode(const struct series *s, struct bytes *out);
/* Reads what series_encode wrote and checks it (depth, counts, total length < 2^63). */
enum refrain_status series_decode(struct bytes_reader *in, struct series **out);

#endif
