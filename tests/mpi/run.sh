#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces an MPI program that knows its trace, and compares every line of the trace with the lines
# that the program expects.
#
#   tests/mpi/run.sh PROGRAM       a program of tests/mpi/local.mk; its source has the numbers of ranks
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
#
# Leaves in the build tree, for tests/mpi/coverage.sh: in tests/mpi/covered/PROGRAM (COVERED:
# another folder) the procedures that the program calls; nothing if one of its checks failed.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
. "$srcdir/tests/cli/scan_rows.sh"
lane_events=$top_builddir/tests/cli/lane_events
construct_matrices=$top_builddir/tests/cli/construct_matrices
scan_check=$top_builddir/tests/cli/scan_check
executable=$1 program=$(basename "$1")
export REFRAIN_CHECK=1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# The numbers of ranks: "ranks: 1 2 4" in the source; "large: 3" if it is NAME.large.
counts() {
    source=$(ls "$srcdir/tests/mpi/${program%%.*}".[cF]*) && case $program in *.large) word=large ;; *) word=ranks ;; esac &&
        sed -n "s,.*\<$word: \([0-9 ]*[0-9]\).*,\1,p" "$source" | head -1
}

# How times are kept: differently for each number of ranks, beginning with a different mode for each
# program. `refrain verify` checks that they are within their bounds.
timings="aggregate lossless lossy quantum:1us lossy:1.5:10us"
timing_of() { # INDEX
    set -- $((($(printf %s "$program" | cksum | cut -d ' ' -f 1) + $1) % 5)) $timings
    shift "$1"
    shift
    echo "$1"
}

# Open MPI's spawn sometimes hangs.
record() {
    case $MPI_NAME:$program in
    openmpi:ports | openmpi:fortran_processes.*) retry_hangs "untraced $1" try "$1" ;;
    *) try "$1" ;;
    esac
}

# start RANKS COMMAND…
start() {
    ranks=$1
    shift
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$ranks" "$@" </dev/null
}

# The program ends well, with its own output and status. No other run writes to the folder of this
# run.
try() {
    rm -rf "$tmp/raw" "$tmp/trace.refrain" "$tmp/calls" "$tmp"/expected.*
    run=$(mktemp -d "$tmp/run.XXXXXX") && mkdir "$run/raw" &&
        start "$1" "$refrain" record -o "$run/trace.refrain" --verify "$run/raw" --timing "$timing" "$executable" "$run/expected" \
            >"$run/output" 2>&1 || {
        result=$?
        echo "exit status $result"
        cat "$run/output"
        return $result
    }
    [ ! -s "$run/output" ] || { cat "$run/output"; return 1; }
    mv "$run/raw" "$run/trace.refrain" "$run"/expected.* "$tmp"
}
untraced() { run=$(mktemp -d "$tmp/run.XXXXXX") && start "$1" "$executable" "$run/expected" >/dev/null 2>&1; }

# Addresses of memory are checked only in the programs named after memory, which expect them.
text() {
    case $program in
    *memory*) "$refrain" text "$tmp/trace.refrain" "$@" ;;
    *) "$refrain" text "$tmp/trace.refrain" "$@" | plain_addresses ;;
    esac
}

# Compares every line of every rank.
compare() {
    rank=0 result=0
    while [ "$rank" -lt "$1" ]; do
        [ -s "$tmp/expected.$rank" ] || { echo "the program left no expected.$rank"; return 1; }
        text --rank "$rank" >"$tmp/text" || return 1
        diff -U0 --label "rank $rank, expected" --label "rank $rank, traced" "$tmp/expected.$rank" "$tmp/text" ||
            result=1
        rank=$((rank + 1))
    done
    return $result
}

# Checks that there are no other lines when all ranks are printed together.
compare_all() {
    sort "$tmp"/expected.* >"$tmp/expected" && [ -s "$tmp/expected" ] &&
        text >"$tmp/text" && sort "$tmp/text" | cmp - "$tmp/expected"
}

# All messages and collective operations have their other ends, in every program. A receive that
# fails because its buffer is too short has taken its message.
everything_matches() { "$refrain" messages --summary "$tmp/trace.refrain"; }

# The loop models expand to exactly the calls.
loops() {
    "$lane_events" messages "$tmp/trace.refrain" >"$tmp/events" && "$refrain" loops --expand "$tmp/trace.refrain" | cmp - "$tmp/events"
}
loops_of_calls() {
    "$lane_events" calls "$tmp/trace.refrain" >"$tmp/all_events" &&
        "$refrain" loops --calls --expand "$tmp/trace.refrain" | cmp - "$tmp/all_events"
}

# So do the model and the program of all ranks, for each rank.
expands() { # COMMAND RANKS
    rank=0
    while [ "$rank" -lt "$2" ]; do
        sed -n "/^$rank[. ]/p" "$tmp/events" >"$tmp/rank_events"
        "$refrain" "$1" --expand "$rank" "$tmp/trace.refrain" | cmp - "$tmp/rank_events" || return 1
        rank=$((rank + 1))
    done
}

# Prints all calls with the definitions of their handles, for recount.
calls() { [ -s "$tmp/calls" ] || "$refrain" text --definitions "$tmp/trace.refrain" >"$tmp/calls"; }

# The matrix of the run is the sum of all messages.
matrix() {
    calls && "$refrain" messages "$tmp/trace.refrain" >"$tmp/messages"
    "$refrain" matrix --csv "$tmp/trace.refrain" >"$tmp/matrix.csv" &&
        "$recount" messages "$tmp/calls" "$tmp/messages" | diff - "$tmp/matrix.csv"
}

# Prints all constructs of the model's top level as a range: "1-12"; nothing if there are none.
all_constructs() {
    "$refrain" model --paths "$tmp/trace.refrain" | awk '{ at = $1 } END { sub(/.*-/, "", at); if (at) print "1-" at }'
}

# So are the matrices of its model's constructs, except for requests that the model does not know.
matrices_of_constructs() {
    "$construct_matrices" "$tmp/trace.refrain" >"$tmp/constructs.csv" || return 1
    ! grep -q '^unclear,' "$tmp/constructs.csv" || { "$recount" parts "$tmp/matrix.csv" "$tmp/constructs.csv"; return; }
    cmp "$tmp/constructs.csv" "$tmp/matrix.csv" || return 1
    all=$(all_constructs)
    [ -z "$all" ] || "$refrain" matrix --at "$all" --csv "$tmp/trace.refrain" | cmp - "$tmp/matrix.csv"
}

# The matrix of one-sided communication is the sum of all accesses; these programs have some.
rma_matrix() {
    calls && "$refrain" matrix --rma --csv "$tmp/trace.refrain" >"$tmp/rma.csv" &&
        "$recount" accesses "$tmp/calls" | diff - "$tmp/rma.csv" || return 1
    case $program in one_sided* | windows* | fortran_one_sided*) has_accesses ;; esac
}
has_accesses() { [ "$(wc -l <"$tmp/rma.csv")" -gt 1 ]; }

# Its other formats contain the same.
rma_forms() {
    sed 1d "$tmp/rma.csv" >"$tmp/rma"
    bytes=$(awk -F, '{ sum += $4 } END { printf "%.0f", sum }' "$tmp/rma")
    "$refrain" matrix --rma --json "$tmp/trace.refrain" | jq -r 'select(.communication == "one-sided") | .pairs[] |
        "\(.from),\(.to),\(.messages),\(.bytes)"' | diff - "$tmp/rma" &&
        "$refrain" matrix --rma "$tmp/trace.refrain" | tail -1 | grep -q "^all .* $bytes$" &&
        "$refrain" matrix --rma --svg "$tmp/trace.refrain" >"$tmp/svg" && grep -q "Bytes of one-sided communication of trace" "$tmp/svg" &&
        grep -q ", $bytes bytes in all" "$tmp/svg"
}

# The rows of the first constructs name existing calls. Some programs have no constructs.
rows() {
    set --
    for at in 1 2 3; do
        if "$refrain" scan --at $at --values function "$tmp/trace.refrain" >"$tmp/rows.$at" 2>"$tmp/error"; then
            set -- "$@" "$tmp/rows.$at"
        else
            grep -q 'there is no construct' "$tmp/error" || { cat "$tmp/error"; return 1; }
        fi
    done
    [ $# -eq 0 ] || { calls && "$recount" rows "$tmp/calls" "$@"; }
}

# The rows of the first line of the model that is a range are those of its constructs.
range() {
    range=$(a_range "$tmp/trace.refrain")
    [ -z "$range" ] || range_is_its_constructs "$tmp/trace.refrain" "$range" --values function
}

# Prints the procedures of all lines that the program expected: "RANK  INDEX  PROCEDURE(…".
called() {
    sed -E 's/^[0-9.]+  [0-9]+  ([A-Za-z0-9_]+)\(.*/\1/' "$tmp/expected"
}

counts=$(counts)
[ -n "$counts" ] || { echo "tests/mpi/run.sh: $program does not say on how many ranks it is run"; exit 1; }
covered=${COVERED:-$top_builddir/tests/mpi/covered}
mkdir -p "$covered" && : >"$covered/$program" || exit 1
index=0
for n in $counts; do
    timing=$(timing_of $index) index=$((index + 1))
    check "$program on $n: runs, timing $timing" record "$n"
    check "$program on $n: verifies" "$refrain" verify "$tmp/trace.refrain" "$tmp/raw"
    check "$program on $n: text" compare "$n"
    check "$program on $n: text of all ranks" compare_all
    check "$program on $n: messages" everything_matches
    check "$program on $n: loops" loops
    check "$program on $n: loops of all calls" loops_of_calls
    check "$program on $n: model" expands model "$n"
    check "$program on $n: logical program" expands logical "$n"
    check "$program on $n: matrix" matrix
    check "$program on $n: matrices of constructs" matrices_of_constructs
    check "$program on $n: one-sided communication" rma_matrix
    ! has_accesses || check "$program on $n: one-sided communication in other forms" rma_forms
    check "$program on $n: all constructs and calls" "$scan_check" "$tmp/trace.refrain"
    check "$program on $n: rows of constructs" rows
    check "$program on $n: rows of a range" range
    called >>"$tmp/called"
done
[ "$failed" -gt 0 ] || sort -u "$tmp/called" >"$covered/$program"
finish
