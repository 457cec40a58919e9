/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be known of the calls of a lane: where their fields are (row_view.h), what they move. Found once
 * for each row, unless a column puts values where something else depends on them. */
#ifndef REFRAIN_CALL_FIELDS_H
#define REFRAIN_CALL_FIELDS_H

#include "volume.h"

struct call_fields {
    const struct role *role;
    struct row_view row;
    struct volume_sum volume; /* of what sends, accesses or is collective */
    bool lasting;             /* it holds for all calls of the row by this rank */
};

/* The fields of all rows of a lane, and what they are made of. */
struct call_fields_table {
    const struct volume_source *source;
    size_t n_entries;
    struct call_fields *
        *rows; /* by entry of the lane's shape, and row of the rank's group; NULL until needed */
    size_t *n_rows;
};

/* For the calls of one lane. The source has to stay. */
enum refrain_status call_fields_table_start(struct call_fields_table *f, const struct volume_source *source,
                                            const struct lane_ref *lane);
/* Valid until the next call. */
enum refrain_status call_fields_table_of(struct call_fields_table *f, const struct call *call,
                                         const struct call_fields **out);
void call_fields_table_stop(struct call_fields_table *f);

#endif
