#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How large are the traces of stencils? More ranks must not make a file more than 5 % larger; more
# iterations must change only counters, not the numbers of rows, rules, symbols ….
#
#   bench/stencil_sizes.sh          in the build directory; prints tables for RESULTS.md; exit
#                                   status 1 if one grew
#
# Four variants each: open or periodic, borders as MPI_PROC_NULL or left out with an `if`. The bound
# is on the whole file; the growth without times is printed, too, because their histograms fill up
# as a run gets longer. See common.sh for the environment.
. "$(dirname "$0")/common.sh"

bound=1.05
few=100 many=10000 # iterations
grown=0

for program in stencil2d stencil3d; do
    [ -x "$top_builddir/examples/$program" ] || die "$top_builddir/examples/$program is not there"
done

# measure PROGRAM GRID ITERATIONS VARIANT: sets `bytes`, `times` (the part of them for times) and
# `structure`
measure() {
    ranks=$(($(echo "$2" | tr x '*')))
    name=$1.$2.$3.$(echo "$4" | tr -d ' =-')
    trace "$name" "$ranks" "$top_builddir/examples/$1" --cells=4 --grid="$2" --iterations="$3" $4
    bytes=$(info "$name" .bytes)
    times=$(info "$name" '[.sections[] | select(.section == "TIME") | .stored] | add // 0')
    structure=$(info "$name" '[.sites, .shapes, .groups, .rows, .columns, .rules, .symbols] | join(" ")')
    printf '| %s | %s | %d | %s | %d | %d | %s |\n' "$1" "$2" "$3" "$4" "$(info "$name" .calls)" "$bytes" \
        "$(info "$name" '[.sections[] | "\(.section) \(.stored)"] | join(", ")')"
}

# compare WHAT BEFORE TIMES_BEFORE GOOD: compares with the last measurement; the command GOOD
# decides
compare() {
    if $4; then
        verdict=good
    else
        grown=$((grown + 1))
        verdict="TOO LARGE"
    fi
    awk "BEGIN { printf \"| %s | %d | %d | %+.1f %% | %+.1f %% | %s |\n\", \"$1\", $2, $bytes, ($bytes / $2 - 1) * 100,
        (($bytes - $times) / ($2 - $3) - 1) * 100, \"$verdict\" }" >>"$work/comparisons"
}

within_bound() { awk "BEGIN { exit !($bytes <= $small * $bound) }"; }
same_structure() { [ "$structure" = "$small_structure" ]; }

: >"$work/comparisons"
echo "| program | grid | iterations | variant | calls | bytes | by section |"
echo "|---|---|---:|---|---:|---:|---|"
for variant in "--border=null" "--border=if" "--border=null --periodic" "--border=if --periodic"; do
    for grids in "stencil2d 5x5 8x8" "stencil3d 3x3x3 4x4x4"; do
        set -- $grids
        measure "$1" "$2" $few "$variant"
        small=$bytes small_times=$times small_structure=$structure
        measure "$1" "$3" $few "$variant"
        compare "$1 $variant, $2 to $3" $small $small_times within_bound
        measure "$1" "$2" $many "$variant"
        compare "$1 $variant, $few to $many iterations" $small $small_times same_structure
    done
done
echo
echo "| growth | before, bytes | after, bytes | whole | without times | |"
echo "|---|---:|---:|---:|---:|---|"
cat "$work/comparisons"
[ $grown -eq 0 ]
