#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How fast does `refrain waits` analyse a trace, and in how much memory? A call is two events.
#
#   [NPB=DIR] [RUNS=5] [EVENTS="10000000 100000000"] bench/waits_rate.sh
#       in the build directory; prints a table for RESULTS.md
#
# For each program: events; CPU seconds, with one thread, of the search alone (`--csv`) and of the page, which
# also has the reasons; millions of events a CPU second; seconds of the page with one and with two
# threads, in turn, and their ratio; the largest memory. Medians of RUNS runs (of traces from 10^7 events on:
# one run). EVENTS: sizes of a long trace, of a stencil on two ranks. The programs' times are `lossy`.
# See common.sh and npb.sh for the rest of the environment.
REFRAIN_TIMING=lossy
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"
export REFRAIN_TIME_BUDGET=none
runs=${RUNS:-5} events=${EVENTS-10000000 100000000}
for program in waits_rate peak; do
    "$mpicc" -O2 -g -o "$work/$program" "$srcdir/bench/$program.c" || die "cannot compile $program.c"
done
"$mpicc" -O2 -g -o "$work/sweep" "$srcdir/examples/sweep.c" -lm || die "cannot compile sweep.c"
"$mpicc" -O2 -g -o "$work/stencil2d" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm || die "cannot compile stencil2d.c"

# timed THREADS NAME OPTION…: prints "CPU WALL" seconds of one run
timed() {
    threads=$1 name=$2
    shift 2
    REFRAIN_THREADS=$threads bash -c 'TIMEFORMAT="%U %S %R"; { time "$@" >"$0.out" 2>"$0.err"; } 2>"$0"' "$work/time" \
        "$work/peak" "$work/$name.peak" "$refrain" waits "$@" "$work/$name.refrain" || die "waits $name failed"
    awk '{ print $1 + $2, $3 }' "$work/time"
}

# row NAME RANKS RUNS: prints a line of the table
row() {
    name=$1 row_ranks=$2 row_runs=$3
    rm -f "$work/$name.peak" "$work"/search "$work"/page.*
    for _ in $(seq "$row_runs"); do
        timed 1 "$name" --csv >>"$work/search"
        for threads in 1 2; do timed $threads "$name" >>"$work/page.$threads"; done
    done
    middle() { awk -v n="$2" '{ print $n }' "$work/$1" | median; }
    awk -v name="$name" -v ranks="$row_ranks" -v events="$(info "$name" '.calls * 2')" -v search="$(middle search 1)" -v page="$(middle page.1 1)" \
        -v one="$(middle page.1 2)" -v two="$(middle page.2 2)" -v peak="$(sort -n "$work/$name.peak" | tail -1)" 'BEGIN {
            printf "| %s | %d | %d | %.2f | %.1f | %.2f | %.1f | %.2f | %.2f | %.2f | %.0f |\n", name, ranks, events, search, events / search / 1e6,
                page, events / page / 1e6, one, two, one / two, peak / 1024 }'
}

echo "| program | ranks | events | search, s | million/s | page, s | million/s | 1 thread, s | 2 threads, s | ratio | MB |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
if [ -n "${NPB-}" ] && npb_compilable lu; then
    (npb_prepare && npb_build lu W && npb_build bt W) || exit 2
    trace lu.W 8 "$work/npb/bin/lu.W.x"
    row lu.W 8 "$runs"
    trace bt.W 64 "$work/npb/bin/bt.W.x"
    row bt.W 64 "$runs"
fi
trace sweep 16 "$work/sweep" --grid=4x4 --iterations=200 --planes=40 --block=2
row sweep 16 "$runs"
trace alltoall 16 "$work/waits_rate" alltoall 20000
row alltoall 16 "$runs"
trace random 16 "$work/waits_rate" random 20000
row random 16 "$runs"
for n in $events; do
    trace "stencil2d" 2 "$work/stencil2d" --grid=1x2 --cells=2 --check=100 --iterations=$((n / 36))
    row stencil2d 2 1
done
