#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Topologies that a program gives its communicators, compared with its communication.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

cat >grid.c <<'END'
#include <mpi.h>
#include <refrain.h>
#include <string.h>

static char data[200];
static int rank, size;

static void exchange(MPI_Comm comm, int to, int from)
{
    MPI_Sendrecv(data, 100, MPI_CHAR, to, 1, data + 100, 100, MPI_CHAR, from, 1, comm, MPI_STATUS_IGNORE);
}

static MPI_Comm make_cart(int x, int y, int periodic)
{
    int dims[2] = {x, y}, periods[2] = {periodic, 0};
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    return cart;
}

static void shift(MPI_Comm cart, int dimension)
{
    int from, to;
    MPI_Cart_shift(cart, dimension, 1, &from, &to);
    exchange(cart, to, from);
    exchange(cart, from, to);
}

/* A grid of 4 x 3, periodic in x; the rows alone are rings, too. */
static void cart(int rows)
{
    MPI_Comm grid = make_cart(4, 3, 1), row;
    int remain[2] = {0, 1}, at, n;
    shift(grid, 0);
    shift(grid, 1);
    if (!rows)
        return;
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_rank(row, &at);
    MPI_Comm_size(row, &n);
    exchange(row, (at + 1) % n, (at + n - 1) % n);
}

/* Declared as 6 x 2, but it is a torus of 4 x 3. */
static void other(void)
{
    MPI_Comm grid = make_cart(6, 2, 0);
    const int x = rank % 4, y = rank / 4;
    exchange(grid, 4 * y + (x + 1) % 4, 4 * y + (x + 3) % 4);
    exchange(grid, (y + 1) % 3 * 4 + x, (y + 2) % 3 * 4 + x);
}

static void graph(int adjacent)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, one = 1, weight = 1;
    MPI_Comm ring;
    if (adjacent)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL, 0, &ring);
    else
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &to, &weight, MPI_INFO_NULL, 0, &ring);
    exchange(ring, to, from);
}

/* A chain is declared, a ring is used. */
static void old_graph(void)
{
    int index[64], edges[128], n = 0;
    MPI_Comm chain;
    for (int i = 0; i < size; i++) {
        if (i > 0)
            edges[n++] = i - 1;
        if (i < size - 1)
            edges[n++] = i + 1;
        index[i] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &chain);
    exchange(chain, (rank + 1) % size, (rank + size - 1) % size);
}

/* A grid of 3 x 4 that the program tells of, ranks the other way round. With `wrong` two ranks are at one place. */
static void own(int wrong)
{
    const int me = size - 1 - rank, x = me / 4, y = me % 4;
    const int dims[2] = {3, 4}, periodic[2] = {0, 0}, at[2] = {wrong && x == 2 ? 1 : x, y};
    refrain_topology_cart(2, dims, periodic, NULL);
    refrain_topology_coords(at);
    exchange(MPI_COMM_WORLD, y < 3 ? rank - 1 : MPI_PROC_NULL, y > 0 ? rank + 1 : MPI_PROC_NULL);
    exchange(MPI_COMM_WORLD, x < 2 ? rank - 4 : MPI_PROC_NULL, x > 0 ? rank + 4 : MPI_PROC_NULL);
}

/* A star on MPI_COMM_WORLD, rings in rows. */
static void rows(void)
{
    MPI_Comm row;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row);
    const int at = rank % 4;
    exchange(row, (at + 1) % 4, (at + 3) % 4);
    for (int i = 1; i < size && rank == 0; i++)
        MPI_Send(data, 100, MPI_CHAR, i, 7, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(data, 100, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void tree(void)
{
    int bit = 1;
    while (bit < size && !(rank & bit))
        bit *= 2;
    if (rank > 0)
        MPI_Recv(data, 200, MPI_CHAR, rank - bit, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (bit /= 2; bit > 0; bit /= 2)
        if (rank + bit < size)
            MPI_Send(data, 200, MPI_CHAR, rank + bit, 7, MPI_COMM_WORLD);
}

/* At first a grid of 4 x 3, then that and a binomial tree at once. */
static void several(void)
{
    const int x = rank % 4, y = rank / 4;
    const int west = x > 0 ? rank - 1 : MPI_PROC_NULL, east = x < 3 ? rank + 1 : MPI_PROC_NULL;
    const int north = y > 0 ? rank - 4 : MPI_PROC_NULL, south = y < 2 ? rank + 4 : MPI_PROC_NULL;
    for (int i = 0; i < 10; i++) {
        exchange(MPI_COMM_WORLD, west, east);
        exchange(MPI_COMM_WORLD, south, north);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    tree();
}

/* A grid that is declared, and a tree that is not. */
static void layered(void)
{
    MPI_Comm grid = make_cart(4, 3, 1);
    for (int i = 0; i < 10; i++) {
        shift(grid, 0);
        shift(grid, 1);
    }
    tree();
}

/* Accesses to the next rank's window, and no messages. */
static void accesses(void)
{
    MPI_Win window;
    MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 8, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *what = argv[1];
    if (strcmp(what, "cart") == 0 || strcmp(what, "sub") == 0)
        cart(*what == 's');
    else if (strcmp(what, "other") == 0)
        other();
    else if (strcmp(what, "adjacent") == 0 || strcmp(what, "dist") == 0)
        graph(*what == 'a');
    else if (strcmp(what, "old") == 0)
        old_graph();
    else if (strcmp(what, "own") == 0 || strcmp(what, "wrong") == 0)
        own(*what == 'w');
    else if (strcmp(what, "several") == 0)
        several();
    else if (strcmp(what, "layered") == 0)
        layered();
    else if (strcmp(what, "accesses") == 0)
        accesses();
    else
        rows();
    MPI_Finalize();
    return 0;
}
END
record() { # WHAT
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 12 "$refrain" record -o "$1.refrain" ./grid "$1" </dev/null
}
# prints WHAT LINE [OPTION…]
prints() {
    trace=$1.refrain line=$2
    shift 2
    "$refrain" topology "$@" "$trace" >said && grep -qxF -- "$line" said || { cat said; return 1; }
}
# holds WHAT JQ-CONDITION
holds() { "$refrain" topology --json "$1.refrain" >said && jq -e "$2" said >/dev/null || { cat said; return 1; }; }

check "builds" $mpicc -I"$srcdir/src/user" -o grid grid.c -ldl
for what in cart sub other adjacent dist old rows own wrong several layered accesses; do check "$what: runs" record $what; done

check "cart: the topology" prints cart "topology     4x3 grid, periodic in x"
check "cart: ranks as MPI_Cart_create has them" prints cart "numbering    rank = 3*x + y"
check "cart: as declared" prints cart "declared     4x3 grid, periodic in x by MPI_Cart_create, comm0: these are its coordinates"
all_of() { "$refrain" model --paths "$1.refrain" | awk '/^[0-9]/ { sub(/\..*/, "", $1); sub(/.*-/, "", $1); last = $1 } END { print "1-" last }'; }
check "cart: constructs have the same coordinates" prints cart "numbering    rank = 3*x + y" --at "$(all_of cart)"
check "cart: declared, but other coordinates are given" prints cart \
    "declared     4x3 grid, periodic in x by MPI_Cart_create, comm0: the communication is exactly a lattice on its coordinates, not on those given" \
    --topology 3x4
check "cart: periods that are given, but have no messages" prints cart "given        4x3 torus: no messages go round in y" --topology 4x3p
check "cart: coordinates" holds cart '.coordinates[7] == [2, 1] and .dims == [4, 3] and .periodic == [true, false]'
fails() { ! "$@"; }
hints() { "$refrain" "$@" accesses.refrain 2>&1 >/dev/null | grep -q 'one-sided communication: --rma shows it'; }
check "accesses: topology names the option" hints topology
check "accesses: matrix names the option" hints matrix
check "accesses: no hint with the option" fails hints topology --rma
timed() { "$refrain" topology --svg --color time cart.refrain >said && grep -q 'seconds in calls' said && test "$(grep -c '<circle' said)" -ge 12; }
check "cart: time as colours" timed
check "cart: other names, too" prints cart "also         3x2x2 grid"
check "cart: tests, too" prints cart "isomorphism         2  4x3 grid, periodic in x; 3x2x2 grid" --explain
run_as() { "$refrain" logical "$1.refrain" | head -1 >said && grep -qxF -- "$2" said || { cat said; return 1; }; }
check "cart: the run on its coordinates" run_as cart "# 12 ranks: 4x3 grid, periodic in x, rank = 3*x + y"
check "own: the run on its coordinates" run_as own "# 12 ranks: 3x4 grid, $(sed -n 's/^numbering *//p' <("$refrain" topology own.refrain))"
check "sub: the whole, separately, on its own coordinates" prints sub "separately   comm0, 12 ranks: 4x3 grid, periodic in x"
check "layered: not all is as declared" prints layered "topology     no regular topology"
check "layered: but a layer is" holds layered '.layers[0].topology == "4x3 grid, periodic in x" and .layers[0].coordinates[7] == [2, 1]'
check "layered: the other one is a tree" holds layered '.layers[1].topology == "12-node binomial tree"'
check "sub: also where periods are others" prints sub "topology     4x3 torus"
check "sub: rows" prints sub "             4 of MPI_Cart_sub, 3 ranks each: 3-node ring (comm1, comm2, comm3, comm4)"
check "sub: a row's own" prints sub "declared     3-node line by MPI_Cart_sub, comm1: these are its coordinates" --comm comm1
check "other: the communication" prints other "topology     4x3 torus"
check "other: what was declared" prints other \
    "declared     6x2 grid by MPI_Cart_create, comm0: the communication uses 6 of its 16 edges, and has 18 more"
check "adjacent" prints adjacent "declared     graph by MPI_Dist_graph_create_adjacent, comm0: with the same edges"
check "dist" prints dist "declared     graph by MPI_Dist_graph_create, comm0: with the same edges"
check "old" prints old "declared     graph by MPI_Graph_create, comm0: the communication uses 11 of its 11 edges, and has 1 more"
check "rows: the world's" prints rows "separately   MPI_COMM_WORLD, 12 ranks: 12-node star"
check "rows: theirs" prints rows "             3 of MPI_Comm_split, 4 ranks each: 4-node ring (comm0, comm1, comm2)"
check "rows: one of them" prints rows "topology     4-node ring" --comm 1
check "rows: the star" prints rows "topology     12-node star" --comm MPI_COMM_WORLD
check "own: as the program says" prints own "declared     3x4 grid by refrain_topology_cart, MPI_COMM_WORLD: these are its coordinates"
check "own: its coordinates" holds own '.coordinates[11] == [0, 0] and .coordinates[0] == [2, 3]'
check "wrong: not taken" prints wrong "topology     4x3 grid"
check "several: one pattern" prints several "layers       1: 4x3 grid, 93.9 % of the messages, 88.5 % of the bytes"
check "several: the other one" prints several "             2: 12-node binomial tree, 6.1 % of the messages, 11.5 % of the bytes"
check "several: in coordinates" prints several "                MPI_Send tag 7; in the coordinates of 1: (1,0) (2,0) (0,1) (0,2)"
check "several: layers as JSON" holds several '.layers | length == 2 and .[0].coordinates[7] == [3, 1] and .[1].labels[0].tag == 7'
phase() { "$refrain" topology --phases several.refrain >said && grep -qE "^[a-z ]{12} [0-9.-]+ +$1" said || { cat said; return 1; }; }
check "several: at first" phase "4x3 grid, 93.9 % of the messages"
check "several: then" phase "12-node binomial tree, 6.1 % of the messages"
finish
