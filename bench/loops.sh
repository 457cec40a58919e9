#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How large are loop models and models of whole programs? Does the time to make them depend on the
# number of iterations? How fast are events modelled?
#
#   [NPB=DIR] bench/loops.sh      in the build directory; prints tables for RESULTS.md; exit status 1
#                                 if a bound is not met
#
#   NPB       the NAS Parallel Benchmarks, see npb.sh; NPB_PROGRAMS (bt cg lu mg sp) chooses; class
#             W on RANKS (4 16 64) of them
#   TRACES    a directory with existing traces of them, PROGRAM.W.RANKS.refrain, which are used
#   STENCIL   ranks of a stencil, a square number (64)
#   MANY      ranks of programs that exist only as calls (64 256 1024 4096), see model_scale.c
#   RUNS      runs of each rate, whose median counts (5)
#
# A model's size is that of its text, without remarks. Making loop models may take 1.2 times the
# instructions (by valgrind) for a million times the iterations. The model of a program may take 10
# s, and with four times the ranks 1.6 times the instructions per rank. A rate is events divided by
# CPU time, including system time; regular events must reach 5 million per second. See common.sh for
# the rest of the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

runs=${RUNS:-5} least_rate=5
most_growth=1.2 iterations='1000 10000 100000' most_seconds=10
stencil=${STENCIL:-64}
many=${MANY:-64 256 1024 4096} most_rank_growth=1.6
failed=0

"$mpicc" -O2 -o "$work/decode_rate" "$srcdir/bench/decode_rate.c" || die "cannot compile decode_rate.c"
"$mpicc" -O2 -o "$work/stencil2d" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm || die "cannot compile stencil2d.c"
"$mpicc" -O2 -o "$work/sweep" "$srcdir/examples/sweep.c" || die "cannot compile sweep.c"

# ---- sizes

# text_size COMMAND ARGUMENT…: prints the bytes of a model without remarks
text_size() { "$refrain" "$@" | grep -v '^#' | wc -c; }

# recorded NAME: copies an existing trace if there is one
recorded() { [ -n "${TRACES-}" ] && [ -f "$TRACES/$1.refrain" ] && cp "$TRACES/$1.refrain" "$work"; }

# put_sizes PROGRAM NAME RANKS: prints rows of two tables about $work/NAME.refrain; a loop is wide
# if all ranks are in it
put_sizes() {
    file=$work/$2.refrain
    set -- "$1" "$2" "$3" $(for rank in $(seq 0 $(($3 - 1))); do text_size loops --rank "$rank" "$file"; done | sort -n | sed -n '1p;$p')
    events=$("$refrain" loops --expand "$file" | wc -l)
    echo "| $1 | $3 | $((events / $3)) | $4 | $5 | $(text_size loops "$file") | $("$refrain" loops --calls "$file" | grep -v '^#' | wc -c) |"
    for _ in $(seq "$runs"); do
        bash -c 'TIMEFORMAT=%R; { time "$0" model "$1" >"$2" 2>&3; } 3>&2 2>&1' "$refrain" "$file" "$work/model"
    done | median >"$work/seconds"
    "$refrain" model --json "$file" | jq -r --argjson ranks "$3" '
        [.constructs[] | select(.kind == "loop" and (.processes | length == $ranks))] |
        [length, (map(.count[0]) | max // 0)] | join(" ")' >"$work/wide"
    read -r wide longest <"$work/wide"
    verdict=$(awk "BEGIN { print $(cat "$work/seconds") <= $most_seconds ? \"good\" : \"TOO SLOW\" }")
    [ "$verdict" = good ] || failed=1
    echo "| $1 | $3 | $(wc -c <"$work/model") | $(($(wc -c <"$work/model") / $3)) | $(wc -l <"$work/model") | $wide | $longest | $(cat "$work/seconds") | $verdict |" >>"$work/models"
}

: >"$work/models"
echo "| program | ranks | events a rank | smallest model, bytes | largest | all models, bytes | of all calls (\`--calls\`) |"
echo "|---|---:|---:|---:|---:|---:|---:|"
if [ -n "${NPB-}" ]; then
    npb_prepare
    for program in ${NPB_PROGRAMS:-bt cg lu mg sp}; do
        npb_compilable "$program" || { echo "| $program | | | | | | skipped: no $mpifort |"; continue; }
        for ranks in ${RANKS:-4 16 64}; do
            name=$program.W.$ranks
            recorded "$name" || {
                [ -x "bin/$program.W.x" ] || npb_build "$program" W
                trace "$name" "$ranks" "bin/$program.W.x"
            }
            put_sizes "$program.W" "$name" "$ranks"
        done
    done
else
    echo "| NAS | | | | | | skipped: set NPB |"
fi
trace sweep 8 "$work/sweep" --grid=2x4
put_sizes sweep sweep 8
side=$(awk "BEGIN { print sqrt($stencil) }")
recorded "stencil2d.$stencil" ||
    trace "stencil2d.$stencil" "$stencil" "$work/stencil2d" --cells=4 --grid="${side}x$side" --iterations=20 --check=5
put_sizes stencil2d "stencil2d.$stencil" "$stencil"

echo
echo "| program | ranks | model, bytes | by rank | lines | loops of all ranks | iterations of the longest | s | |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---|"
cat "$work/models"

# ---- iterations

echo
if command -v valgrind >/dev/null; then
    echo "| program | 1,000 iterations | 10,000 | 100,000 | |"
    echo "|---|---:|---:|---:|---|"
    growth loops "$iterations" stencil2d 4 "$work/stencil2d" --cells=4 --grid=2x2 --iterations=
    growth loops "$iterations" collectives 2 "$work/decode_rate" collectives
    growth loops "$iterations" lengths 1 "$work/decode_rate" lengths
    growth loops "$iterations" alternating 1 "$work/decode_rate" alternating
    # Calls recorded without MPI (tests/cli/make_trace.c): ten minutes for 10^9 iterations.
    echo
    echo "| | 1,000 iterations | 1,000,000 | 1,000,000,000 | |"
    echo "|---|---:|---:|---:|---|"
    long='1000 1000000 1000000000'
    for n in $long; do
        recorded "made.$n" || "$top_builddir/tests/cli/make_trace" "$work/made.$n.refrain" - 1 "$n" ||
            die "cannot make a trace: make tests/cli/make_trace first"
    done
    for command in loops model; do
        row="| \`$command\` of a ring of one, tags and counts go up |" first=
        for n in $long; do
            i=$(instructions $command "$work/made.$n.refrain")
            first=${first:-$i}
            row="$row $i |"
        done
        judge "$first" "$i"
        echo "$row $verdict |"
    done
else
    echo "Instructions of \`refrain loops\`: skipped, no valgrind."
fi

# ---- events from a file

# rate NAME BOUND: measures the events in $work/NAME.events
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
# ---- ranks

# seconds_of FILE [VARIABLE=VALUE]: prints the median wall time of its model
seconds_of() {
    for _ in $(seq "$runs"); do
        env "REFRAIN_THREADS=${2-}" bash -c 'TIMEFORMAT=%R; { time "$0" model "$1" >"$2" 2>&3; } 3>&2 2>&1' "$refrain" "$1" "$work/model"
    done | median
}

# put_ranks PROGRAM: prints a row for each number of ranks
put_ranks() {
    before=
    for n in $many; do
        file=$work/$1.$n
        "$top_builddir/bench/model_scale" "$1" "$n" 100 "$file" || die "cannot make the trace of $n ranks"
        rm -f "$work/peaks"
        "$work/peak" "$work/peaks" "$refrain" model "$file" >"$work/all" || die "no model of $1 on $n ranks"
        REFRAIN_THREADS=1 "$refrain" model "$file" | cmp -s - "$work/all" || die "another model of $1 on $n ranks with one thread"
        each=$(command -v valgrind >/dev/null && REFRAIN_THREADS=1 instructions model "$file" | awk -v n="$n" '{ printf "%d", $1 / n / 1000 }')
        one=$(seconds_of "$file" 1) all=$(seconds_of "$file")
        verdict=$(awk -v s="$one" -v most="$most_seconds" -v each="$each" -v before="$before" -v growth="$most_rank_growth" \
            'BEGIN { print (s > most ? "TOO SLOW" : before != "" && each > before * growth ? "GROWS" : "good") }')
        [ "$verdict" = good ] || failed=1
        echo "| $1 | $n | $one | $all | ${each:--} | $(awk '{ printf "%.1f", $1 / 1024 }' "$work/peaks") | $(wc -l <"$work/all") | $verdict |"
        before=$each
    done
}

cc -O2 -o "$work/peak" "$srcdir/bench/peak.c" || die "cannot compile peak.c"
[ -x "$top_builddir/bench/model_scale" ] || make -s --no-print-directory -C "$top_builddir" bench/model_scale ||
    die "cannot build model_scale"
echo
echo "| program | ranks | s with one thread | s with $(nproc) | thousand instructions by rank | memory, MB | lines | |"
echo "|---|---:|---:|---:|---:|---:|---:|---|"
for program in torus stencil sweep random pairs master chain; do
    put_ranks "$program"
done
[ $failed -eq 0 ]
