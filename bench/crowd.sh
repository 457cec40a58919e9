#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does a call cost if many ranks share a core, and how much of this is due to cache lines and
# pages?
#
#   [RUNS=3] [RANKS="2 16 64"] bench/crowd.sh      in the build directory; prints tables for RESULTS.md
#
# crowd.c exchanges with and without the tracer in turn. Results are medians of RUNS runs, each of
# which prints medians over 200 windows of 20 exchanges. The second table has no tracer: other work
# follows each call. See common.sh for the environment.
. "$(dirname "$0")/common.sh"

runs=${RUNS:-3}
"$mpicc" -O2 -o "$work/crowd" "$srcdir/bench/crowd.c" || die "cannot compile crowd.c"

# row LABEL RANKS COMMAND…: medians of what the runs print, "UNTRACED TRACED DIFFERENCE"
row() {
    label=$1 ranks=$2
    shift 2
    rm -f "$work/rows"
    for _ in $(seq "$runs"); do
        LD_PRELOAD=${yield-} "$mpirun" $flags -n "$ranks" "$@" >"$work/run.log" 2>&1 </dev/null || { tail -20 "$work/run.log" >&2; die "$* failed"; }
        grep -E '^[0-9.]+ [0-9.]+ -?[0-9.]+$' "$work/run.log" >>"$work/rows"
    done
    for field in 1 2 3; do
        awk -v field=$field '{ print $field }' "$work/rows" | median
    done | tr '\n' ' ' | awk -v label="$label" -v ranks="$ranks" '{ printf "| %s | %d | %.2f | %.2f | %.2f | %.2f |\n", label, ranks, $1, $2, $3, 1 + $3 / $1 }'
}

header() {
    echo "| $1 | ranks | without, µs a call | with | difference | ratio |"
    echo "|---|---:|---:|---:|---:|---:|"
}

header "the tracer"
for n in ${RANKS:-2 16 64}; do
    row "aggregates" "$n" "$refrain" record -o "$work/crowd.refrain" "$work/crowd"
done
echo
header "in its place"
for n in ${RANKS:-2 16 64}; do
    for what in "spin 300" "lines 30" "pages 30" "lines 200" "pages 100"; do
        row "$what" "$n" "$work/crowd" 200 $what
    done
done
