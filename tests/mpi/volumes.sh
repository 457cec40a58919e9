#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `refrain stat` against what the program volumes.c says that it sends and receives.
#
# From the environment: srcdir, and what tests/mpirun.sh takes.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -o "$tmp/volumes" "$srcdir/tests/mpi/volumes.c"
}

volumes() {
    timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record -o "$tmp/trace.refrain" "$tmp/volumes" </dev/null >"$tmp/said" &&
        [ -s "$tmp/said" ] && "$refrain" stat --json "$tmp/trace.refrain" |
        jq -r '.functions[] | "\(.function)  sent=\(.sent_bytes)  received=\(.received_bytes)"' >"$tmp/counted" &&
        ! grep -vxF -f "$tmp/counted" "$tmp/said"
}

check "volumes compiles" build
for n in 2 3; do
    check "volumes on $n" volumes "$n"
done
finish
