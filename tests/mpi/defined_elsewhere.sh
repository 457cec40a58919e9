#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI procedures that the program or another tool defines, too: a message says which definition is
# not called.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
refrain=$(realpath "$refrain") || exit 1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

cat >program.c <<'END'
#include <mpi.h>
static int (*volatile barrier)(MPI_Comm) = MPI_Barrier; /* its address may be one in the program */
int main(void)
{
    int rank;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
cat >tool.c <<'END'
#include <mpi.h>
#include <stdio.h>
int MPI_Barrier(MPI_Comm comm) { printf("tool\n"); return PMPI_Barrier(comm); }
int MPI_Comm_rank(MPI_Comm comm, int *rank) { return PMPI_Comm_rank(comm, rank); }
END
build() {
    "$mpicc" -o plain program.c && "$mpicc" -no-pie -fno-pic -o address program.c && "$mpicc" -o own program.c tool.c &&
        "$mpicc" -shared -fPIC -o libtool.so tool.c
}
run() { timeout "$limit" "$mpirun" $flags -n 2 "$@" >said 2>&1 </dev/null; status=$?; cat said; return $status; }
barriers() { "$refrain" text -r 1 -f MPI_Barrier "$1" | wc -l; }
silent() { run "$refrain" record -o t.refrain "$1" && [ ! -s said ] && [ "$(barriers t.refrain)" -eq 2 ]; }
# mpirun may put the words of two ranks on one line.
tools() { grep -o tool said | wc -l; }
# Checks the tool's output, the number of traced calls, and the single warning.
in_front() {
    run "$refrain" record -o t.refrain ./own && [ "$(tools)" -eq 4 ] && [ "$(barriers t.refrain)" -eq 0 ] &&
        [ "$(grep -c 'own defines MPI procedures before the tracer, .*: MPI_Barrier, MPI_Comm_rank$' said)" -eq 1 ]
}
behind() {
    run env LD_PRELOAD="$tmp/libtool.so" "$refrain" record -o t.refrain ./plain && [ "$(grep -c '^tool' said)" -eq 0 ] &&
        [ "$(barriers t.refrain)" -eq 2 ] &&
        [ "$(grep -c 'libtool.so defines MPI procedures after the tracer, .*: MPI_Barrier, MPI_Comm_rank$' said)" -eq 1 ]
}
check "programs" build
check "none: nothing is said" silent ./plain
check "a procedure's address: nothing is said" silent ./address
check "the program's own" in_front
check "another tool" behind
finish
