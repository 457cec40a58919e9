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

# alike FILE: checks that at each point the heap is as large as in an untraced run, and that the
# program's blocks lie where they do there, within two pages. A few may lie in other holes.
alike() {
    for run in 1 2 3; do
        paste -d' ' "$tmp/untraced.$run.0" "$1" | awk '
            function far(a, b) { return a - b > 8192 || b - a > 8192 }
            $1 != $6 || far($2, $7) { print; wrong = 1 }
            far($3, $8) { print; elsewhere++ }
            END { exit wrong || NR < 21 || elsewhere > NR / 4 }' && return
    done
    return 1
}

traced() { record 1 "$tmp/heap" "$tmp/traced" && alike "$tmp/traced.0"; }
traced_without_memory() { REFRAIN_MEMORY=off traced; }

# The blocks that are there after MPI_Init, and how many are allocated later. (In MPI_Init, the MPI
# library allocates some for each environment variable, and frees them.) In Open MPI, the blocks of
# MPI_Init vary by one or two.
case ${MPI_NAME-} in openmpi) vary=8 ;; *) vary=0 ;; esac
preload() { yield=$tmp/blocks.so "$@"; }
blocks() { awk '$1 == "init" { there = $5; before = $4 } $1 == "messages" { print $4 - before, there }' "$1"; }
as_many_blocks() {
    preload start -n 1 "$tmp/heap" "$tmp/plain" && preload record 1 "$tmp/heap" "$tmp/recorded" &&
        blocks "$tmp/plain.0" >plain && blocks "$tmp/recorded.0" >recorded &&
        paste -d' ' plain recorded | awk -v vary=$vary '
            $1 != $3 || $2 - $4 > vary || $4 - $2 > vary { print; wrong = 1 }
            END { exit wrong || NR != 12 }'
}

all_attached() { start -n 2 "$@" "$tmp/attached" >"$tmp/attached.out" && [ "$(sort -u "$tmp/attached.out")" = 250 ]; }
attached() { rm -f "$tmp/trace.refrain" && all_attached "$refrain" record -o "$tmp/trace.refrain"; }

check "heap.c compiles" build heap
check "heap_blocks.c compiles" "$mpicc" -shared -fPIC -o "$tmp/blocks.so" "$srcdir/tests/mpi/heap_blocks.c"
check "attached.c compiles" build attached
check "untraced" untraced
check "traced: the heap is as it was" traced
check "traced without symbols of memory: the heap is as it was" traced_without_memory
check "traced: as many blocks are there and were allocated" as_many_blocks
check "untraced: 250 blocks are attached" all_attached
check "traced: 250 blocks are attached" attached
finish
