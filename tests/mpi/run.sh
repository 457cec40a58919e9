#!/bin/sh
# Traces each program of programs.list and compares every line of the trace with what the program says of itself.
#
#   tests/mpi/run.sh [PROGRAM…]       all programs, or those
#
# From the environment: srcdir, MPI_NAME, and what tests/mpirun.sh takes. Without MPIFORT the Fortran programs are left out.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
export REFRAIN_CHECK=1
seconds=60 # for one run

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Not optimised: a handle's number depends on its call site, and the compiler may duplicate or join calls. The mpi.h of
# both libraries declares MPI_STATUSES_IGNORE and MPI_UNWEIGHTED so that gcc takes them for arrays without elements.
build() {
    case $1 in fortran_*) build_fortran "$1"; return ;; esac
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread \
        -o "$tmp/$1" "$srcdir/tests/mpi/$1.c" "$srcdir/tests/mpi/expect.c"
}

# Without mpif.h declaring parameters, gfortran would warn of each buffer that has not the type of the first one.
build_fortran() {
    mkdir -p "$tmp/modules"
    $mpifort -J"$tmp/modules" -O0 -g -w -fallow-argument-mismatch -ffree-line-length-none \
        -o "$tmp/$1" "$srcdir/tests/mpi/expect_f.f90" "$srcdir/tests/mpi/$1.F90"
}

# The program ends well, and its output and status are its own.
record() {
    rm -rf "$tmp/raw" "$tmp/trace.refrain" "$tmp"/expected.*
    mkdir "$tmp/raw" &&
        timeout "$seconds" "$mpirun" $flags -n "$2" "$refrain" record -o "$tmp/trace.refrain" --verify "$tmp/raw" \
            "$tmp/$1" "$tmp/expected" >"$tmp/output" 2>&1 </dev/null || {
        echo "exit status $?"
        cat "$tmp/output"
        return 1
    }
    [ ! -s "$tmp/output" ] || { cat "$tmp/output"; return 1; }
}

# Every line of every rank.
compare() {
    rank=0 result=0
    while [ "$rank" -lt "$1" ]; do
        [ -s "$tmp/expected.$rank" ] || { echo "the program left no expected.$rank"; return 1; }
        "$refrain" text "$tmp/trace.refrain" --rank "$rank" >"$tmp/text" || return 1
        diff -U0 --label "rank $rank, expected" --label "rank $rank, traced" "$tmp/expected.$rank" "$tmp/text" ||
            result=1
        rank=$((rank + 1))
    done
    return $result
}

# Nothing but the ranks' lines, when all are printed at once.
compare_all() {
    sort "$tmp"/expected.* >"$tmp/expected" && [ -s "$tmp/expected" ] &&
        "$refrain" text "$tmp/trace.refrain" >"$tmp/text" && sort "$tmp/text" | cmp - "$tmp/expected"
}

wanted=" $* "
sed 's/#.*//' "$srcdir/tests/mpi/programs.list" >"$tmp/list"
while read -r program counts; do
    [ -n "$program" ] || continue
    case $program in fortran_*) [ -n "$mpifort" ] || continue ;; esac
    case $MPI_NAME:$program in openmpi:fortran_f08_large) continue ;; esac # 4.1 has no large counts
    case $wanted in "  " | *" $program "*) ;; *) continue ;; esac
    check "$program compiles" build "$program"
    [ -x "$tmp/$program" ] || continue
    for n in $counts; do
        check "$program on $n: runs" record "$program" "$n"
        check "$program on $n: verifies" "$refrain" verify "$tmp/trace.refrain" "$tmp/raw"
        check "$program on $n: text" compare "$n"
        check "$program on $n: text of all ranks" compare_all
    done
done <"$tmp/list"
finish
