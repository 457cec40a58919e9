/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile that owns all its data, and sums of profiles, such as their difference or mean.
 *
 *     run A                    run B                    B - A
 *     solve                    solve                    solve
 *       MPI_Send (a.c:10)        MPI_Send (a.c:12)        MPI_Send (a.c:12)      B's values less A's
 *       MPI_Recv (a.c:14)                                 MPI_Recv (a.c:14)      A's values, negated
 *
 * Call paths are the same if they call the same functions. If a caller calls one function at several lines,
 * and there are equally many lines in both profiles, calls are paired in the order of their lines; otherwise
 * calls with the same line are paired first. Locations are the same if rank and thread are the same. A value
 * that a profile does not have counts as 0.
 *
 * After Song, Wolf, Bhatia, Dongarra, Moore: An algebra for cross-experiment performance analysis (ICPP 2004). */
#ifndef REFRAIN_CUBE_DATA_H
#define REFRAIN_CUBE_DATA_H

#include "cube.h"
#include "src/core/base/array.h"

struct cube_data {
    struct cube cube; /* points to the following fields, so the struct must not move */
    struct cube_metric *metrics;
    struct cube_region *regions;
    struct cube_call_path *call_paths;
    struct cube_location *locations;
    const char **nodes;
    double **values; /* by metric, then by call path: a number for each location; NULL: zeros */
    ARRAY(char *) texts;
};

/* Copies a profile, without topologies. */
enum refrain_status cube_data_copy(struct cube_data *d, const struct cube *c);
/* Adds up n profiles, each multiplied by its weight; all must have the same metrics. Each name, line and node
 * is that of the last profile that has it. (cube_sum.c) */
enum refrain_status cube_data_sum(struct cube_data *d, const struct cube *const *from, const double *weights,
                                  size_t n);
void cube_data_free(struct cube_data *d); /* also of a zeroed struct */

/* ---- shared by the files --------------------------------------------------------------------- */

/* Makes room for the tables of d->cube, whose numbers are set; the values are zeros. */
enum refrain_status cube_data_allocate(struct cube_data *d);
/* Returns a copy of the text, which the data own; NULL when memory is short. */
const char *cube_data_keep(struct cube_data *d, const char *text);
/* Returns the row of a metric and call path, with zeros at first; NULL when memory is short. */
double *cube_data_row(struct cube_data *d, size_t metric, size_t call_path);
/* Copies the metrics. */
bool cube_data_keep_metrics(struct cube_data *d, const struct cube *c);

#endif
