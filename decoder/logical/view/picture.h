/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes of joint_svg.c. */
#ifndef REFRAIN_PICTURE_H
#define REFRAIN_PICTURE_H

#include "decoder/util/svg.h"
#include "printer.h"

struct picture {
    struct printer printer;
    struct svg svg;
    struct bytes shapes;
    struct output line; /* scratch */
    struct bytes list;  /* lines below the panel */
    unsigned numbers;   /* of the panel's lines that have a column */
    double x, top, row, width;
    uint32_t *row_of; /* by process */
};

/* Return where the row of a process is, in pixels from above; that of a rank, or, if the rank is not in the
 * program, that of the process. */
double picture_y_of(const struct picture *p, uint32_t process);
double picture_y_of_rank(const struct picture *p, uint32_t process, uint32_t rank);

/* `item`: its place in the group, for the colour. */
void picture_put_arrow(struct picture *p, size_t item, double x, double y, double to_x, double to_y);
void picture_put_dot(struct picture *p, double x, double y);
/* A box around the rows from `first` to `last`, higher by `more` above and below. */
void picture_put_box(struct picture *p, const char *class, double x, uint32_t first, uint32_t last,
                     double width, double more);
/* A band of processes; each run of adjacent rows is a box. */
void picture_put_band(struct picture *p, const uint32_t *processes, uint32_t n, double x, double width);

#endif
