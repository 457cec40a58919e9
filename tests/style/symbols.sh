#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# librefrain exports only: every MPI procedure that mpi.h declares; every one that the Fortran
# libraries export, under the names that programs of this machine call (librefrain-FORM also under
# others, src/fortran_names.sh); the allocator's functions (src/memory/interpose.c); and the names
# that programs look for (src/user). The library for preloading also exports mmap and similar
# functions, sigaction, signal and _exit, and functions that it must replace inside the MPI library
# (src/ending/fatal.c).
. "$srcdir/tests/tap.sh"
cd "$top_builddir" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Finds declared functions: an identifier MPI_… before "(" outside of macros and typedefs.
grep -v '^#' generated/declared | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
    grep -oE '\bMPI_[A-Za-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$tmp/declared"
# The names that Fortran compilers use: mpi_send_ and similar ones, MPI_SEND, and Open MPI's
# MPI_Send_f and MPI_Send_f08.
grep -E '^mpi_|^MPI_[A-Z0-9_]+$|^MPI_.*_f(08)?$' generated/fortran >"$tmp/names"
# NOT_WRAPPED("Sizeof*", …) of special.def as mpi_sizeof.*
sed -n 's/^NOT_WRAPPED("\([^"]*\)".*/\1/p' "$srcdir/gen/special.def" | tr A-Z a-z | sed 's/\*/.*/g; s/.*/^mpi_(&)_*$/' \
    >"$tmp/not_wrapped"
grep -viE -f "$tmp/not_wrapped" "$tmp/names" | sort -u >"$tmp/every_form"
# in_form FORM: prints the names in this form
in_form() {
    case $1 in
    none) ;;
    underscore) grep -E '^mpi_.*[^_]_$' ;;
    plain) grep -E '^mpi_.*[^_]$' ;;
    second) grep -E '^mpi_.*__$' ;;
    capitals) grep -E '^MPI_[A-Z0-9_]+$' ;;
    all) cat ;;
    esac <"$tmp/every_form"
}
in_form "$FORTRAN_FORM" >"$tmp/fortran"
sort -u "$tmp/declared" "$tmp/fortran" >"$tmp/all"
nm -D --defined-only src/librefrain.so | awk '$2 ~ /[TWV]/ { sub(/@.*/, "", $3); print $3 }' | sort -u >"$tmp/shared"
nm -g --defined-only src/librefrain.a | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/static"

some() { [ "$(wc -l <"$1")" -gt 300 ]; }
all_in() { ! comm -23 "$1" "$2" | grep .; }
# Procedures that mpi.h declares as macros may be exported, too.
only_mpi() { ! comm -13 "$tmp/all" "$1" | grep -v '^MPI_[A-Z][a-z0-9_]*$' | grep .; }
allocator='malloc calloc realloc free reallocarray posix_memalign aligned_alloc memalign valloc pvalloc'
signal='sigaction signal bsd_signal ssignal sysv_signal __sysv_signal sigset'
exits='_exit _Exit'
words=refrain_interface
pages='mmap mmap64 munmap mremap'
# others FILE NAME…: checks that the file has all these names, and otherwise only MPI's
others() {
    file=$1
    shift
    printf '%s\n' "$@" | sort >"$tmp/others"
    all_in "$tmp/others" "$file" && comm -13 "$tmp/others" "$file" >"$tmp/less" && only_mpi "$tmp/less"
}
case $MPI_NAME in
    openmpi) fatal=ompi_mpi_abort ;;
    mpich) fatal="MPIR_Err_return_comm MPIR_Err_return_win" ;;
    *) fatal= ;;
esac
hidden_pages() { ! nm -D --defined-only src/librefrain.so | grep -E ' (mmap|mmap64|munmap|mremap)(@@.*)?$'; }
weak_allocator() { ! nm -g --defined-only src/librefrain.a | grep -E " T ($(echo $allocator | tr ' ' '|'))\$"; }
# form FORM: checks that librefrain-FORM has these names and those of librefrain, or none at all
form() {
    sort -u "$tmp/declared" >"$tmp/all"
    [ "$1" = none ] || in_form "$1" | sort -u "$tmp/declared" "$tmp/fortran" - >"$tmp/all"
    nm -D --defined-only "src/librefrain-$1.so" | awk '$2 ~ /[TWV]/ { sub(/@.*/, "", $3); print $3 }' | sort -u >"$tmp/$1.so"
    nm -g --defined-only "src/librefrain-$1.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/$1.a"
    all_in "$tmp/all" "$tmp/$1.so" && others "$tmp/$1.so" $words $allocator $pages $signal $exits $fatal &&
        all_in "$tmp/all" "$tmp/$1.a" && others "$tmp/$1.a" $words $allocator
}
with_fortran() { [ ! -s generated/fortran ] || some "$tmp/fortran"; }

check "mpi.h declares procedures" some "$tmp/declared"
check "all of mpi.h is in librefrain.so" all_in "$tmp/declared" "$tmp/shared"
check "all of mpi.h is in librefrain.a" all_in "$tmp/declared" "$tmp/static"
check "the Fortran libraries export procedures" with_fortran
check "all of them are in librefrain.so" all_in "$tmp/fortran" "$tmp/shared"
check "all of them are in librefrain.a" all_in "$tmp/fortran" "$tmp/static"
check "librefrain.so exports only MPI, the program's words, the allocator, signals, and what is fatal" others "$tmp/shared" $words $allocator $pages $signal $exits $fatal
check "librefrain.a exports only MPI, the program's words and the allocator" others "$tmp/static" $words $allocator
check "who looks up munmap does not find librefrain.so's" hidden_pages
check "librefrain.a's allocator gives way" weak_allocator
for form in $OTHER_FORMS; do
    check "librefrain-$form exports what it shall" form "$form"
done
finish
