/* SPDX-License-Identifier: BSD-3-Clause */
/* A lane: what one thread of one rank did, compressed as it happens.
 *
 * A site interns its distinct rows; the order of sites is the skeleton, the order of a site's rows its
 * stream.
 *
 *     for (i…) { Irecv(left, tag 3) ; Isend(right, tag i) ; Waitall }      skeleton  (a b c)^1000
 *     site a: row 0 {…}                                                   stream    0^1000, implicit
 *     site b: row 0 {dest, tag *}      column of tag: 0 … 999              stream    0^1000, implicit
 *
 * A slot whose values keep being new (LANE_ROWS_MAX rows of a site, most of them differing in it) leaves the
 * rows for a column: a series with one value for each call of the site. */
#ifndef REFRAIN_LANE_H
#define REFRAIN_LANE_H

#include "src/core/trace/trace.h"

#define LANE_ROWS_MAX 48

struct lane;

struct lane *lane_create(enum lane_kind kind, uint32_t number,
                         bool with_times); /* NULL when memory is short */
void lane_free(struct lane *l);

/* Register a site; `site` numbers count up from 0 in the order of these calls. The caller finds out whether
 * it is new. `site` is copied; its frames' modules are the caller's numbers. */
enum refrain_status lane_add_site(struct lane *l, const struct site *site, uint32_t *index);
/* One call: its slots, the time since the lane's last call ended, and its duration. */
enum refrain_status lane_record(struct lane *l, uint32_t site, const int64_t *slots, uint32_t n, uint64_t gap,
                                uint64_t duration);
/* The number that it will be stored with. */
void lane_renumber(struct lane *l, uint32_t number);
uint64_t lane_calls(const struct lane *l);
size_t lane_bytes(const struct lane *l); /* memory held */

/* Add what the lane holds to the trace of rank `rank` (whose modules are the caller's, in its numbering). The
 * lane stays usable; its open runs are closed. A lane without calls adds nothing. */
enum refrain_status lane_store(struct lane *l, uint32_t rank, struct trace *t);

#endif
