#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A reader that was written from docs/FORMAT.md alone reads the example there, and finds the faults
# of invalid files.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/format/reader.sh"

# Prints the bytes of the example: hexadecimal digits at the beginning of its lines.
example() {
    sed -n '/^## .*Example/,/^## .*Records/s/^  *\(\([0-9A-F][0-9A-F]\)\{1,\}\( \([0-9A-F][0-9A-F]\)\{1,\}\)*\)\(  .*\)*$/\1/p' \
        "$srcdir/docs/FORMAT.md" | sed 's/[0-9A-F][0-9A-F]/& /g' |
        while read -r line; do
            for byte in $line; do
                printf "\\$(printf %03o "0x$byte")"
            done
        done
}

# Each rank sends to its right neighbour, the last rank to MPI_PROC_NULL.
expected_example() {
    for rank in 0 1 2 3; do
        [ $rank -eq 3 ] && dest=-2 || dest=$((rank + 1))
        seq 0 999 | sed "s/.*/$rank 0 & MPI_Send $dest 0/"
    done
}

same_example() {
    "$reader" "$tmp/example" >"$tmp/lines" && expected_example | cmp - "$tmp/lines"
}

example >"$tmp/example"
check "the example of the text" same_example

# The second reader also refuses each file that Refrain's reader refuses, each for another reason.
all_refused() {
    for file in "$srcdir"/tests/fuzz/corpus/reader/refused_*; do
        ends 2 "$reader" --check "$file" >"$tmp/lines" 2>&1 || { echo "$file"; return 1; }
    done
}
check "what is refused" all_refused
finish
