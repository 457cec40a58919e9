#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long would a run be with a network that takes no time? Compares `refrain critical` with Dimemas (github
# bsc-performance-tools/dimemas), which gets the same intervals and messages (dimemas.c): its latency is 0, its
# bandwidth, buses and links are unlimited. Prints a table with a row for each available program.
#
#     DIMEMAS=PROGRAM bench/dimemas.sh        in a build directory
#
# Dimemas has its own rules for sends and collective operations; in the last column it gets the dependencies
# as recorded. From the environment: NPB (bench/npb.sh; class S), RANKS (4), and the variables of
# bench/common.sh.
REFRAIN_TIMING=lossless
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"
ranks=${RANKS:-4}
dimemas=$(realpath "${DIMEMAS:-/}") && [ -f "$dimemas" ] && [ -x "$dimemas" ] || die "DIMEMAS is not set: where is the simulator?"
make -s bench/dimemas >&2 || die "cannot build bench/dimemas"
translate=$(realpath bench/dimemas)
bin=$work/dimemas-programs
mkdir -p "$bin" || exit 2

build() {
    for program in stencil2d sweep; do
        "$mpicc" -O2 -o "$bin/$program" "$srcdir/examples/$program.c" "$srcdir/examples/stencil_options.c" -lm || exit 2
    done
    "$mpicc" -std=c11 -D_GNU_SOURCE -O2 -o "$bin/removal" "$srcdir/bench/removal.c" || exit 2
    [ -n "${NPB-}" ] || { echo "bench/dimemas.sh: NPB is not set: without these programs" >&2; return; }
    (npb_prepare && for program in $npb_list; do
        npb_compilable "$program" || { echo "bench/dimemas.sh: $mpifort is missing: without $program" >&2; continue; }
        npb_build "$program" S && cp "bin/$program.S.x" "$bin/$program.S" || exit 2
    done) || exit 2
}

cat >"$work/ideal.cfg" <<END
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", $ranks, 0.0, 0, 1};;
"multi node information" {0, $ranks, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
"configuration files" {"", "", "", ""};;
"file system parameters" {0.0, 0.0, 8.0, 0, 1.0};;
END

# simulate NAME [recorded]: sets $time to that of Dimemas after MPI_Init, in seconds
simulate() {
    begin=$("$translate" "$work/$1.refrain" "$work/$1.dim" ${2-}) || die "$1 is not translated"
    "$dimemas" --dim "$work/$1.dim" --config-file "$work/ideal.cfg" >"$work/simulated" 2>&1 </dev/null
    end=$(sed -n 's/^Execution time:[^0-9]*//p' "$work/simulated")
    [ -n "$end" ] || { tail -5 "$work/simulated" >&2; die "$1: no time from Dimemas"; }
    time=$(awk "BEGIN { printf \"%.9f\", $end - $begin }")
}

compare() { # NAME PROGRAM ARGUMENT…
    name=$1
    shift
    trace "$name" "$ranks" "$@"
    "$refrain" critical --clock linear --json "$work/$name.refrain" >"$work/critical.json" || die "$name is not analysed"
    simulate "$name" && plain=$time && simulate "$name" recorded
    echo "$(jq -r '.efficiency | "\(.seconds) \(.ideal_seconds)"' "$work/critical.json") $plain $time" |
        awk -v name="$name" -v ranks="$ranks" '{
            printf "| %s | %d | %.3f | %.3f | %.3f | %+.2f %% | %+.4f %% |\n", name, ranks, 1e3 * $1, 1e3 * $2, 1e3 * $3, 100 * ($3 / $2 - 1), 100 * ($4 / $2 - 1) }'
}

build
echo "| program | ranks | run, ms | ideal: Refrain | Dimemas | off by | with recorded dependencies |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for program in imbalance once serial pipeline; do
    compare "$program" "$bin/removal" "$program" yes
done
for program in stencil2d sweep $(cd "$bin" && ls | grep '\.S$'); do
    compare "$program" "$bin/$program"
done
