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

/* The parts of a run. */
struct part_source {
    size_t n; /* at least one */
    /* Open part i < n; ranks ascend. The caller closes the part. After an error nothing more is
     * opened. */
    enum refrain_status (*open)(void *context, size_t i, struct part_file *out);
    void (*merged)(void *context); /* called after each merged part; may be NULL */
    void *context;
};

/* Merge all parts into *out, ready for merge_finish, with the functions that MPI_Finalize uses. */
enum refrain_status assemble_trace(const struct part_source *s, struct trace *out);
/* Append the annexes of all parts, in the order of the trace's index, after the trace's sections. A
 * damaged annex is an error. */
enum refrain_status assemble_annex(const struct part_source *s, struct replacement *to);

#endif
