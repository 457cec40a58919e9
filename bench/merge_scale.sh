#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Merges the traces of up to a million ranks that exist only as calls, and draws time and size by
# ranks.
#
#   make merge-scale [MERGE_SCALE='OPTION…']      in the build directory; 5 minutes; options:
#                                                 bench/merge_scale.c
#
# Prints a table for RESULTS.md, and leaves it and two pictures in merge-scale/.
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
mkdir -p merge-scale || exit 2

bench/merge_scale "$@" | tee merge-scale/table.md

# draw NAME COLUMN TITLE
draw() {
    LC_ALL=C awk -v x=2 -v y="$2" -v title="$3" -v xlabel=ranks -f "$srcdir/bench/loglog.awk" merge-scale/table.md \
        >"merge-scale/$1.svg"
}
draw time 5 'Seconds of CPU for merging the traces of all ranks' &&
    draw size 8 'Bytes of the file'
