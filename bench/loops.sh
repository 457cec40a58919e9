#!/bin/sh
# How large are loop models, does making them depend on the number of iterations, and how fast are events modelled?
#
#   [NPB=DIR] bench/loops.sh      in the build directory; prints tables for RESULTS.md; exit status 1 if a bound is not kept
#
#   NPB    the NAS Parallel Benchmarks, see npb.sh; NPB_PROGRAMS (bt cg lu mg sp) chooses; class W on RANKS (4 16) of them
#   RUNS   of each rate, whose median counts (5)
#
# A model's size is that of its text, without remarks. Making a model may take 1.2 times the instructions (by valgrind) for a thousand times
# the iterations. A rate is events by CPU time, system time in it; at least 5 million a second are wanted where events are regular.
# See common.sh for the rest of the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

runs=${RUNS:-5} least_rate=5
most_growth=1.2 iterations='1000 10000 100000'
failed=0

"$mpicc" -O2 -o "$work/decode_rate" "$srcdir/bench/decode_rate.c" || die "cannot compile decode_rate.c"
"$mpicc" -O2 -o "$work/stencil2d" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm || die "cannot compile stencil2d.c"

# ---- sizes

# sizes NAME RANKS: the smallest and the largest model of a rank
sizes() {
    for rank in $(seq 0 $(($2 - 1))); do
        "$refrain" loops --rank "$rank" "$work/$1.refrain" | grep -v '^#' | wc -c
    done | sort -n | sed -n '1p;$p' | tr '\n' ' '
}

echo "| program | ranks | events a rank | smallest model, bytes | largest | all models, bytes | of all calls (\`--calls\`) |"
echo "|---|---:|---:|---:|---:|---:|---:|"
if [ -n "${NPB-}" ]; then
    npb_prepare
    for program in ${NPB_PROGRAMS:-bt cg lu mg sp}; do
        npb_compilable "$program" || { echo "| $program | | | | | | skipped: no $mpifort |"; continue; }
        npb_build "$program" W
        for ranks in ${RANKS:-4 16}; do
            name=$program.W.$ranks
            trace "$name" "$ranks" "bin/$program.W.x"
            set -- $(sizes "$name" "$ranks")
            events=$("$refrain" loops --expand "$work/$name.refrain" | wc -l)
            echo "| $program.W | $ranks | $((events / ranks)) | $1 | $2 | $("$refrain" loops "$work/$name.refrain" | wc -c) | $("$refrain" loops --calls "$work/$name.refrain" | wc -c) |"
        done
    done
else
    echo "| NAS | | | | | | skipped: set NPB |"
fi

# ---- iterations

echo
if command -v valgrind >/dev/null; then
    echo "| program | 1,000 iterations | 10,000 | 100,000 | |"
    echo "|---|---:|---:|---:|---|"
    growth loops "$iterations" stencil2d 4 "$work/stencil2d" --cells=4 --grid=2x2 --iterations=
    growth loops "$iterations" collectives 2 "$work/decode_rate" collectives
    growth loops "$iterations" lengths 1 "$work/decode_rate" lengths
    growth loops "$iterations" alternating 1 "$work/decode_rate" alternating
else
    echo "Instructions of \`refrain loops\`: skipped, no valgrind."
fi

# ---- events from a file

# rate NAME BOUND: of the events in $work/NAME.events
rate() {
    for _ in $(seq "$runs"); do
        bash -c 'TIMEFORMAT="%U %S"; { time "$0" loops --events "$1" >"$2" 2>&3; } 3>&2 2>&1' "$refrain" "$work/$1.events" "$work/model" |
            awk '{ print $1 + $2 }'
    done | median >"$work/cpu"
    awk -v name="$1" -v n="$(wc -l <"$work/$1.events")" -v cpu="$(cat "$work/cpu")" -v size="$(wc -c <"$work/model")" -v least="$2" 'BEGIN {
        rate = n / cpu / 1e6
        verdict = least == 0 ? "" : rate < least ? "TOO SLOW" : "good"
        printf "| %s | %d | %.2f | %.1f | %d | %s |\n", name, n, cpu, rate, size, verdict
        exit verdict == "TOO SLOW" }' || failed=1
}

"$refrain" loops --expand "$work/stencil2d.refrain" >"$work/stencil2d.events"
# Sixteen processes in turn, three loops deep.
awk 'BEGIN { for (t = 0; t < 300; t++) for (k = 0; k < 20; k++) for (p = 0; p < 16; p++) {
        for (j = 0; j < 6; j++) print p " send " (p + 1) % 16 " tag" j + 7 * k
        for (j = 0; j < 6; j++) print p " recv " (p + 15) % 16 " tag" j + 7 * k } }' >"$work/processes.events"
awk 'BEGIN { for (i = 0; i < 2000; i++) { for (j = 0; j < i; j++) print "0 send " j " tag" i; print "0 sync barrier all" } }' >"$work/triangle.events"
awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) print "0 send " int(1000 * rand()) " tag" int(1000 * rand()) }' >"$work/noise.events"

echo
echo "| events | | CPU s | million events/s | model, bytes | |"
echo "|---|---:|---:|---:|---:|---|"
rate stencil2d $least_rate
rate processes $least_rate
rate triangle $least_rate
rate noise 0
[ $failed -eq 0 ]
