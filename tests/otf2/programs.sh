#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Archives of programs of tests/mpi agree with `refrain stat` of their traces.
. "${srcdir:=$(dirname "$0")/../..}/tests/otf2/archive.sh"

# PROGRAM RANKS WORDS…: the words are for check_archive.py. `refrain stat` counts the bytes of
# MPI_Request_get_status at the call that completes the request. In an intercommunicator, only the
# root itself in its group knows that it is the root. MPICH's statuses of MPI_Isendrecv and of
# partitioned receives contain arbitrary values.
programs="
pt2pt_blocking 4
pt2pt_nonblocking 4 MPI_Request_get_status MPI_Test MPI_Wait
generalized 2
persistent 4
matched_probe 3
collectives 4
collectives_nonblocking 4
collectives_persistent 4
neighbor 4
communicators 4 partial
cartesian 4
one_sided 3
windows 3
files 3
files_access 3
loops 4
irregular 4
long_traces 4
corners 3
threads 4
mpi4 4 partial MPI_Wait
"

while read -r name ranks words; do
    [ -n "$name" ] || continue
    check "$name: is built" built "$name"
    check "$name: a trace" record "$name" "$ranks"
    check "$name: an archive" export_to archive "$name.refrain"
    check "$name: agrees with its statistics" walk archive/traces.otf2 "$name.json" $words
    check "$name: an archive for OTF2 2.x" export_to archive "$name.refrain" --otf2-compat=2
    check "$name: it has nothing newer" walk archive/traces.otf2 "$name.json" compat $words
    case $name in irregular | persistent | pt2pt_nonblocking | threads)
        check "$name: messages for Perfetto have two ends" arrows "$name"
        ;;
    esac
done <<EOF2
$programs
EOF2
finish
