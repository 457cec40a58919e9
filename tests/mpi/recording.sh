#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which calls are recorded: REFRAIN_FUNCTIONS, REFRAIN_START and MPI_Pcontrol. Recorded calls must
# read as in the trace of all calls.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
longest_gap=$(realpath "$top_builddir/tests/mpi/longest_gap") || exit 1
export REFRAIN_CHECK=1
ranks=2

launch() { LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n $ranks "$@" </dev/null; }
# record NAME [OPTION…] -- [MODE]: makes NAME.refrain; there must be no message
record() {
    name=$1
    shift
    rm -rf raw && mkdir raw
    launch "$refrain" record "$@" >said 2>&1 || { cat said; return 1; }
    [ ! -s said ] || { cat said; return 1; }
    "$refrain" verify "$name.refrain" raw
}
run() { # NAME MODE [OPTION…]
    run_name=$1 run_mode=$2
    shift 2
    record "$run_name" -o "$run_name.refrain" --verify raw "$@" ./recording $run_mode
}
# Prints the calls of a rank without their numbers.
calls() { "$refrain" text --rank "$2" "$1.refrain" | sed 's/^[0-9]*  [0-9]*  //'; }

# is NAME COMMAND…: checks that the calls of `full`, filtered by the command, are the calls of NAME,
# and that info counts the others
is() {
    is_name=$1 left_out=0
    shift
    for rank in 0 1; do
        calls full $rank >full.calls
        "$@" <full.calls >wanted
        calls "$is_name" $rank >got
        [ -s wanted ] && diff wanted got || return 1
        left_out=$((left_out + $(wc -l <full.calls) - $(wc -l <wanted)))
    done
    says=$("$refrain" info --json "$is_name.refrain" | sed -n 's/.*"unrecorded":\([0-9]*\).*/\1/p')
    [ "${says:-0}" -eq "$left_out" ] || { echo "info says ${says:-nothing}, not $left_out"; return 1; }
}
info() { "$refrain" info "$1.refrain" | grep -F -- "$2"; }
no_info() { ! info "$@"; }
kept='MPI_Init\(|MPI_Finalize\(|MPI_Pcontrol\('
from_barrier() { awk -v kept="$kept" '/^MPI_Barrier/ { on = 1 } on || $0 ~ kept'; }
after() { awk -v n="$1" -v kept="$kept" 'NR > n || $0 ~ kept'; }

"$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Werror -Wno-stringop-overflow -o recording "$srcdir/tests/mpi/recording.c" -lm ||
    { echo "cannot build the program"; exit 1; }

# Checks the single line on stderr that describes the trace; it can be turned off.
closing() {
    (unset REFRAIN_LOG && launch "$refrain" record -o closing.refrain ./recording >said 2>errors) && ! grep refrain: said &&
        [ "$(grep -cE '^refrain: (/.*/)?closing\.refrain \([0-9.]+ k?B, 2 ranks, [0-9.]+ s\): see refrain report (/.*/)?closing\.refrain$' errors)" = 1 ] ||
        { cat said errors; return 1; }
    launch "$refrain" record --log warning -o closing.refrain ./recording >said 2>&1 && ! grep refrain: said
}
check "a line in the end" closing

# once TEXT COMMAND…: checks that one rank prints it, and that there is no other message
once() {
    text=$1
    shift
    launch "$@" >said 2>&1
    [ "$(grep -c '^refrain' said)" -eq 1 ] && grep -qF -- "$text" said || { cat said; return 1; }
}
# elsewhere FOLDER OUTPUT WHY: checks that the trace is in the folder and that rank 0 has reported
# this
elsewhere() {
    once "cannot write the trace to $2: $3; it is written to $1, as there.refrain or the next free name" \
        "$refrain" record -o "$2" ../recording && [ "$("$refrain" info --json "$1/$4" | grep -c '"ranks":2')" -eq 1 ]
}
places() {
    mkdir here temporary && : >here/there.refrain && : >file && cd here || return 1
    elsewhere "$PWD" "$PWD/nowhere/there.refrain" "No such file or directory" there.2.refrain &&
        elsewhere "$PWD" "$tmp/file/there" "Not a directory" there.3.refrain &&
        mkdir there && elsewhere "$PWD" "$PWD/there" "Is a directory" there.4.refrain && [ ! -s there.refrain ] &&
        [ -z "$(ls -d ./*.parts 2>/dev/null)" ]
    result=$?
    cd ..
    return $result
}
# A working directory that cannot contain files.
in_proc() { # NAME [OPTION…]
    name=$1
    shift
    (cd /proc && launch env TMPDIR="$tmp/temporary" "$refrain" record "$@" "$tmp/recording") >said 2>&1
    [ "$(grep -c '^refrain' said)" -eq 1 ] && grep -qF "it is written to $tmp/temporary, as $name.refrain or" said &&
        [ -s "temporary/$name.refrain" ] || { cat said; ls temporary; return 1; }
}
check "everything" run full ""
check "a place where no trace can be written" places
check "nor in the working directory" in_proc there -o "$tmp/nowhere/there.refrain"
check "a working directory that will not do" in_proc recording
check "an option that makes no sense is said once" once "--timing nonsense: wanted" "$refrain" record --timing nonsense ./recording
variable() { REFRAIN_CHECKPOINT=nonsense once "REFRAIN_CHECKPOINT=nonsense: wanted" "$refrain" record -o full.refrain ./recording; }
check "so is a variable" variable
check "everything: info says nothing of it" no_info full "left out"

check "all but a few" run but "" --functions '!MPI_Wtime,!mpi_isend'
check "all but a few: calls" is but grep -vE '^MPI_(Wtime|Isend)\('
check "all but a few: info says which" info but '!MPI_Wtime,!mpi_isend'
check "only some" run only "" -f 'MPI_I*,MPI_Wait*,!MPI_Isend'
check "only some: calls" is only grep -E "^($kept|MPI_I[a-z]*recv\(|MPI_Wait)"
check "the last pattern decides" run last "" -f '*,!MPI_*,MPI_Comm_*'
check "the last pattern decides: calls" is last grep -E "^($kept|MPI_Comm_)"
export REFRAIN_FUNCTIONS='MPI_Snd*'
said_nothing() { launch "$refrain" record -o none.refrain ./recording 2>&1 | grep -F "matches no function"; }
check "a pattern for nothing is warned about" said_nothing
check "a pattern for nothing: calls" is none grep -E "^($kept)"
unset REFRAIN_FUNCTIONS

for n in 1 4 17; do
    check "after $n calls" run after$n "" --start $n
    check "after $n calls: calls" is after$n after $n
done
check "after 4 calls: info says so" info after4 "start      4"
check "after more calls than there are" run never "" --start 100000
check "after more calls than there are: calls" is never grep -E "^($kept)"
check "both" run both "" --start 17 -f '!MPI_Wtime'
both() { after 17 | grep -v MPI_Wtime; }
check "both: calls" is both both

for mode in none before; do
    check "at a signal, handler: $mode" run $mode $mode --start SIGUSR2
    check "at a signal, handler: $mode: calls" is $mode from_barrier
done
# A handler that is set after MPI_Init replaces the tracer's.
check "at a signal that the program takes away" run taken after --start SIGUSR2
check "at a signal that the program takes away: calls" is taken grep -E "^($kept)"
check "a signal of the program's alone" run alone before
check "a signal of the program's alone: calls" is alone cat

check "a pause" run pause pause
not_paused() { [ "$("$longest_gap" pause.refrain)" -lt 700 ] || { "$longest_gap" pause.refrain; return 1; }; }
check "a pause is no gap" not_paused

# Prints how long MPI_Finalize takes on a rank, in milliseconds: until the last rank enters.
finalize() { "$refrain" text --times --json --rank "$1" -f MPI_Finalize late.refrain | tee /dev/stderr | sed -n 's/.*"duration":\([0-9]*\).*/\1/p'; }
waits() { [ "$(($(finalize 0) / 1000000))" -ge 600 ] && [ "$(($(finalize 1) / 1000000))" -lt 400 ]; }
check "a rank comes late to MPI_Finalize" run late late --timing lossless
check "the others wait for it" waits

killed() {
    launch "$refrain" record --checkpoint 0 -o killed.refrain ./recording kill >said 2>&1
    [ -d killed.refrain.parts ] || { cat said; return 1; }
}
check "MPI_Pcontrol(2) writes a part" killed
check "MPI_Pcontrol(2): the part is merged" "$refrain" merge killed.refrain.parts
up_to_control() { sed '/^MPI_Finalize/d'; echo "MPI_Pcontrol(level=2) = MPI_SUCCESS"; }
check "MPI_Pcontrol(2): the calls up to it" is killed up_to_control

# Threads: calls that are left out are counted for every thread; threads that begin at the same time
# get different numbers.
"$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Wno-stringop-overflow -o stress "$srcdir/tests/threads/stress.c" -lpthread ||
    { echo "cannot build the program with threads"; exit 1; }
ranks=1
threads() { # NAME [OPTION…]
    threads_name=$1
    shift
    record "$threads_name" -o "$threads_name.refrain" --verify raw "$@" ./stress 4 100
}
number() { "$refrain" info --json "$2.refrain" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }
equal() { [ "$1" -eq "$2" ] || { echo "$1, not $2"; return 1; }; }
all_counted() { equal "$(($(number calls $1) + $(number unrecorded $1)))" "$(number calls threads)"; }
check "threads: everything" threads threads
check "threads: calls in callbacks" equal "$("$refrain" text threads.refrain | grep -c 'MPI_Comm_test_inter(')" 52
check "threads: only some" threads few -f 'MPI_Isend,MPI_Comm_size'
check "threads: the others are counted" all_counted few
check "threads: after 500 calls" threads after500 --start 500
check "threads: after 500 calls: all but the first are left out" equal "$(number unrecorded after500)" 499
check "threads: after 500 calls: the others are there" all_counted after500
# Records of another run are not compared.
other_run() {
    "$refrain" verify few.refrain raw >said 2>&1
    [ $? -eq 2 ] && grep -q 'raw contains records of another run than few.refrain' said || { cat said; return 1; }
}
check "records of another run" other_run
finish
