#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces programs with EZTrace (Debian: eztrace) and with Refrain, exported as OTF2: do both have
# the same calls and messages by rank (eztrace.py)? Prints a table with a row for each available
# program.
#
#     bench/eztrace.sh            in a build directory
#
# From the environment: NPB (bench/npb.sh), RANKS (4), and the variables of bench/common.sh. Open MPI
# only.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"
ranks=${RANKS:-4}
command -v eztrace >/dev/null || die "needs eztrace (Debian: apt-get install eztrace)"
command -v otf2-print >/dev/null || die "needs otf2-print (Debian: apt-get install otf2-tools)"
bin=$work/eztrace-programs
mkdir -p "$bin" || exit 2

build() {
    for program in stencil2d stencil3d; do
        "$mpicc" -O2 -o "$bin/$program" "$srcdir/examples/$program.c" "$srcdir/examples/stencil_options.c" -lm || exit 2
    done
    [ -n "${NPB-}" ] || { echo "bench/eztrace.sh: NPB is not set: examples only" >&2; return; }
    (npb_prepare && for program in $npb_list; do
        npb_compilable "$program" && npb_build "$program" S >/dev/null 2>&1 && cp "bin/$program.S.x" "$bin/npb-$program.S"
    done)
}

compare() { # PROGRAM
    name=$(basename "$1")
    rm -rf "$work/ez" && mkdir "$work/ez" && cd "$work/ez" || exit 2
    "$mpirun" $flags -n "$ranks" eztrace -t openmpi "$1" >log 2>&1 </dev/null || { echo "| $name | $ranks | EZTrace failed | | |"; return; }
    REFRAIN_TIMING=lossless "$mpirun" $flags -n "$ranks" "$refrain" record -o t.refrain "$1" >log 2>&1 </dev/null &&
        "$refrain" otf2 -o archive t.refrain || die "$name cannot be traced"
    python3 "$srcdir/bench/eztrace.py" ./*_trace/eztrace_log.otf2 archive/traces.otf2 >result
    read -r n calls messages verdict <result
    case $verdict in "the same") echo "| $name | $n | $calls | $messages | $verdict |" ;; *) echo "| $name | $ranks | | | $(cat result) |" ;; esac
}

build
echo "| program | ranks | calls | messages | |"
echo "|---|---:|---:|---:|---|"
for program in "$bin"/*; do
    compare "$program"
done
