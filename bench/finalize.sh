#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long does MPI_Finalize take, and how much CPU time of all ranks, untraced and traced?
#
#   [NPB=DIR] bench/finalize.sh          in the build directory; prints a table for RESULTS.md
#
# Medians of RUNS (default 5) interleaved pairs of runs, on RANKS (16 64) ranks, from the entry of
# the last rank to the exit of the last rank (finalize.c). Programs: examples/stencil2d, 100,000
# random tags on each rank (irregular.c), and NPB_PROGRAMS (lu bt) of NPB (npb.sh), class W. See
# common.sh for the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

runs=${RUNS:-5}
ranks_list=${RANKS:-16 64}
timer=$work/finalize.so
export FINALIZE_LOG="$work/finalize.log"

"$mpicc" -D_GNU_SOURCE -O2 -shared -fPIC -o "$timer" "$srcdir/bench/finalize.c" -ldl || die "cannot compile finalize.c"

# time_run OUT RANKS COMMAND…: appends "WALL CPU" to OUT
time_run() {
    out=$1 n=$2
    shift 2
    rm -f "$FINALIZE_LOG"
    "$mpirun" $flags -n "$n" "$@" >"$work/run.log" 2>&1 </dev/null || { tail -20 "$work/run.log" >&2; die "$* failed"; }
    awk '{ came = $2 > came ? $2 : came; went = $3 > went ? $3 : went; cpu += $4 }
        END { printf "%.6f %.6f\n", went - came, cpu }' "$FINALIZE_LOG" >>"$out"
}

median() {
    awk -v field="$2" '{ print $field }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# measure LABEL PROGRAM ARGUMENT…
measure() {
    label=$1
    shift
    for ranks in $ranks_list; do
        rm -f "$work/plain" "$work/traced"
        for _ in $(seq "$runs"); do
            time_run "$work/plain" "$ranks" env LD_PRELOAD="$timer" "$@"
            # The timer must come before the tracer, and record puts the tracer before all preloaded
            # libraries.
            time_run "$work/traced" "$ranks" "$refrain" record -o "$work/finalize.refrain" \
                sh -c "LD_PRELOAD='$timer':\$LD_PRELOAD exec \"\$0\" \"\$@\"" "$@"
        done
        echo "$label $ranks $(median "$work/plain" 1) $(median "$work/traced" 1) $(median "$work/plain" 2) $(median "$work/traced" 2)" |
            awk '{ printf "| %s | %d | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f |\n", $1, $2, $3, $4, $4 / $3, $5, $6, $6 / $5 }'
    done
}

echo "| program | ranks | untraced, s | traced, s | ratio | untraced, s of CPU | traced, s of CPU | ratio |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|"
make -s examples/stencil2d || die "cannot build examples/stencil2d"
measure stencil2d examples/stencil2d --iterations=100 --cells=4
"$mpicc" -O2 -o "$work/irregular" "$srcdir/bench/irregular.c" || die "cannot compile irregular.c"
measure few_tags "$work/irregular" few_tags 100000
if [ -n "${NPB-}" ]; then
    npb_prepare
    for program in ${NPB_PROGRAMS:-lu bt}; do
        npb_build "$program" W
        measure "$program.W" "bin/$program.W.x"
    done
else
    echo "| NAS | skipped: set NPB |"
fi
