#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares `refrain waits` with what the program threads.c says: how long threads waited for each
# other inside MPI.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -o threads "$srcdir/tests/waits/threads.c" -pthread
}

record() {
    rm -f said
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record --timing lossless -o trace.refrain ./threads said </dev/null &&
        [ -s said ] && "$refrain" waits --json trace.refrain >found.json
}

# Within 2 % and a millisecond; the other metrics of threads are below 1 % of the run.
compare() {
    jq -r '.metrics[] | select(.uniq_name | test("^mpi_(latesender|threads.*)$")) | .uniq_name as $name | .by_rank | to_entries[] | "\($name) \(.key) \(.value)"' \
        found.json >found && awk -v run="$(jq .seconds found.json)" '
        FNR == NR { expected[$1 " " $2] = $3; next }
        {
            key = $1 " " $2
            difference = $3 - expected[key]
            if (difference < 0) difference = -difference
            if (difference > (key in expected ? 0.02 * expected[key] : 0.01 * run / 4) + 0.001) { print key ": found " $3 ", not " expected[key] + 0; wrong = 1 }
            delete expected[key]
        }
        END {
            for (key in expected) if (expected[key]) { print key " is missing"; wrong = 1 }
            exit wrong || FNR < 18
        }' said found
}

# The machine may have been busy at one moment.
agrees() {
    for try in 1 2 3; do
        record || return 1
        compare && return
    done
    return 1
}

# The page says where, and what the other thread does.
page() {
    "$refrain" waits trace.refrain >page &&
        grep -q 'competition of threads in MPI_File_write_at at write_at (threads.c:[0-9]*), .*; another thread of the rank is in MPI_File_write_at at write_at (threads.c:[0-9]*)$' page &&
        grep -q 'rank 1 spends .* in MPI_File_write_at at write_at (threads.c:[0-9]*), which other threads of the rank hold up' page &&
        jq -e '[.causes[] | select(.metric == "mpi_threads_io") | (.held_up_by | length) == 1 and (.held_up_by[0].seconds - .seconds | fabs < 1e-6)] == [true]' found.json
}

# A thread that begins when the budget of times is used up has times of its first calls.
late() {
    cat >late.c <<'END'
#include <mpi.h>
#include <pthread.h>
static void *probe(void *times)
{
    int there;
    for (int i = 0; i < *(int *)times; i++)
        MPI_Iprobe(0, i % 7, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return NULL;
}
int main(void)
{
    int provided, many = 20000, one = 1;
    pthread_t thread;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    probe(&many);
    pthread_create(&thread, NULL, probe, &one);
    pthread_join(thread, NULL);
    return MPI_Finalize();
}
END
    "$mpicc" -o late late.c -pthread &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record --time-budget 2K -o late.refrain ./late </dev/null &&
        "$refrain" waits late.refrain >page && "$refrain" text --times -r 0 --thread 1 late.refrain >one && cat one &&
        [ "$(wc -l <one)" = 1 ] && "$refrain" report --text late.refrain | grep -q 'of the run is waiting\|was waiting'
}

check "a program whose threads wait for each other" build
check "as long as it says" agrees
check "the page" page
check "a late thread and a small budget" late
finish
