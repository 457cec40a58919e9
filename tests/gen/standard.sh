#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure --with-mpi-standard: the interface is read from a folder like that of the standard's own sources, with a
# folder for each chapter and other files around them.
. "$srcdir/tests/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS
for file in "$srcdir"/mpi-std/*.tex; do
    chapter=$(basename "$file" .tex)
    mkdir -p "$work/standard/chap-$chapter" "$work/build" && cp "$file" "$work/standard/chap-$chapter" || exit 1
done
echo '\documentclass{book}' >"$work/standard/mpi-report.tex"

# From a copy: the sources at hand may be configured themselves, and then for nothing but that.
copied() { make -C "$top_builddir" distdir distdir="$work/source"; }
configured() { (cd "$work/build" && "$work/source/configure" --with-mpi-standard="$1" MPICC="$MPICC" MPIRUN="$MPIRUN" CC="$CC"); }
same() { cmp "$top_builddir/generated/$1" "$work/build/generated/$1"; }

check "the sources" copied
check "configure" configured "$work/standard"
check "make" make -C "$work/build" generated/stamp
check "the same functions" same functions.h
check "the same table" same table.c
rm -r "$work"/standard/chap-* "$work/build/generated/stamp"
fails() { ! "$@"; }
check "without a chapter" fails make -C "$work/build" generated/stamp
check "not a folder" fails configured "$work/standard/mpi-report.tex"
finish
