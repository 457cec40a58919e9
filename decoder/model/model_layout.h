/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns and rows of all constructs in the drawing of a model.
 *
 * A construct is as far to the right as what comes before it on any of its processes: L. Lamport, "Time,
 * clocks, and the ordering of events in a distributed system", CACM 1978, with constructs for events.
 *
 *     row 0   0 ──┬─[ o ]──┬────        columns: 0 1 2 3 …
 *         1   1 ──┴─[ v ]──┴─╲╱── 2     a loop is a box, around rows that lie side by side; where its
 *         2   2 ──┬─[ o ]──┬─╱╲── 1     processes do not, lines move before it: two columns, in which nothing
 *         3   3 ──┴─[ v ]──┴────        else is of the processes of the loop around
 */
#ifndef REFRAIN_MODEL_LAYOUT_H
#define REFRAIN_MODEL_LAYOUT_H

#include "model.h"

enum { MODEL_LAYOUT_MOVE = 2 }; /* columns: the moving line, and room for the process number */

struct model_layout {
    const struct model *m;
    ARRAY(struct model_layout_span {
        uint64_t column;
        uint64_t end; /* the column after it */
    })
    items; /* of all constructs; a loop's body follows the loop */
    struct model_layout_line {
        uint64_t next; /* its first free column */
        uint32_t row;  /* there */
        ARRAY(struct model_layout_move {
            uint64_t column;
            uint32_t row; /* from that column on, which is the first of the move */
        })
        moves;        /* ascending */
    } * lines;        /* by process */
    uint64_t columns; /* of the whole drawing */
    ARRAY(struct model_layout_block {
        uint32_t first; /* process of the loop */
        uint32_t process;
    })
    order;          /* scratch */
    uint32_t *rows; /* scratch */
};

enum refrain_status model_layout_find(struct model_layout *p, const struct model *m);
void model_layout_free(struct model_layout *p);
/* The row of a process in a column. */
uint32_t model_layout_row(const struct model_layout *p, uint32_t process, uint64_t column);

#endif
