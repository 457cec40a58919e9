#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests `refrain critical --by` with a program whose efficiencies are known by construction (parts.c).
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -I"$srcdir/src/user" -o parts "$srcdir/tests/waits/parts.c"
}

record() {
    rm -f said trace.refrain
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing lossless -o trace.refrain ./parts said </dev/null &&
        [ -s said ] && "$refrain" critical --json trace.refrain >run.json && "$refrain" critical --by phase --json trace.refrain >phases.json &&
        "$refrain" critical --by region --json trace.refrain >regions.json
}

# The efficiencies of the part that a filter chooses are those that the program says of the name.
same() { # FILE FILTER NAME
    jq -r "[.parts[] | select($2)] | if length == 1 then .[0] else error(\"not one part\") end |
        \"$3 \(.parallel) \(.load_balance) \(.communication) \(.serialization) \(.transfer)\"" "$1" >found || return 1
    awk -v name="$3" '
        FNR == NR { if ($1 == name) for (i = 2; i <= 6; i++) said[i] = $i; next }
        { for (i = 2; i <= 6; i++) if (!(i in said) || $i - said[i] > 0.02 || said[i] - $i > 0.02) { print name ": not " said[i] ", but " $i; wrong = 1 } }
        END { exit wrong || FNR != 1 }' said found
}

# A phase ends in the line with the comment.
line() { grep -n "ends: $1 " "$srcdir/tests/waits/parts.c" | cut -d: -f1; }

# The parts that a filter chooses are the run.
adds_up() { # FILE FILTER
    jq -e "[.parts[] | select($2)] as \$all | (.parts[] | select(.part == \"run\")) as \$run |
        ([\$all[].share] | add - 1 | fabs < 1e-9) and
        ([\$all[].sum_seconds] | add - \$run.sum_seconds | fabs < 1e-9) and
        ([\$all[].computing_seconds] | add - \$run.computing_seconds | fabs < 1e-9) and
        ([\$all[].path_share] | add - 1 | fabs < 1e-9) and (\$run.path_seconds - \$run.seconds | fabs < 1e-6) and
        ([\$all[].path_seconds] | add - \$run.path_seconds | fabs < 1e-9) and
        ([\$all[].sum_ideal_seconds] | add - \$run.sum_ideal_seconds | fabs < 1e-9)" "$1" >/dev/null || { echo "$1: $2 are not the run"; return 1; }
}

# In each row the products hold; the row of the run is the first line of `refrain critical`.
products() { # FILE
    jq -e '[.parts[] | select(.parallel)] | length >= 6 and
        all((.load_balance * .communication - .parallel | fabs < 1e-9) and (.serialization * .transfer - .communication | fabs < 1e-9))' "$1" >/dev/null &&
        jq -e --slurpfile run run.json '.parts[] | select(.part == "run") | . as $of | $run[0].efficiency |
            all(("seconds", "threads", "parallel", "load_balance", "communication", "serialization", "transfer", "computing_seconds", "ideal_seconds");
                (. as $key | $of[$key]) as $a | . as $key | $run[0].efficiency[$key] - $a | fabs < 1e-9)' "$1" >/dev/null || { echo "$1: products"; return 1; }
}

sums() {
    products phases.json && products regions.json && adds_up phases.json '.part == ("warm-up", "main loop", "after it", "outside")' &&
        adds_up regions.json '.part == "outside" or .region == "step"'
}

phases() {
    same phases.json '.part == "warm-up"' warm-up && same phases.json '.part == "main loop"' step || return 1
    for name in uneven chain transfer; do
        same phases.json ".part == \"phase\" and .until.site[0].line == $(line $name)" $name || return 1
    done
}

regions() {
    for name in step uneven chain transfer; do
        same regions.json ".region == \"$name\"" $name || return 1
        # All threads leave such a region together, so the path is in it as long as the longest thread.
        jq -e ".parts[] | select(.region == \"$name\") | .path_seconds / .seconds - 1 | fabs < 0.1" regions.json >/dev/null || { echo "$name: not on the path"; return 1; }
    done
}

# The machine may have stopped a process meanwhile; then the program runs again.
agree() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        record || return 1
        sums >differences 2>&1 && phases >differences 2>&1 && regions >differences 2>&1 && return
        cat differences
    done
    return 1
}

text() {
    "$refrain" critical --by phase trace.refrain >page && grep -q '^MPI_Init  *- ' page && grep -q '^run  *- .* 100\.0 ' page && grep -q '^warm-up  *1 ' page &&
        grep -q "^  phase  *[0-9.-]* .*  MPI_Barrier (parts.c:$(line chain))\$" page &&
        [ "$("$refrain" critical --by phase --top 2 trace.refrain | grep -c '^  phase')" = 2 ] &&
        "$refrain" critical --by region trace.refrain >page && grep -q '^region  *step  *[0-9]' page && [ "$("$refrain" critical --by region --top 1 trace.refrain | grep -c '^region')" = 1 ]
}

check "parts: compiles" build
check "parts: efficiencies" agree
check "parts: text" text
finish
