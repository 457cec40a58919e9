#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where the numbers of `refrain report`, `waits` and `critical` would mislead, a line says so, and JSON has it.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    cat >notices.c <<'END'
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank;

static void meet(int times, int microseconds)
{
    for (int i = 0; i < times; i++) {
        usleep((useconds_t)microseconds);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void hang(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    struct itimerspec at = {.it_value.tv_nsec = 900000000};
    timer_t timer;
    int x = 0;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &at, NULL);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 receives none of three messages, and completes none of its two receives, whose messages come. */
static void leave(void)
{
    int x = 0;
    static int y[2];
    MPI_Request requests[2];
    if (rank == 1) {
        MPI_Irecv(&y[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&y[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        return;
    }
    for (int i = 0; i < 5; i++)
        MPI_Send(&x, 1, MPI_INT, 1, i < 3 ? 0 : 1, MPI_COMM_WORLD);
}

/* Rank 0 ends the run while its message is on the way. */
static void leave_early(void)
{
    int x = 0;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        usleep(200000);
        kill(getpid(), SIGTERM);
    }
    sleep(5);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec - begin.tv_sec < 1);
}

static void poll(void)
{
    for (int i = 0, x = 0, done = 0; i < 10; i++, done = 0) {
        MPI_Request request;
        if (rank == 0) {
            usleep(20000);
            MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            usleep(done ? 0 : 300);
        }
    }
}

static void transfer(void)
{
    enum { LARGE = 1 << 23 };
    char *from = calloc(LARGE, 1), *to = calloc(LARGE, 1);
    for (int i = 0; i < 40; i++) {
        MPI_Request requests[2];
        MPI_Irecv(to, LARGE, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(from, LARGE, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    free(from);
    free(to);
}

static void *send_to_self(void *nothing)
{
    int x = 0, y;
    MPI_Sendrecv(&x, 1, MPI_INT, rank, 0, &y, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return nothing;
}

/* One thread after the other, each for a moment. */
static void thread(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t one;
        pthread_create(&one, NULL, send_to_self, NULL);
        pthread_join(one, NULL);
        usleep(20000);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    meet(20, 1000);
    if (strcmp(what, "off") == 0) {
        MPI_Pcontrol(0);
        meet(50, rank == 0 ? 8000 : 1000);
        MPI_Pcontrol(1);
    } else if (strcmp(what, "hang") == 0) {
        hang();
    } else if (strcmp(what, "leave") == 0) {
        leave();
    } else if (strcmp(what, "early") == 0) {
        leave_early();
    } else if (strcmp(what, "compute") == 0) {
        compute();
    } else if (strcmp(what, "poll") == 0) {
        poll();
    } else if (strcmp(what, "transfer") == 0) {
        transfer();
    } else if (strcmp(what, "thread") == 0) {
        thread();
    }
    meet(20, 1000);
    return MPI_Finalize();
}
END
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -o notices \
        notices.c -pthread -lrt
}

# All MPI calls are in functions of wrap.c, which those of wrapped.c call.
build_wrapped() {
    cat >wrap.c <<'END'
#include <mpi.h>
#include "wrap.h"
#include <stddef.h>

int start(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void stop(void)
{
    MPI_Finalize();
}
END
    cat >wrap.h <<'END'
int start(void);
void meet(void);
void stop(void);
END
    cat >wrapped.c <<'END'
#include "wrap.h"
#include <unistd.h>

static void morning(int rank)
{
    usleep(rank == 0 ? 5000 : 0);
    meet();
}

static void evening(int rank)
{
    usleep(rank == 1 ? 10000 : 0);
    meet();
}

int main(void)
{
    const int rank = start();
    for (int i = 0; i < 20; i++) {
        morning(rank);
        evening(rank);
    }
    stop();
}
END
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -o wrapped wrapped.c wrap.c
}
program=./notices

# Records the program, as trace.refrain, and prints the pages: record WHAT [OPTION…]
record() {
    what=$1
    shift
    rm -rf trace.refrain*
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o trace.refrain "$@" $program "$what" \
        </dev/null
    [ -f trace.refrain ] || "$refrain" merge trace.refrain.parts || return
    for command in report waits critical; do
        "$refrain" "$command" trace.refrain >$command.text && "$refrain" "$command" --json trace.refrain >$command.json || return
    done
    jq -c .sections.overview.notices report.json
}

# says COMMANDS ABOUT LINE: their pages have this line, once, and their JSON has the notice.
says() {
    for command in $1; do
        case $command in report) notices=.sections.overview.notices ;; *) notices=.notices ;; esac
        cat $command.text
        [ "$(grep -c "$3" $command.text)" = 1 ] &&
            [ "$(jq -r "$notices[] | select(.about == \"$2\") | .says" $command.json | grep -c "$3")" = 1 ] || return
    done
}

all="report waits critical"

off() {
    record off && says "$all" recording '^Recording was off for up to [0-9.]* ms on rank [01] (MPI_Pcontrol): 100 calls are not' &&
        jq -e '.notices[] | select(.about == "recording") | .seconds > 0.7 and .seconds < 2' waits.json &&
        ! grep -q 'left out' report.text
}

start() {
    record "" --start 20 && says "$all" recording '^Recording was off for up to [0-9.]* ms on rank [01] (--start): [0-9]* calls are not'
}

hang() {
    record hang
    grep 'calls that did not' report.text
    says "$all" unreturned '^Calls that did not return, [5-9][0-9].[0-9] % of the run: .*rank [01] in MPI_Recv (notices.c:[0-9]*) from rank [01]' &&
        says "$all" unreturned '; see refrain messages trace.refrain$'
}

leave() {
    record leave && says "$all" unmatched '^3 messages are never received (the first: MPI_Send (notices.c:[0-9]*), rank 0), 2 operations are never completed (the first: MPI_Irecv (notices.c:[0-9]*), rank 1); see refrain messages trace.refrain$'
}

# What was on the way at the end of a run that was cut off is no fault.
early() {
    record early
    jq -e '.cut_off and (.notices | map(.about) | index("unmatched") == null)' waits.json
}

polls() {
    record poll && says "report waits" polls ' ms of computing ([0-9.]* % of the run) are between polls that found nothing (MPI_Test (notices.c:[0-9]*), rank 1): if'
}

transfers() {
    record transfer && says "report waits" transfers '^[0-9.]* % of the run, more than all waiting, is in MPI_[A-Za-z]* (notices.c:[0-9]*) ([0-9]* calls[^()]*) without waiting for a rank of this trace: transfers'
}

# Each rank computes in one thread of two; as refrain stat has it.
threads() {
    record thread && says "$all" threads '^Several threads of a rank make calls: ' &&
        says "$all" absent '^In [1-4][0-9].[0-9] % of the run one thread has ended and the next one has not begun' &&
        grep 'Parallel efficiency [2-5]' report.text &&
        "$refrain" stat --json trace.refrain >stat.json &&
        jq -e --slurpfile stat stat.json '.sections.overview | .run_seconds * .threads * .computation_share - $stat[0].outside_ns / 1e9 | fabs < 0.05' report.json
}

record_wrapped() {
    program=./wrapped
    record "" "$@"
    recorded=$?
    program=./notices
    return $recorded
}

# Call sites in wrappers: a hint how to tell callers apart; and each caller, once they are recorded.
wrappers() {
    record_wrapped && says "report waits" wrappers '^All MPI calls that take time come from wrap.c: record with --callpath to tell the callers apart.$' &&
        grep 'MPI_Barrier meet (wrap.c:[0-9]*)  ' report.text
}

callers() {
    record_wrapped --callpath && ! grep 'callpath' report.text waits.text || return
    for caller in morning evening; do
        grep "^MPI_Barrier meet (wrap.c:[0-9]*) < $caller (wrapped.c:[0-9]*)" report.text &&
            grep "wait at barrier in MPI_Barrier at meet (wrap.c:[0-9]*) < $caller (wrapped.c:[0-9]*), " waits.text &&
            jq -e --arg caller " < $caller (wrapped.c" '.sections.time.rows | map(select(.site // "" | contains($caller))) | length == 1' report.json || return
    done
    grep 'between MPI_Barrier (wrap.c:[0-9]*, called by morning (wrapped.c:[0-9]*)) and MPI_Barrier (wrap.c:[0-9]*, called by evening (wrapped.c:[0-9]*))' critical.text
}

# Other programs have the processors, one each.
processor() {
    others=
    for _ in $(seq "$(nproc)"); do
        while :; do :; done &
        others="$others $!"
    done
    record compute
    recorded=$?
    kill $others
    [ "$recorded" = 0 ] && says "report waits" processor '^Rank [01] had no processor for [0-9]* % of its time (mean of all ranks: [0-9]* %), though it was ready to run: '
}

# The machine may be busy.
nothing() {
    record "" && [ "$(jq -c '.sections.overview.notices | map(select(.about != "processor"))' report.json)$(jq -c '.notices | map(select(.about != "processor"))' waits.json)$(jq -c .notices critical.json)" = '[][][]' ]
}

# Other programs may take the processors meanwhile; then the program runs again.
agree() { # CASE
    for try in 1 2 3 4 5 6 7 8; do
        "$1" >differences 2>&1 && return
        cat differences
    done
    return 1
}

check "a program" build
check "recording is off for a while" agree off
check "recording starts late" agree start
check "calls that did not return" agree hang
check "messages that are never received" agree leave
check "a run that ends before they are" early
check "a program with wrappers" build_wrapped
check "calls in wrappers" agree wrappers
check "callers of wrappers" agree callers
check "polls and sleeps" agree polls
check "large messages" agree transfers
check "short threads" agree threads
if [ "$(nproc)" -gt 1 ] && [ "$(cut -d ' ' -f 1 /proc/self/schedstat)" -gt 0 ]; then
    check "no processor" agree processor
fi
check "nothing to say" agree nothing
finish
