#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which of the Fortran names that an MPI library has are exported by the tracer, for each mangling
# (src/fortran_names.sh): librefrain.so has those of this machine's compiler; librefrain-FORM.so, which
# `record` takes for programs that call such names or by REFRAIN_FORTRAN_NAMES, those of FORM, too. All
# others must have a reason.
#
#   tests/mpi/forms.sh [--markdown]       checks; or prints the table, for all MPI libraries
#
#   names         generated/fortran, what the libraries of a Fortran program export; without PMPI's
#   exported      the dynamic symbols of the tracers
#   reasons       NOT_WRAPPED of gen/special.def, and two below for what is not in MPI
#
# From the environment: srcdir, top_builddir.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/tap.sh"
cd "${top_builddir:-.}" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
[ -s generated/fortran ] || { echo "SKIP: no Fortran library"; exit 77; }

manglings="underscore plain second capitals"
# And names like Open MPI's MPI_Send_f and MPI_Send_f08, and gfortran's names of what is in a module.
forms="$manglings other module"
names_of() { # FORM
    case $1 in
    underscore) grep -E '^mpix?_.*[^_]_$' ;;
    plain) grep -E '^mpix?_.*[^_]$' ;;
    second) grep -E '^mpix?_.*__$' ;;
    capitals) grep -E '^MPIX?_[A-Z0-9_]+$' ;;
    other) grep -E '^MPIX?_.*[a-z].*_f(08)?$' ;;
    module) grep -E '^__.*_MOD_mpix?_' ;;
    esac <"$dir/generated/fortran" | sort
}
exported_by() { nm -D --defined-only "$dir/src/$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort; }
variable() { sed -n "s/^$1 = //p" "$dir/Makefile"; }

# table DIR: prints LIBRARY, FORM, NAMES, BY-DEFAULT, ON-DEMAND, NEITHER, and REASONS with how many
# each has, for the build directory DIR. What neither exports without a reason is in tmp/LIBRARY.FORM.
table() {
    dir=$1 library=$(variable MPI_NAME)
    exported_by librefrain.so >"$tmp/default"
    for form in $forms; do
        case $form in other | module) demanded=librefrain-all.so ;; *) demanded=librefrain-$form.so ;; esac
        [ -e "$dir/src/$demanded" ] || demanded=librefrain.so
        exported_by "$demanded" >"$tmp/demand"
        names_of "$form" | awk -v OFS='\t' -v library="$library" -v form="$form" -v tmp="$tmp" \
            -v special="$srcdir/gen/special.def" '
            BEGIN {
                while ((getline < (tmp "/default")) > 0) default[$1]
                while ((getline < (tmp "/demand")) > 0) demand[$1]
                reasons("^x_", "an extension, not in MPI")
                while ((getline < special) > 0) if (sub(/^NOT_WRAPPED\("/, "")) {
                    split($0, part, "\"")
                    gsub(/\*/, ".*", part[1])
                    reasons("^_" tolower(part[1]) "$", part[3])
                }
                reasons("_(c2f|f2c|n?eq|f_n?eq_f08|f08_n?eq_f|c_assign_f08|f08_assign_c)$",
                        "a conversion or an operator of the types of a module, not a procedure")
            }
            function reasons(names, text) { pattern[++n] = names; reason[n] = text; count[text] = 0 }
            {
                all++
                if ($1 in default) { by_default++; next }
                if ($1 in demand) { on_demand++; next }
                neither++
                name = tolower($1)
                sub(/^.*_mod_/, "", name); sub(/^mpi/, "", name); sub(/_*$/, "", name)
                for (i = 1; i <= n && name !~ pattern[i]; i++);
                if (i <= n) count[reason[i]]++; else print $1 > (tmp "/" library "." form)
            }
            END {
                for (i = 1; i <= n; i++) if (count[reason[i]]) {
                    text = text (text == "" ? "" : "; ") count[reason[i]] " " reason[i]
                    count[reason[i]] = 0
                }
                print library, form, all + 0, by_default + 0, on_demand + 0, neither + 0, text
            }'
    done
}

# The build directories of the other MPI libraries are below that of the first (mpi.mk).
markdown() {
    echo '| library | names | there are | by default | on demand | not | because |'
    echo '|---|---|---:|---:|---:|---:|---|'
    for dir in . mpi/*; do [ ! -s "$dir/generated/fortran" ] || table "$dir"; done |
        sed 's/\t/ | /g; s/.*/| & |/'
}

reasons_for() { [ ! -e "$tmp/$library.$1" ] || { cat "$tmp/$library.$1"; return 1; }; }
# follows FORM: of those that are not left out, all are exported by default if this machine's compiler
# uses the form, and on demand otherwise
follows() {
    awk -F '\t' -v form="$1" -v default="$(variable FORTRAN_FORM)" '
        $2 == form { print; ok = form == default || default == "all" ? $4 > 200 && !$5 : !$4 && $5 > 200 }
        END { exit !ok }' "$tmp/table"
}
none_at_all() {
    exported_by librefrain-none.so >"$tmp/none"
    ! for form in $forms; do names_of "$form" | comm -12 - "$tmp/none"; done | grep .
}

case $1 in --markdown) markdown; exit ;; esac
table . >"$tmp/table"
for form in $forms; do
    check "$form: what is not exported has a reason" reasons_for "$form"
done
for form in $manglings; do
    check "$form: exported by default, or on demand" follows "$form"
done
check "none: nothing of Fortran" none_at_all
finish
