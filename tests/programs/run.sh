#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Other people's programs, as Debian packages them: does each behave the same with the tracer, and
# is its trace exact?
#
#   tests/programs/run.sh [CASE…]      all of cases/, or those named (README.md explains cases)
#
# Prints a line after each case, then the table and a summary. The exit status is 1 if a case does
# not agree. From the environment: PROGRAMS_INSTALL=1 installs packages that are missing (as root),
# KEEP=DIR keeps the files of the runs, and the variables of tests/mpirun.sh. A case is skipped if
# its packages are missing, or if this build has no tracer for its MPI library.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/mpirun.sh"
. "$srcdir/tests/programs/inputs.sh"
cases=$srcdir/tests/programs/cases
seconds=${SECONDS_EACH:-300} # for one run

tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
if [ "${KEEP-}" ]; then mkdir -p "$KEEP" && kept=$(cd "$KEEP" && pwd) || exit 2; else kept=$tmp/kept; fi
PATH=/usr/bin:/bin:$PATH # the interpreters for which the packages are made
export LC_ALL=C OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1 PYTHONDONTWRITEBYTECODE=1

# read_case NAME: sets the fields and functions of cases/NAME
read_case() {
    case=$1 packages= language= mpi=openmpi ranks=2 stdin=/dev/null run= files= filter= order=kept fault=
    input() { :; }
    . "$cases/$case"
}

missing_packages() {
    for package in $packages; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}

# Prints the starter of the case's MPI library with its flags
launcher() {
    case $mpi in
    openmpi) echo mpirun.openmpi --oversubscribe ;;
    *) echo "mpirun.$mpi" ;;
    esac
}

# one_run NAME [TRACER OPTION…]: runs the case's program in a new folder with always the same path;
# leaves in $kept/CASE/NAME its output, its `status`, and `compared`: output and files in comparable
# form
one_run() {
    name=$1
    shift
    rm -rf "$tmp/run" "$kept/$case/$name"
    mkdir -p "$tmp/run" "$kept/$case/$name"
    (
        cd "$tmp/run" && input >../input.log 2>&1 || { echo "its input cannot be made:"; cat ../input.log; exit 2; }
        [ "$mpi" != mpich ] || [ ! -f "$top_builddir/tests/yield.so" ] || export LD_PRELOAD="$top_builddir/tests/yield.so" # see tests/mpirun.sh
        eval "set -- $(launcher) -n $ranks \"\$@\" $run"
        exec timeout -k 5 "$seconds" "$@" <"$stdin"
    ) >"$tmp/output" 2>"$tmp/errors"
    echo $? >"$kept/$case/$name/status"
    mv "$tmp/output" "$tmp/errors" "$kept/$case/$name/"
    (
        cd "$tmp/run" && filtered <"$kept/$case/$name/output"
        for file in $files; do
            echo "== $file" && [ -f "$file" ] && filtered <"$file"
        done
    ) >"$kept/$case/$name/compared" 2>&1
}

filtered() {
    sed -E "s|$tmp|TMP|g; ${filter:-b}" | if [ "$order" = kept ]; then cat; else sort; fi
}

# same A B: did two runs do the same?
same() {
    cmp -s "$kept/$case/$1/compared" "$kept/$case/$2/compared" && cmp -s "$kept/$case/$1/status" "$kept/$case/$2/status"
}

# first_difference A B: prints it for the table
first_difference() {
    diff "$kept/$case/$1/status" "$kept/$case/$2/status" >/dev/null ||
        { echo "status $(cat "$kept/$case/$2/status"), untraced $(cat "$kept/$case/$1/status")"; return; }
    diff -a "$kept/$case/$1/compared" "$kept/$case/$2/compared" | sed -n '2s/^[<>] *//p' | cut -c 1-100
}

# messages_agree TIMING: checks that everything has its other end, except for faults of the program
# that the case names
messages_agree() {
    "$refrain" messages --summary "$trace" >"$kept/$case/$1/messages" 2>&1
    case $?:$fault in
    0:*) return ;;
    1:?*) ! grep -aE "$complaint" "$kept/$case/$1/messages" | grep -vqE "$fault" ;;
    *) false ;;
    esac
}
complaint='^(unmatched|collective|refrain)'

# problem TEXT…: records why the case does not agree
problem() { problems="$problems${problems:+; }$*"; }

# traced TIMING: runs with the tracer and checks everything
traced() {
    trace=$kept/$case/$1.refrain raw=$tmp/raw
    rm -rf "$trace" "$trace.parts" "$raw"
    one_run "$1" "$refrain" record --timing "$1" -o "$trace" --verify "$raw"
    same plain "$1" || same again "$1" || problem "$1: differs: $(first_difference plain "$1")"
    local words
    words=$(grep '^refrain' "$kept/$case/$1/errors" | grep -v 'the run ended without a trace; .refrain merge ' | head -1 | cut -c 1-120)
    [ -z "$words" ] || problem "$1: says \"$words\""
    if [ ! -f "$trace" ] && [ -d "$trace.parts" ]; then
        "$refrain" merge "$trace.parts" >"$kept/$case/$1/merge" 2>&1 || problem "$1: merge fails"
    fi
    [ -f "$trace" ] || { problem "$1: no trace"; return; }
    "$refrain" verify "$trace" "$raw" >"$kept/$case/$1/verify" 2>&1 || problem "$1: verify: $(head -n 1 "$kept/$case/$1/verify" | cut -c 1-120)"
    messages_agree "$1" || problem "$1: messages: $(grep -aE "$complaint" "$kept/$case/$1/messages" | head -n 1 | cut -c 1-120)"
    "$refrain" stat "$trace" >"$kept/$case/$1/stat" 2>&1 && [ -s "$kept/$case/$1/stat" ] || problem "$1: stat fails"
    calls=$(sed -n 's/.* ranks*, \([0-9]*\) calls.*/\1/p; s/^1 rank, \([0-9]*\) calls.*/\1/p' "$kept/$case/$1/verify" | head -n 1)
    size=$(wc -c <"$trace")
}

one_case() {
    problems= note= calls= size=
    one_run plain
    one_run again
    if [ "$(cat "$kept/$case/plain/status")" -eq 124 ]; then
        problem "untraced: not done within $seconds s"
    elif grep -q 'its input cannot be made' "$kept/$case/plain/output"; then
        problem "$(cat "$kept/$case/plain/output")"
    else
        [ "$(cat "$kept/$case/plain/status")" -eq 0 ] || problem "untraced: status $(cat "$kept/$case/plain/status")"
        [ "$(wc -c <"$kept/$case/plain/compared")" -gt 0 ] || problem "untraced: no output to compare"
        same plain again || note="differs by itself: $(first_difference plain again)"
        traced aggregate
        traced lossy
    fi
    status=$(cat "$kept/$case/plain/status")
    row "${problems:-agrees}${note:+ ($note)}"
    ran=$((ran + 1))
    if [ "$problems" ]; then failed=$((failed + 1)); elif [ "$note" ]; then unsteady=$((unsteady + 1)); else agreed=$((agreed + 1)); fi
    [ "${KEEP-}" ] || rm -rf "${kept:?}/$case"
}

row() {
    echo "| $case | $packages | $language | $mpi | $ranks | ${status:+$status} | $calls | $size | $1 |" >>"$tmp/table"
    echo "$case: $1"
}

if [ $# -eq 0 ]; then set -- $(ls "$cases"); fi
all_missing=
for case in "$@"; do
    [ -f "$cases/$case" ] || { echo "no case $case in $cases" >&2; exit 2; }
    read_case "$case"
    all_missing="$all_missing $(missing_packages)"
done
all_missing=$(echo $all_missing | tr ' ' '\n' | sort -u | tr '\n' ' ')
if [ "${all_missing# }" ]; then
    echo "packages that are missing: apt-get install --no-install-recommends $all_missing"
    if [ "${PROGRAMS_INSTALL-}" = 1 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $all_missing || echo "not all could be installed"
    fi
fi

ran=0 agreed=0 unsteady=0 failed=0 skipped=0
for case in "$@"; do
    read_case "$case"
    status= calls= size=
    if missing=$(missing_packages) && [ "$missing" ]; then
        skipped=$((skipped + 1))
        row "skipped: no $(echo $missing)"
    elif [ ! -e "$top_builddir/lib/refrain/$mpi" ] || ! command -v "mpirun.$mpi" >/dev/null; then
        skipped=$((skipped + 1))
        row "skipped: no tracer for $mpi in this build"
    else
        one_case
    fi
done

echo
echo "| program | packages | language | MPI | ranks | status | calls | bytes | |"
echo "|---|---|---|---|---|---|---|---|---|"
cat "$tmp/table"
echo
echo "$ran ran: $agreed agree, $unsteady agree but differ from run to run, $failed do not agree; $skipped skipped"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
