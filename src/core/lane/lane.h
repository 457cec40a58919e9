/* SPDX-License-Identifier: BSD-3-Clause */
/* A lane holds the calls of one thread of one rank, compressed as they happen.
 *
 * A site interns its distinct rows. The skeleton is the order of the sites. The stream of a site is
 * the order of its rows.
 *
 *     for (i…) { Irecv(left, tag 3) ; Isend(right, tag i) ; Waitall }      skeleton  (a b c)^1000
 *     site a: row 0 {…}                                                   stream    0^1000, implicit
 *     site b: row 0 {dest, tag *}      column of tag: 0 … 999              stream    0^1000, implicit
 *
 * A slot that keeps getting new values moves from the rows to a column, when a site has
 * LANE_ROWS_MAX rows and would have at most half without that slot (column.h). A column is a series
 * with one value for each call of the site. */
#ifndef REFRAIN_LANE_H
#define REFRAIN_LANE_H

#include "src/core/trace/trace.h"

#define LANE_ROWS_MAX 48

struct lane;

struct lane *lane_create(enum lane_kind kind, uint32_t number,
                         bool with_times); /* NULL when memory is short */
void lane_free(struct lane *l);

/* Register a site; `site` numbers count up from 0 in the order of these calls. The caller must check that
 * the site is new. `site` is copied; the module numbers in its frames are the caller's. */
enum refrain_status lane_add_site(struct lane *l, const struct site *site, uint32_t *index);
/* Record one call: its slots, the time since the thread's previous call ended (`gap`), and its duration. */
enum refrain_status lane_record(struct lane *l, uint32_t site, const int64_t *slots, uint32_t n, uint64_t gap,
                                uint64_t duration);
/* Set the number with which the lane will be stored. */
void lane_renumber(struct lane *l, uint32_t number);
uint64_t lane_calls(const struct lane *l);
size_t lane_bytes(const struct lane *l); /* memory held */

/* Add the lane's content to the trace of rank `rank` (the trace uses the caller's module numbers). The
 * lane stays usable; its open run is closed. A lane without calls adds nothing. */
enum refrain_status lane_store(struct lane *l, uint32_t rank, struct trace *t);

#endif
