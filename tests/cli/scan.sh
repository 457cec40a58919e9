#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# refrain scan: compares its rows with the calls, one by one; the programs that it makes; messages
# for wrong input.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) top_builddir=$(cd "${top_builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/cli/scan_rows.sh"
refrain=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
make_trace=$(realpath "${MAKE_TRACE:-$top_builddir/tests/cli/make_trace}") || exit 1
scan_check=$top_builddir/tests/cli/scan_check
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
"$make_trace" small.refrain raw 4 3 && "$make_trace" hundred.refrain raw 4 100 && "$make_trace" thousands.refrain raw 2 3000 && "$make_trace" long.refrain raw 2 300000 || exit 1

says() { # LINE OPTION…: checks for status 2 and that message
    local line=$1
    shift
    "$refrain" scan "$@" >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep -qF -- "$line" err && [ "$(wc -l <err)" -eq 1 ] || { cat err out; return 1; }
}
prints() { # OPTION…: checks that the output is standard input
    cat >expected
    "$refrain" scan "$@" >out && diff expected out
}

check "small: every event is found in a construct" all_events small.refrain
check "hundred: every event is found in a construct" all_events hundred.refrain
check "small: all constructs and calls" "$scan_check" small.refrain
check "hundred: all constructs and calls" "$scan_check" hundred.refrain

check "an event of two ranks" prints --at 2.3 --rank 0,2 --positions hundred.refrain <<'END'
# rank 2
for i0 = 1 to 100
  event -2+3*i0
END
check "iterations" prints --at 2 --positions hundred.refrain <<'END'
# ranks 0-3
for i0 = 1 to 100
  event -2+3*i0
END
check "the end of a loop" prints --at 2 --point end --values function,bytes hundred.refrain <<'END'
rank,thread,event,call,function,bytes
0,0,300,402,MPI_Allreduce,8
1,0,300,402,MPI_Allreduce,8
2,0,300,402,MPI_Allreduce,8
3,0,300,402,MPI_Allreduce,8
END
check "its start" prints --at 2 --point start --rank 1 --positions hundred.refrain <<'END'
# rank 1
event 1
END
check "a range" prints --at 2.5-6 --rank 0-1 --values tag small.refrain <<'END'
rank,thread,construct,i0,event,call,tag
0,0,2.5,1,2,4,0
0,0,2.5,2,5,8,1
0,0,2.5,3,8,12,2
1,0,2.6,1,2,4,0
1,0,2.6,2,5,8,1
1,0,2.6,3,8,12,2
END
check "a process with several of a range" prints --at 2.1-8 --rank 2 --point event --values function small.refrain <<'END'
rank,thread,construct,i0,event,call,function
2,0,2.3,1,1,3,MPI_Irecv
2,0,2.3,2,4,7,MPI_Irecv
2,0,2.3,3,7,11,MPI_Irecv
2,0,2.7,1,2,4,MPI_Send
2,0,2.7,2,5,8,MPI_Send
2,0,2.7,3,8,12,MPI_Send
END
check "a range of one is a construct" prints --at 3-3 --rank 0 small.refrain <<'END'
rank,thread,event,call
0,0,10,17
END
check "positions of a range" prints --at 2.5-6 --positions hundred.refrain <<'END'
# rank 0, construct 2.5
for i0 = 1 to 100
  event -1+3*i0
# rank 1, construct 2.6
for i0 = 1 to 100
  event -1+3*i0
END
check "positions of a range: ranks with the same" prints --at 3-4 --rank 1-3 --positions small.refrain <<'END'
# ranks 1-3, construct 3
event 10
# ranks 1-3, construct 4
event 11
END
check "a range is its constructs" range_is_its_constructs hundred.refrain 2.1-8 --values tag,function
check "a range is its constructs, at the top level" range_is_its_constructs small.refrain 3-8 --values recvcounts
check "a range is its constructs, in more rows than are read at once" range_is_its_constructs thousands.refrain 2.1-6 --values tag
check "a range is its constructs, of a rank's own loops" range_is_its_constructs hundred.refrain 2.1-3 --loops --rank 2
pasted() {
    local range n=0
    for range in $("$refrain" model --paths hundred.refrain | awk '$1 ~ /-/ { print $1 }'); do
        range_is_its_constructs hundred.refrain "$range" && n=$((n + 1)) || return 1
    done
    [ "$n" -ge 2 ]
}
check "what stands in front of lines is a range" pasted
check "values are quoted" prints --at 3 --rank 0,1 --values recvcounts,root small.refrain <<'END'
rank,thread,event,call,recvcounts,root
0,0,10,17,"[1, 2, 3, 4]",0
1,0,10,17,unused,0
END
check "a rank's own loops" prints --loops --rank 2 --at 2 --positions hundred.refrain <<'END'
# rank 2
for i0 = 1 to 100
  event -2+3*i0
END
check "of all ranks that have one" prints --loops --at 2 --point end hundred.refrain <<'END'
rank,thread,event,call
0,0,300,402
1,0,300,402
2,0,300,402
3,0,300,402
END
check "all calls of a rank" prints --loops --calls --rank 2 --at 1 --values function small.refrain <<'END'
rank,thread,event,call,function
2,0,0,0,MPI_Init
END

# 300,000 iterations: two of 1,200,000 calls are read.
seeks() { timeout 60 "$refrain" scan --loops --at 2 --point end --rank 1 --values tag,function long.refrain | grep -c '^1,0,900000,12000'; }
check "far calls are not walked to" seeks

closed() { "$refrain" scan --loops --at 2 --rank 1 long.refrain 2>err | head -2 | grep -q '^1,0,1,1,3$' && [ ! -s err ]; }
check "a reader that goes away ends it" closed

check "the reader library is installed" install_reader
reader_flags=$(flags_of_reader)
only_its_names() {
    nm -g --defined-only "$(find install -name librefrain-reader.a)" | awk 'NF == 3 { print $3 }' >names
    [ -s names ] && ! grep -v '^refrain_reader_' names
}
check "it has its own names alone" only_its_names
for at in 1 2 2.1 2.4; do
    check "a program for $at" scanner hundred.refrain --at $at --values tag,function,bytes,comm
done
check "a program for a range" scanner hundred.refrain --at 2.1-8 --values tag,function,bytes,comm
check "a program for a range of some ranks" scanner hundred.refrain --at 2.5-7 --rank 1-3 --values tag
check "a program for the end of a loop" scanner long.refrain --loops --rank 1 --at 2 --point end --values tag
check "a program whose values are quoted" scanner small.refrain --at 3 --values recvcounts
check "a program for all calls" scanner small.refrain --loops --calls --rank 2 --at 1 --values function
wrong_trace() { ! ./scanner hundred.csv 2>err && [ "$(wc -l <err)" -eq 1 ]; }
check "such a program says what is wrong" wrong_trace

check "no --at" says "missing option: --at PATH" small.refrain
check "no such construct" says "there is no construct 99" --at 99 small.refrain
check "no path" says "is not the path of a construct" --at x.3 small.refrain
check "no such range" says "there is no construct 2.9-12: the body of 2 has 10" --at 2.9-12 small.refrain
check "an empty range" says "its last number is less than the first" --at 2.3-2 small.refrain
check "half a range" says "is not the path of a construct" --at 2.3- small.refrain
check "a range in the middle" says "is not the path of a construct" --at 2-3.1 small.refrain
check "a range of loops and others" says "some of these constructs are loops" --at 1-3 small.refrain
check "no such value" says "'colour' is not a value of a call" --at 1 --values tag,colour small.refrain
check "no such point" says "--point middle: wanted start" --at 1 --point middle small.refrain
check "an event has no end" says "work only for loops" --at 1 --point end small.refrain
check "a loop is no event" says "does not work for a loop" --at 2 --point event hundred.refrain
check "no times" says "has no times of single calls" --at 1 --values time small.refrain
check "no such rank" says "9" --at 1 --rank 9 small.refrain
check "ranks that are not in it" says "none of the ranks" --at 2.3 --rank 1 hundred.refrain
check "calls are for loops" says "--calls works only with --loops" --at 1 --calls small.refrain
check "no modules for C" says "--modules does not work with --emit-c" --at 1 -m . --emit-c small.refrain
check "positions or C" says "not both" --at 1 --positions --emit-c small.refrain
finish
