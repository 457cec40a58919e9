/* SPDX-License-Identifier: BSD-3-Clause */
/* Two texts side by side: lines that both have are beside each other, as many as possible.
 *
 *     for i0 = 1 to 10          | for i0 = 1 to 20          differs
 *       x -> x+1 tag0             |   x -> x+1 tag0           same
 *                               |   MPI_Barrier …           the second text alone has it
 *
 * Shown is what differs, with the lines around it that are indented less, and one line before and after. */
#ifndef REFRAIN_LINE_PAIRS_H
#define REFRAIN_LINE_PAIRS_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

#include <stdbool.h>

struct line {
    const char *text; /* NULL: none */
    size_t n;         /* without the end of the line */
};

struct line_pairs {
    ARRAY(struct line_pair {
        struct line a;
        struct line b;
        bool same;
        bool shown;
    })
    items;
    size_t differing; /* pairs that are not the same */
    bool too_many;    /* so many lines may differ that no pairs were made */
};

/* The texts must outlive the pairs. */
enum refrain_status line_pairs_create(struct line_pairs *p, const struct bytes *a, const struct bytes *b);
void line_pairs_free(struct line_pairs *p); /* also of a zeroed struct */

#endif
