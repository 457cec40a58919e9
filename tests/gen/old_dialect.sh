#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The older dialect alone makes the same tracer: mpi-std in the form in which MPI 4, 3 and 2.2 would
# have printed it (old_dialect.awk).
. "$srcdir/tests/tap.sh"

gen=$top_builddir/gen/gen
here=$srcdir/tests/gen
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/new" "$work/small" "$work/4" "$work/3" "$work/2"

# MPI_Finalize's wrapper is not generated, so its prototype must be given here.
finalize() {
    printf '%s\n' '\begin{funcdef}{MPI\_FINALIZE()}' '\end{funcdef}' '\mpibind{MPI\_Finalize(void)}' >"$work/finalize.tex"
}

# Makes the declarations of a library's mpi.h: all except large counts, with const and arrays, as in
# every present library.
small_header() {
    sed -n 's/^GUARD_EXPORT \(GUARD_[A-Z]* \)\{0,1\}\(.*\)(\(MPI_[A-Za-z0-9_]*\))\((.*)\)$/\2\3\4;/p' "$work/new/wrap_c.c" |
        grep -v '_c(' >"$work/small.i" && [ "$(grep -c . "$work/small.i")" -gt 400 ]
}

# Makes Fortran's symbols, without the tools interface, which Fortran lacks.
symbols() {
    sed -n 's/.*\(MPI_[A-Za-z0-9_]*\)(.*/\1/p' "$work/small.i" | grep -v '^MPI_T_\|2c$\|2f$\|2f08$\|int$\|Info_create_env' |
        tr '[:upper:]' '[:lower:]' | sed 's/.*/&_\np&_/' >"$work/symbols" && [ "$(grep -c . "$work/symbols")" -gt 700 ]
}

rewritten() {
    awk -v edition="$1" -f "$here/old_dialect.awk" "$work/list" "$work/new/wrap_c.c" >"$work/old-$1.tex" &&
        [ "$(grep -c '^.begin{funcdef}' "$work/old-$1.tex")" -gt 300 ]
}

# Prints the parameters of table.c: how they are kept, which set names them, and whether
# decoder/call/volume.c takes them for numbers of elements.
meanings() {
    awk '
        FNR == NR && /^KIND\(/ {
            split($0, field, ", ")
            kind = substr(field[1], 6)
            gsub(/"/, "", kind)
            meaning[kind] = field[8] field[9] field[10] (kind ~ /XFER_NUM_ELEM/ ? "elements" : "") (kind ~ /^RANK/ ? "rank" : "")
            next
        }
        /^static struct param/ { print }
        /^    \{"[a-z_A-Z0-9]*", [0-9]*, PARAM/ {
            kind = $(NF - 1)
            sub(/, [0-9]*,/, ",")
            sub(/\}.*/, "")
            print $0, meaning[kind]
        }' "$srcdir/gen/kinds.def" "$1"
}

# One parameter's type may be written in two ways.
wrappers() { sed 's/char datarep\[\]/char *datarep/' "$work/$1/wrap_c.c" "$work/$1/wrap_f.c"; }

# same EDITION FOLDER: compares with the content of that folder
same() {
    wrappers "$2" >"$work/expected"
    wrappers "$1" >"$work/found"
    [ "$(grep -c '^GUARD_EXPORT' "$work/expected")" -gt 400 ] && diff -u "$work/expected" "$work/found" || return 1
    meanings "$work/$2/table.c" >"$work/expected"
    meanings "$work/$1/table.c" >"$work/found"
    [ "$(grep -c . "$work/expected")" -gt 1000 ] && diff -u "$work/expected" "$work/found"
}

generated() {
    folder=$1
    shift
    "$gen" --out "$work/$folder" "$@"
}

check "mpi-std" generated new "$srcdir"/mpi-std/*.tex
check "its list" eval '"$gen" --list "$srcdir"/mpi-std/*.tex >"$work/list"'
check "an mpi.h without large counts" small_header
check "Fortran's symbols" symbols
check "MPI_Finalize" finalize
small="--declared $work/small.i --fortran $work/symbols"
check "mpi-std with it" generated small $small "$srcdir"/mpi-std/*.tex
check "as MPI 4 is rendered" rewritten 4
check "as MPI 3" rewritten 3
check "as MPI 2.2" rewritten 2
check "MPI 4 is read" generated 4 "$work/old-4.tex" "$work/finalize.tex"
check "MPI 3 is read" generated 3 $small "$work/old-3.tex" "$work/finalize.tex"
check "MPI 2.2 is read" generated 2 $small "$work/old-2.tex" "$work/finalize.tex"
check "MPI 4 makes the same" same 4 new
check "MPI 3 makes the same" same 3 small
check "MPI 2.2 makes the same" same 2 small
finish
