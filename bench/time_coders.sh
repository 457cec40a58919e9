#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Would another code need less space for the times of single calls? NAS Parallel Benchmarks, bytes
# per call for gap and duration together.
#
#   NPB=DIR [NPB_PROGRAMS="bt cg lu mg"] [NPB_CLASSES=W] [RANKS=16] bench/time_coders.sh
#       in the build
#                                                          directory; prints a table for RESULTS.md
#   TRACES="A.refrain …" bench/time_coders.sh
#       of existing traces
#
# Each program is traced once, with lossless times; all codes get the same calls (see
# bench/time_coders.c). See common.sh and npb.sh for the environment.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/npb.sh"
npb_list=${NPB_PROGRAMS:-bt cg lu mg}
npb_classes=${NPB_CLASSES:-W}
ranks=${RANKS:-16}
build=$PWD names= rule=
make -s bench/time_coders || die "cannot build bench/time_coders"

# column NAME TRACE: adds the output of time_coders as a column of the table
column() {
    "$build/bench/time_coders" "$2" >"$work/column" || exit 2
    if [ -f "$work/table" ]; then
        cut -f 2 "$work/column" | paste "$work/table" - >"$work/wider" && mv "$work/wider" "$work/table"
    else
        mv "$work/column" "$work/table"
    fi
    names="$names $1 |" rule="$rule---:|"
}

if [ -n "${TRACES-}" ]; then
    for trace in $TRACES; do
        column "$(basename "$trace" .refrain)" "$trace"
    done
else
    npb_prepare
    for program in $npb_list; do
        npb_compilable "$program" || continue
        for class in $npb_classes; do
            npb_build "$program" "$class"
            REFRAIN_TIMING=lossless trace "$program.$class" "$ranks" "bin/$program.$class.x"
            npb_check "$program.$class"
            column "$program.$class.$ranks" "$work/$program.$class.refrain"
        done
    done
fi

echo "| bytes a call |$names"
echo "|---|$rule"
sed 's/^/| /; s/\t/ | /g; s/$/ |/' "$work/table"
