#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How much longer does a call take if its own times are kept? Loops of bench/call_cost.c, one rank.
#
#   [N="300000 6000000"] [RUNS=7] bench/time_cost.sh      in the build directory; prints a table for RESULTS.md
#
# Nanoseconds of CPU time per call, without the tracer, with aggregates, and the addition to
# aggregates in each mode; medians of runs in turn. The first length stays in memory until
# MPI_Finalize, the second is coded while the program runs. See common.sh for the environment.
. "$(dirname "$0")/common.sh"

runs=${RUNS:-7}
modes="aggregate lossy quantum:1us lossless"
"$mpicc" -O2 -pthread -I"$srcdir/src/user" -o "$work/call_cost" "$srcdir/bench/call_cost.c" || die "cannot compile call_cost.c"

# run LOG COMMAND…: appends the nanoseconds
run() {
    log=$1
    shift
    "$mpirun" $flags -n 1 "$@" </dev/null | awk -v case="$name" '$1 == case { print $2 }' >>"$log" || die "$* failed"
}

echo "| call | calls | untraced, ns | aggregates | beyond them: lossy | quantum:1us | lossless |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for name in comm_rank exchange; do
    for n in ${N:-300000 6000000}; do
        rm -f "$work"/cost.*
        for _ in $(seq "$runs"); do
            run "$work/cost.none" "$work/call_cost" "$n" $name
            for mode in $modes; do
                rm -f "$work/trace.refrain"
                REFRAIN_TIMING=$mode run "$work/cost.$mode" "$refrain" record -o "$work/trace.refrain" "$work/call_cost" "$n" $name
            done
        done
        none=$(median <"$work/cost.none") aggregate=$(median <"$work/cost.aggregate")
        printf '| %s | %s | %.1f | %.1f |' $name "$n" "$none" "$aggregate"
        for mode in lossy quantum:1us lossless; do
            median <"$work/cost.$mode" | awk -v a="$aggregate" '{ printf " %.1f |", $1 - a }'
        done
        echo
    done
done
