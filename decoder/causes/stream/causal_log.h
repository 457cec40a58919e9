/* SPDX-License-Identifier: BSD-3-Clause */
/* A log of the events of a causal stream, for replay: about ten bytes per call, first in memory, then in an
 * unnamed file in $TMPDIR.
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

#define CAUSAL_LOG_BLOCK ((size_t)8 << 20)   /* bytes: size of the part in memory */
#define CAUSAL_LOG_MOST  ((uint64_t)8 << 30) /* bytes: the largest file; a larger log is given up */

struct causal_log {
    size_t n_lanes, block;
    struct bytes bytes;   /* the events after those in the file */
    FILE *file;           /* NULL: no file */
    ARRAY(size_t) blocks; /* lengths of the blocks in the file */
    uint64_t in_file;
    bool lost; /* the log could not be stored; the reason was printed */
    /* Internal, while events are added: */
    uint32_t lane;  /* of the last event */
    size_t entered; /* position after the head of the last event, if that is an enter; otherwise 0 */
    uint64_t *left; /* by lane: end of the last call */
};

enum refrain_status causal_log_create(struct causal_log *l, size_t n_lanes);
void causal_log_free(struct causal_log *l); /* also of a zeroed struct */
struct causal_sink causal_log_sink(struct causal_log *l);
/* Replays all events to the sink, without call numbers. The log must not be lost. Several threads may replay one
 * log at the same time. */
enum refrain_status causal_log_tell(const struct causal_log *l, const struct causal_sink *sink);

/* Replay by blocks. The part of a log in memory is one block. */
void causal_log_begin_block(struct causal_log *l); /* empties it for a new block */
/* Adds the next block of another log, instead of events. */
enum refrain_status causal_log_add_block(struct causal_log *l, const struct bytes *block);
/* A teller replays all blocks in order. NULL when memory is short. */
struct causal_teller;
struct causal_teller *causal_teller_create(size_t n_lanes, const struct causal_sink *sink);
enum refrain_status causal_teller_tell(struct causal_teller *t, const uint8_t *data, size_t n);
void causal_teller_free(struct causal_teller *t); /* also of NULL */

#endif
