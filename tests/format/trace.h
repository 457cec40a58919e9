/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace as its file has it: tables that refer to each other, nothing expanded. */
#ifndef SECOND_READER_TRACE_H
#define SECOND_READER_TRACE_H

#include "input.h"

#define LENGTH_MAX ((uint64_t)INT64_MAX) /* of the expansion of a rule or series */

enum { META, FUNC, SITE, RULE, STRM, SERI, SIGN, SHAP, TIME, RTIM, WRLD, ANNX, CLCK, COLS, N_SECTIONS };
enum { INT, FLAGS, REAL, HANDLE, ADDRESS, STRING, STRINGS, STATUS, N_TYPES };
enum { IN = 1, OUT = 2, ARRAY = 4, NULLABLE = 8 };
enum {
    CONSTANT = 1,
    OFFSET = 2,
    PLAIN = 4,
    RELATIVE = 8,
    NATURAL = 16,
    SUM = 32,
    TRANSPOSED = 64,
    WHOLE = 128
};

struct kind {
    const char *name;
    uint64_t type;
    const char *set;
};

struct parameter {
    const struct kind *kind;
    uint64_t flags;
};

struct function {
    const char *name;
    const struct kind *result; /* NULL: it returns nothing */
    size_t n;
    const struct parameter **parameters;
};

struct constant {
    const char *set;
    int64_t value;
};

struct frame {
    const char *module;
    int64_t offset;
};

struct site {
    const struct function *function;
    size_t n_frames;
    struct frame *frames;
    size_t first_signature, n_signatures;
};

/* Rule 1 of the example in section 6, (rule 0)⁹ c:   items { rule 0, 9 times } { c }, ends 27 28 */
struct power {
    const struct rule *rule; /* NULL: a terminal */
    uint64_t terminal;
    uint64_t count;
};

struct rule {
    struct power *items;
    uint64_t *ends; /* of each item, in the rule's expansion */
    size_t n;
};

struct pool {
    uint64_t n_terminals;
    struct rule *rules;
    size_t n_rules;
    const struct rule **roots;
    size_t n_roots;
};

/* A series is a body; so is what a loop repeats. The example in section 7:
 *     parts { loop }, ends 12     its body: parts { loop } { leaves −1 + 0i }, ends 3 4 */
struct body {
    struct part *parts;
    uint64_t *ends; /* of each part, in the body's expansion */
    size_t n;
};

struct part {
    int64_t *leaves; /* 1 + depth numbers each; NULL: a loop */
    struct body body;
};

struct slot {
    unsigned forms;
    int64_t constant, offset;
    const struct body *plain, *relative;
    uint64_t distance, factor; /* of a running sum, which has no other form: it needs its row */
    uint64_t place;            /* of a transposed one, which has a distance too: its number in its array */
};

struct row {
    const struct function *function;
    struct slot *slots;
    size_t n;
};

struct column {
    uint64_t slot;
    struct slot series; /* evaluates to the number of a column series */
};

struct slot_sum {
    uint64_t slot, distance;
    struct slot factor;
};

struct group {
    const struct body *ranks; /* NULL: all of the shape's */
    const struct rule *stream;
    size_t *signatures; /* of each row; all signatures are numbered through, over the sites */
    size_t n_rows;
    struct column *columns;
    size_t n_columns;
    struct slot_sum *sums;
    size_t n_sums;
    bool ordered, filled;      /* there is an order, a filler */
    struct slot order, filler; /* evaluate to the column series of their numbers */
    uint64_t n_timings;
};

struct entry {
    size_t site;
    uint64_t calls; /* how often the site stands in the skeleton */
    bool in_loop;   /* it may be called more often, each rank another number of times */
    struct group *groups;
    size_t n_groups;
};

#define LOOPS_MAX 16

struct loop {
    uint64_t after, *sites;
    size_t n;
    struct slot counts; /* evaluates to the number of a column series */
};

struct shape {
    unsigned kind;
    struct loop *loops;
    size_t n_loops;
    uint64_t number;
    const struct body *ranks; /* NULL: all of the file */
    const struct rule *skeleton;
    struct entry *entries;
    size_t n_entries;
};

struct piece {
    uint64_t rank, kind, lane;
    struct input content; /* start is NULL if it is somewhere else */
    bool taken;           /* by a column */
};

/* What a coded block of times is read with. */
enum { CELLS = 8192, SETS = 4, WEIGHTS = 6, DIGITS = 16 };

struct cell {
    int64_t c[DIGITS + 1]; /* digit d has the positions from c[d] to c[d+1]; c[0] and c[16] never change */
    unsigned n;            /* how many digits there were, up to a limit */
};

struct contexts {
    uint32_t general, special;
};

struct coder {
    struct input in;
    uint32_t range, at;
    struct cell cells[CELLS];
    int64_t weights[SETS][WEIGHTS];
};

/* Of a rank, against that of rank 0. */
struct clock {
    uint64_t rank;
    struct {
        uint64_t local, ahead;
    } * points;
    size_t n_points;
};

struct trace {
    bool final, times;
    struct input sections[N_SECTIONS]; /* start is NULL for those left out */
    uint64_t first_rank, n_ranks;
    struct kind *kinds;
    struct function *functions;
    struct constant *constants;
    struct site *sites;
    struct pool skeletons, streams;
    struct body *columns, *series;
    struct row *rows;
    struct shape *shapes;
    struct piece *pieces;
    struct clock *clocks;
    size_t n_clocks;
    size_t n_kinds, n_functions, n_constants, n_sites, n_columns, n_series, n_rows, n_shapes, n_pieces;
    uint64_t *calls; /* of each signature, counted while the lanes are expanded */
};

#endif
