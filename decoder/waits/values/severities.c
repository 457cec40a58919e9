/* SPDX-License-Identifier: BSD-3-Clause */
#include "severities.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status severities_create(struct severities *s, size_t n_metrics, size_t n_sites, size_t n_lanes)
{
    *s = (struct severities){n_metrics, n_sites, n_lanes, calloc(n_metrics * n_sites + 1, sizeof *s->rows)};
    if (s->rows)
        return REFRAIN_OK;
    log_error("out of memory: %zu metrics of %zu call sites", n_metrics, n_sites);
    return REFRAIN_ERR_MEMORY;
}

void severities_free(struct severities *s)
{
    for (size_t i = 0; s->rows && i < s->n_metrics * s->n_sites; i++)
        free(s->rows[i]);
    free(s->rows);
    *s = (struct severities){0};
}

enum refrain_status severities_add_row(struct severities *s, size_t metric, size_t site)
{
    uint64_t *row = calloc(s->n_lanes + 1, sizeof *row);
    if (!row) {
        log_error("out of memory: the waiting of %zu threads", s->n_lanes);
        return REFRAIN_ERR_MEMORY;
    }
    s->rows[metric * s->n_sites + site] = row;
    return REFRAIN_OK;
}
