#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does the tracer cost a call? Programs of bench/call_cost.c, one rank, steady loops.
#
#   [N=300000] [RUNS=11] [INSTRUCTIONS=no] bench/call_cost.sh
#       in the build directory; prints a table for RESULTS.md
#
# Nanoseconds of CPU time, untraced and traced runs in turn, medians; call sites on, times
# aggregated. Instructions are counted by valgrind --tool=callgrind, if it is installed. They are
# repeatable, but include clock_gettime, because valgrind has no reliable time stamp counter. The
# exit status is 1 if a bound is not met: 45 ns for a local call, 80 ns for the others with a bound.
# See common.sh for the environment.
. "$(dirname "$0")/common.sh"

n=${N:-300000}
runs=${RUNS:-11}

"$mpicc" -O2 -pthread -I"$srcdir/src/user" -o "$work/call_cost" "$srcdir/bench/call_cost.c" || die "cannot compile call_cost.c"

# run LOG COMMAND…: appends "CASE NS CALLS"
run() {
    log=$1
    shift
    "$mpirun" $flags -n 1 "$@" </dev/null | grep -E '^[a-z_]+ [0-9.]+ [0-9]+$' >>"$log" || die "$* failed"
}

rm -f "$work/plain.log" "$work/traced.log"
for _ in $(seq "$runs"); do
    run "$work/plain.log" "$work/call_cost" "$n"
    rm -f "$work/cost.refrain"
    run "$work/traced.log" "$refrain" record -o "$work/cost.refrain" "$work/call_cost" "$n"
done

# instructions CASE: prints traced minus untraced instructions per call; uses the difference of two
# lengths, so one-time work does not count
instructions() {
    if [ "${INSTRUCTIONS-}" = no ] || ! command -v valgrind >/dev/null; then
        echo -
        return
    fi
    for program in "$work/call_cost" "$refrain record -o $work/cost.refrain $work/call_cost"; do
        for length in 3000 33000; do
            rm -f "$work"/callgrind.* "$work/cost.refrain"
            # shellcheck disable=SC2086 # a list of words
            "$mpirun" $flags -n 1 valgrind --tool=callgrind --trace-children=yes --toggle-collect=work \
                --callgrind-out-file="$work/callgrind.%p" $program $length "$1" </dev/null >/dev/null 2>&1
            grep -h '^summary:' "$work"/callgrind.* | sort -k2n | tail -1 | cut -d' ' -f2
        done
    done | awk '{ v[NR] = $1 } END { printf "%.0f", ((v[4] - v[3]) - (v[2] - v[1])) / 33000 }'
}

median() { awk -v name="$2" '$1 == name { print $2 }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
spread() { awk -v name="$2" '$1 == name { print $2 }' "$1" | sort -n | awk '{ v[NR] = $1 } END { printf "%.0f–%.0f", v[1], v[NR] }'; }

echo "| call | untraced, ns | traced, ns | from–to | cost, ns | bound | instructions |"
echo "|---|---:|---:|---|---:|---:|---:|"
failed=0
while read -r name bound label; do
    t0=$(median "$work/plain.log" "$name") t1=$(median "$work/traced.log" "$name")
    awk -v label="$label" -v t0="$t0" -v t1="$t1" -v bound="$bound" -v range="$(spread "$work/traced.log" "$name")" \
        -v instructions="$(instructions "$name")" 'BEGIN {
            cost = t1 - t0
            printf "| %s | %.1f | %.1f | %s | %.1f | %s | %s |\n", label, t0, t1, range, cost, bound, instructions
            exit bound != "-" && cost > bound
        }' || failed=1
done <<END
comm_rank 45 MPI_Comm_rank
test_null 45 MPI_Test of a null request
iprobe - MPI_Iprobe
exchange 80 MPI_Irecv, MPI_Isend, MPI_Waitall of 8 bytes to itself, each
send_recv - MPI_Send, MPI_Recv of a double to itself, each
sendrecv - MPI_Sendrecv of a double to itself
allreduce - MPI_Allreduce of a double
region 45 refrain_region_begin, refrain_region_end, each
END
[ $failed -eq 0 ]
