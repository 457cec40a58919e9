/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace file, opened for reading, and the way from a rank to its lanes. */
#ifndef REFRAIN_READER_H
#define REFRAIN_READER_H

#include "src/core/base/file_content.h"
#include "src/core/codec/codec.h"
#include "src/core/trace/trace.h"

struct reader {
    const char *path; /* or another name; the caller's */
    uint64_t file_bytes;
    uint32_t n_worlds; /* in the file */
    struct trace trace;
    struct codec_sections sections;
    uint32_t *order;      /* shapes by kind and number of their lanes; trace.shapes.n entries */
    uint64_t *sums;       /* of the values of each of the trace's columns; 0 for one that does not count */
    const uint8_t *annex; /* trace.annex.length bytes, which trace.annex is the index of; NULL: they are
                             somewhere else; in one of: */
    struct file_content content; /* the file; nothing if it is the caller's */
    struct bytes image;          /* that of one of its worlds; owned */
};

enum refrain_status reader_open(struct reader *r, const char *path);
/* One of the worlds in the file (worlds.h), from 0; reader_open opens the first. */
enum refrain_status reader_open_world(struct reader *r, const char *path, uint32_t world);
/* The same for a file that is in memory, until the reader is closed; `name` is for messages. */
enum refrain_status reader_read(struct reader *r, const char *name, const void *data, size_t n,
                                uint32_t world);
/* The bytes of a file; the caller's to free. */
enum refrain_status reader_load(const char *path, struct bytes *out);
/* Are the bytes of a piece of the annex, from r->annex + p->at on, as they were written? */
enum refrain_status reader_piece(const struct reader *r, const struct annex_piece *p);
void reader_close(struct reader *r); /* also of a zeroed struct, or after a failed reader_open */

/* The lane of one thread of one rank. `ordinal`: the rank's place among the ranks of the shape. */
struct lane_ref {
    const struct shape *shape;
    uint64_t ordinal;
    uint32_t rank;
};

/* The lanes of a kind that a rank has, by number:  for (size_t at = 0; reader_next_lane(r, rank, kind, &at,
 * &lane);) */
bool reader_next_lane(const struct reader *r, uint32_t rank, enum lane_kind kind, size_t *at,
                      struct lane_ref *lane);

/* The smallest rank >= *rank that has a lane, into *rank; false if there is none. */
bool reader_next_rank(const struct reader *r, uint64_t *rank);

/* The place of a rank in an ascending series of ranks: the number of ranks before it. True if it is in the
 * series itself. By bisection, O(log length) look-ups. */
bool ranks_find(const struct series *ranks, int64_t rank, uint64_t *ordinal);

/* All calls of all ranks of a shape. */
uint64_t reader_shape_calls(const struct reader *r, const struct shape *shape);
/* All calls of the program's threads. */
uint64_t reader_calls(const struct reader *r);

const char *reader_function(const struct reader *r, uint32_t site); /* name of a site's function */

/* Exit status of the command (0, 1, 2) for a result. */
int reader_exit(enum refrain_status status);

#endif
