/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparing the lanes of a trace with their uncompressed records, byte by byte; and its times, within their
 * bounds. */
#ifndef REFRAIN_VERIFY_COMPARISON_H
#define REFRAIN_VERIFY_COMPARISON_H

#include "decoder/render/render.h"
#include "decoder/trace/endings.h"
#include "decoder/util/output.h"
#include "decoder/util/progress.h"
#include "time_check.h"

struct verify_comparison {
    const struct reader *reader;
    const char *directory;
    struct output *out; /* differences are told here */
    struct renderer renderer;
    struct endings endings; /* of a checkpoint, the records may go on */
    uint64_t *hashes;       /* of the sites, as the records have them */
    struct map by_hash;     /* hash → site */
    uint64_t calls;         /* compared so far, definitions not counted */
    uint64_t differences;   /* lanes that differ, one line or more each */
    struct progress progress;
    struct time_worst times; /* of calls whose times the trace has one by one */
};

enum refrain_status verify_comparison_create(struct verify_comparison *c, const struct reader *r,
                                             const struct definitions *d, const char *directory,
                                             struct output *out);
void verify_comparison_free(struct verify_comparison *c);

/* One lane; a missing or different file is counted and told, not an error. */
enum refrain_status verify_comparison_lane(struct verify_comparison *c, const struct lane_ref *lane);

#endif
