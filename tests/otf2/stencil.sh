#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An archive of a known program: its contents, parts of it, refused requests; and the same for
# Perfetto.
. "${srcdir:=$(dirname "$0")/../..}/tests/otf2/archive.sh"

# ---- a known program
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

# ---- a part of it
check "two ranks" export_to two stencil2d.refrain --rank 1,3
check "two ranks: no message has one end only" walk two/traces.otf2
check "two ranks: they keep their names" grep -q 'LOCATION_GROUP  *1  *Name: "MPI Rank 3"' definitions
check "two ranks: there are no others" has_not '"MPI Rank [02]"' definitions
# … from a third of rank 0's calls to two thirds
awk '$1 == "ENTER" && $2 == 0 { print $3 }' all >times
from=$(sed -n "$(($(wc -l <times) / 3))p" times) to=$(sed -n "$(($(wc -l <times) * 2 / 3))p" times)
seconds() { printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000)); }
within() { # checks that all time stamps are inside
    awk -v from=$from -v to=$((to + 1000)) '/^(ENTER|LEAVE) / { n++; if ($3 < from || $3 > to) { print; bad = 1 } } END { exit bad || n == 0 }' printed
}
check "a span of time" export_to span stencil2d.refrain --from "$(seconds $from)" --to "$(seconds $to)"
check "a span of time: nothing else" within
check "a span of time: requests are whole or left open" walk span/traces.otf2 partial

# ---- refused requests
fails() { # WORDS OPTION…: checks for exit status 2, one line with the words, and no files left
    local words=$1 before=$(ls)
    shift
    "$refrain" otf2 "$@" >said 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <said)" -eq 1 ] && grep -qF -- "$words" said && [ "$before" = "$(ls)" ] || { cat said; ls; return 1; }
}
touch said file && mkdir -p foreign empty && touch foreign/thesis.tex
check "no times" fails "--synthetic-time" -o new stencil2d.refrain
check "no such clock" fails "--clock sundial: wanted linear or causal" --synthetic-time --clock sundial -o new stencil2d.refrain
check "a directory with something in it" fails "foreign exists already and is not empty" --synthetic-time --clock linear -o foreign stencil2d.refrain
check "an archive is not overwritten" fails "exists already" --synthetic-time --clock linear -o two stencil2d.refrain
check "no directory" fails "file exists already and is not a directory" --synthetic-time --clock linear -o file stencil2d.refrain
check "a device" fails "/dev/full exists already" --synthetic-time --clock linear -o /dev/full stencil2d.refrain
check "nowhere" fails "No such file or directory" --synthetic-time --clock linear -o absent/new stencil2d.refrain
full() { # a full disk: files may have 4 KiB
    (trap '' XFSZ && ulimit -f 4 && fails "cannot write the OTF2 archive: File too large" --synthetic-time --clock linear -o new stencil2d.refrain)
}
check "no room" full
empty_one() { "$refrain" otf2 --synthetic-time -o empty/ stencil2d.refrain && [ -f empty/traces.otf2 ]; }
check "an empty directory will do" empty_one

# ---- the same as JSON, for Perfetto
json() { "$refrain" chrome --synthetic-time "$@" stencil2d.refrain -o out.json && jq empty out.json; }
counts() { # each call is a complete event with a rank and a thread
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
check "chrome: messages have two ends" arrows stencil2d
half() { # messages from ranks that are left out have no arrow
    "$refrain" chrome --synthetic-time --messages --rank 0,1 stencil2d.refrain >out.json &&
        jq -e '[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) | length > 0 and all(length == 2)' out.json
}
check "chrome: messages between two ranks" half
finish
