#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Times of single calls by docs/FORMAT.md: within their bounds, and equal to those that Refrain
# reads. 36,000 calls per rank are two blocks; callbacks make nested calls; blocks in parts are
# plain.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/format/reader.sh"

same_times() {
    compare && "$reader" --times "$tmp/trace" >"$tmp/second" && [ -s "$tmp/second" ] &&
        "$refrain" text --times "$tmp/trace" | awk '{ sub(/\(.*/, "", $5); print $1, $2, $3, $4, $5 }' | cmp - "$tmp/second"
}

# Rank 1 ends with MPI_Abort; the others are killed.
record_parts() {
    REFRAIN_CHECKPOINT=0.1 record 3 "$tmp/endings" abort "$tmp/made"
    "$refrain" merge -o "$tmp/trace" "$tmp/trace.parts"
}

check "endings compiles" "$mpicc" -std=c11 -D_GNU_SOURCE -o "$tmp/endings" "$srcdir/tests/endings/endings.c"
for timing in lossy lossy:1.05:10us quantum:1us lossless; do
    case $timing in lossy*) bases=MPI_Waitall=1.01,MPI_Send=3 ;; *) bases= ;; esac
    export REFRAIN_TIMING_BASE=$bases
    check "timing $timing: stencil2d runs" record 2 "$top_builddir/examples/stencil2d" --iterations=4000
    check "timing $timing: stencil2d" same_times
    for name in threads callbacks; do
        check "timing $timing: $name runs" record 2 "$programs/$name" "$tmp/expected"
        check "timing $timing: $name" same_times
    done
    check "timing $timing: parts" record_parts
    check "timing $timing: parts, their times" same_times
done
finish
