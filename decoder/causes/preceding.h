/* SPDX-License-Identifier: BSD-3-Clause */
/* Behind which call a thread computes before calls at a site: most of the time, behind the same.
 *
 *     rank 3   MPI_Send ── computes ── MPI_Send ── computes ── MPI_Send        before MPI_Send: behind MPI_Send
 *     rank 2   MPI_Recv ─ MPI_Send ── computes ── MPI_Recv ─ MPI_Send          before MPI_Recv: behind MPI_Send
 *
 * Each thread has one candidate at each site, with a weight: time behind it adds to that, time behind another call takes from it, until
 * that one is the candidate. A call that has more than half of the time is it in the end. */
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
/* The lane computes between a call at `behind` (PRECEDING_NONE: none) and one at `site`, so many ns. */
enum refrain_status preceding_add(struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                                  uint64_t time);
/* PRECEDING_NONE: it is the first call, or nothing is computed before it. */
uint32_t preceding_find(const struct preceding *p, uint32_t lane, uint32_t site);

#endif
