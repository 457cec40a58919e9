/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that all calls of a site by one rank move, if they are in columns or if rows come in an order.
 *
 * Rows and columns are walked side by side (repetition.h). If all of them repeat, and the columns that change
 * in the repetition are only amounts, each time moves more than the time before by the same difference:
 *
 *     Send(count = 0, 1, … 9), 10^6 times over        {period 10, times 10^6}: 45, 45, …
 *     Send(count = 0, 1, 2, …)                        {period 1, times 10^6}:  0, 1, 2, …
 *
 * So two times are walked, and the others are computed: the running time depends only on the size of the
 * trace. Columns that matter to no row are left out. Whether a column matters is found when a row comes for
 * the first time; if one more column matters, the walk begins anew. */
#ifndef REFRAIN_SITE_VOLUME_H
#define REFRAIN_SITE_VOLUME_H

#include "decoder/call/volume.h"
#include "decoder/trace/row_walk.h"

/* A row at the rank. */
struct site_volume_row {
    bool known;
    bool varies;         /* a slot that decides has a column, so each call has to be looked at */
    struct volume fixed; /* moved by each call, and … */
    struct volume *each; /* … for each 1 in each column */
};

/* A repetition is part of a longer one, at most a quarter of it. */
#define SITE_VOLUME_DEPTH 32

/* A column of the group that is a slot. */
struct site_volume_column {
    bool matters; /* to some row */
    bool decides;
    const struct series *series; /* of the rank */
    struct series_cursor cursor;
    int64_t value;                               /* at the call at hand */
    struct repetition chosen[SITE_VOLUME_DEPTH]; /* that the walk is in */
};

struct site_volume {
    const struct volume_source *source;
    const struct trace *trace;
    const struct group *group;
    uint32_t thread; /* number of the lane */
    uint32_t site;
    struct site_volume_row *of_row; /* as the group's rows */
    struct site_volume_column *columns;
    size_t n_columns;
    bool same; /* all ranks move the same in so many calls: */
    uint64_t same_calls;
    /* The rank at hand. */
    uint32_t rank;
    uint64_t ordinal;
    uint64_t index; /* number of the next call */
    struct row_walk rows;
    struct volume total;
    bool anew; /* another column turned out to matter */
    /* Scratch. */
    struct repetitions *lists; /* of the columns and the rows */
    struct volume_sum volume;
    ARRAY(int64_t) slots;
};

/* Starts with a group, whose ranks are then taken one after another. */
enum refrain_status site_volume_start(struct site_volume *s, const struct volume_source *source,
                                      uint32_t thread, uint32_t site, const struct group *group);
/* Computes what `rank`, the group's `ordinal`-th, moves in so many calls. */
enum refrain_status site_volume_rank(struct site_volume *s, uint64_t ordinal, uint32_t rank, uint64_t calls,
                                     struct volume *out);
void site_volume_stop(struct site_volume *s); /* also of a zeroed struct */

#endif
