/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace in memory: what one rank, many ranks or a whole run did. The tracer makes one for each rank,
 * merge.h makes one of two, codec.h turns it into bytes and back, the reader reads it.
 *
 *     trace ─┬─ functions, constants           (functable.h)
 *            ├─ sites: (function, call site)   the alphabet of skeletons
 *            └─ shapes: lanes with the same skeleton
 *                 ├─ ranks                     which ranks have it, a series
 *                 ├─ skeleton                  rules over sites
 *                 ├─ loops                     what is repeated another number of times each time
 *                 └─ entry for each site of the skeleton
 *                      └─ groups: ranks of the shape whose rows come in the same order
 *                           ├─ ranks           a subset of the shape's
 *                           ├─ stream          rules over row numbers; NULL: row 0 always, or an order
 *                           ├─ rows            slots as rank functions, and times
 *                           └─ columns         slots kept outside the rows, a value for each call
 *
 * Call number n of a rank at a site is row stream[n]; its slots are the row's rank functions at the rank, and
 * then each column's n-th value is added to the slot of that column (where the row has so many slots). Some
 * slots are sums of others of the same call, see slot_sums.h.
 *
 * Two things take repetitions out of sequences whose numbers keep changing, so that the sequences are the
 * same each time, and on all ranks:
 *
 *     calls     Isend Test^7 Compute  Isend Test^2 Compute  Isend Test Compute
 *     skeleton  (Isend Test Compute)^3      loop { Test }, after Test: 6 1 0 times more
 *     rows of Test   0^6 1   0 1   1        stream 1^3, filler: 6 1 0 times row 0 before each */
#ifndef REFRAIN_TRACE_H
#define REFRAIN_TRACE_H

#include "annex.h"
#include "functable.h"
#include "rankfn.h"
#include "src/core/base/map.h"
#include "src/core/grammar/rules.h"
#include "src/core/time/rank_clock.h"
#include "src/core/time/timing.h"

struct frame {
    uint32_t module; /* index into trace.modules */
    uint64_t offset; /* of the return address in the module */
};

/* A call site: who called which function from where, innermost frame first. */
struct site {
    uint32_t function;
    uint32_t n_frames;
    struct frame *frames; /* owned */
};

/* Slots that stand side by side in a row, maybe in several: rows of a final file have those in common that are the same, so
 * that a row over thousands of requests takes little more memory than what differs from the one before it.
 *
 *     row 0   [0 … 15] [16 … 31] [32 … 40]      the last one may be shorter
 *     row 1      |     [16 … 31]     |          */
#define SLOT_BLOCK 16
struct slot_block {
    uint32_t users; /* rows, and who is making them */
    uint32_t n;
    struct rankfn slots[];
};

struct row {
    uint32_t n_slots;
    struct slot_block **blocks; /* owned, maybe with others */
    uint32_t timing; /* index into the group's timings; several rows may share one; TIMING_NONE: see below */
    uint32_t class;  /* in a trace read from a final file: rows with this number have their times in common;
                        0: with nobody that is known */
};

/* This row's times were added to those of another row of its class, in another group, as the final file keeps
 * them (docs/FORMAT.md, TIME). Adding up all timings of all groups counts every call once in any trace. */
#define TIMING_NONE UINT32_MAX

/* A slot that left the rows: `series` tells, for each rank of the group, which of trace.columns holds the
 * numbers to be added to the slot of the row, one for each call of the site. A counter that begins at another
 * number on each rank (a file offset, rank * b + i * s) is one column, i * s, for all of them. */
struct column {
    uint32_t slot;
    struct rankfn series;
};

/* The last columns of a group may be no slots. The order tells the row of each call, instead of a stream. The
 * filler tells how many calls of row 0 come before each row of the stream or the order; behind it all calls
 * are of row 0.
 */
#define COLUMN_ORDER  (UINT32_MAX - 1)
#define COLUMN_FILLER UINT32_MAX

/* A slot that is the sum of the one before it and `factor`, a function of the rank, times the one `distance`
 * slots before it, and of what its row says (slot_sums.h). */
struct slot_sum {
    uint32_t slot, distance; /* 2 <= distance <= slot */
    struct rankfn factor;
};

struct group {
    struct series *ranks; /* world ranks, ascending; owned */
    struct rules *stream; /* owned; NULL when there is one row, or an order */
    ARRAY(struct row) rows;
    ARRAY(struct column) columns;
    ARRAY(struct slot_sum) sums;  /* ascending by slot, of none that is a column */
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

/* Wherever `after` stands, all of these sites may follow, any number of times: in the order of the calls,
 * `counts` names the column that has these numbers, for each rank of the shape. Of a shape's loops the last
 * is expanded first; what it consists of is subject to those before it. */
struct loop {
    uint32_t after;  /* a site; often the last one of the loop, which has been called once then */
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

/* Key of the path of a module's file: this, the file's build id ("-" if it has none), a blank, its name. */
#define META_MODULE "module "

/* Key of how many calls are not in the trace because they were not to be (src/record/recording.h). Numbers of
 * several ranks are added up when they are merged. */
#define META_UNRECORDED "unrecorded"

/* Time spent in a function by each rank, when REFRAIN_TIMING=aggregate:rank. */
struct rank_time {
    uint32_t function;
    struct series *ranks; /* those that called it */
    struct series *sums;  /* nanoseconds, in the same order */
};

/* A column whose values are in the annex: piece `number` of that rank (annex_columns.h). */
struct annex_column {
    uint32_t column, rank, number;
};

#define TRACE_RANKS_MAX (UINT32_C(1) << 26) /* more would be a damaged file */

/* Finds equal entries for trace_intern_…; each map covers the first `n` entries of its array and catches up
 * by itself. Who changes or removes entries clears it (map_free). */
struct trace_index {
    struct map sites, columns;
};

struct trace {
    struct trace_index index;
    uint32_t first_rank, n_ranks; /* the contiguous range that it speaks of */
    ARRAY(struct meta) meta;
    struct functable functions;
    ARRAY(char *) modules;
    ARRAY(struct site) sites;
    ARRAY(struct series *) columns;  /* distinct column series */
    ARRAY(struct annex_column) away; /* of these only stand-ins are here; ascending by column */
    ARRAY(struct shape) shapes;
    ARRAY(struct rank_time) rank_times;
    bool shares_slots;         /* rows have blocks in common: before they are changed, trace_own_slots */
    struct annex annex;        /* the index; the pieces themselves are in the file */
    struct rank_clocks clocks; /* empty where only aggregates of times were recorded */
};

void trace_free(struct trace *t); /* what it holds, not the struct */
/* Each row gets blocks of its own. */
enum refrain_status trace_own_slots(struct trace *t);
enum refrain_status trace_add_meta(struct trace *t, const char *key, const char *value);
enum refrain_status trace_set_meta(struct trace *t, const char *key, const char *value); /* or add */
const char *trace_meta(const struct trace *t, const char *key);                          /* NULL if absent */
/* Index of an equal entry, added (copied) if there is none yet. */
enum refrain_status trace_intern_module(struct trace *t, const char *name, uint32_t *index);
enum refrain_status trace_intern_site(struct trace *t, const struct site *s, uint32_t *index);
enum refrain_status trace_intern_column(struct trace *t, const struct series *s, uint32_t *index);
/* A row of n slots that are constants without a form yet, for the caller to fill in. */
enum refrain_status row_make(struct row *r, uint32_t n);
void row_free(struct row *r);
/* A block with n slots, to be released; NULL when memory is short. */
struct slot_block *slot_block_create(uint32_t n);
void slot_block_release(struct slot_block *b); /* also NULL */
/* *b becomes a copy that one row has, if it is in use elsewhere, too. */
enum refrain_status slot_block_own(struct slot_block **b);
static inline const struct rankfn *row_slot(const struct row *r, uint32_t i)
{
    return &r->blocks[i / SLOT_BLOCK]->slots[i % SLOT_BLOCK];
}
/* To be changed, in a block that one row has. */
static inline struct rankfn *row_slot_own(struct row *r, uint32_t i)
{
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
/* Columns that are no slots; NULL if the group has none. */
const struct column *group_order(const struct group *g);
const struct column *group_filler(const struct group *g);
size_t group_slot_columns(const struct group *g); /* how many columns are slots: the first ones */
/* Has the group an order or a filler, or may its ranks call the site another number of times each? */
bool group_varies(const struct shape *s, uint32_t site, const struct group *g);

/* Every invariant above, logged when broken: indices in range, entries fit the skeleton, streams as long as
 * the site occurs, timings in range, rank series ascending and subsets. A decoded trace is always checked. */
enum refrain_status trace_check(const struct trace *t);

#endif
