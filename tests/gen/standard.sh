#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure --with-mpi-standard: the interface is read from a folder like that of the standard's own
# sources, with a folder for each chapter and other files around them, but without removed
# procedures.
. "$srcdir/tests/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS
mkdir -p "$work/build" "$work/standard/errata"
for file in "$srcdir"/mpi-std/*.tex; do
    chapter=$(basename "$file" .tex)
    [ "$chapter" = removed ] && continue
    mkdir -p "$work/standard/chap-$chapter" && cp "$file" "$work/standard/chap-$chapter" || exit 1
done
printf '%s\n' '\documentclass{book}' '\newcommand{\mpibindmain}[2]{\mpibind{#1}{#2}}' >"$work/standard/mpi-report.tex"
echo '\mpibind{MPI\_Send(void *buf)}' >"$work/standard/errata/errata.tex"
echo '\mpibind{MPI\_Draft(MPI\_Unheard\_of~draft)}' >"$work/standard/chap-io/draft.tex"

# Configures a copy, because the sources may already be configured themselves.
copied() { make -C "$top_builddir" distdir distdir="$work/source"; }
configured() {
    (cd "$work/build" && "$work/source/configure" --with-mpi-standard="$1" GEN_FLAGS="--skip chap-io/draft.tex" MPICC="$MPICC" \
        MPIRUN="$MPIRUN" MPIFORT="${MPIFORT:-no}" CC="$CC")
}
generated() { make -C "$work/build" generated/stamp "$@" 2>"$work/messages"; }
same() { cmp "$top_builddir/generated/$1" "$work/build/generated/$1"; }
fails() { ! "$@"; }
says() { grep -e "$1" "$work/messages"; }

check "the sources" copied
check "configure" configured "$work/standard"
check "make" generated
check "the same functions" same functions.h
check "the same table" same table.c
check "the same wrappers" same wrap_c.c
check "the same wrappers for Fortran" same wrap_f.c
check "errata are warned of" says 'errata.tex:1: warning: MPI_Send has 1 parameters, but 6 at .*pt2pt.tex:'
rm "$work/build/generated/stamp"
check "with a file that should be left out" fails generated GEN_FLAGS=
check "it says so" says "draft.tex:1: unknown C type 'MPI_Unheard_of' of 'draft': add it to gen/c_kinds.def"
check "and how" says '--skip FILE'
rm -r "$work"/standard/chap-*
check "without a chapter" fails generated
check "not a folder" fails configured "$work/standard/mpi-report.tex"
finish
