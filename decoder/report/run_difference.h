/* SPDX-License-Identifier: BSD-3-Clause */
/* Two runs side by side: what took longer, what is new, what is gone. A row is a function as one function of the program calls it,
 * whatever the file and line, so that a change of the source does not make all rows new:
 *
 *     place                              A         B       change
 *     MPI_Recv in exchange               1.855 s   0.3 s   -1.555 s
 *     MPI_Wait in exchange               -         0.2 s   +0.2 s        B alone has it
 *
 * Times are the mean of a rank: numbers of ranks may differ. */
#ifndef REFRAIN_RUN_DIFFERENCE_H
#define REFRAIN_RUN_DIFFERENCE_H

#include "decoder/util/output.h"
#include "decoder/util/text_table.h"
#include "report.h"

struct run_difference_row {
    uint32_t place; /* a text of `places` */
    struct run_difference_side {
        bool there;
        uint64_t time; /* ns, mean of a rank */
        uint64_t calls;
    } of[2];
};

struct run_difference {
    const struct report *runs[2];
    struct text_table places;
    ARRAY(struct run_difference_row) rows; /* the largest change of time first */
};

/* The reports have to stay. */
enum refrain_status run_difference_create(struct run_difference *c, const struct report *a,
                                          const struct report *b);
void run_difference_free(struct run_difference *c); /* also of a zeroed struct */

/* Text has the rows that changed most, JSON all. */
enum refrain_status run_difference_put(const struct run_difference *c, bool as_json, struct output *out);

#endif
