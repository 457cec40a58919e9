#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In the recorded times, the tracer's set-up is part of the call that joins MPI, not of the
# program's time after it. The set-up is made slow for this test (tests/mpi/slow_set_up.c), slower
# than a loaded machine makes it; the program has its own clock.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

"$mpicc" -std=c11 -D_GNU_SOURCE -O0 -Wall -Wextra -Werror -o init_time "$srcdir/tests/mpi/init_time.c" &&
    "$mpicc" -std=c11 -O0 -Wall -Wextra -Werror -shared -fPIC -o slow_set_up.so "$srcdir/tests/mpi/slow_set_up.c" -ldl ||
    { echo "cannot build the programs"; exit 1; }

record() { # HOW: one rank
    LD_PRELOAD=$tmp/slow_set_up.so timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o "$1.refrain" ./init_time "$1" \
        >"$1.own" 2>said </dev/null || { cat said; return 1; }
}
# measured HOW: prints in ms the duration of the first call, and the time from its end to the next
# one, as recorded and by the program's clock
measured() {
    "$refrain" text --times --json "$1.refrain" | jq -s -r --rawfile own "$1.own" '($own | split(" ") | map(tonumber)) as $own |
        [.[0].duration, .[1].enter - .[0].enter - .[0].duration, $own[0], $own[1]] | map(. / 1e6) | @tsv'
}
# The set-up takes 300 ms, and the pause after it at least 50. Both clocks agree within 1 ms and a
# thousandth.
holds_set_up() { measured "$1" | tee told | awk '{ n++; ok = $1 > 299 && $1 < $3 * 1.001 + 1 } END { exit !(n == 1 && ok) }'; }
ends_late() {
    measured "$1" | awk '{ print; n++; ok = $2 > 49 && $2 > $4 * 0.999 - 1 && $2 < $4 + 150 } END { exit !(n == 1 && ok) }'
}

for how in init thread session; do
    check "$how: runs" record "$how"
    check "$how: the call has the set-up" holds_set_up "$how"
    check "$how: the computation behind it has not" ends_late "$how"
done
finish
