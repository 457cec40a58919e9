/* SPDX-License-Identifier: BSD-3-Clause */
/* Values by metric, call site and lane: a sparse matrix of rows.
 *
 *     metric            site   lane 0   lane 1   lane 2
 *     mpi_latesender    3          0   120000        0       nanoseconds; of other units plain numbers
 *     mpi_latesender    7      40000        0    80000
 *
 * The site after the last one of the trace stands for the time between calls. */
#ifndef REFRAIN_SEVERITIES_H
#define REFRAIN_SEVERITIES_H

#include "src/core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct severities {
    size_t n_metrics, n_sites, n_lanes; /* n_sites includes the extra site */
    uint64_t **rows;                    /* by metric, then by site; NULL: all zeros */
};

enum refrain_status severities_create(struct severities *s, size_t n_metrics, size_t n_sites, size_t n_lanes);
void severities_free(struct severities *s); /* also of a zeroed struct */
/* Allocates the row, with zeros. */
enum refrain_status severities_add_row(struct severities *s, size_t metric, size_t site);

static inline enum refrain_status severities_add(struct severities *s, size_t metric, size_t site,
                                                 size_t lane, uint64_t value)
{
    uint64_t **row = &s->rows[metric * s->n_sites + site];
    if (!*row && severities_add_row(s, metric, site) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    (*row)[lane] += value;
    return REFRAIN_OK;
}

/* NULL: zeros. */
static inline const uint64_t *severities_row(const struct severities *s, size_t metric, size_t site)
{
    return s->rows[metric * s->n_sites + site];
}

#endif
