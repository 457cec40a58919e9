/* SPDX-License-Identifier: BSD-3-Clause */
/* The call after which a thread computes before calls at a site: usually it is the same call.
 *
 *     rank 3   MPI_Send ── computes ── MPI_Send ── computes ── MPI_Send        before MPI_Send: after MPI_Send
 *     rank 2   MPI_Recv ─ MPI_Send ── computes ── MPI_Recv ─ MPI_Send          before MPI_Recv: after MPI_Send
 *
 * Majority vote: each thread has one candidate for each site, with a weight. Time after the candidate adds to
 * the weight, time after another call reduces it, until the other call replaces the candidate. A call with
 * more than half of the time wins. */
#ifndef REFRAIN_PRECEDING_H
#define REFRAIN_PRECEDING_H

#include "src/core/base/status.h"

#include <stddef.h>
#include <stdint.h>

#define PRECEDING_NONE UINT32_MAX

struct preceding_call {
    uint32_t site;
    uint64_t weight;
};

struct preceding {
    size_t n_sites, n_lanes;
    struct preceding_call **rows; /* by site, in it by lane; NULL: nothing is computed there */
};

enum refrain_status preceding_create(struct preceding *p, size_t n_sites, size_t n_lanes);
void preceding_free(struct preceding *p); /* also of a zeroed struct */
/* The lane computes between a call at `behind` (PRECEDING_NONE: none) and one at `site`, for `time` ns. */
enum refrain_status preceding_add(struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                                  uint64_t time);
/* Returns the site of the preceding call. PRECEDING_NONE: `site` is the first call, or there is no computing
 * before it. */
uint32_t preceding_find(const struct preceding *p, uint32_t lane, uint32_t site);

#endif
