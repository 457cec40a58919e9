#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Traces MPI programs, makes OTF2 archives of the traces, and reads them with OTF2's own tools: otf2-print (Debian: otf2-tools), and
# tests/otf2/check_archive.py with its Python bindings (python3-otf2), which compares with what `refrain stat` says.
#
# From the environment: srcdir, MPI_NAME, and what tests/mpirun.sh takes.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
refrain=$(realpath "$refrain")

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

if "$refrain" otf2 -o none none 2>&1 | grep -q "built without"; then
    echo "skipped: refrain was built without libotf2"
    exit 77
fi
command -v otf2-print >/dev/null || { echo "skipped: there is no otf2-print (Debian: apt-get install otf2-tools)"; exit 77; }
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import otf2' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no Python has otf2 (Debian: apt-get install python3-otf2)"; exit 77; }

# PROGRAM RANKS WORDS…: the words are for check_archive.py. `refrain stat` counts what MPI_Request_get_status tells of at the
# call that takes the request. Of an intercommunicator the group of the root does not know it, but for the root. In MPICH's
# statuses of MPI_Isendrecv and of partitioned receives there is anything.
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

build() {
    case $1 in
    bridge | crowd | epochs | polls | transfers) "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -w -o "$1" "$srcdir/tests/otf2/$1.c" ;;
    stencil2d) "$mpicc" -O1 -g -o "$1" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm ;;
    *)
        "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -w -o "$1" "$srcdir/tests/mpi/$1.c" "$srcdir/tests/mpi/expect.c"
        ;;
    esac
}

record() { # PROGRAM RANKS
    rm -f "$1.refrain" expected.*
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$2" "$refrain" record -o "$1.refrain" "./$1" $(case $1 in stencil2d) ;; *) echo "$tmp/expected" ;; esac) \
        >output 2>&1 </dev/null || { cat output; return 1; }
    "$refrain" stat --json "$1.refrain" >"$1.json"
}

# export_to DIRECTORY TRACE OPTION…: and OTF2's own tool has nothing to say against it
export_to() {
    local directory=$1 trace=$2
    shift 2
    rm -rf "$directory"
    "$refrain" otf2 --synthetic-time -o "$directory" "$@" "$trace" &&
        otf2-print "$directory/traces.otf2" >printed 2>said && otf2-print -A "$directory/traces.otf2" >definitions 2>>said &&
        [ ! -s said ] || { head -5 said; return 1; }
}
walk() { "$python" "$srcdir/tests/otf2/check_archive.py" "$@"; }
has_not() { ! grep -m 1 "$1" "$2"; }

while read -r name ranks words; do
    [ -n "$name" ] || continue
    check "$name: compiles" build "$name"
    check "$name: a trace" record "$name" "$ranks"
    check "$name: an archive" export_to archive "$name.refrain"
    check "$name: agrees with its statistics" walk archive/traces.otf2 "$name.json" $words
    check "$name: an archive for OTF2 2.x" export_to archive "$name.refrain" --otf2-compat=2
    check "$name: it has nothing newer" walk archive/traces.otf2 "$name.json" compat $words
done <<EOF2
$programs
EOF2

# ---- programs that tell how many records of each sort they should have (tests/otf2/tell.h)
told() { # as many records as the processes of the last program say
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
# … of which the last one received messages, beside much else that has statuses
messages_alone() {
    [ "$(awk '/^received/ { n += $2 } END { print n }' output)" = \
        "$(jq '[.functions[] | select(.function | startswith("MPI_Wait")) | .received_bytes] | add' transfers.json)" ]
}
check "transfers: bytes of files and generalized requests are none of messages" messages_alone

# Between groups of two and three
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

# ---- a program that is known
check "stencil2d: compiles" build stencil2d
check "stencil2d: a trace" record stencil2d 4
check "stencil2d: an archive" export_to archive stencil2d.refrain
cp printed all
check "stencil2d: messages and calls" walk archive/traces.otf2 stencil2d.json
check "the machine, the node and the ranks are named" grep -q 'LOCATION_GROUP  *3  *Name: "MPI Rank 3".*PROCESS, Parent: "node::' definitions
check "regions have roles" grep -q 'REGION .*"MPI_Allreduce".*Role: COLL_ALL2ALL, Paradigm: "MPI"' definitions
check "the program is a region" grep -q 'REGION  *0  Name: "stencil2d".*Role: ARTIFICIAL' definitions
check "the communicator is Cartesian" grep -q 'CART_TOPOLOGY.*Communicator: "comm0".*2 Dimensions' definitions
check "time is in nanoseconds" grep -q 'CLOCK_PROPERTIES.*Ticks per Seconds: 1000000000, Global Offset: 0,' definitions
check "time stamps are said to be synthetic" grep -qa 'REFRAIN::TIME_STAMPS.synthetic' archive/traces.otf2
check "calls have their call sites" grep -q 'SOURCE_CODE_LOCATION; ".*stencil2d.c:[0-9]*"' all

# ---- when
check "causal: an archive" export_to causal stencil2d.refrain --clock causal
check "causal: nothing is received before it was sent" walk causal/traces.otf2 stencil2d.json causal
check "linear: an archive" export_to archive stencil2d.refrain --clock linear
check "linear: is the default" cmp printed all
check "crowd: compiles" build crowd
for name in stencil2d crowd; do
    for timing in lossless lossy quantum:1us quantum:1ms; do
        check "$name, $timing: a trace" env LD_PRELOAD=$yield REFRAIN_TIMING=$timing "$mpirun" $flags -n 4 "$refrain" record -o timed.refrain ./$name
        "$refrain" stat --json timed.refrain >timed.json
        rm -rf timed
        check "$name, $timing: an archive" "$refrain" otf2 --clock causal -o timed timed.refrain
        check "$name, $timing: messages and calls, in order" walk timed/traces.otf2 timed.json causal
        check "$name, $timing: time stamps are not synthetic" has_not 'REFRAIN::TIME_STAMPS.synthetic' timed/traces.otf2
    done
done

# ---- several threads of a rank, with times of their own
timed_threads() {
    LD_PRELOAD=$yield REFRAIN_TIMING=lossless timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o timed_threads.refrain ./threads "$tmp/expected" \
        >output 2>&1 </dev/null && "$refrain" stat --json timed_threads.refrain >timed_threads.json || { cat output; return 1; }
}
check "threads with times: a trace" timed_threads
for clock in linear causal; do
    rm -rf timed
    check "threads with times, $clock: an archive" "$refrain" otf2 --clock $clock -o timed timed_threads.refrain
    check "threads with times, $clock: messages and calls" walk timed/traces.otf2 timed_threads.json
    check "threads with times, $clock: a timeline" "$refrain" timeline --clock $clock -o timed.svg timed_threads.refrain
done
check "threads with times: causality" "$refrain" info --causality timed_threads.refrain

# ---- a rank that left nothing
gone() {
    cat >gone.c <<'EOF3' && "$mpicc" -o gone gone.c || return 1
#include <mpi.h>
#include <signal.h>
int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank != 1)
        MPI_Pcontrol(2);
    MPI_Barrier(MPI_COMM_WORLD);
    switch (rank) {
    case 0: return MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    case 1: return raise(SIGKILL);
    case 2: return MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    case 3: return MPI_Win_fence(0, window);
    default: return MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
}
EOF3
    timeout "$limit" "$mpirun" $flags -n 5 "$refrain" record -o gone.refrain ./gone >output 2>&1 </dev/null
    "$refrain" merge gone.refrain.parts >said 2>&1 && "$refrain" text --rank 1 gone.refrain >calls || { cat output said; return 1; }
    [ ! -s calls ] || { echo "rank 1 left something"; return 1; }
}
# … and the others never come back from what they do with it
check "a rank that left nothing: a trace" gone
gone_archive() {
    "$refrain" otf2 --synthetic-time -o gone.otf2 gone.refrain && otf2-print gone.otf2/traces.otf2 >printed 2>said && [ ! -s said ] ||
        { cat said; return 1; }
}
check "a rank that left nothing: an archive" gone_archive
check "a rank that left nothing: events of the others" grep -q '^ENTER  *2 ' printed

# ---- a part of it
check "two ranks" export_to two stencil2d.refrain --rank 1,3
check "two ranks: no message has one end only" walk two/traces.otf2
check "two ranks: they keep their names" grep -q 'LOCATION_GROUP  *1  *Name: "MPI Rank 3"' definitions
check "two ranks: there are no others" has_not '"MPI Rank [02]"' definitions
# … from a third of rank 0's calls to two thirds
awk '$1 == "ENTER" && $2 == 0 { print $3 }' all >times
from=$(sed -n "$(($(wc -l <times) / 3))p" times) to=$(sed -n "$(($(wc -l <times) * 2 / 3))p" times)
seconds() { printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000)); }
within() { # all time stamps are
    awk -v from=$from -v to=$((to + 1000)) '/^(ENTER|LEAVE) / { n++; if ($3 < from || $3 > to) { print; bad = 1 } } END { exit bad || n == 0 }' printed
}
check "a span of time" export_to span stencil2d.refrain --from "$(seconds $from)" --to "$(seconds $to)"
check "a span of time: nothing else" within
check "a span of time: requests are whole or left open" walk span/traces.otf2 partial

# ---- what cannot be
fails() { # WORDS OPTION…: exit status 2, one line that has the words, and nothing is left behind
    local words=$1 before=$(ls)
    shift
    "$refrain" otf2 "$@" >said 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <said)" -eq 1 ] && grep -qF -- "$words" said && [ "$before" = "$(ls)" ] || { cat said; ls; return 1; }
}
touch said file && mkdir -p foreign empty && touch foreign/thesis.tex
check "no times" fails "--synthetic-time" -o new stencil2d.refrain
check "no such clock" fails "--clock sundial: wanted linear or causal" --synthetic-time --clock sundial -o new stencil2d.refrain
check "a directory with something in it" fails "foreign is there already and not empty" --synthetic-time -o foreign stencil2d.refrain
check "an archive is not overwritten" fails "is there already" --synthetic-time -o two stencil2d.refrain
check "no directory" fails "file is there already, and no directory" --synthetic-time -o file stencil2d.refrain
check "a device" fails "/dev/full is there already" --synthetic-time -o /dev/full stencil2d.refrain
check "nowhere" fails "No such file or directory" --synthetic-time -o absent/new stencil2d.refrain
full() { # a disk that is full: files may have 4 KiB
    (trap '' XFSZ && ulimit -f 4 && fails "cannot write the OTF2 archive: File too large" --synthetic-time -o new stencil2d.refrain)
}
check "no room" full
empty_one() { "$refrain" otf2 --synthetic-time -o empty/ stencil2d.refrain && [ -f empty/traces.otf2 ]; }
check "an empty directory will do" empty_one

# ---- the same as JSON, for Perfetto
json() { "$refrain" chrome --synthetic-time "$@" stencil2d.refrain -o out.json && jq empty out.json; }
counts() { # each call is a complete event, and has a rank and a thread
    [ "$(jq '[.traceEvents[] | select(.ph == "X" and .pid >= 0 and .tid == 0 and .dur >= 0)] | length' out.json)" = \
        "$(jq '[.functions[].calls] | add' stencil2d.json)" ]
}
named() { jq -e '[.traceEvents[] | select(.name == "process_name")] | length == 4' out.json; }
arguments() { jq -e '[.traceEvents[] | select(.name == "MPI_Allreduce")][0].args.parameters.count == 1' out.json; }
check "chrome: valid JSON" json
check "chrome: all calls" counts
check "chrome: ranks have names" named
check "chrome: with arguments" json --args
check "chrome: which are there" arguments
check "chrome: all calls, with arguments" counts
# An arrow has two ends, which agree in the length; at each end a call goes on.
arrows() { # PROGRAM
    "$refrain" chrome --synthetic-time --messages "$1.refrain" >out.json &&
        jq -e '[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) |
               length > 0 and all(length == 2 and ([.[].ph] | sort) == ["f", "s"] and ([.[].args.bytes] | unique | length) == 1)' out.json
}
for name in stencil2d pt2pt_nonblocking persistent irregular threads timed_threads; do
    check "chrome: $name: messages have two ends" arrows $name
done
half() { # what comes from ranks that are left out has no arrow
    "$refrain" chrome --synthetic-time --messages --rank 0,1 stencil2d.refrain >out.json &&
        jq -e '[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) | length > 0 and all(length == 2)' out.json
}
check "chrome: messages between two ranks" half
finish
