#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How much space do the times of single calls need? NAS Parallel Benchmarks, bytes per call in each
# mode, compared with Pilgrim's binned times.
#
#   NPB=DIR [NPB_PROGRAMS="bt cg lu mg"] [NPB_CLASSES=W] [RANKS=16] bench/time_sizes.sh      in the build
#                                                          directory; prints a table for RESULTS.md
#
# Each figure is from a separate run. Every run is verified: the largest errors of the strict lossy
# mode are in the last columns. Pilgrim's figure is that of bench/peers.tsv: its file with times
# minus its structure, with base 1.2 and times below 10 us taken as 0. See common.sh and npb.sh for
# the environment.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/npb.sh"
npb_list=${NPB_PROGRAMS:-bt cg lu mg}
npb_classes=${NPB_CLASSES:-W}
ranks=${RANKS:-16}
modes="lossy lossy:1.2:1us lossy:1.2:10us lossy:1.05 quantum:1us lossless"
npb_prepare

# traced PROGRAM MODE: prints bytes per call; leaves the output of `refrain verify` in
# $work/verified
traced() {
    rm -rf "$work/raw" && mkdir "$work/raw" || exit 2
    REFRAIN_TIMING=$2 REFRAIN_VERIFY=$work/raw trace "$1" "$ranks" "bin/$1.x"
    npb_check "$1"
    "$refrain" verify "$work/$1.refrain" "$work/raw" >"$work/verified" || { cat "$work/verified" >&2; die "$1, $2: out of bounds"; }
    "$refrain" info --json "$work/$1.refrain" | jq -r .times_size | sed 's/.*, \(.*\) a call/\1/'
}

# pilgrim PROGRAM: prints bytes per call
pilgrim() {
    awk -v name="$1.$ranks" '$1 == name { printf "%.3f", ($4 - $3) / $2; found = 1 } END { if (!found) printf "-" }' "$srcdir/bench/peers.tsv"
}

echo "| program | calls | $(echo "$modes" | sed 's/ / | /g') | Pilgrim | lossy: durations, gaps within | entries within, ms |"
echo "|---|---:|$(echo "$modes" | sed 's/[^ ]* */---:|/g')---:|---|---:|"
for program in $npb_list; do
    npb_compilable "$program" || continue
    for class in $npb_classes; do
        npb_build "$program" "$class"
        name=$program.$class row=
        for mode in $modes; do
            row="$row $(traced "$name" "$mode") |" || exit 2
            [ "$mode" != lossy ] || worst=$(sed -n 's/.*factor of \([0-9.]*\), gaps of \([0-9.]*\); entries within \([0-9]*\) ns/\1, \2 \3/p' "$work/verified" |
                awk '{ printf "%s %s | %.1f", $1, $2, $3 / 1e6 }')
        done
        echo "| $name.$ranks | $(info "$name" .calls) |$row $(pilgrim "$name") | $worst |"
    done
done
