/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the slots of a site whose values keep changing, and moves them from the rows to columns.
 *
 *     rows  {dest 1, tag 0} {dest 2, tag 1} {dest 1, tag 2} {dest 2, tag 3} …
 *     without dest: as many rows as before          without tag: 2 rows, and 0 1 2 3 … is one affine run
 *
 * A slot, or a few slots that change together, become columns if that at least halves the number of rows
 * and makes the table cheaper to write. Both conditions depend on the calls alone, so ranks that make the
 * same calls decide the same. */
#ifndef REFRAIN_COLUMN_H
#define REFRAIN_COLUMN_H

#include "site_table.h"

/* A table with more calls than this is not searched for columns, because each search walks all calls. */
#define COLUMN_CALLS_MAX (UINT64_C(1) << 20)

/* Move one more set of slots to columns if the table becomes smaller. In this case set *found and put the new
 * table into *out, which the caller frees. With only_affine, each slot must be a counter (the values of one
 * affine loop). The table `t` does not change; its `limit` is copied. */
enum refrain_status column_extract(const struct site_table *t, bool only_affine, struct site_table *out,
                                   bool *found);

/* Did new rows still appear in the second half of the calls? A loop over neighbours makes all its rows
 * early. */
bool column_rows_keep_coming(const struct site_table *t);

#endif
