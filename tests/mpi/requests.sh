#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls that complete thousands of requests (requests.c): every command reads the trace.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

record() { # REQUESTS
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o "$1.refrain" --verify "raw.$1" ./requests "$1" </dev/null &&
        "$refrain" verify "$1.refrain" "raw.$1"
}
# Each function completes half as many messages as requests, in both directions.
messages() { # REQUESTS
    [ "$("$refrain" messages --json "$1.refrain" | jq -s 'map(select(.send)) | length')" = $((3 * $1)) ] || { "$refrain" messages "$1.refrain" | tail -5; return 1; }
    [ "$("$refrain" matrix --json "$1.refrain" | jq '[.. | .messages? // empty | numbers] | add')" = $((3 * $1)) ] || { "$refrain" matrix --json "$1.refrain"; return 1; }
}
# The longest row has a value for each request.
waitall() { # REQUESTS
    "$refrain" text --rank 0 "$1.refrain" | grep -c 'MPI_Waitall(count='"$1"', ' | grep -qx 1
}
reads() { # REQUESTS COMMAND…
    "$refrain" "$2" "$1.refrain" >out 2>err || { cat err; return 1; }
    [ -s out ] && [ ! -s err ]
}

# The smaller peak of the two processes, in KB: the other one makes the file.
peak() { # COMMAND…
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$@" ./requests 800 3 </dev/null >peaks &&
        awk '$1 == "peak" { n++; least = n == 1 || $2 < least ? $2 : least } END { print least; exit n != 2 }' peaks
}
# In random order, each MPI_Testsome has 800 values of its own: 15 MB a rank, as numbers of 8 bytes. It once took 90 to
# 120 MB to pass them on in MPI_Finalize.
stays_small() {
    untraced=$(peak) && traced=$(peak "$refrain" record -o random.refrain --verify raw.random) && "$refrain" verify random.refrain raw.random &&
        [ $((traced - untraced)) -lt 60000 ] || { echo "$untraced KB untraced, $traced KB traced"; return 1; }
}

"$mpicc" -std=gnu99 -g -Wall -Wextra -Werror -o requests "$srcdir/tests/mpi/requests.c" || exit 1
for n in 600 2200; do
    check "$n requests: the trace is what was recorded" record $n
    check "$n requests: all messages" messages $n
    check "$n requests: MPI_Waitall" waitall $n
done
check "requests in random order need little memory" stays_small
for command in stat loops model waits report; do check "2200 requests: $command" reads 2200 $command; done
finish
