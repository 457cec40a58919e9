#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares `refrain messages` with what the program matching.c found in its messages, also for
# collective operations of several threads.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -pthread \
        -o "$tmp/$1" "$srcdir/tests/mpi/$1.c"
}

record() {
    rm -f "$tmp"/said.*
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record -o "$tmp/trace.refrain" "$tmp/matching" "$tmp/said" \
        </dev/null && cat "$tmp"/said.* | sort >"$tmp/said" && [ -s "$tmp/said" ]
}

# The program prints a collective operation as a line for each call.
matched() {
    "$refrain" messages "$tmp/trace.refrain" >"$tmp/lines" || return 1
    awk '/^collective/ {
             match($0, /number=[0-9]+  /)
             n = split(substr($0, RSTART + RLENGTH), calls, " ")
             for (i = 1; i <= n; i++) print substr($0, 1, RSTART + RLENGTH - 1) calls[i]
         }
         /^message/' "$tmp/lines" | sort >"$tmp/matched"
    diff "$tmp/said" "$tmp/matched"
}

# Checks the cancelled ones: two in each process.
left_over() {
    grep '^unmatched' "$tmp/lines" >"$tmp/left_over"
    [ "$(grep -c '  cancelled$' "$tmp/left_over")" -eq $((2 * $1)) ] && ! grep -v '  cancelled$' "$tmp/left_over"
}

# Sums messages and bytes over all lines.
summed_up() {
    "$refrain" messages --summary "$tmp/trace.refrain" |
        awk 'NF == 5 && $2 ~ /^[0-9]+$/ { messages += $2; bytes += $3; calls += $4 } END { print messages, bytes, calls }' \
            >"$tmp/sums"
    awk '/^message/ { messages++; bytes += substr($NF, 7) } /^collective/ { calls++ } END { print messages, bytes, calls }' \
        "$tmp/lines" >"$tmp/counted"
    grep -q '^[1-9]' "$tmp/counted" && diff "$tmp/counted" "$tmp/sums"
}

# A fault has a message and sets the exit status.
fault() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o "$tmp/fault.refrain" "$tmp/matching" </dev/null || return 1
    "$refrain" messages "$tmp/fault.refrain" >"$tmp/fault"
    [ $? -eq 1 ] && echo 'unmatched  0:3  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=MPI_ANY_SOURCE  tag=7  never completed' |
        diff - "$tmp/fault"
}

# Checks that nothing is wrong, whichever thread is walked first: 302 operations on MPI_COMM_WORLD,
# and 60 communicators that are created and used.
threads() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record --timing "$2" -o "$tmp/threads.refrain" "$tmp/matching_threads" \
        </dev/null && "$refrain" messages "$tmp/threads.refrain" >"$tmp/threads" &&
        [ "$(grep -c '^collective.*  comm=MPI_COMM_WORLD  ' "$tmp/threads")" -eq 302 ] &&
        [ "$(grep -c '^collective  MPI_Comm_create_group ' "$tmp/threads")" -eq 60 ]
}

# If single calls have times, the executor's operations come after those of the main thread.
in_order_of_time() {
    threads "$1" lossless &&
        [ "$(grep -c '^collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=2[0-9][0-9] ' "$tmp/threads")" -eq 100 ]
}

# The order of an executor is known without times: each operation belongs to all ranks.
executor() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$1" "$refrain" record --timing aggregate -o "$tmp/executor.refrain" "$tmp/matching_executor" \
        </dev/null && "$refrain" messages "$tmp/executor.refrain" >"$tmp/executor" || return 1
    grep -c '^collective  MPI_Barrier ' "$tmp/executor" | grep -qx 150 && ! grep -q 'differ\|  [0-9]* of [0-9]' "$tmp/executor" &&
        grep -q '^collective  MPI_Allreduce .*  0\.1:20 1:' "$tmp/executor"
}

# A call left by a jump has sent nothing: each rank has twelve messages, of 4 bytes.
jumps() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o "$tmp/jumps.refrain" "$tmp/matching_jumps" </dev/null &&
        "$refrain" text "$tmp/jumps.refrain" | grep -c '= ?$' | grep -qx 24 && "$refrain" messages "$tmp/jumps.refrain" >"$tmp/jumps" || { cat "$tmp/jumps"; return 1; }
    [ "$(grep -c '^message .*  bytes=4$' "$tmp/jumps")" -eq 24 ] && ! grep '^unmatched\|MPI_Bcast' "$tmp/jumps"
}
jumps_in_sums() {
    "$refrain" stat "$tmp/jumps.refrain" | tee "$tmp/sums" | awk '$1 ~ /^MPI_(I?[Ss]end|Recv|Bcast)$/ { n++; bytes += $(NF - 1) + $NF } END { exit n != 4 || bytes != 0 }' ||
        { cat "$tmp/sums"; return 1; }
}
jumps_in_archive() {
    "$refrain" otf2 -o "$tmp/jumps.otf2" "$tmp/jumps.refrain" 2>"$tmp/said" || { grep 'built without' "$tmp/said"; return; }
    ! command -v otf2-print >/dev/null || [ "$(otf2-print "$tmp/jumps.otf2/traces.otf2" | grep -c '^MPI_I\?SEND ')" -eq 24 ]
}

check "matching compiles" build matching
check "matching_threads compiles" build matching_threads
check "matching_executor compiles" build matching_executor
check "matching_jumps compiles" build matching_jumps
check "calls that were left by a jump: messages" jumps
check "calls that were left by a jump: sums" jumps_in_sums
check "calls that were left by a jump: an archive" jumps_in_archive
check "a receive that never completes" fault
for n in 1 2 3 4 7; do
    check "matching on $n: runs" record "$n"
    check "matching on $n: messages and collective operations" matched
    check "matching on $n: what is not matched" left_over "$n"
    check "matching on $n: summary" summed_up
done
for n in 2 3; do
    check "matching_threads on $n: nothing is wrong" threads "$n" aggregate
    check "matching_threads on $n: in the order of times" in_order_of_time "$n"
    check "matching_executor on $n: nothing is wrong" executor "$n"
done
finish
