# SPDX-License-Identifier: BSD-3-Clause
# For the tests of the file format: a reader that was written from docs/FORMAT.md alone reads traces
# of real programs, down to each slot and nanosecond. The programs are those of tests/mpi and of the
# examples.
#
# From the environment: srcdir, SECOND_READER (default: the build tree's), and the variables of
# tests/mpirun.sh.
top_builddir=${top_builddir:-$PWD}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
programs=$top_builddir/tests/mpi
reader=${SECOND_READER:-$top_builddir/tests/format/second_reader}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# ends STATUS COMMAND…: checks the exit status
ends() {
    wanted=$1
    shift
    "$@"
    status=$?
    [ $status -eq "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}

# record RANKS PROGRAM [ARGUMENT…]: records $tmp/trace and $tmp/raw
record() {
    ranks=$1
    shift
    rm -rf "$tmp/raw" "$tmp/trace" && mkdir "$tmp/raw" &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$ranks" "$refrain" record -o "$tmp/trace" --verify "$tmp/raw" \
            --timing "$timing" "$@" </dev/null
}

compare() { "$reader" "$tmp/trace" "$tmp/raw" | grep '^[1-9][0-9]* ranks, [1-9][0-9]* calls: identical$'; }
