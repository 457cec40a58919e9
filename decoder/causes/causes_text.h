/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints places: a call site with its activity, and the lanes that have a share of it. */
#ifndef REFRAIN_CAUSES_TEXT_H
#define REFRAIN_CAUSES_TEXT_H

#include "critical_path.h"
#include "decoder/trace/endings.h"
#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"
#include "decoder/waits/search/wait_search.h"

struct causes_view {
    const struct wait_search *search;
    const struct symbols *symbols;
    const struct preceding *preceding;
    bool of_delays;  /* places where lanes compute longer than others (preceding_find_longer) */
    size_t top;      /* number of text lines */
    uint64_t forced; /* calls whose dependencies are not known */
    uint64_t until;  /* ns: later calls have no own times; 0: all calls have */
    const struct endings
        *endings; /* of a run that was cut off; NULL: it was not, or that is of no interest */
};

/* Prints the place of the keys of n lanes, n > 0, which are of one site and activity: "MPI_Send at exchange
 * (halo.c:31)" for calls, "between MPI_Recv (halo.c:29) and MPI_Send (halo.c:31)" for computing after the same
 * call, "before MPI_Send at exchange (halo.c:31)" if that call is not the same in all lanes that matter, or is
 * the first one. */
void causes_put_where(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out);
/* The same after "computing "; in JSON, members of the open object. */
void causes_put_place(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out);
void causes_put_place_json(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                           struct json *j);
/* Returns the call after which a lane computes most, or longer than others; PRECEDING_NONE if there is none. */
uint32_t causes_site_behind(const struct causes_view *v, uint64_t key);
/* The same for n lanes together, n > 0; PRECEDING_NONE also if it is not the same call in all that matter. */
uint32_t causes_common_behind(const struct causes_view *v, const struct profile_entry *lanes, size_t n);
/* "rank 5", "ranks 0-4,8-15", "all ranks", "37 ranks": prints the ranks whose value is at least `least`, of n
 * ranks from `first` on. Returns whether there are several. */
bool causes_put_ranks(const uint64_t *values, uint32_t first, uint32_t n, uint64_t least, struct bytes *out);
/* " (596 calls of 4.2 MB)": the calls at a site, and what one sends or receives: what is less, because the root of a
 * collective operation sends or receives for all. */
void causes_put_volume(const struct wait_search *s, uint32_t site, struct bytes *out);
/* Returns the key of the entry with the largest value; n > 0. */
uint64_t causes_worst(const struct profile_entry *lanes, size_t n);
/* "rank 3", "16 ranks, most in rank 3: 1.2 s". The keys name the lanes, each once; n > 0. */
void causes_put_lanes(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                      struct bytes *out);
void causes_put_lanes_json(const struct causes_view *v, const struct profile_entry *lanes, size_t n,
                           struct json *j);

#endif
