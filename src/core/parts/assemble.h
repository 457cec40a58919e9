/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a run, as one trace:
 *
 *     rank.0.part   sections  annex ──────────┐
 *     rank.1.part   sections  annex ──────────┼──┐
 *     rank.2.part   sections  annex ──────────┼──┼──┐
 *                       │                     v  v  v
 *                       └─ merged ─> sections annexes
 *
 * Parts are opened one after the other, and later again for their annexes. So the trace is in
 * memory, but not the annexes. */
#ifndef REFRAIN_ASSEMBLE_H
#define REFRAIN_ASSEMBLE_H

#include "part_file.h"
#include "src/core/base/replace.h"

/* Where the parts are. */
struct part_source {
    size_t n; /* one at least */
    /* Opens part number i < n; their ranks ascend. It is closed by who called. An error ends it all. */
    enum refrain_status (*open)(void *context, size_t i, struct part_file *out);
    void (*merged)(void *context); /* one more; NULL: nobody wants to know */
    void *context;
};

/* The trace of all parts, into *out, for merge_finish: the very functions that MPI_Finalize uses. */
enum refrain_status assemble_trace(const struct part_source *s, struct trace *out);
/* Adds the annexes of all parts, which are that of their trace, after its sections. Damaged ones are an
 * error. */
enum refrain_status assemble_annex(const struct part_source *s, struct replacement *to);

#endif
