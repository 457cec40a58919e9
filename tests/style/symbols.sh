#!/bin/sh
# librefrain exports every MPI procedure that mpi.h declares, and nothing else.
. "$srcdir/tests/tap.sh"
cd "$top_builddir" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Declared as functions: an identifier MPI_… before "(" outside of macros and typedefs.
grep -v '^#' generated/declared | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
    grep -oE '\bMPI_[A-Za-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$tmp/declared"
nm -D --defined-only src/librefrain.so | awk '$2 ~ /[TWV]/ { sub(/@.*/, "", $3); print $3 }' | sort -u >"$tmp/shared"
nm -g --defined-only src/librefrain.a | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/static"

some() { [ "$(wc -l <"$1")" -gt 300 ]; }
all_in() { ! comm -23 "$1" "$2" | grep .; }
only_mpi() { ! grep -v '^MPI_' "$1"; }

check "mpi.h declares procedures" some "$tmp/declared"
check "all of mpi.h is in librefrain.so" all_in "$tmp/declared" "$tmp/shared"
check "all of mpi.h is in librefrain.a" all_in "$tmp/declared" "$tmp/static"
check "librefrain.so exports only MPI" only_mpi "$tmp/shared"
check "librefrain.a exports only MPI" only_mpi "$tmp/static"
finish
