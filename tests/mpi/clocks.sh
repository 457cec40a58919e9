#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the ranks' clocks differ (src/clock/clock_sync.c), on one node and on several simulated nodes
# (tests/mpi/other_clock.c).
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export REFRAIN_CHECK=1

"$mpicc" -std=c11 -D_GNU_SOURCE -O0 -Wall -Wextra -Werror -o clocks "$srcdir/tests/mpi/clocks.c" &&
    "$mpicc" -std=c11 -O0 -Wall -Wextra -Werror -shared -fPIC -o other_clock.so "$srcdir/tests/mpi/other_clock.c" -ldl ||
    { echo "cannot build the programs"; exit 1; }

# record TIMING NAME [PRELOADED]
record() {
    REFRAIN_TIMING=$1 LD_PRELOAD=${3-} timeout "$limit" "$mpirun" $flags -n 5 "$refrain" record -o "$2.refrain" ./clocks \
        >said 2>&1 </dev/null || { cat said; return 1; }
    [ ! -s said ] || { cat said; return 1; }
}
# field NAME FIELD: prints a field of the clocks in info
field() {
    "$refrain" info --json "$1.refrain" | sed -n 's/.*"clocks":\[{\([^}]*\)}.*/\1/p' | tr ',' '\n' | sed -n "s/^\"$2\"://p"
}
# is NAME FIELD LEAST MOST: checks a field's range
is() {
    value=$(field "$1" "$2")
    echo "$2: $value"
    awk -v v="$value" -v least="$3" -v most="$4" 'BEGIN { exit !(v != "" && v + 0 >= least && v + 0 <= most) }'
}
# drifts NAME RATE: checks the drift in ns per second, as precisely as the error at both ends of
# half a second allows
drifts() {
    drift=$(field "$1" drift) error=$(field "$1" error)
    echo "drift: $drift, error: $error"
    awk -v v="$drift" -v rate="$2" -v error="$error" 'BEGIN {
        most = 1e6 + 2 * error / 0.5; exit !(v != "" && error != "" && v >= rate - most && v <= rate + most) }'
}
# in_time NAME: checks that no message arrives before it was sent, by the causal clocks
in_time() {
    "$refrain" info --causality --json "$1.refrain" | grep -o '"causality":\[{[^}]*}' | tee early
    grep -q '"arrivals":250,.*"early_causal":0' early
}
# same_times NAME CLOCK: checks that text has the same rank, number, start and length of each call
# as chrome, and finds them from any call on
same_times() {
    "$refrain" chrome --clock "$2" "$1.refrain" 2>/dev/null |
        jq -r '.traceEvents[] | select(.ph == "X") | [.pid, .args.call, .ts * 1000, .dur * 1000 | round] | @tsv' >of_chrome
    "$refrain" text --times --json --clock "$2" "$1.refrain" 2>/dev/null |
        jq -r '[.rank, .call, .enter, .duration] | @tsv' >of_text
    [ -s of_text ] && diff of_chrome of_text &&
        "$refrain" text --times --clock "$2" "$1.refrain" 2>/dev/null | awk '$2 == 40 && NF > 4' >wanted &&
        "$refrain" text --times --clock "$2" --call 40 "$1.refrain" 2>/dev/null | diff wanted - && [ "$(wc -l <wanted)" -eq 5 ]
}
# Checks a message of rank 0 to rank 1: its receive ends no earlier than its send begins. Times of
# ranks' own clocks begin at MPI_Init.
text_in_time() { # NAME
    "$refrain" text --times --clock causal -f MPI_Sendrecv_replace "$1.refrain" 2>/dev/null | awk '
        { enter[$1, ++n[$1]] = $3; leave[$1, n[$1]] = $3 + $4 }
        END { for (i = 1; i <= n[0]; i++) for (r = 0; r < 5; r++) early += leave[(r + 1) % 5, i] < enter[r, i]; print n[0], early + 0
              exit n[0] != 50 || early > 0 }'
}
word_of_clock() {
    "$refrain" text --times --clock atomic one.refrain 2>said
    [ $? -eq 2 ] && grep 'clock atomic: wanted linear or causal' said
}
has_none() { ! "$refrain" info --json "$1.refrain" | grep '"clocks"'; }

check "aggregates" record aggregate means
check "need no clocks" has_none means

check "one node" record lossless one
check "has a clock for each rank" is one ranks 5 5
check "that are hardly apart" is one apart 0 1000000
check "and go alike" is one drift 0 100000
check "which is known well" is one error 0 100000
check "messages arrive" in_time one
check "text has the common times: linear" same_times one linear
check "text has the common times: causal" same_times one causal
check "another word is none" word_of_clock

check "three nodes" record lossless three "$tmp/other_clock.so"
check "have a clock for each rank" is three ranks 5 5
check "that are far apart" is three apart 5e9 1e15
check "which is known" is three error 1 50000000
check "and go differently" drifts three 20e6
check "messages arrive" in_time three
check "text has the common times: linear" same_times three linear
check "text has the common times: causal" same_times three causal
check "by these, messages arrive" text_in_time three
finish
