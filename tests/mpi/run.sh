#!/bin/sh
# Traces each program of programs.list and compares every line of the trace with what the program says of itself.
#
#   tests/mpi/run.sh [PROGRAM…]       all programs, or those (fortran_files: all bindings; fortran_files.f08)
#
# A program NAME.large of the list is NAME.c once more, where each procedure that has a large-count form is called by it.
# It is left out if the MPI library has none; without MPIFORT the Fortran programs are left out.
#
# From the environment: srcdir, MPI_NAME, and what tests/mpirun.sh takes.
#
# What tests/mpi/coverage.sh reads stays behind in the build tree: in tests/mpi/covered/PROGRAM the procedures that PROGRAM
# calls; nothing if one of its checks failed.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
lane_events=$top_builddir/tests/cli/lane_events
export REFRAIN_CHECK=1
seconds=60 # for one run

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Not optimised: a handle's number depends on its call site, and the compiler may duplicate or join calls. The mpi.h of
# both libraries declares MPI_STATUSES_IGNORE and MPI_UNWEIGHTED so that gcc takes them for arrays without elements. What
# is deprecated is traced, too. status_f08 calls procedures of C that MPICH has in its Fortran library.
build() {
    case $1 in
    fortran_*) build_fortran "$1" ;;
    *.large) build_c "$1" "${1%.large}" -include "$tmp/large.h" ;;
    status_f08) build_c "$1" "$1" -Wl,--no-as-needed $($mpifort -show | tr ' ' '\n' | grep '^-l') ;;
    *) build_c "$1" "$1" ;;
    esac
}

# build_c PROGRAM SOURCE FLAG…
build_c() {
    built=$1 source=$2
    shift 2
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread \
        -Wno-deprecated-declarations "$@" \
        -o "$tmp/$built" "$srcdir/tests/mpi/$source.c" "$srcdir/tests/mpi/expect.c"
}

# A header that has MPI_Send mean MPI_Send_c and so on, for all large-count forms that mpi.h declares, and tells expect.c
# about them. None are no header.
large_header() {
    grep -oE '\bMPI_[A-Z][A-Za-z0-9_]*_c *\(' "$top_builddir/generated/declared" | sed 's/_c *($//' | sort -u >"$tmp/large"
    [ -s "$tmp/large" ] || return
    echo '#include <mpi.h>'
    printf '#define LARGE_NAMES'
    sed 's/.*/ "&",/' "$tmp/large" | tr -d '\n'
    printf '\n'
    sed 's/.*/#define & &_c/' "$tmp/large"
}

# fortran_files.f08: that program through that binding (fortran_binding.inc). Without mpif.h declaring parameters,
# gfortran would warn of each buffer that has not the type of the first one.
build_fortran() {
    mkdir -p "$tmp/modules" &&
        $mpifort -J"$tmp/modules" -I"$srcdir/tests/mpi" -O0 -g -w -fallow-argument-mismatch -fcray-pointer \
            -ffree-line-length-none -D"BINDING_$(echo "${1#*.}" | tr a-z A-Z)" -D"MPI_$MPI_NAME" -o "$tmp/$1" \
            "$srcdir/tests/mpi/expect_f.f90" "$srcdir/tests/mpi/fortran_binding.F90" "$srcdir/tests/mpi/${1%.*}.F90"
}

# The program ends well, and its output and status are its own. Open MPI's spawn hangs now and then, untraced as well: the
# new process waits in PMIx_Init for an answer.
record() {
    attempts=1 limit=$seconds
    case $MPI_NAME:$1 in openmpi:ports | openmpi:fortran_processes.*) attempts=5 limit=20 ;; esac
    while :; do
        try "$@" && return
        status=$?
        attempts=$((attempts - 1))
        [ $status -eq 124 ] && [ $attempts -gt 0 ] || return $status
        echo "it hangs; once more"
    done
}

try() {
    rm -rf "$tmp/raw" "$tmp/trace.refrain" "$tmp"/expected.*
    mkdir "$tmp/raw" &&
        timeout "$limit" "$mpirun" $flags -n "$2" "$refrain" record -o "$tmp/trace.refrain" --verify "$tmp/raw" \
            --timing "$timing" \
            "$tmp/$1" "$tmp/expected" >"$tmp/output" 2>&1 </dev/null || {
        result=$?
        echo "exit status $result"
        cat "$tmp/output"
        return $result
    }
    [ ! -s "$tmp/output" ] || { cat "$tmp/output"; return 1; }
}

# Programs take turns in how times are kept; `refrain verify` looks whether they are within their bounds.
next_timing() {
    case $timing in
    aggregate) timing=lossless ;;
    lossless) timing=lossy ;;
    lossy) timing=quantum:1us ;;
    quantum:1us) timing=lossy:1.5:10us ;;
    *) timing=aggregate ;;
    esac
}

# What memory's addresses are is the matter of the programs named after it, which say it.
text() {
    case $program in
    *memory*) "$refrain" text "$tmp/trace.refrain" "$@" ;;
    *) "$refrain" text "$tmp/trace.refrain" "$@" | plain_addresses ;;
    esac
}

# Every line of every rank.
compare() {
    rank=0 result=0
    while [ "$rank" -lt "$1" ]; do
        [ -s "$tmp/expected.$rank" ] || { echo "the program left no expected.$rank"; return 1; }
        text --rank "$rank" >"$tmp/text" || return 1
        diff -U0 --label "rank $rank, expected" --label "rank $rank, traced" "$tmp/expected.$rank" "$tmp/text" ||
            result=1
        rank=$((rank + 1))
    done
    return $result
}

# Nothing but the ranks' lines, when all are printed at once.
compare_all() {
    sort "$tmp"/expected.* >"$tmp/expected" && [ -s "$tmp/expected" ] &&
        text >"$tmp/text" && sort "$tmp/text" | cmp - "$tmp/expected"
}

# All messages and collective operations have their other ends, whatever the program is about. A receive that fails as its
# buffer is too short has taken its message; MPICH's error code does not say that it was that.
everything_matches() {
    "$refrain" messages --summary "$tmp/trace.refrain" && return
    case $MPI_NAME:$program in mpich:errhandler) ;; *) return 1 ;; esac
}

# What the models of loops stand for is what the calls are, one by one.
loops() {
    "$lane_events" messages "$tmp/trace.refrain" >"$tmp/events" && "$refrain" loops --expand "$tmp/trace.refrain" |
        cmp - "$tmp/events" && "$lane_events" calls "$tmp/trace.refrain" >"$tmp/events" &&
        "$refrain" loops --calls --expand "$tmp/trace.refrain" | cmp - "$tmp/events"
}

# The procedures of all lines that the program expected: "RANK  INDEX  PROCEDURE(…".
called() {
    sed -E 's/^[0-9.]+  [0-9]+  ([A-Za-z0-9_]+)\(.*/\1/' "$tmp/expected"
}

# What there is of a program of the list: those of Fortran once for each binding, Open MPI 4.1 having no large counts.
programs() {
    case $1 in
    fortran_*)
        [ -n "$mpifort" ] || return
        for binding in mpif_h mpi f08 f08_large; do
            case $MPI_NAME.$binding in openmpi.f08_large) ;; *) echo "$1.$binding" ;; esac
        done
        ;;
    status_f08) [ -z "$mpifort" ] || echo "$1" ;;
    *.large) [ ! -s "$tmp/large.h" ] || echo "$1" ;;
    connections) [ "$MPI_NAME" = mpich ] || echo "$1" ;; # Debian's is built on UCX, where 4.0 has no ports
    *) echo "$1" ;;
    esac
}

timing=aggregate
covered=$top_builddir/tests/mpi/covered
[ $# -gt 0 ] || rm -rf "$covered"
mkdir -p "$covered" || exit 1
large_header >"$tmp/large.h"
wanted=" $* "
sed 's/#.*//' "$srcdir/tests/mpi/programs.list" >"$tmp/list"
while read -r name counts; do
    for program in $(programs "$name"); do
        case $wanted in "  " | *" $program "* | *" $name "*) ;; *) continue ;; esac
        : >"$covered/$program"
        : >"$tmp/called"
        failed_before=$failed
        check "$program compiles" build "$program"
        [ -x "$tmp/$program" ] || continue
        for n in $counts; do
            next_timing
            check "$program on $n: runs" record "$program" "$n"
            check "$program on $n: verifies" "$refrain" verify "$tmp/trace.refrain" "$tmp/raw"
            check "$program on $n: text" compare "$n"
            check "$program on $n: text of all ranks" compare_all
            check "$program on $n: messages" everything_matches
            check "$program on $n: loops" loops
            called >>"$tmp/called"
        done
        [ "$failed" -gt "$failed_before" ] || sort -u "$tmp/called" >"$covered/$program"
    done
done <"$tmp/list"
finish
