# SPDX-License-Identifier: BSD-3-Clause
# For the scripts in bench/: finds programs and directories, and starts traced programs.
#
# From the environment: WORK (default: a temporary directory that is removed), YIELD=yes (ranks
# yield the processor while they wait, see tests/yield.c), and the variables of tests/mpirun.sh.
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
. "$srcdir/tests/mpirun.sh"
# The calls are measured, unless a script is about times.
export REFRAIN_TIMING=${REFRAIN_TIMING-aggregate}

die() {
    echo "$(basename "$0"): $*" >&2
    exit 2
}

command -v jq >/dev/null || die "needs jq (Debian: apt-get install jq)"
[ -x "$refrain" ] || die "$refrain is not there; build Refrain first, run this in the build directory, or set REFRAIN"

if [ -n "${WORK-}" ]; then
    work=$WORK
    mkdir -p "$work" || exit 2
else
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
fi

if [ "${YIELD-}" = yes ]; then
    cc -O2 -shared -fPIC -o "$work/yield.so" "$srcdir/tests/yield.c" || die "cannot compile yield.c"
    yield=$work/yield.so
fi

# trace NAME RANKS PROGRAM ARGUMENT…: leaves $work/NAME.refrain, and the output in $work/NAME.log
trace() {
    trace_name=$1 trace_ranks=$2
    shift 2
    rm -f "$work/$trace_name.refrain"
    LD_PRELOAD=${yield-} "$mpirun" $flags -n "$trace_ranks" "$refrain" record -o "$work/$trace_name.refrain" "$@" \
        >"$work/$trace_name.log" 2>&1 </dev/null || {
        tail -20 "$work/$trace_name.log" >&2
        die "$trace_name on $trace_ranks ranks failed"
    }
}

# info NAME FILTER: prints a value of `refrain info --json`
info() {
    "$refrain" info --json "$work/$1.refrain" | jq -r "$2"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# instructions COMMAND TRACE: counts the instructions of `refrain COMMAND` with valgrind
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$refrain" "$1" "$2" 2>&1 >/dev/null | sed -n 's/.*Collected *: *//p'
}

# judge FIRST LAST: sets $verdict, and $failed if LAST is more than $most_growth times FIRST
judge() {
    verdict=$(awk "BEGIN { print $2 <= $1 * $most_growth ? \"good\" : \"GROWS\" }")
    [ "$verdict" = good ] || failed=1
}

# growth COMMAND COUNTS NAME RANKS PROGRAM ARGUMENT…: prints a table row with the instructions of
# `refrain COMMAND` by iterations; the number of iterations follows the last argument. Sets $failed
# if they grow to more than $most_growth times the first.
growth() {
    command=$1 counts=$2 name=$3 ranks=$4 first=
    shift 4
    row="| $name |"
    for n in $counts; do
        case $* in *=) trace "$name" "$ranks" "$@$n" ;; *) trace "$name" "$ranks" "$@" "$n" ;; esac
        i=$(instructions "$command" "$work/$name.refrain")
        first=${first:-$i}
        row="$row $i |"
    done
    judge "$first" "$i"
    echo "$row $verdict |"
}
