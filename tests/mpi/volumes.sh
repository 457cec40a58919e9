#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares `refrain stat` and `refrain report` with the bytes that the program volumes.c expects.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -o "$tmp/volumes" "$srcdir/tests/mpi/volumes.c"
}

volumes() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record -o "$tmp/trace.refrain" "$tmp/volumes" </dev/null >"$tmp/said" &&
        [ -s "$tmp/said" ] && "$refrain" stat --json "$tmp/trace.refrain" |
        jq -r '.functions[] | "\(.function)  sent=\(.sent_bytes)  received=\(.received_bytes)"' >"$tmp/counted" &&
        ! grep -vxF -f "$tmp/counted" "$tmp/said"
}

# The report has messages and collective operations separately, with the same numbers; averages are
# rounded.
told() {
    "$refrain" report --json "$tmp/trace.refrain" >"$tmp/report.json" && "$refrain" stat --json "$tmp/trace.refrain" >"$tmp/stat.json" &&
        jq -e -n --slurpfile report "$tmp/report.json" --slurpfile stat "$tmp/stat.json" '$report[0].sections as {$overview, $communication} |
            [$stat[0].functions[] | select(.function | test("[Ss]end|recv|Wait") | not)] as $collective |
            ($collective | map(.sent_bytes) | add) as $sent | ($collective | map(.received_bytes) | add) as $received |
            $sent > 0 and $sent == $overview.collective_sent_bytes and $received == $overview.collective_received_bytes and
            ($communication.says | contains("; \($sent | if . < 1000 then "\(.) B" else "\(. / 100 | round / 10) kB" end) sent and ")) and
            ($communication.says | contains(", \($overview.message_bytes / $overview.messages | round) B each on average"))' &&
        "$refrain" report "$tmp/trace.refrain" | grep -E '^[0-9]+ messages, [0-9]+ B; [0-9.]+ k?B sent and [0-9.]+ k?B received in collective operations; the ranks'
}

check "volumes compiles" build
for n in 2 3; do
    check "volumes on $n" volumes "$n"
    check "and in the report" told
done
finish
