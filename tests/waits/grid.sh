#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares `refrain waits` on undeclared grids with the results of the program grid.c: pipeline
# refills, by the corner of the wave and by rank; late senders by direction; no refill without a
# wave.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread -o grid "$srcdir/tests/waits/grid.c"
}

record() { # RANKS SIZES PATTERN
    rm -f said
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record -o trace.refrain ./grid said "$2" "$3" \
        </dev/null && [ -s said ] && "$refrain" waits --json trace.refrain >found.json &&
        "$refrain" waits --by direction --metric mpi_latesender --json trace.refrain >directions.json
}

# Prints the results in the program's form: `corner NUMBER RANK SECONDS`, `from SIDE SECONDS`.
find_corners() { # DIMENSIONS
    jq -r --argjson dims "$1" '
        [null, ["w", "e"], ["nw", "ne", "sw", "se"], ["nwl", "nel", "swl", "sel", "nwh", "neh", "swh", "seh"]][$dims] as $corners |
        (.metrics[] | select(.uniq_name | startswith("mpi_refill_")) | select(.seconds > 0) |
            (.uniq_name[11:]) as $corner | ($corners | index($corner) // -1) as $number |
            .by_rank | to_entries[] | "corner \($number) \(.key) \(.value)")' found.json &&
        jq -r '["x-1", "x+1", "y-1", "y+1", "z-1", "z+1"] as $sides | .lines[] |
            "from \(.direction | split(" ")[0] as $side | $sides | index($side) // -1) \(.seconds)"' directions.json
}

# Each value must be within 2 %, and half a millisecond for each first call.
cat >compare.awk <<'END_AWK'
{ key = $1 " " $2; value = $NF; if ($1 == "corner") key = key " " $3 }
FNR == NR { said[key] = value; if ($1 == "corner") corners += value; next }
{ found[key] = value }
END {
    for (key in said) {
        difference = found[key] - said[key]
        if (difference < 0) difference = -difference
        if (difference > 0.02 * said[key] + 0.003) { print key ": found " found[key] + 0 ", not " said[key]; wrong = 1 }
    }
    for (key in found)
        if (!(key in said) && found[key] > 0.001) { print "nobody speaks of " key ": " found[key]; wrong = 1 }
    if (waves && corners < 0.05) { print "nothing was waited for"; wrong = 1 }
    exit wrong
}
END_AWK

# The machine may have stopped a process between the clock and the call; then the program runs
# again.
agree() { # RANKS SIZES DIMENSIONS PATTERN
    for try in 1 2 3 4 5 6 7 8; do
        record "$1" "$2" "$4" || return 1
        find_corners "$3" >found
        awk -v waves="$(case $4 in halo | shift) ;; *) echo 1 ;; esac)" -f compare.awk said found && return
    done
    return 1
}

identified() { # NAME
    jq -e --arg name "$1 (identified)" '.topology.name == $name' found.json
}

# The page has the costs by corner. The picture has all ranks.
page() {
    "$refrain" waits trace.refrain >page && grep -q '^Pipeline refills on the 4x2 grid (identified): .* of all waiting$' page &&
        [ "$(grep -c 'pipeline refill from the' page)" -eq 4 ] &&
        "$refrain" waits --svg --metric mpi_refill_nw trace.refrain >picture.svg &&
        [ "$(grep -c '<circle' picture.svg)" -eq 8 ] && grep -q 'pipeline refill from the north-west in trace.refrain' picture.svg
}

# Given coordinates replace those that were found: with all ranks in a line, there is no corner
# between two dimensions.
given() {
    "$refrain" waits --json --topology 8x1 trace.refrain >given.json &&
        jq -e '.topology.origin == "given" and ([.metrics[] | select(.uniq_name | test("refill_[ns][we]$")) | .seconds] | add) == 0' given.json &&
        for rank in 0 1 2 3 4 5 6 7; do echo "$rank,$((3 - rank % 4)),$((rank / 4))"; done >mirrored &&
        "$refrain" waits --json --coords mirrored trace.refrain >given.json &&
        jq -s -e '[.[] | [.metrics[] | {(.uniq_name): .seconds}] | add] | .[0].mpi_refill_nw == .[1].mpi_refill_ne and .[0].mpi_refill_se == .[1].mpi_refill_sw' \
            found.json given.json
}

roles() {
    "$refrain" waits --by role --json trace.refrain >roles.json &&
        jq -e '[.lines[] | [.role, .ranks]] == [["corner", 4], ["edge", 4]]' roles.json
}

# The sum over all lines is that of the metric, for each kind of line.
tables() {
    for by in function site rank region phase role; do
        "$refrain" waits --by "$by" --metric mpi_latesender --top 1000 --json trace.refrain >by.json &&
            jq -s -e '([.[0].lines[].seconds] | add) - (.[1].metrics[] | select(.uniq_name == "mpi_latesender") | .seconds) | fabs < 1e-6' by.json found.json ||
            return 1
    done
    "$refrain" waits --by path --metric mpi_latesender --json trace.refrain >by.json &&
        jq -e '.lines[0].path == "grid" and (.lines | any(.path == "grid > receive > MPI_Recv" and (.line | startswith("grid.c:"))))' by.json &&
        "$refrain" waits --by phase --json trace.refrain >by.json &&
        jq -e '.lines | any(.phase == "MPI_Barrier" and .site != null)' by.json
}

cube() {
    "$refrain" waits -o found.cube trace.refrain && grep -q '<cart name="4x2 grid (identified)" ndims="2">' found.cube &&
        grep -q '<coord thrdId="5">1 1</coord>' found.cube
}

check "grid: compiles" build
check "waves in a plane" agree 8 4x2 2 waves
check "waves in a plane: identified" identified "4x2 grid"
check "waves in a plane: page and picture" page
check "waves in a plane: roles" roles
check "waves in a plane: tables" tables
check "waves in a plane: CUBE" cube
check "waves in a plane: coordinates that are given" given
check "a wave that goes on" agree 8 4x2 2 line
check "neighbours on both sides" agree 8 4x2 2 halo
check "two by two" agree 4 2x2 2 waves
check "two by two, neighbours on both sides" agree 4 2x2 2 halo
for grid in "8 4x2" "9 3x3"; do
    check "$grid: one neighbour after the other" agree $grid 2 shift
    check "$grid: exchanges between waves" agree $grid 2 solver
done
check "waves in a line" agree 3 3 1 waves
check "waves in space" agree 8 2x2x2 3 waves
finish
