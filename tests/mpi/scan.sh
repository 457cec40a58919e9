#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# refrain scan on a program whose loop bounds depend on indices: compares its rows with the calls
# and their times; the programs that it makes.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
. "$srcdir/tests/cli/scan_rows.sh"
export LC_ALL=C

record() { # RANKS
    $mpicc -o nest "$srcdir/tests/mpi/scan_nest.c" &&
        timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record -o nest.refrain --timing lossless ./nest </dev/null
}

# Converts the times of `refrain text`: they are nanoseconds there and seconds here.
times_of_calls() {
    "$refrain" text --json --times nest.refrain | jq -r '"\(.rank),\(.thread // 0),\(.call),\(.enter),\(.duration)"' | sort
}
times() {
    "$refrain" scan --at "$1" --values time,duration,exit nest.refrain | sed 1d >rows.csv && [ -s rows.csv ] || return 1
    awk -F, -v OFS=, '{ printf "%d,%d,%d,%.0f,%.0f\n", $1, $2, $(NF - 3), $(NF - 2) * 1e9, $(NF - 1) * 1e9 }' rows.csv |
        sort | comm -23 - <(times_of_calls) | grep . && return 1
    awk -F, '{ d = $(NF - 2) + $(NF - 1) - $NF; if (d > 2e-9 || d < -2e-9) { print; bad = 1 } } END { exit bad }' rows.csv
}

prints() { # OPTION…: checks that the output is standard input
    cat >expected
    "$refrain" scan "$@" nest.refrain >out && diff expected out
}

check "is recorded" record 4
check "all constructs and calls" "$top_builddir/tests/cli/scan_check" nest.refrain
check "every event is found in a construct" all_events nest.refrain
"$refrain" model --json nest.refrain | constructs >constructs.list
check "times of a loop" times "$(awk '$2 == "loop" { print $1; exit }' constructs.list)"
check "times of a message" times "$(awk '$2 == "message" { print $1; exit }' constructs.list)"
check "positions are of degree 2" prints --loops --at 3.5 --positions <<'END'
# ranks 0-3
for i0 = 1 to 11
  for i1 = 1 to 1+i0
    event 23/2*i0+i1+1/2*i0^2
END
check "and so is the end" prints --loops --rank 1 --at 3.5 --point end --positions <<'END'
# rank 1
for i0 = 1 to 11
  event 1+25/2*i0+1/2*i0^2
END
check "the reader library is installed" install_reader
reader_flags=$(flags_of_reader)
check "a program for a loop in a loop" scanner nest.refrain --loops --at 3.5 --values tag,time,duration
range=$(a_range nest.refrain)
check "a range of the model's lines" range_is_its_constructs nest.refrain "$range" --values tag,time
check "a program for it" scanner nest.refrain --at "$range" --values tag,time
check "a program for its end" scanner nest.refrain --loops --at 3.5 --point end --values tag,source,dest,function
check "a program for a message" scanner nest.refrain --at "$(awk '$2 == "message" { print $1; exit }' constructs.list)" --values tag,exit
finish
