/* SPDX-License-Identifier: BSD-3-Clause */
/* What is printed of places: a call site with its activity, and the lanes that have a part of it. */
#ifndef REFRAIN_CAUSES_TEXT_H
#define REFRAIN_CAUSES_TEXT_H

#include "critical_path.h"
#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"
#include "decoder/waits/search/wait_search.h"

struct causes_view {
    const struct wait_search *search;
    const struct symbols *symbols;
    const struct preceding *preceding;
    size_t top;      /* as many lines of text */
    uint64_t forced; /* calls of which nobody knows what they depend on */
    uint64_t until;  /* ns: what is later has no times of its own; 0: all has */
};

/* Of a critical_key: "between MPI_Recv (halo.c:29) and MPI_Send (halo.c:31)", "before MPI_Send at exchange (halo.c:31)" if that is the
 * first call, "MPI_Send at exchange (halo.c:31)". */
void causes_put_where(const struct causes_view *v, uint64_t key, struct bytes *out);
/* The same behind "computing "; in JSON, members of the open object. */
void causes_put_place(const struct causes_view *v, uint64_t key, struct bytes *out);
void causes_put_place_json(const struct causes_view *v, uint64_t key, struct json *j);
/* "rank 5", "ranks 0-4,8-15", "all ranks", "37 ranks": those with at least that, of n ranks from `first` on. Are they several? */
bool causes_put_ranks(const uint64_t *values, uint32_t first, uint32_t n, uint64_t least, struct bytes *out);
/* The key of the one that has most; n > 0. */
uint64_t causes_worst(const struct profile_entry *lanes, size_t n);
/* "rank 3", "16 ranks, most in rank 3: 1.2 s". Keys tell the lanes, each once; n > 0. */
void causes_put_lanes(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out);
void causes_put_lanes_json(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                           struct json *j);

#endif
