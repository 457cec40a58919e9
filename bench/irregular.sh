#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What do irregular arguments and irregular control flow cost? Programs of bench/irregular.c, one
# rank (master_worker: 4).
#
#   bench/irregular.sh              in the build directory; prints a table for RESULTS.md; exit status 1
#                                   if a bound is not met
#
# Entropy is that of the program's random choices: N tags of 64, N different ones of 2^20, N counts
# of 100, N indices of 8; for master_worker, of rank 0's tries and sources. The trace may have 1.25
# times as many bytes plus 4 KB. Time and memory are traced minus untraced, medians of RUNS (default
# 5) interleaved runs. See common.sh for the environment.
. "$(dirname "$0")/common.sh"

runs=${RUNS:-5}
failed=0

"$mpicc" -O2 -o "$work/irregular" "$srcdir/bench/irregular.c" || die "cannot compile irregular.c"

# run LOG RANKS COMMAND…: appends the program's output, "NS ns  KB KB"
run() {
    log=$1 ranks=$2
    shift 2
    "$mpirun" $flags -n "$ranks" "$@" </dev/null | grep ' ns ' >>"$log" || die "$* failed"
}

median() { awk -v field="$2" '{ print $field }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# polled CASE: prints the entropy in bits of one answer that rank 0 polled for: the number of tries
# and the sender
polled() {
    "$refrain" text --rank 0 "$work/$1.refrain" | sed -n 's/.*MPI_Iprobe.*flag=\([01]\), status={\(source=[0-9]*\)*.*/\1 \2/p' | awk '
        function entropy(counts, total, k, h) { for (k in counts) h += counts[k] / total * log(total / counts[k]) / log(2); return h }
        $1 == 0 { tries++ }
        $1 == 1 { n++; took[tries + 0]++; from[$2]++; tries = 0 }
        END { print entropy(took, n) + entropy(from, n) }'
}

# measure CASE RANKS N BITS: BITS is the entropy of one step, or a command that prints it
measure() {
    rm -f "$work/plain.log" "$work/traced.log" "$work/$1.refrain"
    for _ in $(seq "$runs"); do
        run "$work/plain.log" "$2" "$work/irregular" "$1" "$3"
        rm -f "$work/$1.refrain"
        run "$work/traced.log" "$2" "$refrain" record -o "$work/$1.refrain" "$work/irregular" "$1" "$3"
    done
    calls=$(info "$1" .calls)
    bytes=$(info "$1" .bytes)
    case $4 in polled) bits=$(polled "$1") ;; *) bits=$4 ;; esac
    awk -v name="$1" -v n="$3" -v ranks="$2" -v calls="$calls" -v bytes="$bytes" -v bits="$bits" \
        -v t0="$(median "$work/plain.log" 1)" -v t1="$(median "$work/traced.log" 1)" \
        -v m0="$(median "$work/plain.log" 3)" -v m1="$(median "$work/traced.log" 3)" 'BEGIN {
            entropy = n * bits / 8
            good = bytes <= 1.25 * entropy + 4096
            time = ranks > 1 ? "waits" : sprintf("%.0f", (t1 - t0) * n / calls)
            printf "| %s | %d | %d | %d | %d | %d | %s | %.1f | %s |\n", name, ranks, calls, entropy, bytes, bytes - entropy,
                time, (m1 - m0) / 1024, good ? "good" : "TOO LARGE"
            exit !good
        }' || failed=1
}

echo "| program | ranks | calls | entropy, bytes | trace, bytes | beyond | ns a call | MB added | |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---|"
measure few_tags 1 500000 6
measure all_tags 1 500000 19.5
measure counting_tags 1 1000000 0
measure polls 1 10000 6.644
measure double_polls 1 10000 6.644
measure wait_any 1 100000 3
measure master_worker 4 5000 polled
[ $failed -eq 0 ]
