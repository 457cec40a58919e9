#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/FORMAT.md is complete: a reader that was written from it alone reads traces of real programs,
# down to each slot.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/format/reader.sh"

timing=aggregate
for name in ring stencil2d stencil3d; do
    check "$name runs" record 4 "$top_builddir/examples/$name"
    check "$name: what was recorded" compare
done
for name in communicators files irregular one_sided threads; do
    check "$name runs" record 3 "$programs/$name" "$tmp/expected"
    check "$name: what was recorded" compare
done

# Lists that are the same seen from other places of a torus, and places in bytes.
check "cells runs" record 16 "$programs/cells" "$tmp/expected"
check "cells: what was recorded" compare

# The received sizes are the transpose of the sent ones.
check "offsets runs" record 16 "$programs/offsets" "$tmp/expected"
check "offsets: what was recorded" compare

# Counts that are columns, and displacements that are their sums.
check "displacements runs" record 5 "$programs/displacements" "$tmp/expected"
check "displacements: what was recorded" compare

# Columns in the annex, written by each rank, or by rank 0 if the others cannot reach the file.
record_elsewhere() {
    "$mpicc" -shared -fPIC -o "$tmp/elsewhere.so" "$srcdir/tests/format/elsewhere.c" && mkdir "$tmp/raw.elsewhere" || return 1
    LD_PRELOAD=$yield:$tmp/elsewhere.so REFRAIN_LOG=info timeout "$limit" "$mpirun" $flags -n 3 "$refrain" record -o "$tmp/elsewhere" \
        --timing lossless --verify "$tmp/raw.elsewhere" "$programs/noise" "$tmp/expected" </dev/null >"$tmp/said" 2>&1 &&
        mv "$tmp/elsewhere" "$tmp/trace" && rm -r "$tmp/raw" && mv "$tmp/raw.elsewhere" "$tmp/raw"
}
export REFRAIN_CHECK=1
check "noise runs" record 3 "$programs/noise" "$tmp/expected"
check "noise: what was recorded" compare
check "noise: ranks that are elsewhere" record_elsewhere
check "noise: ranks that are elsewhere: they are" grep -q 'not all ranks can write' "$tmp/said"
check "noise: ranks that are elsewhere: what was recorded" compare
unset REFRAIN_CHECK

for timing in aggregate:rank off lossy lossless; do
    check "timing $timing: runs" record 4 "$top_builddir/examples/stencil2d"
    check "timing $timing: what was recorded" compare
done

timing=lossless
check "a first run" record 2 "$top_builddir/examples/ring"
mv "$tmp/trace" "$tmp/first"
check "a second run" record 2 "$top_builddir/examples/ring"
check "times of another run" ends 1 "$reader" "$tmp/first" "$tmp/raw"

check "one more run" record 4 "$top_builddir/examples/stencil2d"
# On the last trace: a reader that finds no fault at all would prove nothing.
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
