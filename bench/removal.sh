#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How well does `refrain waits` predict what a run would take without a delay? Compares with a run
# of the same program without it.
#
#   [RUNS=5] bench/removal.sh      in the build directory; prints a table for RESULTS.md
#
# The prediction is that of the first finding (removal.c has one delay in each program). Times begin
# after MPI_Init, in seconds; medians of alternating runs with and without the delay. See common.sh
# for the environment.
REFRAIN_TIMING=lossless
. "$(dirname "$0")/common.sh"
runs=${RUNS:-5}
"$mpicc" -std=c11 -D_GNU_SOURCE -O2 -g -o "$work/removal" "$srcdir/bench/removal.c" || die "cannot compile removal.c"

# column FILE N: prints minimum, median and maximum of a column
column() { awk -v n="$2" '{ print $n }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[1], v[int((NR + 1) / 2)], v[NR] }'; }

echo "| program | run | without the delay: predicted | measured | gain: predicted | measured | prediction off by |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for program in imbalance once serial alternates pipeline two neighbours; do
    : >"$work/times"
    for _ in $(seq "$runs"); do
        trace late 4 "$work/removal" "$program" yes
        trace even 4 "$work/removal" "$program" no
        "$refrain" waits --json "$work/late.refrain" >"$work/late.json" && "$refrain" critical --json "$work/even.refrain" >"$work/even.json" ||
            die "$program: not analysed"
        echo "$(jq -r '.causes[0].because | "\(.run_seconds) \(.without_seconds)"' "$work/late.json") $(jq .efficiency.seconds "$work/even.json")" >>"$work/times"
    done
    echo "$(column "$work/times" 1) $(column "$work/times" 2) $(column "$work/times" 3)" | awk -v name="$program" '
        { printf "| %s | %.3f | %.3f (%.3f to %.3f) | %.3f (%.3f to %.3f) | %.3f | %.3f | %+.1f %% |\n", name, $2, $5, $4, $6, $8, $7, $9, $2 - $5, $2 - $8, 100 * ($5 / $8 - 1) }'
done
