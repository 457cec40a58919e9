#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/FORMAT.md says all: a reader that was written from it alone reads its example, and traces of real programs to
# the last slot, and to the nanosecond.
#
#   tests/format/run.sh
#
# From the environment: srcdir, SECOND_READER (default: the build tree's), and what tests/mpirun.sh takes.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$PWD}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
reader=${SECOND_READER:-$top_builddir/tests/format/second_reader}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# ends STATUS COMMAND…: with that status
ends() {
    wanted=$1
    shift
    "$@"
    status=$?
    [ $status -eq "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}

# The bytes of the example: pairs of hexadecimal digits at the beginning of its lines.
example() {
    sed -n '/^## .*Example/,/^## .*Records/s/^  *\(\([0-9A-F][0-9A-F]  *\)*[0-9A-F][0-9A-F]\)\(  .*\)*$/\1/p' "$srcdir/docs/FORMAT.md" |
        while read -r line; do
            for byte in $line; do
                printf "\\$(printf %03o "0x$byte")"
            done
        done
}

# Each rank sends to its right neighbour, the last to MPI_PROC_NULL.
expected_example() {
    for rank in 0 1 2 3; do
        [ $rank -eq 3 ] && dest=-2 || dest=$((rank + 1))
        seq 0 999 | sed "s/.*/$rank 0 & MPI_Send $dest 0/"
    done
}

same_example() {
    "$reader" "$tmp/example" >"$tmp/lines" && expected_example | cmp - "$tmp/lines"
}

# record RANKS PROGRAM [ARGUMENT…]: as trace and raw
record() {
    ranks=$1
    shift
    rm -rf "$tmp/raw" "$tmp/trace" && mkdir "$tmp/raw" &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$ranks" "$refrain" record -o "$tmp/trace" --verify "$tmp/raw" \
            --timing "$timing" "$@" </dev/null
}

compare() { "$reader" "$tmp/trace" "$tmp/raw" | grep '^[1-9][0-9]* ranks, [1-9][0-9]* calls: identical$'; }

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -o "$tmp/$1" "$srcdir/tests/mpi/$1.c" "$srcdir/tests/mpi/expect.c"
}

example >"$tmp/example"
check "the example of the text" same_example

# What Refrain's reader refuses, each file for another reason, is against the text as well.
all_refused() {
    for file in "$srcdir"/tests/fuzz/corpus/reader/refused_*; do
        ends 2 "$reader" "$file" >"$tmp/lines" 2>&1 || { echo "$file"; return 1; }
    done
}
check "what is refused" all_refused

timing=aggregate
for name in ring stencil2d stencil3d; do
    check "$name runs" record 4 "$top_builddir/examples/$name"
    check "$name: what was recorded" compare
done
for name in communicators files irregular one_sided threads; do
    check "$name compiles" build "$name"
    check "$name runs" record 3 "$tmp/$name" "$tmp/expected"
    check "$name: what was recorded" compare
done

# Lists that are made of others, and places in bytes: the byte behind the magic is the version.
is_version() { [ "$(od -An -tu1 -j4 -N1 "$tmp/trace" | tr -d ' ')" = "$1" ]; }
for name in cells offsets; do
    check "$name compiles" build "$name"
    check "$name runs" record 16 "$tmp/$name" "$tmp/expected"
    check "$name: a file of version 3" is_version 3
    check "$name: what was recorded" compare
done

# Columns in the annex, written by each rank, or by rank 0 where the others do not reach the file.
record_elsewhere() {
    "$mpicc" -shared -fPIC -o "$tmp/elsewhere.so" "$srcdir/tests/format/elsewhere.c" && mkdir "$tmp/raw.elsewhere" || return 1
    LD_PRELOAD=$yield:$tmp/elsewhere.so REFRAIN_LOG=info timeout "$limit" "$mpirun" $flags -n 3 "$refrain" record -o "$tmp/elsewhere" \
        --timing lossless --verify "$tmp/raw.elsewhere" "$tmp/noise" "$tmp/expected" </dev/null >"$tmp/said" 2>&1 &&
        mv "$tmp/elsewhere" "$tmp/trace" && rm -r "$tmp/raw" && mv "$tmp/raw.elsewhere" "$tmp/raw"
}
check "noise compiles" build noise
export REFRAIN_CHECK=1
check "noise runs" record 3 "$tmp/noise" "$tmp/expected"
check "noise: a file of version 4" is_version 4
check "noise: what was recorded" compare
check "noise: ranks that are elsewhere" record_elsewhere
check "noise: ranks that are elsewhere: they are" grep -q 'not all ranks reach' "$tmp/said"
check "noise: ranks that are elsewhere: a file of version 4" is_version 4
check "noise: ranks that are elsewhere: what was recorded" compare
unset REFRAIN_CHECK

for timing in aggregate:rank off lossy lossless; do
    check "timing $timing: runs" record 4 "$top_builddir/examples/stencil2d"
    check "timing $timing: what was recorded" compare
done

# Times of single calls: within the bounds of what was recorded, and those that Refrain reads. 36,000 calls a rank are
# two blocks; callbacks make nested calls; in parts the blocks are plain.
same_times() {
    compare && "$reader" --times "$tmp/trace" >"$tmp/second" && [ -s "$tmp/second" ] &&
        "$refrain" text --times "$tmp/trace" | awk '{ sub(/\(.*/, "", $5); print $1, $2, $3, $4, $5 }' | cmp - "$tmp/second"
}

# Rank 1 ends by MPI_Abort; the others are killed.
record_parts() {
    REFRAIN_CHECKPOINT=0.1 record 3 "$tmp/endings" abort "$tmp/made"
    "$refrain" merge -o "$tmp/trace" "$tmp/trace.parts"
}

check "callbacks compiles" build callbacks
check "endings compiles" "$mpicc" -std=c11 -D_GNU_SOURCE -o "$tmp/endings" "$srcdir/tests/endings/endings.c"
for timing in lossy lossy:1.05:10us quantum:1us lossless; do
    case $timing in lossy*) bases=MPI_Waitall=1.01,MPI_Send=3 ;; *) bases= ;; esac
    export REFRAIN_TIMING_BASE=$bases
    check "timing $timing: stencil2d runs" record 2 "$top_builddir/examples/stencil2d" --iterations=4000
    check "timing $timing: stencil2d" same_times
    for name in threads callbacks; do
        check "timing $timing: $name runs" record 2 "$tmp/$name" "$tmp/expected"
        check "timing $timing: $name" same_times
    done
    check "timing $timing: parts" record_parts
    check "timing $timing: parts, their times" same_times
done
unset REFRAIN_TIMING_BASE
rm -rf "$tmp/trace.parts"

timing=lossless
check "a first run" record 2 "$top_builddir/examples/ring"
mv "$tmp/trace" "$tmp/first"
check "a second run" record 2 "$top_builddir/examples/ring"
check "times of another run" ends 1 "$reader" "$tmp/first" "$tmp/raw"

check "one more run" record 4 "$top_builddir/examples/stencil2d"
# The last trace: a reader that finds no fault would prove nothing.
printf X >>"$tmp/raw/rank.2.lane.0.raw"
check "a longer record" ends 1 "$reader" "$tmp/trace" "$tmp/raw"
mv "$tmp/raw/rank.1.lane.0.raw" "$tmp/raw/rank.2.lane.0.raw"
check "a missing record" ends 2 "$reader" "$tmp/trace" "$tmp/raw"
cp "$tmp/raw/rank.2.lane.0.raw" "$tmp/raw/rank.1.lane.0.raw"
check "the record of another rank" ends 1 "$reader" "$tmp/trace" "$tmp/raw"
size=$(wc -c <"$tmp/trace")
head -c $((size - 1)) "$tmp/trace" >"$tmp/short"
check "a trace without its end" ends 2 "$reader" "$tmp/short"
half=$((size / 2))
{
    head -c $half "$tmp/trace"
    tail -c +$((half + 1)) "$tmp/trace" | head -c 1 | LC_ALL=C tr '\000-\377' '\001-\377\000'
    tail -c +$((half + 2)) "$tmp/trace"
} >"$tmp/changed"
check "a trace with another byte" ends 2 "$reader" "$tmp/changed"
finish
