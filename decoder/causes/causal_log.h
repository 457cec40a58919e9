/* SPDX-License-Identifier: BSD-3-Clause */
/* What a causal stream tells, kept to be told again: some ten bytes a call, in memory first, then in a file without a name in $TMPDIR.
 *
 *     head    what it is, and which members follow: bits below
 *     lane    unless it is that of the event before
 *     enter   site, time since the lane's last call, mark
 *     leave   duration, the number of causes, and of each mark and kind; a call without causes is one event, with its duration
 *     join    mark, the number of members, and of each its mark
 *     forget  mark */
#ifndef REFRAIN_CAUSAL_LOG_H
#define REFRAIN_CAUSAL_LOG_H

#include "causal_stream.h"
#include "src/core/base/bytes.h"

#include <stdio.h>

#define CAUSAL_LOG_BLOCK ((size_t)8 << 20)   /* bytes: as much is in memory */
#define CAUSAL_LOG_MOST  ((uint64_t)8 << 30) /* bytes of the file; with more, the log is given up */

struct causal_log {
    size_t n_lanes, block;
    struct bytes bytes;   /* behind what is in the file */
    FILE *file;           /* NULL: there is none */
    ARRAY(size_t) blocks; /* how long are those in the file */
    uint64_t in_file;
    bool lost; /* it could not be kept; why has been said */
    /* Meanwhile: */
    uint32_t lane;  /* of the last event */
    size_t entered; /* behind the head of the last event, an enter; 0: it is none */
    uint64_t *left; /* by lane */
};

enum refrain_status causal_log_create(struct causal_log *l, size_t n_lanes);
void causal_log_free(struct causal_log *l); /* also of a zeroed struct */
struct causal_sink causal_log_sink(struct causal_log *l);
/* All once more; calls have no numbers. Of a log that is not lost. */
enum refrain_status causal_log_tell(struct causal_log *l, const struct causal_sink *sink);

#endif
