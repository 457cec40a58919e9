/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields (row_view.h) and the volume of a lane's calls. Computed once for each row, unless a column
 * changes a slot on which other fields depend. */
#ifndef REFRAIN_CALL_FIELDS_H
#define REFRAIN_CALL_FIELDS_H

#include "volume.h"

struct call_fields {
    const struct role *role;
    struct row_view row;
    struct volume_sum volume; /* for calls that send, access or are collective */
    bool lasting;             /* valid for all calls of the row by this rank */
};

/* The fields of all rows of a lane. */
struct call_fields_table {
    const struct volume_source *source;
    size_t n_entries;
    struct call_fields *
        *rows; /* by entry of the lane's shape, and row of the rank's group; NULL until needed */
    size_t *n_rows;
};

/* Starts a table for the calls of one lane. The source must stay valid. */
enum refrain_status call_fields_table_start(struct call_fields_table *f, const struct volume_source *source,
                                            const struct lane_ref *lane);
/* Valid until the next call. */
enum refrain_status call_fields_table_of(struct call_fields_table *f, const struct call *call,
                                         const struct call_fields **out);
void call_fields_table_stop(struct call_fields_table *f);

#endif
