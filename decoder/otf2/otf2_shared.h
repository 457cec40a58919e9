/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all parts of an OTF2 export. */
#ifndef REFRAIN_OTF2_SHARED_H
#define REFRAIN_OTF2_SHARED_H

#include <assert.h>

#include "decoder/match/logical_clock.h"
#include "decoder/match/stream/operation.h"
#include "decoder/trace/symbols.h"
#include "decoder/times/timestamps.h"
#include "decoder/util/progress.h"
#include "otf2_archive.h"
#include "otf2_function.h"
#include "otf2_objects.h"
#include "otf2_ranks.h"

struct otf2_shared {
    const struct reader *reader;
    const struct definitions *definitions;
    const struct symbols *symbols;
    struct otf2_ranks ranks;
    struct operation_source source; /* of operations */
    struct timestamps_source timestamps;
    struct logical_clock logical_clock;
    struct otf2_objects *objects; /* shared by the threads that write; has a lock of its own */
    struct progress *progress;    /* the same */
    OTF2_Archive *archive;
    uint64_t from, to;                   /* ns; only calls between the two are in the archive */
    bool synthetic;                      /* timestamps (timestamps.h) */
    bool compat;                         /* write only records that readers of OTF2 2.x know */
    OTF2_RegionRef *regions;             /* by function of the trace */
    OTF2_RegionRef first_own_region;     /* number of the first region of the program, after all functions */
    OTF2_SourceCodeLocationRef *sources; /* by site; OTF2_UNDEFINED_SOURCE_CODE_LOCATION: not known */
};

/* Returns the role of a function of the trace. */
static inline const struct role *otf2_role(const struct otf2_shared *x, uint32_t function)
{
    assert(function < x->source.roles.n);
    return &x->source.roles.items[function];
}

/* Does a call of the function only begin or end a region? */
static inline bool otf2_is_region(const struct otf2_shared *x, uint32_t function)
{
    return role_is_region(otf2_role(x, function));
}

/* Numbers of definitions that are fixed; readers want all numbers without gaps. The text of a site is string
 * number OTF2_STRING_FIRST_SITE + site. */
#define OTF2_REGION_PROGRAM 0
enum { OTF2_ATTRIBUTE_PATH, OTF2_ATTRIBUTE_SOURCE };
#define OTF2_IO_PARADIGM 0
enum { OTF2_STRING_EMPTY, OTF2_STRING_PROGRAM, OTF2_STRING_FIRST_SITE };

/* Groups: locations, nothing for MPI_COMM_SELF, the program's communicators under their own numbers,
 * MPI_COMM_WORLD, partners of epochs. */
enum { OTF2_GROUP_LOCATIONS, OTF2_GROUP_SELF };
_Static_assert(OTF2_GROUP_SELF + 1 == OTF2_COMM_FIRST, "group and communicator have the same number");

static inline OTF2_GroupRef otf2_group_of_world(const struct otf2_ranks *ranks)
{
    return OTF2_COMM_FIRST + ranks->n_ids;
}

static inline OTF2_GroupRef otf2_first_partners(const struct otf2_ranks *ranks)
{
    return otf2_group_of_world(ranks) + 1;
}

/* The location that was written for a lane. */
struct otf2_location {
    uint32_t rank, thread;
    uint64_t events;
    uint64_t last; /* timestamp */
};
struct otf2_locations {
    struct otf2_location *items; /* ascending by rank, then thread */
    size_t n, cap;
};

static inline OTF2_LocationRef otf2_location_id(uint32_t rank, uint32_t thread)
{
    return (uint64_t)thread << 32 | rank;
}

#endif
