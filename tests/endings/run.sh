#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that end badly: the ranks' parts make a trace with the calls that the program made, and the
# program ends as it does without the tracer. Ends with a table of recovered calls.
#
#   tests/endings/run.sh [ENDING…]    all endings, or those named
#
# From the environment: srcdir, MPIFORT, and the variables of tests/mpirun.sh.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
seconds=60 # for one run
ranks=3

tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT

# Runs the program and keeps the exit status of rank 1 in $tmp/status. The launcher's own status
# depends on the rank that it kills first.
cat >"$tmp/rank" <<'EOF'
#!/bin/sh
status=$1
shift
[ -z "$ADDRESSES" ] || ulimit -v "$ADDRESSES"
[ "${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}" = 1 ] || exec "$@"
"$@"
result=$?
echo $result >"$status"
exit $result
EOF
chmod +x "$tmp/rank"

# launch STATUS COMMAND…: runs it on all ranks
launch() {
    timeout "$seconds" "$mpirun" $flags -n $ranks "$tmp/rank" "$@" </dev/null
}

untraced() {
    rm -f "$tmp"/untraced* "$tmp"/made.*
    launch "$tmp/untraced.status" "$program" "$1" "$tmp/made" >"$tmp/untraced" 2>&1
    [ $? -ne 124 ]
}

traced() {
    rm -rf "$tmp"/traced* "$tmp"/made.* "$tmp"/t.*
    REFRAIN_CHECKPOINT=0.1 launch "$tmp/traced.status" "$refrain" record -o "$tmp/t.refrain" --verify "$tmp/t.raw" \
        "$program" "$1" "$tmp/made" >"$tmp/traced" 2>&1
    [ $? -ne 124 ] && silent "$1"
}

# If rank 1 tells the launcher first, or all ranks end at once, the launcher may kill it before
# there is a status.
same_status() {
    touch "$tmp/untraced.status" "$tmp/traced.status"
    case $1 in
    *abort | *error | *-all) [ -s "$tmp/untraced.status" ] && [ -s "$tmp/traced.status" ] || return 0 ;;
    esac
    [ -s "$tmp/traced.status" ] && cmp "$tmp/untraced.status" "$tmp/traced.status"
}

merge() {
    if [ "${1##*-}" = finalize ]; then
        [ -f "$tmp/t.refrain" ] && [ ! -e "$tmp/t.refrain.parts" ] && return
        ls "$tmp"
        return 1
    fi
    "$refrain" merge "$tmp/t.refrain.parts"
}

calls() { "$refrain" text --rank "$1" "$tmp/t.refrain" | wc -l; }

# recovered RANK all|some|returned: checks for all calls that the program made; with `some`, those
# up to a checkpoint are enough; with `returned`, all except the unfinished one
recovered() {
    here=$(calls "$1")
    # If all ranks end at once, the launcher may kill one before it has written its number.
    [ -s "$tmp/made.$1" ] || [ "$2" = all ] || return 0
    made=$(cat "$tmp/made.$1")
    ended=$("$refrain" info --json "$tmp/t.refrain" | tr '{' '\n' | grep '"ranks":"' |
        grep -E "\"ranks\":\"([0-9,-]*,)?$1[\",-]|\"ranks\":\"([0-9,-]*,)?0-2\"")
    case $ended in
    *checkpoint*) if [ "$2" = returned ]; then [ "$here" -ge $((made - 1)) ]; else [ "$here" -ge "$work" ] && [ "$2" != all ]; fi && [ "$here" -le "$made" ] ;;
    *"no part"*) [ "$here" -ge "$work" ] && [ "$here" -le "$made" ] && [ "$2" != all ] ;;
    *) [ "$here" -eq "$made" ] ;;
    esac || { echo "rank $1 made $made calls, $here are there: $ended"; return 1; }
}

row() {
    line="| $1 |" sum=0 there=0
    for rank in 0 1 2; do
        made=$(cat "$tmp/made.$rank" 2>/dev/null || echo '?')
        line="$line $made / $(calls $rank) |"
    done
    echo "$line $("$refrain" info --json "$tmp/t.refrain" | tr '{' '\n' |
        sed -n 's/.*"ended":"\([^"]*\)","ranks":"\([^"]*\)".*/\2: \1/p' | tr '\n' ';' | sed 's/;$//; s/;/; /g') |"
}

# one ENDING WHOSE LAST: checks that rank 1 (or `none`) has all its calls, and that its last line
# ends with LAST; `late`: all ranks had time for a checkpoint before the end
one() {
    case $wanted in "  " | *" $1 "*) ;; *) return ;; esac
    check "$1: ends untraced" untraced "$1"
    check "$1: ends traced, in one word at most" traced "$1"
    [ "$2" = none ] || [ "$2" = late ] || check "$1: says what makes a trace of the parts" says_how "$1"
    check "$1: status of rank 1" same_status "$1"
    check "$1: merges" merge "$1"
    check "$1: verifies" "$refrain" verify "$tmp/t.refrain" "$tmp/t.raw"
    check "$1: another reader reads it" read_again
    for rank in 0 1 2; do
        case $2$rank in all? | one1) all=all ;; late?) all=returned ;; *) all=some ;; esac
        check "$1: calls of rank $rank" recovered $rank $all
    done
    check "$1: last call" last "$3"
    check "$1: is it said to be cut off" cut_off "$1"
    row "$1" >>"$tmp/table"
}

# silent [ENDING]: checks that the tracer prints nothing, except once that there is no trace and how
# to make one
silent() {
    grep '^refrain' "$tmp/traced" >"$tmp/ours"
    case ${1-}$(wc -l <"$tmp/ours") in
    *finalize*) [ ! -s "$tmp/ours" ] ;;
    *[a-z]0) ;;
    *1) grep -q 'warning: the run ended without a trace; `refrain merge .*/t.refrain.parts` builds one from the recorded calls$' "$tmp/ours" ;;
    *) false ;;
    esac || { cat "$tmp/ours"; return 1; }
}
# A rank that ends by itself has reported this.
says_how() {
    case $1 in *finalize | int-exits) ;; *) [ -s "$tmp/ours" ] || { cat "$tmp/traced"; return 1; } ;; esac
}

# The second reader, written from the text of the format alone, accepts the trace.
read_again() { "${SECOND_READER:-$top_builddir/tests/format/second_reader}" "$tmp/t.refrain" >/dev/null; }

# says PATTERN: searches how the ranks ended
says() { "$refrain" info "$tmp/t.refrain" | grep "$1"; }

# In report and critical, which needs times of all ranks.
cut_off() {
    case $1 in *finalize) how='3 ranks' ;; *) how='Cut off' ;; esac
    "$refrain" report "$tmp/t.refrain" 2>/dev/null | head -n 1 | grep -E "^[^ ]+ [^:]*: $how" || return
    if ! "$refrain" critical "$tmp/t.refrain" >"$tmp/critical" 2>&1; then
        grep 'has no times of single calls' "$tmp/critical"
    elif [ "$how" = 'Cut off' ]; then
        head -n 1 "$tmp/critical" | grep '^The run was cut off: .* rank'
    else
        ! grep 'cut off' "$tmp/critical"
    fi
}

last() { "$refrain" text --rank 1 "$tmp/t.refrain" | tail -n 1 | grep -F -- "$1"; }

# The launcher itself is ended, as a scheduler does, while all ranks wait.
hang() {
    rm -rf "$tmp"/made.* "$tmp"/t.*
    REFRAIN_CHECKPOINT=0.1 "$mpirun" $flags -n $ranks "$refrain" record -o "$tmp/t.refrain" \
        --verify "$tmp/t.raw" "$tmp/endings" hang "$tmp/made" </dev/null >"$tmp/traced" 2>&1 &
    launcher=$!
    for try in $(seq "$seconds"); do
        [ -s "$tmp/made.0" ] && [ -s "$tmp/made.1" ] && [ -s "$tmp/made.2" ] && break
        sleep 1
    done
    sleep 2 # they wait and have made a checkpoint
    kill "$launcher"
    wait "$launcher"
    [ -s "$tmp/made.0" ] && [ -s "$tmp/made.1" ] && [ -s "$tmp/made.2" ] && silent hang
}

# elsewhere RANKS…: these ranks get a place where they cannot write; rank 0 finds another place for
# all
elsewhere() {
    rm -rf "$tmp"/made.* "$tmp"/t.* "$tmp/nowhere" "$tmp/here"
    mkdir "$tmp/here"
    {
        echo '#!/bin/sh'
        echo 'rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}'
        echo "case $1 in *\$rank*) export REFRAIN_OUTPUT='$tmp/nowhere/t.refrain' ;; esac"
        echo 'exec "$@"'
    } >"$tmp/blind"
    chmod +x "$tmp/blind"
    (cd "$tmp/here" && REFRAIN_OUTPUT=$tmp/t.refrain timeout "$seconds" "$mpirun" $flags -n $ranks "$tmp/blind" "$refrain" record \
        "$tmp/endings" finalize "$tmp/made") >"$tmp/traced" 2>&1 </dev/null || { cat "$tmp/traced"; return 1; }
    mv "$tmp/here/t.refrain" "$tmp" && [ ! -e "$tmp/nowhere" ] && [ "$(calls 0)/$(calls 1)/$(calls 2)" = 406/406/406 ] &&
        grep 'cannot write the trace to .*/nowhere/t.refrain: ' "$tmp/traced" && ! grep -v '^refrain' "$tmp/traced"
}

# Rank 0 cannot write any more, although it could in MPI_Init.
too_late() {
    untraced limit-0-finalize || return
    rm -rf "$tmp"/made.* "$tmp"/t.*
    launch "$tmp/traced.status" "$refrain" record -o "$tmp/t.refrain" "$program" limit-0-finalize "$tmp/made" >"$tmp/traced" 2>&1 ||
        { cat "$tmp/traced"; return 1; }
    cmp "$tmp/untraced.status" "$tmp/traced.status" && [ ! -e "$tmp/t.refrain" ] && grep 'cannot write .*/t.refrain: ' "$tmp/traced"
}

others_left_parts() {
    "$refrain" merge "$tmp/t.refrain.parts" >"$tmp/merged" && grep 'rank 0: left no part' "$tmp/merged" &&
        grep 'ranks 1-2: MPI_Finalize, which' "$tmp/merged" && [ "$(calls 0)/$(calls 1)/$(calls 2)" = 0/406/406 ]
}

# A program whose files must not grow ends as it does untraced, and the user is told why there is no
# trace.
limit() {
    untraced limit-finalize || return
    rm -rf "$tmp"/made.* "$tmp"/t.*
    launch "$tmp/traced.status" "$refrain" record -o "$tmp/t.refrain" "$program" limit-finalize "$tmp/made" \
        >"$tmp/traced" 2>&1 || { cat "$tmp/traced"; return 1; }
    cmp "$tmp/untraced.status" "$tmp/traced.status" && [ ! -e "$tmp/t.refrain" ] &&
        grep 'cannot write .*/t.refrain: File too large' "$tmp/traced" && ! grep -v '^refrain' "$tmp/traced"
}

# After a fault while it writes a part, the tracer stops all work.
fault() {
    untraced fault-finalize || return
    rm -rf "$tmp"/made.* "$tmp"/t.*
    launch "$tmp/traced.status" "$refrain" record -o "$tmp/t.refrain" "$program" fault-finalize "$tmp/made" >"$tmp/traced" 2>&1 ||
        { cat "$tmp/traced"; return 1; }
    cmp "$tmp/untraced.status" "$tmp/traced.status" && [ ! -e "$tmp/t.refrain" ] &&
        [ "$(grep -c 'writing them failed' "$tmp/traced")" -eq 3 ] && ! grep -v '^refrain' "$tmp/traced"
}

# Errors that may be fatal cause checkpoints (MPICH, several threads). If none can be made, there is
# a single try.
no_parts() {
    rm -rf "$tmp"/made.* "$tmp"/t.* "$tmp/here"
    mkdir "$tmp/here"
    touch "$tmp/t.refrain.parts"
    (cd "$tmp/here" && REFRAIN_CHECKPOINT=0.1 launch "$tmp/traced.status" "$refrain" record -o "$tmp/t.refrain" "$program" \
        threads-finalize "$tmp/made" >"$tmp/traced" 2>&1) || { cat "$tmp/traced"; return 1; }
    # The trace is there or in the next usable place.
    ls "$tmp/t.refrain" "$tmp/here/t.refrain" 2>/dev/null | grep -q . || { cat "$tmp/traced"; return 1; }
    [ -s "$tmp/traced" ] && ! grep 'this rank writes no more checkpoints' "$tmp/traced" | sort | uniq -d | grep .
}

# A full disk, only if this user may make one.
full() {
    rm -rf "$tmp"/made.* "$tmp"/t.* "$tmp/full"
    mkdir "$tmp/full"
    unshare -m sh -c 'mount -t tmpfs -o size=4k tmpfs "$1/full" && head -c 4096 /dev/zero >"$1/full/all" && shift &&
        exec timeout "$@"' full "$tmp" "$seconds" "$mpirun" $flags -n $ranks "$refrain" record \
        -o "$tmp/full/t.refrain" "$program" finalize "$tmp/made" >"$tmp/traced" 2>&1 </dev/null ||
        { cat "$tmp/traced"; return 1; }
    [ "$(cat "$tmp"/made.* | tr '\n' ' ')" = "406 406 406 " ] &&
        grep 'cannot write .*/full/t.refrain: No space left on device' "$tmp/traced" &&
        ! grep -v '^refrain' "$tmp/traced"
}

compile() { # OUTPUT [OPTION…]
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-infinite-recursion -o "$@" "$srcdir/tests/endings/endings.c" -pthread
}
check "the program compiles" compile "$tmp/endings"
wanted=" $* "
program=$tmp/endings work=400 # at least this many calls before the last checkpoint
one finalize all "MPI_Finalize() = MPI_SUCCESS"
one abort one "MPI_Abort(comm=MPI_COMM_WORLD, errorcode="
one error one "dest=73, tag=0, comm=MPI_COMM_WORLD) = ?"
one exit one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
for ending in _exit _Exit quick_exit; do
    one $ending one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
done
one _exit-all none ") = MPI_SUCCESS"
one vfork-finalize all "MPI_Finalize() = MPI_SUCCESS"
one return one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
for ending in segv stack fpe ill bus abrt heap term int; do
    one $ending one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
done
one small-stack one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
one segv-all none ") = MPI_SUCCESS"
one term-all none ") = MPI_SUCCESS"

# A program that uses up its address space: there is still memory for the part.
export ADDRESSES=900000
one grow one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
unset ADDRESSES
one returned-finalize all "MPI_Finalize() = MPI_SUCCESS"

# Handlers installed before main, such as those of a preloaded library, get the signal after the
# tracer's handler.
cat >"$tmp/handler.c" <<'EOF'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static void go_on(int n) { (void)n; }
static void leave(int n) { exit(40 + n); }
__attribute__((constructor)) static void start(void)
{
    signal(SIGTERM, go_on);
    signal(SIGINT, leave);
}
int rename(const char *from, const char *to)
{
    if (getenv("FAULT") && strstr(to, ".part"))
        raise(SIGSEGV);
    return syscall(SYS_rename, from, to);
}
EOF
printf '%s\n' '#!/bin/sh' "LD_PRELOAD=\${LD_PRELOAD:+\$LD_PRELOAD:}$tmp/handler.so exec $tmp/endings \"\$@\"" >"$tmp/with_handler"
chmod +x "$tmp/with_handler"
check "the handler compiles" "$mpicc" -shared -fPIC -o "$tmp/handler.so" "$tmp/handler.c"
program=$tmp/with_handler
one survived-finalize all "MPI_Finalize() = MPI_SUCCESS"
one survived-kill late "MPI_Comm_rank("
one threads-survived-kill late "MPI_"
one int-exits one "MPI_Comm_rank("
case $wanted in "  " | *" int-exits "*) check "int-exits: its cause" says "signal 2" ;; esac
case $wanted in "  " | *" fault "*) check "fault: while the part is written" fault ;; esac
program=$tmp/endings

one threads-finalize all "MPI_Finalize() = MPI_SUCCESS"
one threads-error none "comm=MPI_COMM_WORLD) = "
one handler one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
one kill none "MPI_"
one late-kill late "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
check "with much for each thread: compiles" compile "$tmp/endings_large" -DTHREAD_BYTES=3000000
program=$tmp/endings_large
one late-kill late "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
program=$tmp/endings
case $wanted in "  " | *" no-parts "*) check "no-parts: no part can be written" no_parts ;; esac

if [ "$mpifort" ]; then
    program=$tmp/endings_f work=200
    check "the Fortran program compiles" "$mpifort" -g -Wall -o "$program" "$srcdir/tests/endings/endings_f.f90"
    one f-finalize all "MPI_Finalize() = MPI_SUCCESS"
    one f-abort one "MPI_Abort(comm=MPI_COMM_WORLD, errorcode="
    one f-error one "dest=73, tag=0, comm=MPI_COMM_WORLD) = ?"
    one f-stop one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
    one f-segv one "MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS"
    program=$tmp/endings work=400
fi

case $wanted in "  " | *" hang "*)
    check "hang: the launcher is ended" hang
    check "hang: merges" merge hang
    check "hang: verifies" "$refrain" verify "$tmp/t.refrain" "$tmp/t.raw"
    for rank in 0 1 2; do
        check "hang: calls of rank $rank" recovered $rank returned
    done
    check "hang: is it said to be cut off" cut_off hang
    row "hang, SIGTERM to mpirun" >>"$tmp/table"
    ;;
esac
case $wanted in "  " | *" limit "*)
    check "limit: a file that may not grow" limit
    ;;
esac
case $wanted in "  " | *" disk "*)
    if unshare -m mount -t tmpfs tmpfs "$tmp" 2>/dev/null; then
        check "the disk is full: the program runs" full
    fi
    check "a place where nobody can write" elsewhere 012
    check "a place where rank 0 cannot write" elsewhere 0
    check "rank 0 cannot write the trace in the end: the program runs" too_late
    check "the others leave parts" others_left_parts
    ;;
esac

echo
echo "| ending | rank 0: made / recovered | rank 1 | rank 2 | how the ranks ended |"
echo "|---|---|---|---|---|"
cat "$tmp/table"
echo
finish
