#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces each program of programs.list and compares every line of the trace with what the program says of itself.
#
#   tests/mpi/run.sh [PROGRAM…]       all programs, or those (fortran_files: all bindings; fortran_files.f08)
#
# A program NAME.large of the list is NAME.c once more, where each procedure that has a large-count form is called by it.
# It is left out if the MPI library has none; without MPIFORT the Fortran programs are left out.
#
# From the environment: srcdir, MPI_NAME, and what tests/mpirun.sh takes.
#
# What tests/mpi/coverage.sh reads stays behind in the build tree: in tests/mpi/covered/PROGRAM the procedures that PROGRAM
# calls; nothing if one of its checks failed.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
. "$srcdir/tests/cli/scan_rows.sh"
lane_events=$top_builddir/tests/cli/lane_events
construct_matrices=$top_builddir/tests/cli/construct_matrices
scan_check=$top_builddir/tests/cli/scan_check
export REFRAIN_CHECK=1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Not optimised: a handle's number depends on its call site, and the compiler may duplicate or join calls. The mpi.h of
# both libraries declares MPI_STATUSES_IGNORE and MPI_UNWEIGHTED so that gcc takes them for arrays without elements. What
# is deprecated is traced, too. status_f08 calls procedures of C that MPICH has in its Fortran library.
build() {
    case $1 in
    fortran_*) build_fortran "$1" ;;
    *.large) build_c "$1" "${1%.large}" -include "$tmp/large.h" ;;
    status_f08) build_c "$1" "$1" -Wl,--no-as-needed $($mpifort -show | tr ' ' '\n' | grep '^-l') ;;
    *) build_c "$1" "$1" ;;
    esac
}

# build_c PROGRAM SOURCE FLAG…
build_c() {
    built=$1 source=$2
    shift 2
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread \
        -Wno-deprecated-declarations "$@" \
        -o "$tmp/$built" "$srcdir/tests/mpi/$source.c" "$srcdir/tests/mpi/expect.c"
}

# A header that has MPI_Send mean MPI_Send_c and so on, for all large-count forms that mpi.h declares, and tells expect.c
# about them. None are no header.
large_header() {
    grep -oE '\bMPI_[A-Z][A-Za-z0-9_]*_c *\(' "$top_builddir/generated/declared" | sed 's/_c *($//' | sort -u >"$tmp/large"
    [ -s "$tmp/large" ] || return
    echo '#include <mpi.h>'
    printf '#define LARGE_NAMES'
    sed 's/.*/ "&",/' "$tmp/large" | tr -d '\n'
    printf '\n'
    sed 's/.*/#define & &_c/' "$tmp/large"
}

# fortran_files.f08: that program through that binding (fortran_binding.inc). Without mpif.h declaring parameters,
# gfortran would warn of each buffer that has not the type of the first one.
build_fortran() {
    mkdir -p "$tmp/modules" &&
        $mpifort -J"$tmp/modules" -I"$srcdir/tests/mpi" -O0 -g -w -fallow-argument-mismatch -fcray-pointer \
            -ffree-line-length-none -D"BINDING_$(echo "${1#*.}" | tr a-z A-Z)" -D"MPI_$MPI_NAME" -o "$tmp/$1" \
            "$srcdir/tests/mpi/expect_f.f90" "$srcdir/tests/mpi/fortran_binding.F90" "$srcdir/tests/mpi/${1%.*}.F90"
}

# The program ends well, and its output and status are its own.
record() {
    case $MPI_NAME:$1 in
    openmpi:ports | openmpi:fortran_processes.*) retry_hangs try "$@" ;;
    *) try "$@" ;;
    esac
}

# What a run leaves lies where nothing else writes until it has ended well.
try() {
    rm -rf "$tmp/raw" "$tmp/trace.refrain" "$tmp"/expected.*
    run=$(mktemp -d "$tmp/run.XXXXXX") && mkdir "$run/raw" &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$2" "$refrain" record -o "$run/trace.refrain" --verify "$run/raw" \
            --timing "$timing" \
            "$tmp/$1" "$run/expected" >"$run/output" 2>&1 </dev/null || {
        result=$?
        echo "exit status $result"
        cat "$run/output"
        return $result
    }
    [ ! -s "$run/output" ] || { cat "$run/output"; return 1; }
    mv "$run/raw" "$run/trace.refrain" "$run"/expected.* "$tmp"
}

# Programs take turns in how times are kept; `refrain verify` looks whether they are within their bounds.
next_timing() {
    case $timing in
    aggregate) timing=lossless ;;
    lossless) timing=lossy ;;
    lossy) timing=quantum:1us ;;
    quantum:1us) timing=lossy:1.5:10us ;;
    *) timing=aggregate ;;
    esac
}

# What memory's addresses are is the matter of the programs named after it, which say it.
text() {
    case $program in
    *memory*) "$refrain" text "$tmp/trace.refrain" "$@" ;;
    *) "$refrain" text "$tmp/trace.refrain" "$@" | plain_addresses ;;
    esac
}

# Every line of every rank.
compare() {
    rank=0 result=0
    while [ "$rank" -lt "$1" ]; do
        [ -s "$tmp/expected.$rank" ] || { echo "the program left no expected.$rank"; return 1; }
        text --rank "$rank" >"$tmp/text" || return 1
        diff -U0 --label "rank $rank, expected" --label "rank $rank, traced" "$tmp/expected.$rank" "$tmp/text" ||
            result=1
        rank=$((rank + 1))
    done
    return $result
}

# Nothing but the ranks' lines, when all are printed at once.
compare_all() {
    sort "$tmp"/expected.* >"$tmp/expected" && [ -s "$tmp/expected" ] &&
        text >"$tmp/text" && sort "$tmp/text" | cmp - "$tmp/expected"
}

# All messages and collective operations have their other ends, whatever the program is about. A receive that fails as its
# buffer is too short has taken its message; MPICH's error code does not say that it was that.
everything_matches() {
    "$refrain" messages --summary "$tmp/trace.refrain" && return
    case $MPI_NAME:$program in mpich:errhandler) ;; *) return 1 ;; esac
}

# What the models of loops stand for is what the calls are, one by one.
loops() {
    "$lane_events" messages "$tmp/trace.refrain" >"$tmp/events" && "$refrain" loops --expand "$tmp/trace.refrain" |
        cmp - "$tmp/events" && "$lane_events" calls "$tmp/trace.refrain" >"$tmp/events" &&
        "$refrain" loops --calls --expand "$tmp/trace.refrain" | cmp - "$tmp/events"
}

# So is what the model of all ranks has of each.
model() {
    "$lane_events" messages "$tmp/trace.refrain" >"$tmp/events" || return 1
    rank=0
    while [ "$rank" -lt "$1" ]; do
        sed -n "/^$rank[. ]/p" "$tmp/events" >"$tmp/rank_events"
        "$refrain" model --expand "$rank" "$tmp/trace.refrain" | cmp - "$tmp/rank_events" || return 1
        rank=$((rank + 1))
    done
}

# Who sends how much to whom, of all messages one by one: a line for each pair, and for those that leave the trace. A send
# counts also if it is cancelled or never received, but not if it failed or never came back.
sent() {
    { "$refrain" text "$tmp/trace.refrain" | grep ' = ?$'; "$refrain" messages "$tmp/trace.refrain"; } | awk '
        function add(from, to) {
            split(from, f, /[.:]/); split(to, t, /[.:]/)
            for (i = 1; i <= NF; i++) if ($i ~ /^bytes=/) bytes = substr($i, 7)
            pair = f[1] "," t[1]; messages[pair]++; sum[pair] += bytes
        }
        / = \?$/ { open[$1 ":" $2] = 1; next }
        $2 in open { next }
        $1 == "message" { add($2, $4) }
        $1 == "unmatched" && $4 == "send" && !/(the call failed|never completed)$/ { add($2, substr($6, 6)) }
        END { for (pair in messages) printf "%s,%d,%.0f\n", pair, messages[pair], sum[pair] }' | sort
}

# Who moves how much to whom by one-sided communication, of all accesses one by one, as `sent`. A window has the ranks of the
# communicator that it was made on.
accessed() {
    "$refrain" text --json --definitions "$tmp/trace.refrain" | jq -r '.parameters as $p | (.function | sub("_c$"; "")) as $f |
        if $f == "@comm" then ["comm", $p.newcomm, $p.rank, .rank]
        elif $f == "@datatype" then ["type", .rank, $p.newtype, $p.size]
        elif .result != "MPI_SUCCESS" then empty
        elif $f | test("^MPI_Win_(create|create_dynamic|allocate|allocate_shared)$") then ["window", .rank, $p.win, $p.comm]
        elif $f | test("^MPI_R?(put|accumulate|get_accumulate|get)$"; "i") then
            ["access", .rank, $p.win, $p.target_rank,
             (if $f | test("get$"; "i") then "-" elif $p.op == "MPI_NO_OP" then 0 else $p.origin_count end), $p.origin_datatype,
             (if $f | test("get$"; "i") then $p.origin_count else $p.result_count // "-" end), $p.result_datatype // $p.origin_datatype]
        elif $f | test("^MPI_(Fetch_and_op|Compare_and_swap)$") then
            ["access", .rank, $p.win, $p.target_rank, (if $p.op == "MPI_NO_OP" then 0 else 1 end), $p.datatype, 1, $p.datatype]
        else empty end | map(tostring) | join(" ")' | awk '
        BEGIN { n = 0 }
        $1 == "comm" { world[$2 " " $3] = $4 }
        $1 == "type" { size[$2 " " $3] = $4; if (!($3 in usual)) usual[$3] = $4 }
        $1 == "window" { on[$2 " " $3] = $4 }
        $1 == "access" && $4 != "MPI_PROC_NULL" { made[n] = on[$2 " " $3]; access[n++] = $0 }
        function add(origin, from, to, count, type) {
            if (count == "-") return
            pair = from "," to; messages[pair]++; sum[pair] += count * ((origin " " type) in size ? size[origin " " type] : usual[type])
        }
        END {
            for (i = 0; i < n; i++) {
                split(access[i], a)
                to = made[i] == "MPI_COMM_WORLD" ? a[4] : made[i] == "MPI_COMM_SELF" ? a[2] : world[made[i] " " a[4]]
                add(a[2], a[2], to, a[5], a[6]); add(a[2], to, a[2], a[7], a[8])
            }
            for (pair in messages) printf "%s,%d,%.0f\n", pair, messages[pair], sum[pair]
        }' | sort
}

# All constructs of the model's top level, as a range: "1-12"; nothing if there are none.
all_constructs() {
    "$refrain" model --paths "$tmp/trace.refrain" | awk '{ at = $1 } END { sub(/.*-/, "", at); if (at) print "1-" at }'
}

# The matrix of one-sided communication is what all accesses come to, and the other forms say the same.
rma_matrix() {
    "$refrain" matrix --rma --csv "$tmp/trace.refrain" | sed 1d | sort >"$tmp/matrix" && accessed | diff - "$tmp/matrix" || return 1
    if [ -s "$tmp/matrix" ]; then
        "$refrain" matrix --rma --json "$tmp/trace.refrain" | jq -r 'select(.communication == "one-sided") | .pairs[] |
            "\(.from),\(.to),\(.messages),\(.bytes)"' | sort | diff - "$tmp/matrix" &&
            bytes=$(awk -F, '{ sum += $4 } END { printf "%.0f", sum }' "$tmp/matrix") &&
            "$refrain" matrix --rma "$tmp/trace.refrain" | tail -1 | grep -q "^all .* $bytes$" &&
            "$refrain" matrix --rma --svg "$tmp/trace.refrain" >"$tmp/svg" && grep -q "Bytes of one-sided communication of trace" "$tmp/svg" &&
            grep -q ", $bytes bytes in all" "$tmp/svg"
    else # these do have accesses
        case $program in one_sided* | windows* | fortran_one_sided*) return 1 ;; esac
    fi
}

# The matrix of the run is what all messages come to, and so are those of the constructs of its model, but for requests of
# which the model does not say what they are.
matrices() {
    "$refrain" matrix --csv "$tmp/trace.refrain" >"$tmp/matrix.csv" &&
        sed 1d "$tmp/matrix.csv" | sort >"$tmp/matrix" && sent | diff - "$tmp/matrix" &&
        "$construct_matrices" "$tmp/trace.refrain" >"$tmp/constructs.csv" || return 1
    unclear=$(sed -n 's/^unclear,//p' "$tmp/constructs.csv")
    [ -n "$unclear" ] || {
        cmp "$tmp/constructs.csv" "$tmp/matrix.csv" || return 1
        all=$(all_constructs)
        [ -z "$all" ] || "$refrain" matrix --at "$all" --csv "$tmp/trace.refrain" | cmp - "$tmp/matrix.csv"
        return
    }
    awk -F, -v unclear="$unclear" '
        NR > FNR && $1 == "unclear" { next }
        FNR > 1 { if (NR == FNR) { whole[$1 "," $2] = $3; left += $3 } else { whole[$1 "," $2] -= $3; left -= $3 } }
        END { for (pair in whole) if (whole[pair] < 0) exit 1; exit left > unclear }' "$tmp/matrix.csv" "$tmp/constructs.csv"
}

# Everything in the models is where they say, and each event's call is found; so the first constructs' rows name calls that
# are there, and those of the first line with a range are those of its constructs.
scan() {
    "$scan_check" "$tmp/trace.refrain" || return 1
    "$refrain" text --json "$tmp/trace.refrain" | jq -r '"\(.rank),\(.thread // 0),\(.call),\(.function)"' | sort >"$tmp/calls"
    for at in 1 2 3; do
        "$refrain" scan --at $at --values function "$tmp/trace.refrain" >"$tmp/rows" 2>"$tmp/error" || {
            grep -q 'there is no construct' "$tmp/error" && continue
            cat "$tmp/error"
            return 1
        }
        sed 1d "$tmp/rows" | awk -F, '{ print $1 "," $2 "," $(NF - 1) "," $NF }' | sort -u | comm -23 - "$tmp/calls" |
            grep . && return 1
        [ "$(wc -l <"$tmp/rows")" -gt 1 ] || return 1
    done
    range=$(a_range "$tmp/trace.refrain")
    [ -z "$range" ] || range_is_its_constructs "$tmp/trace.refrain" "$range" --values function
}

# The procedures of all lines that the program expected: "RANK  INDEX  PROCEDURE(…".
called() {
    sed -E 's/^[0-9.]+  [0-9]+  ([A-Za-z0-9_]+)\(.*/\1/' "$tmp/expected"
}

# What there is of a program of the list: those of Fortran once for each binding, Open MPI 4.1 having no large counts.
programs() {
    case $1 in
    fortran_*)
        [ -n "$mpifort" ] || return
        for binding in mpif_h mpi f08 f08_large; do
            case $MPI_NAME.$binding in openmpi.f08_large) ;; *) echo "$1.$binding" ;; esac
        done
        ;;
    status_f08) [ -z "$mpifort" ] || echo "$1" ;;
    *.large) [ ! -s "$tmp/large.h" ] || echo "$1" ;;
    connections) [ "$MPI_NAME" = mpich ] || echo "$1" ;; # Debian's is built on UCX, where 4.0 has no ports
    *) echo "$1" ;;
    esac
}

timing=aggregate
covered=$top_builddir/tests/mpi/covered
[ $# -gt 0 ] || rm -rf "$covered"
mkdir -p "$covered" || exit 1
large_header >"$tmp/large.h"
wanted=" $* "
sed 's/#.*//' "$srcdir/tests/mpi/programs.list" >"$tmp/list"
while read -r name counts; do
    for program in $(programs "$name"); do
        case $wanted in "  " | *" $program "* | *" $name "*) ;; *) continue ;; esac
        : >"$covered/$program"
        : >"$tmp/called"
        failed_before=$failed
        check "$program compiles" build "$program"
        [ -x "$tmp/$program" ] || continue
        for n in $counts; do
            next_timing
            check "$program on $n: runs" record "$program" "$n"
            check "$program on $n: verifies" "$refrain" verify "$tmp/trace.refrain" "$tmp/raw"
            check "$program on $n: text" compare "$n"
            check "$program on $n: text of all ranks" compare_all
            check "$program on $n: messages" everything_matches
            check "$program on $n: loops" loops
            check "$program on $n: model" model "$n"
            check "$program on $n: matrices" matrices
            check "$program on $n: one-sided communication" rma_matrix
            check "$program on $n: scan" scan
            called >>"$tmp/called"
        done
        [ "$failed" -gt "$failed_before" ] || sort -u "$tmp/called" >"$covered/$program"
    done
done <"$tmp/list"
finish
