/* SPDX-License-Identifier: BSD-3-Clause */
/* How the ranks of a run ended that has no MPI_Finalize: from the records `@end` in their definitions lanes,
 * and from what is not there (docs/FORMAT.md, Parts). */
#ifndef REFRAIN_ENDINGS_H
#define REFRAIN_ENDINGS_H

#include "reader.h"
#include "src/core/base/array.h"

enum ending_kind {
    ENDING_TOLD,       /* `@end` says how */
    ENDING_CHECKPOINT, /* its calls up to some moment are there */
    ENDING_MISSING     /* nothing is */
};

struct ending {
    enum ending_kind kind;
    char how[64]; /* if told: "MPI_Abort", "MPI error", "signal", "exit", "MPI_Finalize", or what comes */
    int64_t detail;
    ARRAY(uint32_t) ranks; /* that ended so, ascending */
};

struct endings {
    ARRAY(struct ending) items; /* in the order of their first ranks */
};

/* Was the trace put together from parts? All others are of runs that ended well. */
bool endings_has(const struct trace *t);
/* Nothing for a run that ended well. */
enum refrain_status endings_read(struct endings *e, const struct reader *r);
void endings_free(struct endings *e);
enum ending_kind endings_of(const struct endings *e, uint32_t rank);

/* "signal 11 (SEGV)", in words for people. */
void ending_put(const struct ending *e, struct bytes *out);
/* "0,2-4" */
void ending_put_ranks(const struct ending *e, struct bytes *out);

#endif
