#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures everything, prints the results, and puts the tables into RESULTS.md beside this script.
#
#   make bench [BENCH="call_cost irregular …"]      in the build directory; an hour and more on two cores
#   NPB=DIR HPCC=PROGRAM COMD=DIR                   programs to trace; missing ones are skipped and reported
#
# In RESULTS.md a table follows a line `<!-- NAME I [COLUMNS][: PATTERN] -->`: it is the I-th table
# of the script NAME; in the build directory of another MPI library, the name is NAME.LIBRARY.
# COLUMNS, such as 1,3,4, chooses columns. Of the rows, only the first two (the heading) and those
# that match the regular expression PATTERN are taken. The exit status is 1 if a script found that a
# bound is not met.
. "$(dirname "$0")/common.sh"

results=$srcdir/bench/RESULTS.md
failed=
case ${MPI_NAME:-openmpi} in openmpi) suffix= ;; *) suffix=.$MPI_NAME ;; esac

# put NAME: puts the tables in $work/NAME into RESULTS.md; the rest remains unchanged
put() {
    awk -v name="$1$suffix" -v printed="$work/$1" '
        BEGIN {
            while ((getline line <printed) > 0) {
                if (line !~ /^\|/) { inside = 0; continue }
                if (!inside) n++
                inside = 1
                row[n, ++rows[n]] = line
            }
        }
        function chosen(line, columns,    cell, pick, i, n, out) {
            if (columns == "") return line
            split(line, cell, "|")
            n = split(columns, pick, ",")
            for (i = 1; i <= n; i++) out = out "|" cell[pick[i] + 1]
            return out "|"
        }
        skipping && /^\|/ { next }
        { skipping = 0; print }
        /^<!-- .* -->$/ && $2 == name && rows[$3 + 0] {
            table = $3 + 0
            columns = $3 !~ /:/ && $4 ~ /^[0-9,]+:?$/ ? $4 : ""
            sub(/:/, "", columns)
            pattern = $0
            if (!sub(/^[^:]*: /, "", pattern)) pattern = ""
            sub(/ -->$/, "", pattern)
            for (i = 1; i <= rows[table]; i++)
                if (i <= 2 || row[table, i] ~ pattern) print chosen(row[table, i], columns)
            skipping = 1
        }
    ' "$results" >"$work/results.md" && cp "$work/results.md" "$results"
}

# measure NAME COMMAND…
measure() {
    name=$1
    shift
    case " ${BENCH:-$name} " in *" $name "*) ;; *) return ;; esac
    echo "== $name"
    { "$@" 2>"$work/$name.err" || echo "$name ended with status $?"; } | tee "$work/$name"
    cat "$work/$name.err" >&2
    ! grep -q "^$name ended with status" "$work/$name" || failed="$failed $name"
    put "$name"
}

needs_npb() {
    [ -n "${NPB-}" ] || { case " ${BENCH:-$1} " in *" $1 "*) echo "== $1: skipped, set NPB (see npb.sh)" ;; esac; return 1; }
}

pictures() {
    make --no-print-directory -s merge-scale && for of in time size; do
        cp "merge-scale/$of.svg" "$srcdir/bench/merge_scale_$of.svg"
    done
}

measure call_cost "$srcdir/bench/call_cost.sh"
measure crowd "$srcdir/bench/crowd.sh"
measure irregular "$srcdir/bench/irregular.sh"
measure decode_rate "$srcdir/bench/decode_rate.sh"
measure loops "$srcdir/bench/loops.sh"
measure matrix "$srcdir/bench/matrix.sh"
measure waits_rate "$srcdir/bench/waits_rate.sh"
measure stencil_sizes "$srcdir/bench/stencil_sizes.sh"
measure merge_scale pictures
measure finalize "$srcdir/bench/finalize.sh"
! needs_npb npb_sizes || measure npb_sizes "$srcdir/bench/npb_sizes.sh"
! needs_npb time_sizes || measure time_sizes "$srcdir/bench/time_sizes.sh"
measure time_cost "$srcdir/bench/time_cost.sh"
! needs_npb time_coders || measure time_coders "$srcdir/bench/time_coders.sh"
! needs_npb whole_programs || measure whole_programs "$srcdir/bench/whole_programs.sh"
measure real_programs "$srcdir/bench/real_programs.sh"
[ -z "$failed" ] || { echo "bounds that are not kept, or programs that failed:$failed" >&2; exit 1; }
