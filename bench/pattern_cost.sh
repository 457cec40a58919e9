#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does each pattern add to the search for waiting? Instructions for each event (a call is two) of
# `refrain waits --csv`, and how many fewer there are if the pattern gets no events.
#
#   [NPB=DIR] bench/pattern_cost.sh     in the build directory; prints a table for RESULTS.md
#
# Traces: LU of class S on 8 ranks (with NPB), a sweep on a 4x4 grid, and the program of tests/waits that has
# most kinds of waiting. Patterns below LEAST instructions in all traces are one row.
REFRAIN_TIMING=lossy
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"
LEAST=${LEAST:-5}
command -v valgrind >/dev/null || die "needs valgrind (Debian: apt-get install valgrind)"
make -s bench/pattern_cost || exit 2
"$mpicc" -O2 -g -o "$work/sweep" "$srcdir/examples/sweep.c" -lm || die "cannot compile sweep.c"
"$mpicc" -O2 -g -D_GNU_SOURCE -o "$work/known" "$srcdir/tests/waits/known.c" -lpthread || die "cannot compile known.c"
traces=
if [ -n "${NPB-}" ] && npb_compilable lu; then
    (npb_prepare && npb_build lu S) || exit 2
    trace lu.S 8 "$work/npb/bin/lu.S.x"
    traces=lu.S
fi
trace sweep 16 "$work/sweep" --grid=4x4 --iterations=20 --planes=40 --block=2
trace known 4 "$work/known" "$work/known.said"
traces="$traces sweep known"

# count TRACE WITHOUT: prints the instructions of a search
count() {
    REFRAIN_THREADS=1 WITHOUT=$2 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        bench/pattern_cost waits --csv "$work/$1.refrain" 2>&1 >/dev/null | sed -n 's/.*Collected *: *//p'
}

for trace in $traces; do
    echo "events $trace $(info "$trace" '.calls * 2')"
    for name in none all $(WITHOUT='?' bench/pattern_cost waits "$work/$trace.refrain"); do
        echo "$name $trace $(count "$trace" "$name")"
    done
done >"$work/counts"
awk -v traces="$traces" -v least="$LEAST" '
    function row(name, text, i) {
        text = "| " name " |"
        for (i = 1; i <= n; i++) text = text sprintf(" %.1f |", value[name, trace[i]])
        print text
    }
    BEGIN { n = split(traces, trace, " ") }
    !($1 in seen) { seen[$1] = 1; names[++rows] = $1 }
    { count[$1, $2] = $3 }
    END {
        head = "| without |"; line = "|---|"
        for (i = 1; i <= n; i++) { head = head " " trace[i] " |"; line = line "---:|" }
        print head; print line
        for (r = 1; r <= rows; r++) {
            name = names[r]; shown = 0
            for (i = 1; i <= n; i++) {
                saved = name == "none" ? count[name, trace[i]] : count["none", trace[i]] - count[name, trace[i]]
                value[name, trace[i]] = saved / count["events", trace[i]]
                shown = shown || value[name, trace[i]] >= least
            }
            if (name == "events") continue
            if (shown) { row(name); continue }
            others++
            for (i = 1; i <= n; i++) value["others", trace[i]] += value[name, trace[i]]
        }
        names_of_others = sprintf("%d others, together", others)
        for (i = 1; i <= n; i++) value[names_of_others, trace[i]] = value["others", trace[i]]
        row(names_of_others)
    }' "$work/counts"
