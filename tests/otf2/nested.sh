#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls made in callbacks (nested.c) are inside the outer calls, in all exports.
. "${srcdir:=$(dirname "$0")/../..}/tests/otf2/archive.sh"

record_nested() { # TIMING
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 3 "$refrain" record --timing "$1" -o nested.refrain ./nested >output 2>&1 </dev/null &&
        "$refrain" stat --json nested.refrain >nested.json || { cat output; return 1; }
}
# Prints rank, enter, leave, function of each call, in nanoseconds
times() {
    "$refrain" chrome --clock "$1" nested.refrain | tr '{,' '\n\n' | awk -F: '
        $1 == "\"pid\"" { pid = $2 } $1 == "\"name\"" { gsub("\"", "", $2); name = $2 }
        function ns(text, n) { n = text; sub(/\./, "", n); return n }
        $1 == "\"ts\"" { ts = ns($2) } $1 == "\"dur\"" { printf "%d %.0f %.0f %s\n", pid, ts, ts + ns($2), name }' >times
    [ -s times ]
}
# Of two calls of a rank, one is inside the other or after it.
nest() {
    times "$1" && sort -k1,1n -k2,2n -k3,3nr times | awk '
        $1 != rank { rank = $1; n = 0 }
        { while (n > 0 && $2 >= leave[n]) n-- }
        n > 0 && $3 >= leave[n] { print "not within " name[n] " …" leave[n] ": " $0; bad = 1 }
        { leave[++n] = $3; name[n] = $4; within[n > 1 ? name[n - 1] : "", $4]++; deep += n == 3 }
        END {
            for (pair in within) print pair, within[pair]
            exit bad || within["MPI_Allreduce", "MPI_Type_size"] < 3 || within["MPI_Comm_dup", "MPI_Comm_dup"] != 9 ||
                within["MPI_Comm_dup", "MPI_Comm_free"] != 9 || within["MPI_Send", "MPI_Comm_size"] != 9 ||
                within["MPI_Wait", "MPI_Comm_size"] != 9 || deep < 9
        }'
}
# Rank 0 stays in each call until the last rank enters, with NS of tolerance for clocks and rounded
# times. A message makes sure that it enters 20 ms before; but the machine may stop the process in
# between, so one such time of three is enough.
waits() { # NS
    awk -v spare="$1" '
        $4 == "MPI_Allreduce" { enter[$1, ++n[$1]] = $2; leave[$1, n[$1]] = $3 }
        END {
            for (i = 1; i <= n[0]; i++) {
                early += leave[0, i] + spare < enter[2, i]
                long += leave[0, i] - enter[0, i] >= 15e6
            }
            exit n[0] != 3 || n[2] != 3 || early > 0 || long == 0
        }' times || { cat times; return 1; }
}
error() { "$refrain" info --json nested.refrain | jq .clocks[0].error; }
in_time() { # NS
    "$refrain" info --json --causality nested.refrain | jq -e ".causality[0].early_most <= $1" ||
        { "$refrain" info --causality nested.refrain; return 1; }
}

check "compiles" build nested
# TIMING BOUND: an entry or exit is off by at most this many nanoseconds
while read -r timing bound; do
    check "$timing: a trace" record_nested $timing
    spare=$((2 * (bound + $(error)) + 10)) # two times, each with this error, and the error of the clocks
    for clock in linear causal; do
        # With rounded times, it is open what is inside a call's first microsecond.
        [ $timing != lossless ] || check "$timing, $clock: Perfetto's events nest" nest $clock
        check "$timing, $clock: times" times $clock
        check "$timing, $clock: who waits is long in a call" waits $spare
        rm -rf archive
        check "$timing, $clock: an archive" "$refrain" otf2 --clock $clock -o archive nested.refrain
        # Linear clocks do not move early arrivals.
        check "$timing, $clock: its regions nest" walk archive/traces.otf2 nested.json $([ $clock = linear ] || echo causal) MPI_Send
    done
    check "$timing: nothing arrives before it was sent" in_time $spare
    check "$timing: a timeline" "$refrain" timeline -o nested.html nested.refrain
    check "$timing: a picture" "$refrain" timeline -o nested.svg nested.refrain
done <<END
lossless 0
quantum:1us 500
lossy 1000
END
finish
