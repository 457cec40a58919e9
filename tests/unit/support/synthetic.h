/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that exist only as calls: what each rank of a stencil, a ring, … would do, for testing lanes and
 * merges without MPI. A program is a C function that makes calls; it runs once to be recorded and once more
 * to be compared with. */
#ifndef REFRAIN_TEST_SYNTHETIC_H
#define REFRAIN_TEST_SYNTHETIC_H

#include "src/core/trace/trace.h"

enum { SYNTHETIC_DIMS = 3, SYNTHETIC_NULL = -2 /* like MPI_PROC_NULL */ };

struct synthetic_rank; /* one rank while it runs */

struct synthetic_run {
    const char *name;
    void (*program)(struct synthetic_rank *r);
    uint32_t ranks, iterations;
    uint32_t dims[SYNTHETIC_DIMS]; /* of the grid, product = ranks; 0 behind the last */
};

enum synthetic_order { SYNTHETIC_BINOMIAL, SYNTHETIC_LEFT, SYNTHETIC_RANDOM, SYNTHETIC_ORDERS };

/* The programs. Grids: neighbours by a call site for each, or all from one call site in a loop. */
void synthetic_grid_periodic(struct synthetic_rank *r);
void synthetic_grid_null(struct synthetic_rank *r); /* SYNTHETIC_NULL beyond the border */
void synthetic_grid_null_loop(struct synthetic_rank *r);
void synthetic_grid_periodic_loop(struct synthetic_rank *r);
void synthetic_grid_if(struct synthetic_rank *r); /* no call beyond the border */
void synthetic_grid_if_loop(struct synthetic_rank *r);
/* The same by Irecv, Isend and Waitall, each from one call site in a loop. */
void synthetic_halo_periodic(struct synthetic_rank *r);
void synthetic_halo_if(struct synthetic_rank *r);
void synthetic_ring(struct synthetic_rank *r);      /* tags count up; at both ends nobody */
void synthetic_xor(struct synthetic_rank *r);       /* partners rank ^ 1, rank ^ 2, … where they exist */
void synthetic_master(struct synthetic_rank *r);    /* rank 0 talks to everybody */
void synthetic_irregular(struct synthetic_rank *r); /* partners, lengths and sizes at random */
void synthetic_partners(struct synthetic_rank *r);  /* four partners for each rank, drawn once */
void synthetic_wildcard(struct synthetic_rank *r);  /* sources at random */
void synthetic_vector(struct synthetic_rank *r);    /* arrays, a file offset that runs away */
void synthetic_arrays(struct synthetic_rank *r);    /* long arrays, each with a few other elements */
void synthetic_turn(struct synthetic_rank *r);      /* counts that go around a torus, a row each iteration */
void synthetic_cells(
    struct synthetic_rank *r); /* cells of a diagonal multi-partitioning, and a packed buffer */
void synthetic_exchange(struct synthetic_rank *r);  /* irregular counts, displacements that add them up */
void synthetic_bytes(struct synthetic_rank *r);     /* the same in bytes, upwards and downwards */
void synthetic_rounds(struct synthetic_rank *r);    /* others in each round: sums of columns */
void synthetic_everybody(struct synthetic_rank *r); /* sends to everybody, on up to 32 ranks */
void synthetic_pairs(struct synthetic_rank *r);     /* two neighbours that may coincide, in a long loop */
void synthetic_orders(struct synthetic_rank *r);    /* five orders of the same arguments, two of them alike */

/* A run on a grid as square as `ranks` allows. */
struct synthetic_run synthetic_run_on(const char *name, void (*program)(struct synthetic_rank *r),
                                      uint32_t ranks, uint32_t iterations, uint32_t n_dims);
/* The trace of one rank. */
enum refrain_status synthetic_trace(const struct synthetic_run *run, uint32_t rank, struct trace *out);
/* All ranks merged, finished if asked for. `seed` is for SYNTHETIC_RANDOM. */
enum refrain_status synthetic_merge(const struct synthetic_run *run, enum synthetic_order order,
                                    uint32_t seed, bool finish, struct trace *out);

/* Does the trace, expanded, give the calls of all ranks of the run, and are its times those of the calls,
 * each counted once? Logs the first difference. */
bool synthetic_matches(const struct synthetic_run *run, const struct trace *t);

struct synthetic_size {
    size_t shapes, groups, rows, columns, items; /* items: of the rules of all streams and skeletons */
};
struct synthetic_size synthetic_measure(const struct trace *t);

#endif
