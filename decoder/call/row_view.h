/* SPDX-License-Identifier: BSD-3-Clause */
/* A view of a call's row: has the call returned, has it failed, and where are its fields (field.h)?
 *
 *     MPI_Waitall    2   2 r r   0   2 r r   2 s s s s s s  s s s s s s
 *     before               requests                                         {at 2, n 2}
 *     after                            requests  statuses                   {at 6, n 2}, {at 9, n 2} */
#ifndef REFRAIN_ROW_VIEW_H
#define REFRAIN_ROW_VIEW_H

#include "role.h"

struct slot_range {
    uint32_t at, n; /* n values; 0: there are none */
};

struct row_view {
    bool returned;
    bool failed;   /* it returned an error, and no results: then it did nothing */
    int64_t error; /* what it returned; 0 if it has not */
    struct slot_range before[FIELDS], after[FIELDS_AFTER];
};

/* How a slot matters. Who has more to say puts it in between; uses are only raised. */
enum { SLOT_UNUSED = 0, SLOT_DECIDES = 3 };

/* Rows of one function may differ in what is there. If `uses` is not NULL, uses[i] becomes SLOT_DECIDES where
 * slot i decides whether the call failed or where the next slots' place is. */
enum refrain_status row_view_look(struct row_view *v, const struct functable *t, const struct role *role,
                                  uint32_t function, const int64_t *slots, uint32_t n_slots, uint8_t *uses);

#endif
