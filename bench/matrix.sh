#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Does the matrix of a loop of NAS cg equal the sum of its calls, and does the time for counting
# depend on the number of iterations?
#
#   [NPB=DIR] bench/matrix.sh     in the build directory; prints tables for RESULTS.md; exit status 1
#                                  if one is wrong
#
#   NPB         the NAS Parallel Benchmarks, see npb.sh; cg is compiled with CLASS (W) and
#               ITERATIONS (75, those of class C), for 4 ranks
#
# The matrix of the loop over these iterations, `refrain matrix --at`, must equal that of the sends
# in `refrain text` between MPI_Barrier, before the loop, and MPI_Reduce, after it; bytes are counts
# times 8. Counting the whole run may take 1.2 times the instructions (by valgrind) for a thousand
# times the iterations. See common.sh for the rest of the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

class=${CLASS:-W} iterations=${ITERATIONS:-75}
most_growth=1.2
failed=0

# ---- cg

# called TRACE: prints the matrix of the loop, counted call by call
called() {
    "$refrain" text --json "$1" | jq -r '[.rank, .function, .parameters.dest // "", .parameters.count // 0] | @tsv' | awk -F '\t' '
        $2 == "MPI_Barrier" { inside[$1] = 1 }
        $2 == "MPI_Reduce" { inside[$1] = 0 }
        inside[$1] && $2 == "MPI_Send" { pair = $1 "," $3; messages[pair]++; bytes[pair] += 8 * $4 }
        END { for (pair in messages) printf "%s,%d,%d\n", pair, messages[pair], bytes[pair] }' | sort
}

if [ -n "${NPB-}" ] && npb_compilable cg; then
    npb_prepare
    npb_build cg "$class"
    sed -i "s/niter=[0-9]*/niter=$iterations/" CG/npbparams.h && rm -f CG/*.o bin/cg.*
    npb_build cg "$class"
    trace cg 4 "bin/cg.$class.x"
    path=$("$refrain" model --json "$work/cg.refrain" |
        jq -r ".constructs[] | select(.in == null and .kind == \"loop\" and .count[0] == $iterations).path")
    events=$(for rank in 0 1 2 3; do "$refrain" model --expand $rank "$work/cg.refrain"; done | grep -cE ' (send|recv) ')
    called "$work/cg.refrain" >"$work/called"
    "$refrain" matrix --csv --at "$path" "$work/cg.refrain" >"$work/matrix"
    sed 1d "$work/matrix" | sort | diff "$work/called" - && [ -s "$work/called" ] && verdict=good || verdict=DIFFERS failed=1
    echo "cg.$class, $iterations iterations, 4 ranks: $events sends and receives in all, $(awk -F, '{ n += $3 } END { print 2 * n }' "$work/called")" \
        "in the loop, construct $path. Its matrix is that of its calls: $verdict"
    echo
    "$refrain" matrix --at "$path" "$work/cg.refrain"
else
    echo "cg: skipped: set NPB, and have $mpifort"
fi

# ---- iterations

echo
if command -v valgrind >/dev/null; then
    "$mpicc" -O2 -o "$work/decode_rate" "$srcdir/bench/decode_rate.c" || die "cannot compile decode_rate.c"
    "$mpicc" -O2 -o "$work/stencil2d" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm ||
        die "cannot compile stencil2d.c"
    echo "| program | 1,000 iterations | 10,000 | 100,000 | |"
    echo "|---|---:|---:|---:|---|"
    growth matrix '1000 10000 100000' stencil2d 4 "$work/stencil2d" --cells=4 --grid=2x2 --iterations=
    growth matrix '1000 10000 100000' lengths 1 "$work/decode_rate" lengths
else
    echo "instructions: skipped: no valgrind (Debian: apt-get install valgrind)"
fi
exit $failed
