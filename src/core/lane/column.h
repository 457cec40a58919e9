/* SPDX-License-Identifier: BSD-3-Clause */
/* Runaway columns: which slots of a site should leave its rows, and taking them out.
 *
 *     rows  {dest 1, tag 0} {dest 2, tag 1} {dest 1, tag 2} {dest 2, tag 3} …
 *     without dest: as many rows as before          without tag: 2 rows, and 0 1 2 3 … is one affine run
 *
 * A slot, or a few that move together, goes when that at least halves the number of rows and makes the table
 * cheaper to write. Both are functions of the calls alone, so ranks that do the same decide the same. */
#ifndef REFRAIN_COLUMN_H
#define REFRAIN_COLUMN_H

#include "site_table.h"

/* A table is not searched for columns beyond so many calls: each search walks all of them. */
#define COLUMN_CALLS_MAX (UINT64_C(1) << 20)

/* The table with one more set of slots taken out, into *out (the caller's to free), if that pays; *found
 * tells. With only_affine each of the slots must be a counter: the values of one affine loop. The table stays
 * as it is; `limit` is copied. */
enum refrain_status column_extract(const struct site_table *t, bool only_affine, struct site_table *out,
                                   bool *found);

/* Did new rows still come in the later half of the calls? Neighbours that are gone through in a loop do not.
 */
bool column_rows_keep_coming(const struct site_table *t);

#endif
