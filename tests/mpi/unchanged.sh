#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/mpi/unchanged.c prints the same and ends in the same way with and without the tracer:
# cancelled threads, signal handlers that pass a signal on.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

# run LOG COMMAND…: keeps the program's output and status, without the launchers' messages
run() {
    log=$1
    shift
    timeout "$limit" "$mpirun" $flags -n 1 "$@" </dev/null >said 2>&1
    echo "status $?" >"$log"
    grep -E '^(still|not|cancelled|ended|before|caught|done)' said >>"$log"
}
unchanged() {
    rm -rf raw traced.refrain* && mkdir raw
    run plain ./unchanged "$1"
    run traced "$refrain" record --checkpoint 1 --verify raw -o traced.refrain ./unchanged "$1"
    cat plain
    grep -v '^status' plain | grep -q . && diff plain traced
}
verifies() { "$refrain" verify traced.refrain raw; }

"$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Werror -Wno-deprecated-declarations -pthread -o unchanged "$srcdir/tests/mpi/unchanged.c" ||
    { echo "cannot build the program"; exit 1; }
for mode in cancel_first cancel_checkpoint cancel_periodic; do
    check "$mode: the same as untraced" unchanged $mode
    check "$mode: verifies" verifies
done
for mode in pass_on pass_on_signal pass_on_sigset pass_on_ssignal pass_on_sysv; do
    check "$mode: the same as untraced" unchanged $mode
    check "$mode: verifies" verifies
done
check "pass_on_always: the same as untraced" unchanged pass_on_always
check "pass_on_always: leaves a part" "$refrain" merge traced.refrain.parts
finish
