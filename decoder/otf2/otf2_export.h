/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports a trace as an OTF2 archive, which Vampir, Score-P's and Scalasca's tools, ViTE and others read.
 *
 * Ranks are location groups, their threads locations. Each call is a region, with the records for messages,
 * requests, collectives, one-sided and file operations in it. The events of different ranks are written by
 * several threads; memory is that of the open trace, a cursor and a chunk for each thread, and what is in
 * flight. */
#ifndef REFRAIN_OTF2_EXPORT_H
#define REFRAIN_OTF2_EXPORT_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/ranges.h"
#include "decoder/trace/symbols.h"

struct otf2_request {
    const char *directory;      /* to make */
    const struct ranges *ranks; /* to export */
    uint64_t from, to; /* nanoseconds since the beginning; calls that are not wholly between are left out */
    bool synthetic;    /* timestamps (timestamps.h) may be */
    const char *clock; /* logical_clock_apply */
    bool compat;       /* no records that readers of OTF2 2.x do not know */
};

/* REFRAIN_ERR_USAGE, logged, if Refrain was built without libotf2. */
enum refrain_status otf2_export(const struct otf2_request *request, const struct reader *r,
                                const struct definitions *d, const struct symbols *symbols);

#endif
