#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that leave several traces, or none of MPI_Finalize's: programs that spawn others (not with
# Debian's MPICH, which cannot) and those that use MPI through sessions alone (MPI 4.0: not with
# Open MPI 4.1).
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export REFRAIN_CHECK=1

compile() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread -o "$@" "$srcdir/tests/mpi/expect.c"
}

# silent COMMAND…: checks that it succeeds and prints nothing
silent() {
    timeout "$limit" "$@" >output 2>&1 </dev/null || {
        silent_status=$?
        echo "exit status $silent_status"
        cat output
        return $silent_status
    }
    [ ! -s output ] || { cat output; return 1; }
}

# says PATTERN COMMAND…
says() {
    pattern=$1
    shift
    "$@" >output 2>&1 || { echo "exit status $?"; cat output; return 1; }
    grep -q -- "$pattern" output || { cat output; return 1; }
}

# ---- spawned worlds

# Finds the trace of the world whose lines are in $1.*
trace_of() {
    for trace in run.refrain run.[0-9]*.refrain; do
        "$refrain" info "$trace" | grep -q "^command .* $1\$" && echo "$trace"
    done
}

# text_is PREFIX TRACE [OPTION…]: compares with the lines that the world's processes expect
text_is() {
    cat "$1".[0-9]* >expected
    shift
    "$refrain" text "$@" | plain_addresses >text && diff -U0 --label expected --label traced expected text
}

files_are() {
    ls run*.refrain >files
    [ "$(wc -l <files)" -eq "$1" ] || { cat files; return 1; }
}

run_untraced() { # PROGRAM [ARGUMENT]
    dir=$(mktemp -d "$tmp/run.XXXXXX") && (cd "$dir" && timeout "$limit" "$mpirun" $flags -n 2 "$tmp/$@") >/dev/null 2>&1 </dev/null
}
run_worlds() {
    dir=$(mktemp -d "$tmp/run.XXXXXX") && cd "$dir" &&
        silent "$refrain" record -o run.refrain --verify raw "$mpirun" $flags -n 2 "$tmp/spawn" e && mv -- * "$tmp"
}

spawned() {
    check "spawn compiles" compile spawn "$srcdir/tests/mpi/spawn.c"
    check "worlds run" retry_hangs "run_untraced spawn e" run_worlds
    check "there is a trace of each" files_are 4
    for world in e e-child e-pair e-child-grandchild; do
        check "$world: text" text_is $world "$(trace_of $world)"
    done
    check "the first world has the name" test "$(trace_of e)" = run.refrain
    check "together" silent "$refrain" merge -o all.refrain run.refrain "$(trace_of e-child)" "$(trace_of e-pair)" \
        "$(trace_of e-child-grandchild)"
    number=0
    for world in e e-child e-pair e-child-grandchild; do
        check "$world: text, from the common file" text_is $world all.refrain --world $number
        check "$world: verifies" says "ranks, .* identical" "$refrain" verify --world $number all.refrain raw
        number=$((number + 1))
    done
    check "no more" fails "there is no world 4, the last one is 3" "$refrain" text all.refrain --world 4
    check "no number" fails "world x: wanted a number" "$refrain" text all.refrain --world x
    check "the first world, if nothing is said" text_is e all.refrain
    check "the child's parent" says "^spawned by *spawn 0 of rank 0 of world 0$" "$refrain" info all.refrain --world 1
    check "the pair's parent" says "^spawned by *spawn 0 of rank 1 of world 0$" "$refrain" info all.refrain --world 2
    check "the grandchild's parent" says "^spawned by *spawn 0 of rank 0 of world 1$" "$refrain" info all.refrain -w 3
    check "a file of two" silent "$refrain" merge -o two.refrain "$(trace_of e-child)" "$(trace_of e-child-grandchild)"
    check "a file of two and one more" silent "$refrain" merge -o more.refrain run.refrain two.refrain
    check "is flat" text_is e-child-grandchild more.refrain --world 2
    check "a world twice" fails "run [0-9a-f]* is also in run.refrain" "$refrain" merge -o twice.refrain run.refrain two.refrain all.refrain
    check "there is no such file" test ! -e twice.refrain
    check "a damaged world" damaged
}

# fails PATTERN COMMAND…
fails() {
    pattern=$1
    shift
    ! "$@" >output 2>&1 && grep -q -- "$pattern" output || { cat output; return 1; }
}

run_aborted() {
    dir=$(mktemp -d "$tmp/run.XXXXXX") && cd "$dir" || return
    timeout "$limit" "$refrain" record -o abort.refrain "$mpirun" $flags -n 2 "$tmp/aborts" >output 2>&1 </dev/null
    aborted_status=$?
    [ $aborted_status -eq 5 ] || { echo "exit status $aborted_status"; return $aborted_status; }
    mv -- abort* "$tmp"
}

# A process of a spawned world aborts, which ends the parent world as well: each leaves its parts.
aborted() {
    cat >aborts.c <<'EOF'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, child;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
        MPI_Barrier(child);
        MPI_Barrier(child); /* for ever */
    } else {
        MPI_Barrier(parent);
        if (rank == 1) {
            sleep(1);
            MPI_Abort(MPI_COMM_WORLD, 5);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
EOF
    check "abort: compiles" "$mpicc" -o aborts aborts.c
    check "abort: the status is as without the tracer" retry_hangs "run_untraced aborts" run_aborted
    check "abort: two worlds leave parts" test "$(ls -d abort*.refrain.parts | wc -l)" -eq 2
    check "abort: the first world was ended" says "ranks 0-1: signal 15" "$refrain" merge abort.refrain.parts
    check "abort: its last call" says "^1  5  MPI_Barrier(comm=comm0) = ?" "$refrain" text --rank 1 abort.refrain
    check "abort: the other ended itself" says "rank 1: MPI_Abort with error code 5" \
        "$refrain" merge -o child.refrain abort.*.refrain.parts
    check "abort: its last call, too" says "^1  4  MPI_Abort(comm=MPI_COMM_WORLD, errorcode=5) = ?" \
        "$refrain" text --rank 1 child.refrain
    check "abort: whom it is of" says "^spawned by *spawn 0 of rank 0" "$refrain" info child.refrain
}

# A damaged byte in the other worlds, which are the middle of the file; after them come the times of
# the first world's calls.
damaged() {
    size=$(wc -c <all.refrain)
    cp all.refrain bad.refrain
    printf '\377\377' | dd of=bad.refrain bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
    fails "damaged" "$refrain" info bad.refrain
}

# ---- sessions alone

sessions() {
    cat >left.c <<'EOF'
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static void leave(int number)
{
    (void)number;
    _exit(0);
}
static void *nothing(void *unused)
{
    return unused;
}
/* A signal comes while the C library has the lock of its heap: it has, where there are threads, and much to look through. */
static void end_in_malloc(void)
{
    static void *blocks[200000];
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0)
        pthread_join(thread, NULL);
    for (int i = 0; i < 200000; i++)
        blocks[i] = malloc(1100);
    for (int i = 0; i < 200000; i += 2)
        free(blocks[i]);
    signal(SIGALRM, leave);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 50000}}, NULL);
    for (;;)
        malloc_trim(0);
}
int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "left", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (argc > 1 && strcmp(argv[1], "_exit") == 0 && rank == 1)
        _exit(0);
    if (argc > 1 && strcmp(argv[1], "malloc") == 0 && rank == 1)
        end_in_malloc();
    if (argc > 1 && strcmp(argv[1], "exec") == 0 && rank == 1)
        execl("/bin/true", "true", (char *)0);
    return 0;
}
EOF
    check "sessions: compiles" "$mpicc" -o left left.c
    check "all ranks return" silent "$mpirun" $flags -n 3 "$refrain" record -o whole.refrain ./left
    check "there is a trace" says "^calls *24$" "$refrain" info whole.refrain
    check "no part is left" test ! -e whole.refrain.parts
    check "it is not called broken" lacks "ended by" "$refrain" info whole.refrain
    check "_exit: runs" silent "$mpirun" $flags -n 3 "$refrain" record -o _exit.refrain ./left _exit
    check "_exit: there is a trace, as after exit" says "^calls *24$" "$refrain" info _exit.refrain
    check "_exit: no part is left" test ! -e _exit.refrain.parts
    check "_exit in a handler, while malloc works: runs" silent "$mpirun" $flags -n 3 "$refrain" record -o malloc.refrain ./left malloc
    check "_exit in a handler: there is a trace" says "^calls *24$" "$refrain" info malloc.refrain
    check "exec: runs" silent "$mpirun" $flags -n 3 "$refrain" record -o exec.refrain ./left exec
    check "exec: there is no trace" test ! -e exec.refrain
    check "exec: parts are put together" says "ranks 0,2: MPI_Session_finalize" "$refrain" merge exec.refrain.parts
    check "exec: its rank" says "rank 1: unknown, recorded up to a checkpoint" "$refrain" merge -o again.refrain exec.refrain.parts
    check "exec: nothing is lost" says "^calls *24$" "$refrain" info exec.refrain
    rm exec.refrain
    check "exec: a run after it is not taken for its rest" silent "$mpirun" $flags -n 3 "$refrain" record -o exec.refrain ./left
    check "exec: its trace" says "^calls *24$" "$refrain" info exec.refrain
    check "exec: its parts are gone, those of the other are not" test "$(ls exec.refrain.parts | wc -l)" -eq 1
}

# ---- a rank without the tracer

# The others do not wait for it for ever, do not create a communicator that needs it, and each
# leaves a part.
partial() {
    cat >part.c <<'EOF'
#include <mpi.h>
int main(void)
{
    MPI_Comm comm;
    MPI_Request request;
    int rank;
    MPI_Init(0, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
EOF
    check "a rank without the tracer: compiles" "$mpicc" -o part part.c
    check "it runs" without
    check "one rank says so, and one what makes a trace of the parts" test "$(grep '^refrain' output | sed 's/.*\(only\|refrain merge\).*/\1/' | xargs)" = "only refrain merge"
    check "how many have it" grep -q "only 2 of 3 ranks have the tracer after 0.5 s in MPI_Init" output
    check "nothing is left of the count" test -z "$(ls /dev/shm/refrain.* 2>/dev/null)"
    check "there is no trace" test ! -e part.refrain
    check "parts are put together" says "rank 1: left no part" "$refrain" merge part.refrain.parts
    check "the calls of the others are there" says "^calls *14$" "$refrain" info part.refrain
    export REFRAIN_INIT_TIMEOUT=20
    check "with it all are there" silent "$mpirun" $flags -n 1 "$refrain" record -o all.refrain ./part : -n 1 \
        "$refrain" record -o all.refrain ./part : -n 1 "$refrain" record -o all.refrain ./part
    unset REFRAIN_INIT_TIMEOUT
    check "and there is a trace" says "^calls *21$" "$refrain" info all.refrain
}
without() {
    REFRAIN_INIT_TIMEOUT=0.5 timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o part.refrain ./part : -n 1 ./part : -n 1 \
        "$refrain" record -o part.refrain ./part >output 2>&1 </dev/null || { cat output; return 1; }
}

# The launcher says that each rank is on a node of its own, so they count themselves by messages. Ranks with
# the tracer must not see them. Five ranks: 0 has two children, 1 too.
nodes() {
    cat >nodes.c <<'EOF'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, sum, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    usleep(1500000); /* all ranks have given up */
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if ((flag && argc == 1) || sum != size * (size - 1) / 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
EOF
    check "several nodes: compiles" "$mpicc" -o nodes nodes.c
    check "several nodes: all have it: runs" silent_across 5 "" 0
    check "several nodes: there is a trace" says "^calls *35$" "$refrain" info nodes.refrain
    check "several nodes: the last has none: runs" across 4 1 0
    check "several nodes: rank 0 says so" test "$(grep -c 'not all of the 5 ranks have the tracer after 0.5 s' output)" -eq 1
    check "several nodes: it is the only one" test "$(grep -c 'the tracer' output)" -eq 1
    check "several nodes: parts of the others" says "rank 4: left no part" "$refrain" merge nodes.refrain.parts
    check "several nodes: the second has none: runs" across 1 1 3
    check "several nodes: rank 0 says so" grep -q 'not all of the 5 ranks have the tracer after 0.5 s' output
    check "several nodes: a rank below it says so" grep -q 'rank 1 does not have the tracer' output
    check "several nodes: parts of the others" says "rank 1: left no part" "$refrain" merge nodes.refrain.parts
}
# across TRACED UNTRACED TRACED
across() {
    rm -rf nodes.refrain nodes.refrain.parts
    traced="env OMPI_COMM_WORLD_LOCAL_SIZE=1 MPI_LOCALNRANKS=1 $refrain record -o nodes.refrain ./nodes"
    with="-n $1 $traced"
    [ -z "$2" ] || with="$with : -n $2 ./nodes untraced"
    [ "$3" -eq 0 ] || with="$with : -n $3 $traced"
    REFRAIN_INIT_TIMEOUT=0.5 timeout "$limit" "$mpirun" $flags $with >output 2>&1 </dev/null || { cat output; return 1; }
}
silent_across() { across "$@" && ! grep -q refrain output; }

# lacks PATTERN COMMAND…
lacks() {
    pattern=$1
    shift
    "$@" >output && ! grep -q -- "$pattern" output || { cat output; return 1; }
}

# ---- several runs of a program in one directory

at_once() {
    cat >end.c <<'EOF'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Abort(MPI_COMM_WORLD, argc);
}
EOF
    check "several runs: compiles" "$mpicc" -o end end.c
    check "several runs: one leaves a part" leaves_part ./end
    check "several runs: another one does" leaves_part ./end again
    set -- end.refrain.parts/*
    check "several runs: each has a directory" test $# -eq 2
    check "several runs: one is merged" "$refrain" merge -o end.1 "$1"
    check "several runs: the other is merged" "$refrain" merge -o end.2 "$2"
    check "several runs: none has lost anything" both_whole
    check "several runs: one that began last, and a word on that" says "has parts of 2 runs" "$refrain" merge end.refrain.parts
    check "several runs: it is one of them" sh -c 'cmp end.refrain end.1 || cmp end.refrain end.2'
}
# The only message of the tracer is that there are parts.
quiet() { ! grep '^refrain' "$@" | grep -v 'the run ended without a trace; .refrain merge '; }
leaves_part() { ! timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record "$@" >output 2>&1 </dev/null && quiet output; }
both_whole() {
    for trace in end.1 end.2; do "$refrain" info "$trace" | sed -n 's/^calls *//p'; done | sort | xargs | grep -x '3 4'
}

partial
nodes
at_once
case $MPI_NAME in
openmpi)
    spawned
    aborted
    ;;
mpich) sessions ;;
esac
finish
