/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a trace file for reading, and finds the lanes of a rank. */
#ifndef REFRAIN_READER_H
#define REFRAIN_READER_H

#include "src/core/base/file_content.h"
#include "src/core/codec/codec.h"
#include "src/core/trace/trace.h"

struct reader {
    const char *path; /* or another name for messages; owned by the caller */
    uint64_t file_bytes;
    uint32_t world;    /* this one, … */
    uint32_t n_worlds; /* … of so many in the file */
    struct trace trace;
    struct codec_sections sections;
    uint32_t *order;      /* shapes by kind and number of their lanes; trace.shapes.n entries */
    uint64_t *sums;       /* sum of the values of each of the trace's columns; 0 for a column without
                             counts */
    const uint8_t *annex; /* trace.annex.length bytes, which trace.annex is the index of; NULL: they are
                             somewhere else; in one of: */
    struct file_content content; /* the file's bytes; empty if the caller owns them */
    struct bytes image;          /* the bytes of one world of the file; owned */
};

enum refrain_status reader_open(struct reader *r, const char *path);
/* One of the worlds in the file (worlds.h), from 0; reader_open opens the first. */
enum refrain_status reader_open_world(struct reader *r, const char *path, uint32_t world);
/* The same for a file that is in memory, until the reader is closed; `name` is for messages. */
enum refrain_status reader_read(struct reader *r, const char *name, const void *data, size_t n,
                                uint32_t world);
/* Reads a whole file; the caller frees *out. */
enum refrain_status reader_load(const char *path, struct bytes *out);
/* Checks that the bytes of an annex piece, from r->annex + p->at on, are as they were written. */
enum refrain_status reader_piece(const struct reader *r, const struct annex_piece *p);
void reader_close(struct reader *r); /* also of a zeroed struct, or after a failed reader_open */

/* The lane of one thread of one rank. `ordinal`: the rank's place among the ranks of the shape. */
struct lane_ref {
    const struct shape *shape;
    uint64_t ordinal;
    uint32_t rank;
};

/* Iterates over the lanes of one kind of a rank, by number: for (size_t at = 0; reader_next_lane(r, rank,
 * kind, &at, &lane);) */
bool reader_next_lane(const struct reader *r, uint32_t rank, enum lane_kind kind, size_t *at,
                      struct lane_ref *lane);

/* Sets *rank to the smallest rank >= *rank that has a lane. Returns false if there is none. */
bool reader_next_rank(const struct reader *r, uint64_t *rank);

/* Sets *ordinal to the position of a rank in an ascending series of ranks: the number of smaller ranks.
 * Returns whether the series contains the rank. Bisection, O(log length) look-ups. */
bool ranks_find(const struct series *ranks, int64_t rank, uint64_t *ordinal);

/* Returns the number of calls of all ranks of a shape. */
uint64_t reader_shape_calls(const struct reader *r, const struct shape *shape);
/* Returns the number of calls of all threads of the program. */
uint64_t reader_calls(const struct reader *r);

const char *reader_function(const struct reader *r, uint32_t site); /* name of a site's function */

/* Returns the exit status of the command (0, 1, 2) for a status. */
int reader_exit(enum refrain_status status);

#endif
