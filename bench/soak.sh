#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A soak: mixed calls on 2 ranks, with and without Refrain. Prints each rank's memory over the run,
# Refrain's share of it, calls per second, and the size of the trace.
#
#   make soak            or, in a build directory: bench/soak.sh
#
# From the environment: N (calls of both ranks together; default 10^9), PARTS (of bench/soak.c;
# default: all regular ones), and the variables of bench/common.sh.
. "$(dirname "$0")/common.sh"
N=${N:-1000000000}

"$mpicc" -std=c11 -D_GNU_SOURCE -O2 -Wno-stringop-overflow -o "$work/soak" "$srcdir/bench/soak.c" || die "soak.c does not compile"
# shellcheck disable=SC2086 # lists of words
{
    "$mpirun" $flags -n 2 "$work/soak" "$N" ${PARTS-} >"$work/plain" </dev/null || die "it fails without Refrain"
    trace soak 2 "$work/soak" "$N" ${PARTS-}
}
grep '^[01] ' "$work/soak.log" >"$work/traced"

echo "parts: ${PARTS:-all that are regular}; MPI: $("$mpicc" -show | grep -o 'openmpi\|mpich' | head -1)"
echo
echo "| rank | calls | seconds without | with | KB without | with | Refrain's KB |"
echo "|---|---|---|---|---|---|---|"
sort -n -k1,1 -k2,2 "$work/plain" >"$work/plain.sorted"
sort -n -k1,1 -k2,2 "$work/traced" | paste -d' ' - "$work/plain.sorted" |
    awk '{ printf "| %d | %d | %.1f | %.1f | %d | %d | %d |\n", $1, $2, $7, $3, $8, $4, $4 - $8
           if ($1 == 0) calls = $2; seconds = $3; plain = $7 }
         END { printf "\n%.0f calls a second and rank with Refrain, %.0f without\n", calls / seconds, calls / plain }'
echo "trace: $(info soak .bytes) bytes, $(info soak .calls) calls, $(info soak .rows) rows, $(info soak .columns) columns, $(info soak .symbols) symbols"
