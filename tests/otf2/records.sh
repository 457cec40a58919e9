#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Archives of programs that print how many records of each kind they should have
# (tests/otf2/tell.h).
. "${srcdir:=$(dirname "$0")/../..}/tests/otf2/archive.sh"

told() { # compares the numbers of records with those that the processes of the last program expect
    awk 'NF == 2 && /^[A-Z_]+ / { n[$1] += $2 } END { for (i in n) print i, n[i] }' output | sort >wanted
    cut -d ' ' -f 1 wanted | while read -r record; do echo "$record $(grep -c "^$record " printed)"; done >got
    [ -s wanted ] && diff wanted got
}
for program in "epochs 2" "epochs 3" "polls 3" "transfers 3"; do
    set -- $program
    check "$1 on $2: compiles" build "$1"
    check "$1 on $2: a trace" record "$1" "$2"
    check "$1 on $2: an archive" export_to archive "$1.refrain"
    check "$1 on $2: the records that it tells of" told
    check "$1 on $2: agrees with its statistics" walk archive/traces.otf2 "$1.json"
    check "$1 on $2: an archive for OTF2 2.x" export_to archive "$1.refrain" --otf2-compat=2
    check "$1 on $2: it has nothing newer" walk archive/traces.otf2 "$1.json" compat
    check "$1 on $2: an archive of two ranks" export_to archive "$1.refrain" --rank 0,1
    check "$1 on $2: no partner is missing in it" walk archive/traces.otf2
done
# … of which the last one received messages, beside many other calls with statuses
messages_alone() {
    [ "$(awk '/^received/ { n += $2 } END { print n }' output)" = \
        "$(jq '[.functions[] | select(.function | startswith("MPI_Wait")) | .received_bytes] | add' transfers.json)" ]
}
check "transfers: bytes of files and generalized requests are none of messages" messages_alone

# Between groups of two and three:
bytes_between() { # sent or received
    [ "$(awk -v what="$1" '$1 == what { n += $2 } END { print n }' output)" = \
        "$(jq "[.functions[] | select(.function | test(\"Bcast|Scatter|Reduce|Gather\")) | .$1_bytes] | add" bridge.json)" ]
}
check "bridge: compiles" build bridge
check "bridge: a trace" record bridge 5
check "bridge: an archive" export_to archive bridge.refrain
check "bridge: agrees with its statistics" walk archive/traces.otf2 bridge.json partial
check "bridge: bytes sent" bytes_between sent
check "bridge: bytes received" bytes_between received
finish
