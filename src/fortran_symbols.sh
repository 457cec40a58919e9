#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print the procedures that the libraries of an MPI Fortran program export, one per line.
#
#   fortran_symbols.sh MPIFORT       MPIFORT: the compiler wrapper; if it is empty, nothing is printed
[ -n "$1" ] || exit 0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
printf 'end\n' >"$tmp/empty.f90"
# The program needs none of the libraries; --no-as-needed keeps all of them.
(cd "$tmp" && $1 -Wl,--no-as-needed -o empty empty.f90) || exit 1
libraries=$(ldd "$tmp/empty" | awk '$2 == "=>" && $3 ~ /^\// && /mpi/ { print $3 }')
[ -n "$libraries" ] || {
    echo "fortran_symbols.sh: a program of $1 is linked with no MPI library" >&2
    exit 1
}
for library in $libraries; do
    nm -D --defined-only "$library"
done | awk '$2 ~ /[TW]/ { sub(/@.*/, "", $3); print $3 }' | sort -u
