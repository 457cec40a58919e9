/* SPDX-License-Identifier: BSD-3-Clause */
/* How the ranks ended in a run without MPI_Finalize: from the `@end` records in their definitions lanes, and
 * from missing parts (docs/FORMAT.md, Parts). */
#ifndef REFRAIN_ENDINGS_H
#define REFRAIN_ENDINGS_H

#include "reader.h"
#include "src/core/base/array.h"

enum ending_kind {
    ENDING_TOLD,       /* `@end` says how */
    ENDING_CHECKPOINT, /* the part has the calls up to a checkpoint */
    ENDING_MISSING     /* nothing of the rank is there */
};

struct ending {
    enum ending_kind kind;
    char how[64]; /* with ENDING_TOLD: "MPI_Abort", "MPI error", "signal", "exit", "MPI_Finalize", or another
                     text */
    int64_t detail;
    ARRAY(uint32_t) ranks; /* the ranks that ended in this way, ascending */
};

struct endings {
    ARRAY(struct ending) items; /* in the order of their first ranks */
};

/* Was the trace merged from parts? All other traces are of runs that ended normally. */
bool endings_has(const struct trace *t);
/* Reads the endings; none if the run ended normally. */
enum refrain_status endings_read(struct endings *e, const struct reader *r);
void endings_free(struct endings *e);
enum ending_kind endings_of(const struct endings *e, uint32_t rank);

/* Did the run end before its MPI_Finalize? */
bool endings_are_cut_off(const struct endings *e);
/* "The trace was put together from parts: rank 2 ended by MPI_Abort with error code 3; rank 0 left no part.", as a
 * line; nothing if it was not. */
void endings_put(const struct endings *e, struct bytes *out);
/* The same after "The run was cut off: all of this is of the part that was recorded. " */
void endings_put_cut_off(const struct endings *e, struct bytes *out);
/* "signal 11 (SEGV)", as text. */
void ending_put(const struct ending *e, struct bytes *out);
/* "0,2-4" */
void ending_put_ranks(const struct ending *e, struct bytes *out);

#endif
