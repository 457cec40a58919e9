#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `refrain waits`, `critical`, `report` and `diff` by several processes: the output is the same as
# that of one, with any number of threads. Whatever goes wrong is said once.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

# start K COMMAND…: as K processes
start() {
    processes=$1
    shift
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$processes" "$@" </dev/null
}

# ---- traces

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Wno-stringop-overflow -o processes \
        "$srcdir/tests/waits/processes.c" &&
        "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC -o killed.so "$srcdir/tests/waits/killed.c" -ldl
}
record() { start 4 "$refrain" record --timing lossless --time-budget none -o whole.refrain ./processes finish; }
record_cut() { start 4 "$refrain" record --time-budget 20K -o cut.refrain ./processes finish; }
# The parts of all ranks; and of all but rank 2.
record_parts() {
    start 4 "$refrain" record --checkpoint 0.2 --timing lossless --time-budget none -o parts.refrain ./processes abort && return 1
    "$refrain" merge -o unfinished.refrain parts.refrain.parts && rm parts.refrain.parts/*/rank.2.part &&
        "$refrain" merge -o fewer.refrain parts.refrain.parts
}

# ---- the same bytes

# same COMMAND…: by 2 processes as by one thread
same() {
    REFRAIN_THREADS=1 "$refrain" "$@" >one && [ -s one ] && start 2 "$refrain" "$@" >several && cmp one several
}
# The same, by any number of threads and processes.
always_same() {
    same "$@" || return 1
    for n in 2 3; do
        REFRAIN_THREADS=$n "$refrain" "$@" >several && cmp one several || { echo "$n threads"; return 1; }
    done
    for n in 1 4; do
        start $n "$refrain" "$@" >several && cmp one several || { echo "$n processes"; return 1; }
    done
    REFRAIN_THREADS=3 start 3 "$refrain" "$@" >several && cmp one several || { echo "3 processes, 3 threads"; return 1; }
}
same_report() {
    "$refrain" report -o one.html whole.refrain && start 3 "$refrain" report -o several.html whole.refrain && cmp one.html several.html
}

# The helpers do take part: each of them says who it is.
takes_part() {
    REFRAIN_LOG=launch:debug start 3 "$refrain" critical whole.refrain 2>&1 >page | grep -o "process [0-9] of 3" | sort -u >numbers
    [ "$(wc -l <numbers)" = 3 ] && [ -s page ]
}

# ---- parts of a run

# Times of single calls end before the run: one warning, and the page says until when.
is_cut() {
    same waits --json cut.refrain && jq -e '.until > 0 and .cut_off == false' one && start 3 "$refrain" waits cut.refrain >page 2>err &&
        grep "^Analyzed until .*: later calls have no times of their own" page &&
        [ "$(grep -c "^refrain waits: warning: cut.refrain: [0-9]* of [0-9]* calls have times of their own" err)" = 1 ]
}
# is_unfinished TRACE WHAT: the run was cut off, and the page says what became of the ranks
is_unfinished() {
    for command in waits critical; do
        same $command --json "$1" && jq -e .cut_off one && start 2 "$refrain" $command "$1" >page &&
            grep "^The run was cut off: all of this is of the part that was recorded. .*$2" page || return 1
    done
}

# ---- errors

# fails LINE COMMAND…: the command in 3 processes ends badly and prints no page; its only line on
# stderr, beside the launcher's, has LINE
fails() {
    line=$1
    shift
    start 3 "$@" >out 2>err && { echo "it ends well"; return 1; }
    [ "$(grep -c "^refrain " err)" = 1 ] && grep "^refrain .*$line" err && ! grep "critical path" out || { cat err out; return 1; }
}
# As process 1, in a folder with another trace, or none, or killed when it opens the trace.
cat >elsewhere <<'END'
#!/bin/sh
case ${OMPI_COMM_WORLD_RANK-${PMI_RANK-}} in 1) cd "$1" || exit 1 ;; esac
shift
exec "$@"
END
cat >killed <<'END'
#!/bin/sh
case ${OMPI_COMM_WORLD_RANK-${PMI_RANK-}} in 1) export LD_PRELOAD=$PWD/killed.so ;; esac
exec "$@"
END
chmod +x elsewhere killed
# MPICH's launcher kills process 0 at once, and says so on stdout. Open MPI's ends it, too, perhaps before it can say
# anything: one of three runs says it, and each run at most one line.
killed_helper() {
    for try in 1 2 3; do
        start 3 ./killed "$refrain" critical --json whole.refrain >out 2>err && { echo "it ends well"; return 1; }
        ! grep '"path"' out || return 1
        if [ "$MPI_NAME" = openmpi ]; then
            [ "$(grep -c "^refrain " err)" -le 1 ] || { cat err; return 1; }
            grep "the launcher ends this process: another one may have ended" err && return
        else
            grep "EXIT STRING: Killed (signal 9)" out err
            return
        fi
    done
    cat err
    return 1
}
full_disk() { ln -sf /dev/full full.html && fails "cannot write to .*: No space left on device" "$refrain" report -o full.html whole.refrain; }
other_file() { mkdir -p other && cp cut.refrain other/whole.refrain && fails "is not the trace that process 0 reads" ./elsewhere other "$refrain" critical whole.refrain; }
no_file() { [ -s whole.refrain ] && mkdir -p empty && fails "whole.refrain: No such file" ./elsewhere empty "$refrain" critical whole.refrain; }
damaged() {
    size=$(wc -c <whole.refrain) && cp whole.refrain damaged.refrain &&
        printf '\125\252\125' | dd of=damaged.refrain bs=1 seek=$((size * 3 / 4)) conv=notrunc 2>/dev/null && fails "damaged" "$refrain" critical damaged.refrain
}
# Without the plug-in one process does the work, and says so.
no_plug_in() {
    mkdir -p alone/bin && cp "$refrain" alone/bin && "$refrain" critical --json whole.refrain >one &&
        start 3 alone/bin/refrain critical --json whole.refrain >several 2>err && cmp one several &&
        [ "$(grep -c . err)" = 1 ] && grep "process 0 of 3 works alone: there is no plug-in" err
}
each_alone() { [ "$(REFRAIN_PROCESSES=off start 2 "$refrain" critical whole.refrain | grep -c "^The critical path is")" = 2 ]; }

check "builds" build
check "a trace" record
check "a trace with the times of the first calls only" record_cut
check "traces of a run that was aborted" record_parts
check "waits" same waits whole.refrain
check "waits --json" always_same waits --json whole.refrain
check "waits --json, corrected clocks" same waits --clock causal --json whole.refrain
check "waits --by rank, of a part of the run" same waits --by rank --to 0.5 --json whole.refrain
check "critical --json" always_same critical --json whole.refrain
check "critical --by phase --json" same critical --by phase --json whole.refrain
check "diff" same diff --json whole.refrain cut.refrain
check "report" same_report
check "helpers take part" takes_part
check "times that end before the run" is_cut
check "a run that was aborted" is_unfinished unfinished.refrain "rank 1 ended by MPI_Abort with error code 3"
check "parts of some ranks" is_unfinished fewer.refrain "rank 2 left no part"
check "a wrong option" fails "unknown option --jsn" "$refrain" waits --jsn whole.refrain
check "no such trace" fails "nowhere.refrain: No such file" "$refrain" waits nowhere.refrain
check "a damaged trace" damaged
check "a trace that one process does not have" no_file
check "another trace of that name" other_file
check "a full disk" full_disk
check "a killed helper" killed_helper
check "no plug-in" no_plug_in
check "REFRAIN_PROCESSES=off" each_alone
finish
