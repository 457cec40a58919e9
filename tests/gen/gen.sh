#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What gen reads from mpi-std and from samples, and what it refuses.
. "$srcdir/tests/tap.sh"

gen=$top_builddir/gen/gen
here=$srcdir/tests/gen
std=$srcdir/mpi-std
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# lists EXPECTED FILE…: checks that --list of the files prints the text of EXPECTED
lists() {
    expected=$1
    shift
    "$gen" --list "$@" >"$work/list" && diff -u "$expected" "$work/list"
}

# The whole interface, compared with facts that do not come from mpi-std.
check "mpi-std is MPI 5.0" lists "$here/expected.list" "$std"/*.tex

every_kind() {
    {
        printf '%s\n' '\begin{mpi-binding}'
        echo 'function_name("MPI_Every_kind")'
        sed -n 's/^KIND("\([A-Z0-9_]*\)".*/\1/p' "$srcdir/gen/kinds.def" | while read -r kind; do
            case $kind in FUNCTION* | POLYFUNCTION) type=', func_type="MPI_User_function"' ;; *) type= ;; esac
            echo "parameter(\"p_$kind\", \"$kind\"$type)"
        done
        printf '%s\n' '\end{mpi-binding}'
    } >"$work/kinds.tex"
    "$gen" --list "$work/kinds.tex" >"$work/kinds.list" || return 1
    found=$(sed -n '1p' "$work/kinds.list" | grep -o ' p_[A-Z0-9_]*=[A-Z0-9_]*' |
        awk '{ name = $0; sub(/^ p_/, "", name); split(name, n, "="); same += n[1] == n[2] } END { print same }')
    echo "$found of 189 kinds"
    [ "$found" -eq 189 ]
}
check "every kind can be used" every_kind

# Both dialects inside the other text of a chapter; each gives the same procedures.
check "mpi-binding amid prose" lists "$here/binding.list" "$here/binding.tex"
check "funcdef amid prose" lists "$here/funcdef.list" "$here/funcdef.tex"
check "both dialects, binding first" lists "$here/binding.list" "$here/binding.tex" "$here/agreeing.tex"
check "both dialects, funcdef first" lists "$here/binding.list" "$here/agreeing.tex" "$here/binding.tex"

# The first lines of each bad file are the expected messages, after the file's name.
refuses() {
    name=${1##*/}
    (cd "$here/bad" && "$gen" --list "$name") >"$work/out" 2>"$work/message"
    status=$?
    [ $status -eq 1 ] || { echo "exit status $status"; return 1; }
    [ ! -s "$work/out" ] || { echo "prints a list"; return 1; }
    sed -n "s/^% expect: /$name:/p" "$1" >"$work/expected"
    echo "gen: $(grep -c . "$work/expected") refused; correct them, or leave out a file with --skip FILE" >>"$work/expected"
    [ "$(grep -c . "$work/expected")" -gt 1 ] && diff -u "$work/expected" "$work/message"
}
for file in "$here"/bad/*.tex; do
    check "refuses ${file##*/}" refuses "$file"
done

# Procedures that mpi.h does not declare are left out.
left_out() {
    mkdir -p "$work/generated"
    "$gen" --declared "$here/declared.i" --out "$work/generated" "$here/binding.tex" || return 1
    functions=$(sed -n 's/^ *FUNCTION_\(MPI_[^,]*\),$/\1/p' "$work/generated/functions.h" | tr '\n' ' ')
    constants=$(sed -n 's/^ *{"[A-Z_]*", "\(MPI_[A-Z_]*\)",.*/\1/p; s/^ *{"[A-Z_]*", "[A-Z]*", "\(MPI_[A-Z_]*\)",.*/\1/p' \
        "$work/generated/constants.c" | LC_ALL=C sort -u | tr '\n' ' ')
    echo "functions $functions, constants $constants"
    [ "$functions" = "MPI_Put_list " ] && [ "$constants" = "MPI_ANY_TAG MPI_COMM_SELF MPI_COMM_WORLD " ]
}
check "what mpi.h lacks is left out" left_out

# The tracer's own procedures are in the table, whatever mpi.h declares, and have no wrapper.
own() {
    mkdir -p "$work/own"
    "$gen" --declared "$here/declared.i" --own "$srcdir/src/user/refrain.tex" --out "$work/own" "$here/binding.tex" || return 1
    grep -F '[FUNCTION_refrain_region_begin] = {"refrain_region_begin", 0, 1, refrain_region_begin}' "$work/own/table.c" &&
        grep FUNCTION_MPI_Put_list "$work/own/functions.h" && ! grep refrain_ "$work/own/wrap_c.c" "$work/own/wrap_f.c"
}
check "what is the tracer's own is in the table" own

# Procedures that the Fortran libraries export get a wrapper under all their names, if there is a C
# function.
fortran() {
    printf '%s\n' mpi_put_list_ mpi_put_list pmpi_put_list_ MPI_PUT_LIST mpi_wait_for_f08_ >"$work/symbols"
    "$gen" --declared "$here/declared.i" --fortran "$work/symbols" --out "$work/generated" "$here/binding.tex" || return 1
    names=$(sed -n 's/^GUARD_EXPORT GUARD_RARE void \(mpi_[a-z0-9_]*\)(.*/\1/p
        s/^GUARD_EXPORT extern __typeof__([a-z_]*) \([A-Za-z_]*\) .*/\1/p' "$work/generated/wrap_f.c" | tr '\n' ' ')
    echo "$names"
    [ "$names" = "mpi_put_list_ mpi_put_list MPI_PUT_LIST " ]
}
check "what the Fortran libraries export is wrapped" fortran

no_symbols() {
    "$gen" --fortran "$work/nothing" --out "$work/generated" "$here/binding.tex" 2>&1 |
        grep "^gen: cannot open $work/nothing: "
}
check "refuses a list of symbols that is not there" no_symbols
finish
