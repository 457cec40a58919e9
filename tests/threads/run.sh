#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads that meet in the tracer as often as possible. ThreadSanitizer checks every access of the
# tracer's own code; the MPI library, which is not built with it, is left out.
#
#   tests/threads/run.sh
#
# From the environment: srcdir, and the variables of tests/mpirun.sh; THREADS and ROUNDS for longer
# runs.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
stress=$top_builddir/tests/threads/stress
threads=${THREADS:-4} rounds=${ROUNDS:-400}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 report_thread_leaks=0 exitcode=0 log_path=$tmp/report"
# MPICH uses UCX, which hooks into the end of threads, when ThreadSanitizer has already ended
export UCX_MEM_MMAP_HOOK_MODE=none
export REFRAIN_CHECKPOINT=0.05 REFRAIN_CHECK=1 REFRAIN_OUTPUT="$tmp/t.refrain" REFRAIN_VERIFY="$tmp/raw"

# run same|other [ENDING]: checks the end. One rank is enough. Addresses are not randomised, because
# ThreadSanitizer does not support all of them.
run() {
    rm -rf "$tmp"/t.refrain* "$tmp"/raw "$tmp"/report*
    timeout 600 "$mpirun" $flags -n 1 setarch -R "$stress" "$threads" "$rounds" $2 >"$tmp/output" 2>&1 </dev/null
    result=$?
    case $1$result in same0) [ ! -s "$tmp/output" ] ;; same* | other0 | *124) false ;; *) true ;; esac ||
        { echo "exit status $result"; cat "$tmp/output"; return 1; }
}

clean() {
    reports=$(cat "$tmp"/report* 2>/dev/null | grep -c 'WARNING: ThreadSanitizer')
    echo "$reports reports"
    [ "$reports" -eq 0 ] || { cat "$tmp"/report* | head -n 200; return 1; }
}

verify() { "$refrain" verify "$tmp/t.refrain" "$tmp/raw"; }

# merges ENDING: checks that the part is that of the ending, not a checkpoint
merges() {
    "$refrain" merge "$tmp/t.refrain.parts" >"$tmp/merged" 2>&1 && grep -qFx "  rank 0: $1" "$tmp/merged" && return
    cat "$tmp/merged"
    return 1
}

lanes() {
    n=$("$refrain" info --json "$tmp/t.refrain" | sed -n 's/.*"lanes":\([0-9]*\).*/\1/p')
    [ "$n" -ge $((threads + 1)) ] && [ "$n" -le $((2 * threads + 1)) ] || { echo "$n lanes"; return 1; }
}

check "stress: runs" run same
check "stress: no report of ThreadSanitizer" clean
check "stress: verifies" verify
check "stress: as many lanes as threads lived at once" lanes
for ending in exit signal another; do
    case $ending in
    exit) name=exit told="exit without MPI_Finalize" ;;
    signal) name=signal told="signal 15 (SIGTERM)" ;;
    another) name="signal from another thread" told="signal 15 (SIGTERM)" ;;
    esac
    check "$name while threads are in MPI: ends" run other $ending
    check "$name while threads are in MPI: no report of ThreadSanitizer" clean
    check "$name while threads are in MPI: merges, and tells the end" merges "$told"
    check "$name while threads are in MPI: verifies" verify
done
finish
