#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the program fills statuses with a pattern before a call (tests/mpi/statuses.c, statuses_f.F90),
# their bytes after it are the same with and without the tracer: in C and in each Fortran binding,
# and for the large-count procedures of both if the library has them. Each procedure with a status,
# whether it reads or sets it, has to be among those calls:
#
#   needed        gen --list says which have one; the libraries that the program is linked with, which
#                 of them are there
#   called        it has a line of output
#   compared      and in one of its lines all digits are compared
#   recorded      and it is in the trace
#   exceptions    tests/mpi/statuses_exceptions.list. One that excuses nothing is an error, too.
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

# MPICH has some procedures of C in its Fortran library.
c() { # NAME [OPTION…]
    "$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Werror -Wno-stringop-overflow -o "$@" \
        "$srcdir/tests/mpi/statuses.c" \
        ${mpifort:+-DWITH_FORTRAN -Wl,--no-as-needed $($mpifort -show | tr ' ' '\n' | grep '^-l')}
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
        sed -E '/_end /s/(: | [TF] +)[0-9a-fA-F]{16}([0-9a-fA-F]{8})[0-9a-fA-F]{8}/\1........\2..../
            s/^(MPI_Testany F) [0-9A-F]+/\1 ......../
            s/^(MPI_(Wait|Test)any [TF] [0-9A-F]{16})[0-9A-F]{8}/\1..../'
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

# Adds to what the binding of PROGRAM has: of the libraries, of the output, and of the trace.
note() {
    case $1 in c | c_large) binding=C ;; *) binding=${1%_large} ;; esac
    for library in $(ldd "./$1" | awk '$2 == "=>" && /mpi/ { print $3 }'); do
        nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $NF); print $NF }'
    done >>"$binding.symbols"
    grep -o '^MPI_[A-Za-z0-9_]*' traced >>"$binding.called"
    grep -v '\.' plain.masked | grep -o '^MPI_[A-Za-z0-9_]*' >>"$binding.compared"
    sed -n 's/.*  \(MPI_[A-Za-z0-9_]*\)(.*/\1/p' calls >>"$binding.recorded"
}
# The query function is the program's own; the library calls it for a request of MPI_Grequest_start.
needed() { # BINDING
    "$top_builddir/gen/gen" --list "$srcdir"/mpi-std/*.tex | awk -v binding="$1" -v symbols="$1.symbols" '
        BEGIN { while ((getline < symbols) > 0) has[$1] = 1 }
        !/ [a-z0-9_]+=(F90_|F08_)?STATUS,/ { next }
        {
            name = $1 == "MPI_Grequest_query_function" ? "MPI_Grequest_start" : $1
            lower = tolower(name); large = ""
            if (lower ~ /_c$/) { sub(/_c$/, "", lower); large = "large_" }
            if (binding == "C") there = has[name]
            else if (binding != "f08") there = !large && has[lower "_"]
            else there = has[lower "_f08_" large] || has[lower "_f08ts_" large] ||
                         has["__mpi_f08_types_MOD_" lower]
            if (there) print $1
        }'
}
# excepted BINDING uncalled|partly|unrecorded: prints the procedures; or what is wrong, which is none
excepted() {
    awk -v mpi="$MPI_NAME" -v binding="$1" -v what="$2" '
        BEGIN { while ((getline < (binding ".needed")) > 0) needed[$1] }
        { sub(/#.*/, "") }
        !NF { next }
        NF < 4 { print $2 " has no reason" }
        { split($1, where, "/") }
        index("," where[1] ",", "," binding ",") && (where[2] == "" || where[2] == mpi) && $3 == what {
            pattern = $2; gsub(/\*/, ".*", pattern); found = 0
            for (name in needed) if (name ~ "^" pattern "$") { print name; found = 1 }
            if (!found) print $2
        }' "$srcdir/tests/mpi/statuses_exceptions.list"
}
lists() { # BINDING
    needed "$1" | sort >"$1.needed"
    for list in uncalled partly unrecorded; do excepted "$1" $list >"$1.$list"; done
    for list in called compared recorded uncalled partly unrecorded; do sort -u -o "$1.$list" "$1.$list"; done
    echo "# $1: $(wc -l <"$1.needed") procedures with a status," \
        "$(comm -12 "$1.needed" "$1.compared" | wc -l) compared, $(wc -l <"$1.partly") in part"
}
all_called() {
    [ "$(wc -l <"$1.needed")" -gt 40 ] || { echo "the library has next to none"; return 1; }
    ! sort -u "$1.called" "$1.uncalled" | comm -23 "$1.needed" - | grep .
}
all_compared() { ! sort -u "$1.compared" "$1.partly" | comm -23 "$1.called" - | grep .; }
all_recorded() { ! sort -u "$1.recorded" "$1.unrecorded" | comm -23 "$1.called" - | grep .; }
none_stale() {
    ! { comm -23 "$1.uncalled" "$1.needed"; comm -12 "$1.uncalled" "$1.called"
        comm -23 "$1.partly" "$1.called"; comm -12 "$1.partly" "$1.compared"
        comm -23 "$1.unrecorded" "$1.called"; comm -12 "$1.unrecorded" "$1.recorded"; } | grep .
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
        note $program
    done
done
for binding in C ${mpifort:+mpif_h mpi f08}; do
    lists $binding
    check "$binding: each procedure with a status is called" all_called $binding
    check "$binding: and compared" all_compared $binding
    check "$binding: and recorded" all_recorded $binding
    check "$binding: all exceptions are some" none_stale $binding
done
finish
