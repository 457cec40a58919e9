#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which test calls which procedure, in each binding, and compares its decoded text. All procedures
# that the MPI library at hand implements must be called by one, but for exceptions that have a
# reason.
#
#   tests/mpi/coverage.sh [--markdown]       checks; or prints the table as Markdown
#
# Nothing here is typed but the exceptions:
#
#   procedures    generated/functions.h: all that the model of the standard has and the library at
#                 hand declares or exports
#   implemented   the exported symbols of librefrain.so, which are those of the MPI library
#                 (tests/style/symbols.sh); where
#                 that is not sure and PMPI_… is a weak reference (WEAK in gen/special.def), those of generated/fortran
#   bindings      C, mpif_h, mpi, f08
#   called        tests/mpi/covered/PROGRAM, left by tests/mpi/run.sh; what binding a program uses
#                 is in its name. Nothing else
#                 counts but the programs of MPI_TESTS, and each of them has to be there
#   exceptions    tests/mpi/coverage_exceptions*.list, lines of BINDING[/MPI] PROCEDURE REASON…;
#                 PROCEDURE may be a pattern.
#                 One that excuses nothing, or a procedure that is covered, is an error.
#
# The table is left in tests/mpi/coverage.tsv of the build tree: binding, procedure, tests ("-":
# none), reason.
#
# From the environment: srcdir, top_builddir, MPI_NAME, MPIFORT, MPI_TESTS (all programs that run.sh
# runs).
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
cd "${top_builddir:-.}" || exit 1
covered=tests/mpi/covered table=tests/mpi/coverage.tsv
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
bindings="C${MPIFORT:+ mpif_h mpi f08}"

procedures() {
    sed -n 's/^ *FUNCTION_\(MPI_[A-Za-z0-9_]*\),$/\1/p' generated/functions.h
}

# Prints "BINDING PROCEDURE" for all wrappers of librefrain.so. mpif.h and the module mpi share the
# symbols; those of f08 end in _f08_ or, if a buffer is passed as a descriptor, _f08ts_; those of
# PROCEDURE_c end in _large_ in addition.
implemented() {
    nm -D src/librefrain.so | awk '{ sub(/@.*/, "", $NF); print $(NF - 1), $NF }' >"$tmp/symbols"
    procedures | awk -v bindings="$bindings" -v symbols="$tmp/symbols" '
        BEGIN {
            while ((getline < symbols) > 0) if ($1 == "w") weak[$2] = 1; else if ($1 != "U") has[$2] = 1
            while ((getline < "generated/fortran") > 0) exported[$1] = 1
            fortran = bindings ~ /mpif/
        }
        has[$1] && (!weak["P" $1] || exported[$1]) { print "C", $1 }
        fortran {
            name = tolower($1); large = ""
            if (has[name "_"]) { print "mpif_h", $1; print "mpi", $1 }
            if (name ~ /_c$/) { sub(/_c$/, "", name); large = "large_" }
            if (has[name "_f08_" large] || has[name "_f08ts_" large]) print "f08", $1
        }' | sort
}

# Prints "BINDING PROCEDURE PROGRAM" for all calls whose text was compared.
called() {
    for test in $MPI_TESTS; do
        program=${test##*/}
        case $program in
        fortran_*mpif_h*) binding=mpif_h ;;
        fortran_*f08*) binding=f08 ;;
        fortran_*mpi*) binding=mpi ;;
        *) binding=C ;;
        esac
        [ ! -f "$covered/$program" ] || sed "s/.*/$binding & $program/" "$covered/$program"
    done | sort
}

exceptions() {
    cat "$srcdir"/tests/mpi/coverage_exceptions*.list | sed 's/#.*//' |
        awk -v mpi="$MPI_NAME" -v bindings="$bindings" -v stale="$tmp/stale" '
            BEGIN { split(bindings, list, " "); for (i in list) here[list[i]] = 1 }
            NF {
                n = split($1, where, "/")
                if (where[1] !~ /^(C|mpif_h|mpi|f08)$/) print $1 ": no such binding" > stale
                if (here[where[1]] && (n == 1 || where[2] == mpi)) { $1 = where[1]; print }
            }'
}

# Makes the table from the three lists. Needless exceptions go to the file `stale`.
make_table() {
    implemented >"$tmp/implemented" && called >"$tmp/called" && exceptions >"$tmp/exceptions" || return
    awk -v OFS='\t' -v stale="$tmp/stale" -v calls="$tmp/called" -v exceptions="$tmp/exceptions" '
        BEGIN {
            while ((getline < calls) > 0) tests[$1, $2] = tests[$1, $2] (tests[$1, $2] == "" ? "" : ", ") $3
            while ((getline < exceptions) > 0) {
                binding[++n] = $1; text[n] = $1 " " $2
                pattern[n] = $2; gsub(/\*/, ".*", pattern[n]); pattern[n] = "^" pattern[n] "$"
                sub(/^[^ ]+ +[^ ]+ */, ""); reason[n] = $0
            }
        }
        {
            why = ""
            for (i = 1; i <= n; i++) if (binding[i] == $1 && $2 ~ pattern[i]) {
                if (tests[$1, $2] != "") print text[i] ": " $2 " is covered" >> stale
                else if (reason[i] == "") print text[i] ": no reason" >> stale
                else why = reason[i]
                used[i] = 1
            }
            print $1, $2, tests[$1, $2] == "" ? "-" : tests[$1, $2], why
        }
        END { for (i = 1; i <= n; i++) if (!used[i]) print text[i] ": not implemented" >> stale }' "$tmp/implemented" >"$table"
}

all_passed() {
    for test in $MPI_TESTS; do
        [ -s "$covered/${test##*/}" ] || echo "not passed: $test"
    done >"$tmp/failed"
    [ -n "$MPI_TESTS" ] && ! grep . "$tmp/failed"
}

# Finds programs with a number of ranks that are no test, not even of another MPI library.
all_are_tests() {
    ! (cd "$srcdir" && grep -l '^[/! *]*ranks: [0-9]' tests/mpi/*.c tests/mpi/*.F90) | sed 's/\.[^.]*$//' | while read -r program; do
        grep -qE "(^|[ =])$program( |\$)" "$srcdir/tests/mpi/local.mk" || echo "$program is not in tests/mpi/local.mk"
    done | grep .
}

none_stale() { [ ! -s "$tmp/stale" ] || { cat "$tmp/stale"; return 1; }; }

# all_covered BINDING: prints those without a test and without a reason. Almost no procedures are an
# error, too.
all_covered() {
    [ "$(grep -c "^$1	" "$table")" -gt 200 ] || { echo "the library implements next to nothing"; return 1; }
    ! awk -F '\t' -v binding="$1" '$1 == binding && $3 == "-" && $4 == "" { print $2 }' "$table" | grep .
}

# Prints BINDING IMPLEMENTED COVERED EXCEPTED
summary() {
    for binding in $bindings; do
        awk -F '\t' -v binding="$binding" '
            $1 == binding { n++; if ($3 != "-") tested++; else if ($4 != "") excepted++ }
            END { print binding, n + 0, tested + 0, excepted + 0 }' "$table"
    done
}

markdown() {
    printf '# Procedures of %s and the tests that compare their text\n\n' "$MPI_NAME"
    echo '| binding | implemented | covered | excepted |'
    echo '|---|---:|---:|---:|'
    summary | sed 's/ / | /g; s/.*/| & |/'
    printf '\n| binding | procedure | tests |\n|---|---|---|\n'
    awk -F '\t' '{ print "| " $1 " | `" $2 "` | " ($3 != "-" ? $3 : $4 != "" ? "none: " $4 : "**none**") " |" }' "$table"
}

[ -d "$covered" ] || { echo "coverage.sh: no $covered; run make check first" >&2; exit 1; }
: >"$tmp/stale"
make_table || exit 1
case $1 in --markdown) markdown; exit ;; esac
summary | while read -r binding implemented tested excepted; do
    echo "# $binding: $implemented implemented, $tested covered, $excepted excepted"
done
check "the programs have passed" all_passed
check "all programs are tests" all_are_tests
check "all exceptions are some" none_stale
for binding in $bindings; do
    check "all procedures of $binding are covered" all_covered "$binding"
done
finish
