/* SPDX-License-Identifier: BSD-3-Clause */
/* The part files that the ranks of a run have left in a directory (docs/FORMAT.md, Parts). */
#ifndef REFRAIN_PARTS_H
#define REFRAIN_PARTS_H

#include "src/core/base/array.h"
#include "src/core/trace/trace.h"

struct part {
    uint32_t rank;
    char *path;    /* owned */
    char *run;     /* owned; identifies the run */
    int64_t start; /* of the run, seconds since 1970 */
};

struct parts {
    ARRAY(struct part) items; /* ascending by rank */
};

/* Finds the readable parts of the latest run, in the directory or in the run directories inside. Skips parts
 * of other runs and damaged parts with a warning. Returns an error if none are left. */
enum refrain_status parts_find(struct parts *p, const char *directory);
void parts_free(struct parts *p);
/* Is this a directory that holds parts, or runs that may have some? */
bool parts_are_in(const char *path);
/* Merges all parts into one trace, with the functions that MPI_Finalize uses. */
enum refrain_status parts_merge(const struct parts *p, struct trace *out);
/* Writes that trace to `path`, with the annex of each part. */
enum refrain_status parts_write(const struct parts *p, const struct trace *t, const char *path);

#endif
