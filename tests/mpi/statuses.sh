#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the program fills statuses with a pattern before a call (tests/mpi/statuses.c, statuses_f.F90),
# their bytes after it are the same with and without the tracer: in C and in each Fortran binding,
# and for the large-count procedures of both if the library has them.
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

c() { # NAME [OPTION…]
    "$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Werror -Wno-stringop-overflow -o "$@" "$srcdir/tests/mpi/statuses.c"
}
large() { "$srcdir/tests/mpi/large_header.sh" "$declared" >large.h && c "$1" -include ./large.h; }
fortran() {
    $mpifort -I"$srcdir/tests/mpi" -O0 -g -w -fallow-argument-mismatch -ffree-line-length-none -D"BINDING_$(echo "$1" | tr a-z A-Z)" \
        -D"MPI_$MPI_NAME" -o "$1" "$srcdir/tests/mpi/statuses_f.F90"
}

# In the status of a split operation, Open MPI leaves addresses of its own, except for the error and
# the bytes: they differ between two runs. So does the status that its Fortran layer uses itself for
# a call that completes one of several requests: the error, or all of it if there is none.
shown() {
    case $MPI_NAME in
    openmpi)
        sed -E '/_end /s/(: | [TF] +)[0-9a-fA-F]{16}([0-9a-fA-F]{8})[0-9a-fA-F]{8}/\1\2/
            /^MPI_Testany F/s/ [0-9A-F]+$//
            s/^(MPI_(Wait|Test)any [TF] [0-9A-F]{16})[0-9A-F]{8}/\1/'
        ;;
    *) cat ;;
    esac
}
# run LOG PROGRAM PATTERN DIRT COMMAND…: DIRT is the byte that fills stack and heap before; symbols
# are bound at once, because the dynamic linker leaves addresses on the stack
run() {
    log=$1 arguments="$3 file" program=$2 dirt=$4
    case $program in c | c_large) ;; *) arguments="$arguments $((dirt * 16843009))" ;; esac
    shift 4
    timeout "$limit" "$mpirun" $flags -n 2 env LD_BIND_NOW=1 GLIBC_TUNABLES="glibc.malloc.tcache_count=0:glibc.malloc.perturb=$dirt" "$@" "./$program" $arguments >said 2>errors </dev/null || { cat said errors; return 1; }
    shown <said >"$log" && [ "$(grep -c '^MPI_' "$log")" -gt 40 ]
}
# masked LOG: prints it without the digits that differ between two untraced runs with different
# bytes on stack and heap
masked() {
    paste -d '|' plain other "$1" | awk -F'|' '{
        line = ""
        for (i = 1; i <= length($3); i++)
            line = line (substr($1, i, 1) == substr($2, i, 1) ? substr($3, i, 1) : ".")
        print line
    }'
}
unchanged() {
    run plain "$1" "$2" 17 && run other "$1" "$2" 34 && run traced "$1" "$2" 51 "$refrain" record -o traced.refrain &&
        masked plain >plain.masked && masked traced >traced.masked && diff plain.masked traced.masked &&
        ! grep 'robe.*\.' plain.masked
}
# The trace contains nothing of the pattern: not of what a probe, and not of what a file operation
# leaves unchanged.
counted() {
    "$refrain" text --rank 0 traced.refrain >calls && grep MPI_Get_count calls >counts &&
        case $1 in *_large) ! grep -E 'MPI_(Recv|Irecv|Mrecv|Sendrecv|Sendrecv_replace|Get_count)\(' calls ;; esac &&
        grep -q 'status={source=1, tag=2, error=MPI_SUCCESS, bytes=4}' counts && ! grep -E 'cancelled|source=-?[0-9]{2}' counts
}

declared=$top_builddir/generated/declared
grep -q MPI_Recv_c "$declared" && large=_large || large=
for program in c ${large:+c_large} ${mpifort:+mpif_h mpi f08 ${large:+f08_large}}; do
    case $program in
    c) check "c: compiles" c c ;;
    c_large) check "c_large: compiles" large c_large ;;
    *) check "$program: compiles" fortran $program ;;
    esac
    for pattern in 165 0 90; do
        check "$program: filled with $pattern: the same as untraced" unchanged $program $pattern
        check "$program: filled with $pattern: the trace has none of it" counted $program
    done
done
finish
