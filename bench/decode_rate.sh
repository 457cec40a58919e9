#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How fast are traces read? Calls and bytes per second of `refrain text` into a pipe; instructions of
# `refrain stat` by iterations.
#
#   [NPB=DIR] [OLD=PROGRAM] bench/decode_rate.sh      in the build directory; prints tables for
#                                               RESULTS.md; exit status 1 if a bound is not met
#
#   NPB    the NAS Parallel Benchmarks, see npb.sh; NPB_PROGRAMS (cg lu mg bt) chooses; class W on
#          RANKS (16) of them
#   OLD    another build's `refrain`, measured in turn with this one
#   RUNS   number of runs, whose median counts (5)
#
# A rate is calls divided by the CPU time of `refrain` alone, including system time; wall time is
# printed, too. Bound: 5 million calls per second, for programs that make enough calls. `stat` is
# measured with valgrind, if it is installed, and may take 1.2 times the instructions for a thousand
# times the iterations. See common.sh for the rest of the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

runs=${RUNS:-5} npb_ranks=${RANKS:-16}
least_calls=100000 least_rate=5 # millions
most_growth=1.2 iterations='1000 10000 100000 1000000'
failed=0

for program in decode_rate irregular; do
    "$mpicc" -O2 -o "$work/$program" "$srcdir/bench/$program.c" || die "cannot compile $program.c"
done
"$mpicc" -O2 -o "$work/stencil2d" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm || die "cannot compile stencil2d.c"

# timed REFRAIN NAME OPTION…: prints "CPU WALL" seconds of one run into a pipe
timed() {
    reader=$1 name=$2
    shift 2
    bash -c 'TIMEFORMAT="%U %S %R"; reader=$1; file=$2; shift 2; { time "$reader" text "$@" "$file" 2>&3; } 3>&2 2>"$0" | cat >/dev/null' \
        "$work/time" "$reader" "$work/$name.refrain" "$@" || die "$reader text $name failed"
    awk '{ print $1 + $2, $3 }' "$work/time"
}

# rate NAME OPTION…: prints a line of the table
rate() {
    name=$1
    shift
    rm -f "$work"/cpu.* "$work"/wall.*
    for _ in $(seq "$runs"); do
        for reader in "$refrain" ${OLD-}; do
            timed "$reader" "$name" "$@" >"$work/both"
            case $reader in "$refrain") which=new ;; *) which=old ;; esac
            awk '{ print $1 }' "$work/both" >>"$work/cpu.$which"
            awk '{ print $2 }' "$work/both" >>"$work/wall.$which"
        done
    done
    bytes=$("$refrain" text "$@" "$work/$name.refrain" | wc -c)
    old=-
    [ -z "${OLD-}" ] || old=$(median <"$work/cpu.old")
    awk -v name="$name" -v options="$*" -v calls="$(info "$name" .calls)" -v bytes="$bytes" -v cpu="$(median <"$work/cpu.new")" \
        -v wall="$(median <"$work/wall.new")" -v old="$old" -v least="$least_rate" -v enough="$least_calls" 'BEGIN {
            cpu = cpu > 0 ? cpu : 0.001 # resolution of the clock
            millions = calls / cpu / 1e6
            few = (calls + 0 < enough + 0)
            before = old == "-" ? "" : sprintf(" %.1f |", calls / old / 1e6)
            verdict = few ? "too few" : "good"
            if (!few && millions < least)
                verdict = "TOO SLOW"
            printf "| %s | %s | %d | %.0f | %.3f | %.1f | %.0f | %.3f |%s %s |\n", name, options, calls, bytes / 1e6, cpu, millions,
                bytes / cpu / 1e6, wall, before, verdict
            exit (verdict == "TOO SLOW")
        }' || failed=1
}

trace stencil2d 4 "$work/stencil2d" --cells=4 --grid=2x2 --iterations=50000
trace collectives 4 "$work/decode_rate" collectives 50000
trace lengths 1 "$work/decode_rate" lengths 500000
trace few_tags 1 "$work/irregular" few_tags 1000000
trace all_tags 1 "$work/irregular" all_tags 1000000
trace counting_tags 1 "$work/irregular" counting_tags 500000
trace polls 1 "$work/irregular" polls 20000
trace wait_any 1 "$work/irregular" wait_any 300000
trace master_worker 4 "$work/irregular" master_worker 50000

echo "| program | options | calls | MB | CPU s | million calls/s | MB/s | wall s |${OLD:+ before, million calls/s |} |"
echo "|---|---|---:|---:|---:|---:|---:|---:|${OLD:+---:|}---|"
for name in stencil2d collectives lengths few_tags all_tags counting_tags polls wait_any master_worker; do
    rate $name
done
if [ -n "${NPB-}" ]; then
    npb_prepare
    for program in ${NPB_PROGRAMS:-cg lu mg bt}; do
        npb_compilable "$program" || { echo "| $program | | | | | | | |${OLD:+ |} skipped: no $mpifort |"; continue; }
        npb_build "$program" W
        trace "$program.W.$npb_ranks" "$npb_ranks" "bin/$program.W.x"
        rate "$program.W.$npb_ranks"
    done
else
    echo "| NAS | | | | | | | |${OLD:+ |} skipped: set NPB |"
fi
for name in stencil2d lengths; do
    rate $name --json
    rate $name --callsite
done

# ---- stat

echo
if command -v valgrind >/dev/null; then
    echo "| program | 1,000 iterations | 10,000 | 100,000 | 1,000,000 | |"
    echo "|---|---:|---:|---:|---:|---|"
    growth stat "$iterations" stencil2d 1 "$work/stencil2d" --cells=4 --grid=1x1 --periodic --iterations=
    growth stat "$iterations" collectives 1 "$work/decode_rate" collectives
    growth stat "$iterations" lengths 1 "$work/decode_rate" lengths
    growth stat "$iterations" alternating 1 "$work/decode_rate" alternating
    growth stat "$iterations" counting_tags 1 "$work/irregular" counting_tags
else
    echo "Instructions of \`refrain stat\`: skipped, no valgrind."
fi
[ $failed -eq 0 ]
