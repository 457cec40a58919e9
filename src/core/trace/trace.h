/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace in memory: the calls of one rank, many ranks or a whole run. The tracer makes one trace for each
 * rank, merge.h merges two traces into one, codec.h encodes and decodes traces, and the reader reads them.
 *
 *     trace ─┬─ functions, constants           (functable.h)
 *            ├─ sites: (function, call site)   the alphabet of skeletons
 *            └─ shapes: lanes with the same skeleton
 *                 ├─ ranks                     which ranks have it, a series
 *                 ├─ skeleton                  rules over sites
 *                 ├─ loops                     sites that are repeated a varying number of times
 *                 └─ entry for each site of the skeleton
 *                      └─ groups: ranks of the shape whose rows come in the same order
 *                           ├─ ranks           a subset of the shape's
 *                           ├─ stream          rules over row numbers; NULL: row 0 always, or an order
 *                           ├─ rows            slots as rank functions, and times
 *                           └─ columns         slots kept outside the rows, a value for each call
 *
 * Call number n of a rank at a site is row stream[n]. Its slots are the values of the row's rank functions
 * for the rank. Then the n-th value of each column is added to the column's slot (if the row has this slot).
 * Some slots are sums of others of the same call, see slot_sums.h.
 *
 * Loops and fillers take repetitions with changing counts out of the sequences, so that the sequences are
 * the same each time, and on all ranks:
 *
 *     calls     Isend Test^7 Compute  Isend Test^2 Compute  Isend Test Compute
 *     skeleton  (Isend Test Compute)^3      loop { Test }, after Test: 6 1 0 times more
 *     rows of Test   0^6 1   0 1   1        stream 1^3, filler: 6 1 0 times row 0 before each */
#ifndef REFRAIN_TRACE_H
#define REFRAIN_TRACE_H

#include <assert.h>

#include "annex.h"
#include "functable.h"
#include "rankfn.h"
#include "src/core/base/map.h"
#include "src/core/grammar/rules.h"
#include "src/core/time/rank_clock.h"
#include "src/core/time/timing.h"

struct frame {
    uint32_t module; /* index into trace.modules */
    uint64_t offset; /* offset of the return address in the module */
};

/* A call site: who called which function from where, innermost frame first. */
struct site {
    uint32_t function;
    uint32_t n_frames;
    struct frame *frames; /* owned */
};

/* A block of neighbouring slots of a row. Several rows may share a block; the rows of a final file share
 * equal blocks. So a row with thousands of requests takes little more memory than its differences from the
 * previous row.
 *
 *     row 0   [0 … 15] [16 … 31] [32 … 40]      the last one may be shorter
 *     row 1      |     [16 … 31]     | */
#define SLOT_BLOCK 16
struct slot_block {
    uint32_t users; /* number of rows that use the block */
    uint32_t n;
    struct rankfn slots[];
};

struct row {
    uint32_t n_slots;
    struct slot_block **blocks; /* owned, maybe with others */
    uint32_t timing; /* index into the group's timings; several rows may share one; TIMING_NONE: see below */
    uint32_t class;  /* from a final file: rows with the same number share their times; 0: not known */
};

/* The times of this row were added to another row of its class, in another group, as in the final file
 * (docs/FORMAT.md, TIME). The sum of all timings of all groups counts every call exactly once in any
 * trace. */
#define TIMING_NONE UINT32_MAX

/* A slot that was moved from the rows to a column. For each rank of the group, `series` is an index into
 * trace.columns. That column has one number for each call of the site; it is added to the slot of the row.
 * A counter that begins at a different number on each rank (a file offset, rank * b + i * s) is one
 * column, i * s, for all ranks. */
struct column {
    uint32_t slot;
    struct rankfn series;
};

/* The last columns of a group need not be slots. The order gives the row of each call, and replaces the
 * stream. The filler gives the number of calls of row 0 before each row of the stream or the order; all
 * calls after these have row 0. */
#define COLUMN_ORDER  (UINT32_MAX - 1)
#define COLUMN_FILLER UINT32_MAX

/* A slot that is a sum: the previous slot, plus `factor` (a function of the rank) times the slot
 * `distance` slots before it, plus the value in the row (slot_sums.h). */
struct slot_sum {
    uint32_t slot, distance; /* 2 <= distance <= slot */
    struct rankfn factor;
};

struct group {
    struct series *ranks; /* world ranks, ascending; owned */
    struct rules *stream; /* owned; NULL when there is one row, or an order */
    ARRAY(struct row) rows;
    ARRAY(struct column) columns;
    ARRAY(struct slot_sum) sums;  /* ascending by slot; none of the slots is a column */
    ARRAY(struct timing) timings; /* empty when times were not recorded */
};

struct entry {
    uint32_t site; /* index into trace.sites */
    ARRAY(struct group) groups;
};

#define LOOPS_MAX      16
#define LOOP_SITES_MAX 64

enum lane_kind {
    LANE_DEFINITIONS, /* what symbols mean: records of the functions whose name starts with '@' */
    LANE_THREAD       /* the calls of one thread */
};

/* After each `after`, the sequence `sites` may follow any number of times. For each rank of the shape,
 * `counts` is the index of the column that has these numbers, in the order of the calls. The last loop of
 * a shape is expanded first; the loops before it are then applied to its sites. */
struct loop {
    uint32_t after;  /* a site; often the loop's last one, when the body was called once before */
    uint32_t n;      /* 1 … LOOP_SITES_MAX */
    uint32_t *sites; /* owned */
    struct rankfn counts;
};

struct shape {
    uint32_t kind, number;       /* enum lane_kind; number of the thread in its rank */
    struct series *ranks;        /* world ranks, ascending; owned */
    struct rules *skeleton;      /* owned; terminals are indices into trace.sites */
    ARRAY(struct loop) loops;    /* LOOPS_MAX at most */
    ARRAY(struct entry) entries; /* ascending by site; those that occur in the skeleton or in loops */
};

struct meta {
    char *key, *value; /* "command", "mpi", "start" (Unix seconds), … */
};

/* The key of a module's path consists of this prefix, the file's build id ("-" if it has none), a blank
 * and the module's name. */
#define META_MODULE "module "

/* Key of the number of calls that are not in the trace because recording was off or left them out
 * (src/record/recording.h). A merge adds up the numbers of the ranks. */
#define META_UNRECORDED "unrecorded"

/* Time spent in a function by each rank, when REFRAIN_TIMING=aggregate:rank. */
struct rank_time {
    uint32_t function;
    struct series *ranks; /* ranks that called the function */
    struct series *sums;  /* nanoseconds, in the same order */
};

/* A column whose values are in the annex: piece `number` of that rank (annex_columns.h). */
struct annex_column {
    uint32_t column, rank, number;
};

#define TRACE_RANKS_MAX (UINT32_C(1) << 26) /* more would be a damaged file */

/* Finds equal entries for trace_intern_…; each map covers the first `n` entries of its array and catches
 * up by itself. Code that changes or removes entries must clear the map (map_free). */
struct trace_index {
    struct map sites, columns;
};

struct trace {
    struct trace_index index;
    uint32_t first_rank, n_ranks; /* the contiguous range of ranks in the trace */
    ARRAY(struct meta) meta;
    struct functable functions;
    ARRAY(char *) modules;
    ARRAY(struct site) sites;
    ARRAY(struct series *) columns;  /* distinct column series */
    ARRAY(struct annex_column) away; /* columns with only a stand-in here; ascending by column */
    ARRAY(struct shape) shapes;
    ARRAY(struct rank_time) rank_times;
    bool shares_slots;         /* rows share blocks; call trace_own_slots before changing rows */
    struct annex annex;        /* the index; the pieces themselves are in the file */
    struct rank_clocks clocks; /* empty if only aggregates of times were recorded */
};

void trace_free(struct trace *t); /* frees the content, not the struct */
/* Replace shared blocks by copies, so that each row has its own blocks. */
enum refrain_status trace_own_slots(struct trace *t);
enum refrain_status trace_add_meta(struct trace *t, const char *key, const char *value);
enum refrain_status trace_set_meta(struct trace *t, const char *key, const char *value); /* or add */
const char *trace_meta(const struct trace *t, const char *key);                          /* NULL if absent */
/* Find the index of an equal entry; add a copy if there is none yet. */
enum refrain_status trace_intern_module(struct trace *t, const char *name, uint32_t *index);
enum refrain_status trace_intern_site(struct trace *t, const struct site *s, uint32_t *index);
enum refrain_status trace_intern_column(struct trace *t, const struct series *s, uint32_t *index);
/* Make a row of n slots, which have no form yet; the caller fills them in. */
enum refrain_status row_make(struct row *r, uint32_t n);
void row_free(struct row *r);
/* Make a block with n slots; the caller releases it. NULL when memory is short. */
struct slot_block *slot_block_create(uint32_t n);
void slot_block_release(struct slot_block *b); /* also NULL */
/* If *b is shared, replace it by a copy that only this row uses. */
enum refrain_status slot_block_own(struct slot_block **b);
static inline const struct rankfn *row_slot(const struct row *r, uint32_t i)
{
    assert(i < r->n_slots);
    return &r->blocks[i / SLOT_BLOCK]->slots[i % SLOT_BLOCK];
}
/* Return a slot that may be changed; its block must not be shared. */
static inline struct rankfn *row_slot_own(struct row *r, uint32_t i)
{
    assert(i < r->n_slots && r->blocks[i / SLOT_BLOCK]->users == 1);
    return &r->blocks[i / SLOT_BLOCK]->slots[i % SLOT_BLOCK];
}
static inline uint32_t row_blocks(uint32_t n_slots)
{
    return n_slots / SLOT_BLOCK + (n_slots % SLOT_BLOCK > 0);
}
void group_free(struct group *g);
void shape_free(struct shape *s);

/* Largest site in the skeleton and the loops, + 1. */
uint32_t shape_alphabet(const struct shape *s);
/* Return the columns that are not slots; NULL if the group has none. */
const struct column *group_order(const struct group *g);
const struct column *group_filler(const struct group *g);
size_t group_slot_columns(const struct group *g); /* how many columns are slots: the first ones */
/* Does the group have an order or a filler, or may its ranks call the site different numbers of times? */
bool group_varies(const struct shape *s, uint32_t site, const struct group *g);

/* Check every invariant above, and log a broken one: indices and timings in range, entries fit the
 * skeleton, streams as long as the site's number of calls, rank series ascending and subsets. A decoded
 * trace is always checked. */
enum refrain_status trace_check(const struct trace *t);

#endif
