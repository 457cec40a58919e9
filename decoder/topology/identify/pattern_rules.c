/* SPDX-License-Identifier: BSD-3-Clause */
#include "pattern_rules.h"

#include "src/core/base/log.h"

static bool is_power_of_two(uint32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static uint32_t highest_power(uint32_t n)
{
    uint32_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

static bool put(struct graph_edges *edges, uint32_t a, uint32_t b)
{
    return array_push(edges, ((struct graph_edge){a, b}));
}

/* ---- trees ----------------------------------------------------------------------------------- */

static bool tree_exists(uint32_t n, uint32_t arity)
{
    return n > arity + 1; /* smaller trees are stars */
}

/* Numbered as a heap: the children of node i are k * i + 1 … k * i + k. */
static enum refrain_status put_tree(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    for (uint32_t i = 1; i < n; i++)
        if (!put(edges, i, (i - 1) / arity))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static bool binomial_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n > 4;
}

/* The parent of a node is its number without the lowest set bit. */
static enum refrain_status put_binomial(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    (void)arity;
    for (uint32_t i = 1; i < n; i++)
        if (!put(edges, i, i & (i - 1)))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static bool star_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n > 3;
}

static enum refrain_status put_star(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    (void)arity;
    return put_tree(n, n - 1, edges);
}

/* ---- dense ones ------------------------------------------------------------------------------ */

static bool complete_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n > 3;
}

static enum refrain_status put_complete(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    (void)arity;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!put(edges, i, k))
                return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static bool bipartite_exists(uint32_t n, uint32_t arity)
{
    return arity > 1 && n >= 2 * arity && n > 4;
}

/* Connects each of the first `arity` nodes with each of the others. */
static enum refrain_status put_bipartite(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    for (uint32_t i = 0; i < arity; i++)
        for (uint32_t k = arity; k < n; k++)
            if (!put(edges, i, k))
                return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* ---- distances of powers of two -------------------------------------------------------------- */

static bool distances_exist(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n > 5;
}

static enum refrain_status put_distances(uint32_t n, bool periodic, struct graph_edges *edges)
{
    for (uint32_t distance = 1; distance < n; distance *= 2)
        for (uint32_t i = 0; i < n; i++)
            if ((periodic || distance < n - i) && !put(edges, i, (uint32_t)(((uint64_t)i + distance) % n)))
                return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static enum refrain_status put_ring_distances(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    (void)arity;
    return put_distances(n, true, edges);
}

static enum refrain_status put_line_distances(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    (void)arity;
    return put_distances(n, false, edges);
}

static bool doubling_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n > 4 && !is_power_of_two(n); /* a power of two is a hypercube */
}

/* Recursive doubling of n processes. Among the first 2 * (n - 2^k) processes, each even one gives
 * its data to the next one; the remaining 2^k processes form a hypercube, in order. */
static enum refrain_status put_doubling(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    const uint32_t power = highest_power(n), folded = n - power;
    (void)arity;
    for (uint32_t i = 0; i < folded; i++)
        if (!put(edges, 2 * i, 2 * i + 1))
            return REFRAIN_ERR_MEMORY;
    for (uint32_t bit = 1; bit < power; bit *= 2)
        for (uint32_t i = 0; i < power; i++) {
            const uint32_t k = i ^ bit;
            if (i < k &&
                !put(edges, i < folded ? 2 * i + 1 : i + folded, k < folded ? 2 * k + 1 : k + folded))
                return REFRAIN_ERR_MEMORY;
        }
    return REFRAIN_OK;
}

/* Returns log2 of the rows of a butterfly with n nodes; 0 if there is no such butterfly. */
static uint32_t butterfly_levels(uint32_t n)
{
    for (uint32_t levels = 2; levels < 26; levels++)
        if ((levels + 1) << levels == n)
            return levels;
    return 0;
}

static bool butterfly_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return butterfly_levels(n) > 0;
}

/* The butterfly of a fast Fourier transform: each level has 2^k nodes, each with edges to two
 * nodes of the next level. */
static enum refrain_status put_butterfly(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    const uint32_t levels = butterfly_levels(n), rows = 1u << levels;
    (void)arity;
    for (uint32_t level = 0; level < levels; level++)
        for (uint32_t row = 0; row < rows; row++) {
            const uint32_t from = level * rows + row, to = from + rows;
            if (!put(edges, from, to) || !put(edges, from, (level + 1) * rows + (row ^ 1u << level)))
                return REFRAIN_ERR_MEMORY;
        }
    return REFRAIN_OK;
}

/* ---- NAS CG ---------------------------------------------------------------------------------- */

static bool cg_exists(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n >= 8 && is_power_of_two(n);
}

static uint32_t count_cg_rows(uint32_t n)
{
    uint32_t rows = 1;
    while (4 * rows * rows <= n)
        rows *= 2;
    return rows;
}

uint32_t pattern_transposed(uint32_t n, uint32_t node)
{
    const uint32_t rows = count_cg_rows(n), wide = n / rows / rows; /* 1 or 2 */
    const uint32_t k = node / wide;
    return wide * (k % rows * rows + k / rows) + node % wide;
}

/* Rows of c processes, where c is the number of rows or twice that. Each row is a hypercube, for
 * sums, and each process exchanges vectors with its place in the transposed matrix (NAS Parallel
 * Benchmarks, CG). */
static enum refrain_status put_cg(uint32_t n, uint32_t arity, struct graph_edges *edges)
{
    const uint32_t columns = n / count_cg_rows(n);
    (void)arity;
    for (uint32_t i = 0; i < n; i++) {
        if (!put(edges, i, pattern_transposed(n, i)))
            return REFRAIN_ERR_MEMORY;
        for (uint32_t bit = 1; bit < columns; bit *= 2)
            if (i < (i ^ bit) && !put(edges, i, i ^ bit))
                return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static uint64_t count_tree(uint32_t n, uint32_t arity)
{
    (void)arity;
    return n - 1;
}

static uint64_t count_complete(uint32_t n, uint32_t arity)
{
    (void)arity;
    return (uint64_t)n * (n - 1) / 2;
}

static uint64_t count_bipartite(uint32_t n, uint32_t arity)
{
    return (uint64_t)arity * (n - arity);
}

const struct pattern_rule pattern_rules[] = {
    {"tree", 16, false, tree_exists, count_tree, put_tree},
    {"binomial", 0, false, binomial_exists, count_tree, put_binomial},
    {"star", 0, false, star_exists, count_tree, put_star},
    {"complete", 0, false, complete_exists, count_complete, put_complete},
    {"bipartite", ARITY_ANY, true, bipartite_exists, count_bipartite, put_bipartite},
    {"ring-distances", 0, false, distances_exist, NULL, put_ring_distances},
    {"line-distances", 0, false, distances_exist, NULL, put_line_distances},
    {"doubling", 0, false, doubling_exists, NULL, put_doubling},
    {"butterfly", 0, false, butterfly_exists, NULL, put_butterfly},
    {"cg", 0, false, cg_exists, NULL, put_cg},
};
const size_t n_pattern_rules = sizeof pattern_rules / sizeof pattern_rules[0];
