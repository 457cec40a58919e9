/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs of synthetic.h. */
#include "synthetic_calls.h"

/* The same on all machines, and independent of other ranks. */
static int64_t next_random(struct synthetic_rank *r, int64_t below)
{
    r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((r->random >> 33) % (uint64_t)below);
}

/* The rank one step up or down in a dimension (the last dimension varies fastest). */
static int64_t neighbour(const struct synthetic_rank *r, int dim, int step, bool periodic)
{
    int64_t stride = 1;
    for (int d = SYNTHETIC_DIMS - 1; d > dim; d--)
        stride *= r->run->dims[d] ? r->run->dims[d] : 1;
    int64_t length = r->run->dims[dim], at = r->rank / stride % length, to = at + step;
    if (to < 0 || to >= length) {
        if (!periodic)
            return SYNTHETIC_NULL;
        to = (to + length) % length;
    }
    return r->rank + (to - at) * stride;
}

enum border { BORDER_PERIODIC, BORDER_NULL, BORDER_IF };

static void run_grid(struct synthetic_rank *r, enum border border, bool one_line)
{
    call_define(r, 1, 0, r->size);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int d = 0; d < SYNTHETIC_DIMS && r->run->dims[d]; d++)
            for (int step = -1; step <= 1; step += 2) {
                uint32_t line = one_line ? 0 : (uint32_t)(4 * d + step + 1);
                int64_t to = neighbour(r, d, step, border == BORDER_PERIODIC);
                int64_t from = neighbour(r, d, -step, border == BORDER_PERIODIC);
                if (from != SYNTHETIC_NULL || border != BORDER_IF)
                    call_recv(r, 100 + line, 10, from, 7);
                if (to != SYNTHETIC_NULL || border != BORDER_IF)
                    call_send(r, 200 + line, 10, to, 7);
            }
        call_reduce(r, 300, 1, 0);
    }
}

void synthetic_grid_periodic(struct synthetic_rank *r)
{
    run_grid(r, BORDER_PERIODIC, false);
}

void synthetic_grid_periodic_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_PERIODIC, true);
}

void synthetic_grid_null(struct synthetic_rank *r)
{
    run_grid(r, BORDER_NULL, false);
}

void synthetic_grid_null_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_NULL, true);
}

void synthetic_grid_if(struct synthetic_rank *r)
{
    run_grid(r, BORDER_IF, false);
}

void synthetic_grid_if_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_IF, true);
}

/* The usual halo exchange of a stencil. */
static void run_halo(struct synthetic_rank *r, enum border border)
{
    int64_t to[2 * SYNTHETIC_DIMS], n = 0;
    call_define(r, 1, 0, r->size);
    for (int d = 0; d < SYNTHETIC_DIMS && r->run->dims[d]; d++)
        for (int step = -1; step <= 1; step += 2) {
            to[n] = neighbour(r, d, step, border == BORDER_PERIODIC);
            n += to[n] != SYNTHETIC_NULL || border != BORDER_IF;
        }
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int64_t k = 0; k < n; k++)
            call_irecv(r, 1, 10, to[k], 7, k);
        for (int64_t k = 0; k < n; k++)
            call_isend(r, 2, 10, to[k], 7, n + k);
        call_waitall(r, 3, 2 * n, to, n, 10, 7);
        call_reduce(r, 4, 1, 0);
    }
}

void synthetic_halo_periodic(struct synthetic_rank *r)
{
    run_halo(r, BORDER_PERIODIC);
}

void synthetic_halo_if(struct synthetic_rank *r)
{
    run_halo(r, BORDER_IF);
}

void synthetic_ring(struct synthetic_rank *r)
{
    int64_t left = r->rank > 0 ? r->rank - 1 : SYNTHETIC_NULL;
    int64_t right = r->rank + 1 < r->size ? r->rank + 1 : SYNTHETIC_NULL;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        call_recv(r, 1, 4, left, i);
        call_send(r, 2, 4, right, i);
    }
}

void synthetic_xor(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        for (int64_t bit = 1; bit < r->size; bit *= 2)
            if ((r->rank ^ bit) < r->size) {
                call_send(r, 1, bit, r->rank ^ bit, 0);
                call_recv(r, 2, bit, r->rank ^ bit, 0);
            }
}

void synthetic_master(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        if (r->rank > 0) {
            call_send(r, 1, r->rank % 5, 0, i % 3);
            call_recv(r, 2, 3, 0, i);
        } else {
            for (int64_t worker = 1; worker < r->size; worker++) {
                call_recv(r, 3, worker % 5, worker, i % 3);
                call_send(r, 4, 3, worker, i);
            }
        }
}

void synthetic_irregular(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        int64_t n = next_random(r, 4);
        for (int64_t k = 0; k < n; k++)
            call_send(r, 1, next_random(r, 1000), next_random(r, r->size), next_random(r, 2));
        call_reduce(r, 2, 1, next_random(r, r->size));
    }
}

void synthetic_partners(struct synthetic_rank *r)
{
    int64_t partners[4];
    for (int k = 0; k < 4; k++)
        partners[k] = next_random(r, r->size);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (uint32_t k = 0; k < 4; k++)
            call_send(r, 1 + k, 8, partners[k], 0);
        call_reduce(r, 5, 1, 0);
    }
}

void synthetic_wildcard(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        call_recv(r, 1, 16, next_random(r, r->size), i);
}

void synthetic_vector(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        int64_t n = 1 + i % 3, counts[3];
        for (int64_t k = 0; k < n; k++)
            counts[k] = k == 1 ? (int64_t)i * 4096 + r->rank : 5 + k;
        call_gather(r, 1, n, counts);
    }
}

/* Long arrays of which a few elements change; the first ones in the same way on all ranks. */
void synthetic_arrays(struct synthetic_rank *r)
{
    int64_t counts[100];
    for (int64_t k = 0; k < 100; k++)
        counts[k] = k * k;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const uint64_t noise = (i + 1) * UINT64_C(0x9e3779b97f4a7c15), own = noise * (r->rank + 3);
        counts[noise >> 59] = (int64_t)(noise >> 40 & 0xff);
        call_gather(r, 1, 100, counts);
        counts[40 + (own >> 59)] = (int64_t)(own >> 40 & 0xff);
        call_gather(r, 2, 100, counts);
    }
}

/* On a torus of 2 dimensions, cells have sizes without a law; ranks work on cells that move. */
void synthetic_turn(struct synthetic_rank *r)
{
    const int64_t rows = r->run->dims[0], columns = r->run->dims[1];
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const int64_t row = (r->rank / columns + i) % rows, column = (r->rank + i / 2) % columns;
        const uint64_t cell = (uint64_t)(row * columns + column + 1) * UINT64_C(0x9e3779b97f4a7c15);
        call_send(r, 1, 100 + (int64_t)(cell >> 58), (r->rank + 1) % r->size, 0);
    }
}

/* A square of ranks, each with a cell on every diagonal, as in the solvers of NAS bt and sp: the
 * cell of a step changes, and its two extents are independent. Two sides get pieces of a buffer; a
 * third piece begins after both. */
void synthetic_cells(struct synthetic_rank *r)
{
    const uint32_t side = r->run->dims[0], x = r->rank % side, y = r->rank / side;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const uint64_t u = (x + y + side - i % side) % side, v = (i + side - x) % side;
        const int64_t points = (int64_t)((3 + (u * u + 1) % 4) * (3 + v * (v + 3) % 5));
        call_send(r, 1, 22 * points, (r->rank + 1) % r->size, 0);
        call_send(r, 2, 176 * points - 7, (r->rank + 1) % r->size, 0);
    }
    const int64_t west = 10 + r->rank * r->rank % 7, east = 20 + r->rank * 37 % 11;
    call_send(r, 3, west, 0, 0);
    call_send(r, 4, east, 0, 0);
    call_send(r, 5, west + east, 0, 0);
    call_send(r, 6, west + 2 * east, 0, 0);
}

/* Two arrays of five, as in MPI_Alltoallv; one count changes in each iteration, and later back.
 * There is one call for each of the element sizes. */
static void run_exchange(struct synthetic_rank *r, const int64_t *sizes, uint32_t n_sizes)
{
    enum { N = 5 };
    int64_t counts[2 * N + 2] = {[0] = N, [N + 1] = N};
    for (int64_t k = 0; k < N; k++)
        counts[1 + k] = 200 + next_random(r, 100);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        counts[1 + i % N] += i / N % 2 == 0 ? 1 : -1;
        for (uint32_t s = 0; s < n_sizes; s++) {
            for (int64_t k = 1; k < N; k++)
                counts[N + 2 + k] = counts[N + 1 + k] + sizes[s] * counts[k];
            call_gather(r, 1 + s, 2 * N + 2, counts);
        }
    }
}

void synthetic_exchange(struct synthetic_rank *r)
{
    run_exchange(r, (const int64_t[]){1}, 1);
}

void synthetic_bytes(struct synthetic_rank *r)
{
    run_exchange(r, (const int64_t[]){8, -24}, 2);
}

/* Four calls, each with two arrays of three: displacements in elements; displacements in bytes, 4
 * or 8 each, with one count of 0 on rank 0; with a gap in one iteration on rank 1; and with counts
 * that stay the same on every third rank. */
void synthetic_rounds(struct synthetic_rank *r)
{
    enum { N = 3, CALLS = 4 };
    const int64_t size[CALLS] = {1, r->rank % 2 ? 4 : 8, 1, 1};
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int call = 0; call < CALLS; call++) {
            int64_t slots[2 * N + 2] = {[0] = N, [N + 1] = N};
            for (int64_t k = 0; k < N; k++) {
                slots[1 + k] = next_random(r, 1000);
                if (call == 3 && r->rank % 3 == 2)
                    slots[1 + k] = 7;
            }
            if (call == 1 && r->rank == 0)
                slots[2] = 0;
            for (int64_t k = 1; k < N; k++)
                slots[N + 2 + k] = slots[N + 1 + k] + size[call] * slots[k];
            slots[2 * N + 1] += call == 2 && r->rank == 1 && i == r->run->iterations / 2;
            call_gather(r, 1 + (uint32_t)call, 2 * N + 2, slots);
        }
    }
}

/* Every rank sends to every rank and receives from every rank, three times from each of two lines;
 * at the second line the last rank receives something else from the first. */
void synthetic_everybody(struct synthetic_rank *r)
{
    const uint32_t n = r->size;
    int64_t slots[2 * 32 + 2] = {[0] = n};
    slots[n + 1] = n;
    for (uint32_t call = 0; call < 2; call++) {
        for (uint32_t k = 0; k < n; k++) {
            const uint64_t there = (r->rank * n + k + 1) * UINT64_C(0x9e3779b97f4a7c15),
                           back = (k * n + r->rank + 1) * UINT64_C(0x9e3779b97f4a7c15);
            slots[1 + k] = (int64_t)(there >> 56);
            slots[n + 2 + k] = (int64_t)(back >> 56) + (call == 1 && k == 0 && r->rank == n - 1);
        }
        for (uint32_t i = 0; i < 3; i++)
            call_gather(r, 1 + call, (int64_t)(2 * n + 2), slots);
    }
}

void synthetic_pairs(struct synthetic_rank *r)
{
    int64_t left = (r->rank + r->size - 1) % r->size, right = (r->rank + 1) % r->size;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        call_send(r, 1, 1, left, 0);
        call_send(r, 1, 1, right, 0);
        call_send(r, 1, 1 + r->rank % 2, left, 0);
    }
}

void synthetic_orders(struct synthetic_rank *r)
{
    static const int64_t regular[2][4] = {{0, 1, 2, 2}, {0, 1, 2, 1}};
    int64_t order = r->rank % 5;
    r->random = (uint64_t)order; /* ranks with the same order agree */
    for (uint32_t i = 0; i < r->run->iterations; i++)
        call_send(r, 1, order < 2 ? regular[order][i % 4] : next_random(r, 4), SYNTHETIC_NULL, 0);
}
