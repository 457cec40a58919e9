#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Times: clocks, time stamps in causal order, threads with their own times, and a rank that left
# nothing.
. "${srcdir:=$(dirname "$0")/../..}/tests/otf2/archive.sh"

check "stencil2d: compiles" build stencil2d
check "stencil2d: a trace" record stencil2d 4
check "stencil2d: an archive" export_to archive stencil2d.refrain
cp printed by_default
check "causal: an archive" export_to causal stencil2d.refrain --clock causal
check "causal: nothing is received before it was sent" walk causal/traces.otf2 stencil2d.json causal
cp printed by_causal
check "linear: an archive" export_to archive stencil2d.refrain --clock linear
either() { cmp by_default by_causal || cmp by_default printed; }
check "one of both is the default" either
timed() { # PROGRAM TIMING RANKS [ARGUMENT]: makes timed.refrain
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$3" "$refrain" record --timing "$2" -o timed.refrain "./$1" $4 >output 2>&1 </dev/null &&
        "$refrain" stat --json timed.refrain >timed.json || { cat output; return 1; }
}
check "crowd: compiles" build crowd
for name in stencil2d crowd; do
    for timing in lossless lossy quantum:1us quantum:1ms; do
        check "$name, $timing: a trace" timed $name $timing 4
        rm -rf timed
        check "$name, $timing: an archive" "$refrain" otf2 --clock causal -o timed timed.refrain
        check "$name, $timing: messages and calls, in order" walk timed/traces.otf2 timed.json causal
        check "$name, $timing: time stamps are not synthetic" has_not 'REFRAIN::TIME_STAMPS.synthetic' timed/traces.otf2
    done
done

# ---- several threads of a rank, with times of their own
check "threads: is built" built threads
check "threads with times: a trace" timed threads lossless 2 "$tmp/expected"
for clock in linear causal; do
    rm -rf timed
    check "threads with times, $clock: an archive" "$refrain" otf2 --clock $clock -o timed timed.refrain
    check "threads with times, $clock: messages and calls" walk timed/traces.otf2 timed.json
    check "threads with times, $clock: a timeline" "$refrain" timeline --clock $clock -o timed.svg timed.refrain
done
check "threads with times: messages for Perfetto have two ends" arrows timed
check "threads with times: causality" "$refrain" info --causality timed.refrain

# ---- a rank that left nothing
gone() {
    cat >gone.c <<'EOF3' && "$mpicc" -o gone gone.c || return 1
#include <mpi.h>
#include <signal.h>
int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank != 1)
        MPI_Pcontrol(2);
    MPI_Barrier(MPI_COMM_WORLD);
    switch (rank) {
    case 0: return MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    case 1: return raise(SIGKILL);
    case 2: return MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    case 3: return MPI_Win_fence(0, window);
    default: return MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
}
EOF3
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 5 "$refrain" record -o gone.refrain ./gone >output 2>&1 </dev/null
    "$refrain" merge gone.refrain.parts >said 2>&1 && "$refrain" text --rank 1 gone.refrain >calls || { cat output said; return 1; }
    [ ! -s calls ] || { echo "rank 1 left something"; return 1; }
}
# … and the others never return from their communication with it
check "a rank that left nothing: a trace" gone
gone_archive() {
    "$refrain" otf2 --synthetic-time -o gone.otf2 gone.refrain && otf2-print gone.otf2/traces.otf2 >printed 2>said && [ ! -s said ] ||
        { cat said; return 1; }
}
check "a rank that left nothing: an archive" gone_archive
check "a rank that left nothing: events of the others" grep -q '^ENTER  *2 ' printed
finish
