#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How much time and memory does tracing cost whole programs?
#
#   NPB=DIR [PAIRS=10] bench/whole_programs.sh      in the build directory; prints tables for RESULTS.md
#
# The NAS Parallel Benchmarks (see npb.sh), class W, untraced and traced in turn. Time is the
# program's own measurement, and that of the whole command with its start and end: median, minimum
# and maximum. Bounds: 2 % on 2 ranks, a tenth for bt on 16 and 64. Memory is the largest of any
# rank; it may be 1 MB more. The exit status is 1 if a bound is not met. See common.sh for the
# environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

pairs=${PAIRS:-10}
few=${PAIRS_OF_MANY:-3} # pairs where ranks are more than processors
failed=0
[ -n "${NPB-}" ] || die "set NPB, see the head of bench/npb.sh"
cc -O2 -o "$work/peak" "$srcdir/bench/peak.c" || die "cannot compile peak.c"

# timed LOG RANKS COMMAND…: appends "SECONDS-OF-THE-PROGRAM SECONDS-OF-THE-COMMAND KILOBYTES"
timed() {
    log=$1 n=$2
    shift 2
    rm -f "$work/peaks"
    start=$(date +%s.%N)
    LD_PRELOAD=${yield-} "$mpirun" $flags -n "$n" "$work/peak" "$work/peaks" "$@" >"$work/run.log" 2>&1 </dev/null ||
        { tail -20 "$work/run.log" >&2; die "$* failed"; }
    end=$(date +%s.%N)
    echo "$(sed -n 's/^ *Time in seconds *= *//p' "$work/run.log") $(echo "$end $start" | awk '{ printf "%.4f", $1 - $2 }') $(sort -n "$work/peaks" | tail -1)" >>"$log"
}

# field LOG N least|median|most
field() {
    awk -v field="$2" '{ print $field }' "$1" | sort -n | awk -v which="$3" '{ v[NR] = $1 }
        END { print which == "least" ? v[1] : which == "most" ? v[NR] : v[int((NR + 1) / 2)] }'
}

# pairs PROGRAM RANKS PAIRS: writes $work/plain and $work/traced
run_pairs() {
    rm -f "$work/plain" "$work/traced"
    for _ in $(seq "$3"); do
        timed "$work/plain" "$2" "bin/$1.W.x"
        rm -f "$work/whole.refrain"
        timed "$work/traced" "$2" "$refrain" record -o "$work/whole.refrain" "bin/$1.W.x"
    done
}

# time_row PROGRAM RANKS PAIRS BOUND
time_row() {
    run_pairs "$1" "$2" "$3"
    for at in 1 2; do
        what=$([ $at = 1 ] && echo "of the program" || echo "of the command")
        awk -v label="$1.W" -v ranks="$2" -v n="$3" -v what="$what" -v bound="$4" -v t0="$(field "$work/plain" $at median)" -v t1="$(field "$work/traced" $at median)" \
            -v spread0="$(field "$work/plain" $at least)–$(field "$work/plain" $at most)" \
            -v spread1="$(field "$work/traced" $at least)–$(field "$work/traced" $at most)" 'BEGIN {
                good = t1 <= bound * t0
                printf "| %s | %d | %d | %s | %.3f | %s | %.3f | %s | %.3f | %s |\n", label, ranks, n, what, t0, spread0, t1, spread1, t1 / t0,
                    good ? "good" : "SLOWER"
                exit !good
            }' || failed=1
    done
}

npb_prepare
for program in lu cg mg bt; do
    npb_build $program W
done
echo "| program | ranks | pairs | seconds | untraced | from–to | traced | from–to | ratio | |"
echo "|---|---:|---:|---|---:|---|---:|---|---:|---|"
for program in lu cg mg; do
    time_row $program 2 "$pairs" 1.02
done
for ranks in 16 64; do
    time_row bt $ranks "$few" 1.1
done
echo
echo "| program | ranks | untraced, KB | traced, KB | added, KB | |"
echo "|---|---:|---:|---:|---:|---|"
for program in lu cg; do
    run_pairs $program 4 3
    awk -v label="$program.W" -v m0="$(field "$work/plain" 3 median)" -v m1="$(field "$work/traced" 3 median)" 'BEGIN {
        good = m1 - m0 <= 1024
        printf "| %s | 4 | %d | %d | %d | %s |\n", label, m0, m1, m1 - m0, good ? "good" : "MORE"
        exit !good
    }' || failed=1
done
[ $failed -eq 0 ]
