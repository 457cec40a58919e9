#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program's heap has the layout that it has without the tracer: the tracer's own memory comes
# from separate pages.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

build() { "$mpicc" -O1 -w -o "$tmp/$1" "$srcdir/tests/mpi/$1.c"; }
start() { LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags "$@" </dev/null; }
record() { rm -rf "$tmp/trace.refrain" && start -n "$1" "$refrain" record -o "$tmp/trace.refrain" "$2" "$3"; }

# MPI libraries put names and numbers of processes and environment variables into their heaps, so
# runs differ by some hundred bytes.
untraced() { for run in 1 2 3; do start -n 1 "$tmp/heap" "$tmp/untraced.$run" || return 1; done; }

# alike FILE: checks that at each point the heap is as large as in an untraced run, within two pages
alike() {
    for run in 1 2 3; do
        paste -d' ' "$tmp/untraced.$run.0" "$1" | awk '
            function far(a, b, most) { return a - b > most || b - a > most }
            { if ($1 != $3 || far($2, $4, 8192)) { print; wrong = 1 } }
            END { exit wrong || NR < 7 }' && return
    done
    return 1
}

traced() { record 1 "$tmp/heap" "$tmp/traced" && alike "$tmp/traced.0"; }
traced_without_memory() { REFRAIN_MEMORY=off traced; }

all_attached() { start -n 2 "$@" "$tmp/attached" >"$tmp/attached.out" && [ "$(sort -u "$tmp/attached.out")" = 250 ]; }
attached() { rm -f "$tmp/trace.refrain" && all_attached "$refrain" record -o "$tmp/trace.refrain"; }

check "heap.c compiles" build heap
check "attached.c compiles" build attached
check "untraced" untraced
check "traced: the heap is as it was" traced
check "traced without symbols of memory: the heap is as it was" traced_without_memory
check "untraced: 250 blocks are attached" all_attached
check "traced: 250 blocks are attached" attached
finish
