/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a call's fields (role.h) are in its row. Found once for each row of a lane, unless a column puts
 * values where the layout is decided.
 *
 *     MPI_Waitall    2 | r r | 0 | 2 | r r | 2 | s s s s s s  s s s s s s
 *     before           requests                                              {at 1, n 2}
 *     after                              requests  statuses                  {at 5, n 2}  {at 8, n 2} */
#ifndef REFRAIN_CALL_FIELDS_H
#define REFRAIN_CALL_FIELDS_H

#include "role.h"

struct slot_range {
    uint32_t at, n; /* n values; 0: there are none */
};

struct call_fields {
    const struct role *role;
    bool returned, failed;
    int64_t error; /* what it returned, if it failed */
    struct slot_range before[FIELDS], after[FIELDS];
    struct volume_sum volume; /* of what sends, accesses or is collective */
    bool lasting;             /* it holds for all calls of the row by this rank */
};

/* The fields of all rows of a lane, and what they are made of. */
struct call_fields_table {
    const struct reader *reader;
    const struct definitions *definitions;
    const struct role *roles; /* by function */
    size_t n_entries;
    struct call_fields *
        *rows; /* by entry of the lane's shape, and row of the rank's group; NULL until needed */
    size_t *n_rows;
};

/* For the calls of one lane. */
enum refrain_status call_fields_table_start(struct call_fields_table *f, const struct reader *r,
                                            const struct definitions *d, const struct role *roles,
                                            const struct lane_ref *lane);
/* Valid until the next call. */
enum refrain_status call_fields_table_of(struct call_fields_table *f, const struct call *call,
                                         const struct call_fields **out);
void call_fields_table_stop(struct call_fields_table *f);

#endif
