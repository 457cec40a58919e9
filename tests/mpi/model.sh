#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Models of real programs: the model contains exactly the events of each rank, and loops that all
# ranks execute are one loop.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

record() { # RANKS SOURCES NAME [ARGUMENT…]
    ranks=$1 sources=$2
    shift 2
    $mpicc -o "$1" $sources -lm -lpthread &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$ranks" "$refrain" record -o "$1.refrain" ./"$@" </dev/null
}

# Prints the messages and reductions of a rank, from its calls. Ranks in the examples' communicators
# equal those of the run.
calls() { # NAME RANK
    "$refrain" text --json --rank "$2" "$1.refrain" | jq -r '
        . as $call | .parameters | . as $p |
        if $call.function == "MPI_Send" or $call.function == "MPI_Isend" then ["send", .dest, .tag]
        elif $call.function == "MPI_Recv" or $call.function == "MPI_Irecv" then ["recv", .source, .tag]
        elif $call.function == "MPI_Allreduce" then ["sync"] else empty end |
        select(.[1] != "MPI_PROC_NULL") |
        (if $p.comm == "MPI_COMM_WORLD" then "" else " \($p.comm)" end) as $comm |
        if .[0] == "sync" then "\($call.rank) sync MPI_Allreduce \($p.comm)"
        else "\($call.rank) \(.[0]) \(.[1]) tag\(.[2])\($comm)" end'
}
expands() { # NAME RANKS
    for rank in $(seq 0 $(($2 - 1))); do
        calls "$1" $rank >calls
        "$refrain" model --expand $rank "$1.refrain" | grep -E ' (send|recv) |MPI_Allreduce' | diff - calls || return 1
        [ -s calls ] || return 1
    done
}
# Prints constructs without their paths.
constructs() { "$refrain" model --paths "$1.refrain" | awk 'NR == 1 { match($0, /^[0-9.-]+ +/); at = RLENGTH + 1 } { print substr($0, at) }'; }
models() { constructs "$1" | diff - "$2"; }
loops() { "$refrain" model --json "$1.refrain" | jq -es 'length == 1 and
    (.[0].constructs | map(select(.kind == "loop")) | length > 0 and all(.processes == [0, 1, 2, 3]))'; }

# Pictures: each process has a line and its number, each loop is a box, each message an arrow.
draws() { # NAME BOXES ARROWS
    "$refrain" model --paths --svg "$1.refrain" >"$1.svg" &&
        [ "$(grep -c 'class="loop"' "$1.svg")" = "$2" ] && [ "$(grep -c 'marker-end="' "$1.svg")" = "$3" ]
}

cat >ring.text <<END
for i0 = 1 to 10   [0-3]
  0-2 -> 1-3, 3 -> 0 tag(-1+i0)
done
END
cat >channels.text <<END
sync MPI_Comm_dup MPI_COMM_WORLD   [0-3]
sync MPI_Comm_split MPI_COMM_WORLD   [0-3]
sync MPI_Intercomm_create comm1   [0,2]
sync MPI_Intercomm_create comm3   [1,3]
for i0 = 1 to 20   [0,2]
  0 send 2 tag5
  0 send 2 tag5 comm0
  0 -> 2 tag5 comm1
  2 recv 0 tag5 comm0
  2 recv 0 tag5
done
for i0 = 1 to 20   [1,3]
  1 send 3 tag5
  1 send 3 tag5 comm0
  1 -> 3 tag5 comm3
  3 recv 1 tag5 comm0
  3 recv 1 tag5
done
for i0 = 1 to 20   [0-1]
  0 send 1 tag5
  0 -> 1 tag5 comm2
  1 recv 0 tag5
done
sync MPI_Comm_free comm2   [0-3]
sync MPI_Comm_free comm1   [0,2]
sync MPI_Comm_free comm3   [1,3]
sync MPI_Comm_free comm0   [0-3]
END
# Two of the eight sweeps, one down and to the right, one up and to the left: from each process to
# the next.
sweep() {
    constructs sweep | awk '/^  for i1/ { n++; next } /^    / && (n == 1 || n == 4)' >octants
    constructs sweep | grep -c '^  for i1 = 1 to 4   \[0-7\]$' | grep -qx 8 && diff - octants <<END
    0 -> 1, 1 -> 2 tag1 comm0
    0 -> 4 tag2 comm0
    2 -> 3, 4 -> 5 tag1 comm0
    1 -> 5 tag2 comm0
    5 -> 6 tag1 comm0
    2 -> 6 tag2 comm0
    6 -> 7 tag1 comm0
    3 -> 7 tag2 comm0
    7 -> 6, 6 -> 5 tag1 comm0
    7 -> 3 tag2 comm0
    3 -> 2, 5 -> 4 tag1 comm0
    6 -> 2 tag2 comm0
    2 -> 1 tag1 comm0
    5 -> 1 tag2 comm0
    1 -> 0 tag1 comm0
    4 -> 0 tag2 comm0
END
}
examples=$srcdir/examples
check "ring: is recorded" record 4 "$examples/ring.c" ring
check "ring: the model" models ring ring.text
check "ring: expands to what was called" expands ring 4
check "stencil2d: is recorded" record 4 "$examples/stencil2d.c $examples/stencil_options.c" stencil2d --iterations=100 --cells=8
check "stencil2d: all ranks are in its loops" loops stencil2d
check "stencil2d: expands to what was called" expands stencil2d 4
check "channels: is recorded" record 4 "$srcdir/tests/mpi/channels.c" channels
check "channels: communicators are told apart" models channels channels.text
check "channels: a drawing" draws channels 3 8
cat >probes.text <<END
sync MPI_Comm_split MPI_COMM_WORLD   [0-2]
for i0 = 1 to 10   [0-2]
  1 -> 0, 2 -> 0 tag7
  1 -> 0 tag8 comm0
  1 -> 0 tag9
done
END
check "probes: is recorded" record 3 "$srcdir/tests/mpi/probes.c" probes
check "probes: who sent what a probe found" models probes probes.text
check "sweep: is recorded" record 8 "$examples/sweep.c" sweep --grid=2x4
check "sweep: all ranks are in the loops of all octants" sweep
check "sweep: expands to what was called" expands sweep 8
check "sweep: a drawing" draws sweep 9 80
cat >sweep.program <<END
MPI_Cart_create MPI_COMM_WORLD
for i0 = 1 to 10
  sweep
  sweep
  MPI_Allreduce comm0
MPI_Comm_free comm0

sweep:
  for i0 = 1 to 4
    recv y-1 tag1 comm0   if y > 0
    recv x-1 tag2 comm0   if x == 1
    send y+1 tag1 comm0   if y < 3
    send x+1 tag2 comm0   if x == 0
END
cat >sweep.waves <<END
sweep:
  for i0 = 1 to 4
    for x+y = 0 to 3
      (x, y) -> (x, y+1) tag1 comm0   if y < 3
      (x, y) -> (x+1, y) tag2 comm0   if x == 0
END
waves() { "$refrain" model sweep.refrain | sed -n '/^sweep:/,$p' | head -n 5 | diff - sweep.waves; }
check "sweep: a wave over the ranks" waves
# Four waves of ten messages: each sender has its part of a band.
pictures() {
    "$refrain" model --svg sweep.refrain >sweep.svg && [ "$(grep -c 'class="band"' sweep.svg)" = 40 ] &&
        [ "$(grep -c 'marker-end="' sweep.svg)" = 40 ] && grep -q '^<title>Model of 8 ranks: 2x4 grid' sweep.svg
}
check "sweep: a picture of the waves" pictures
program() { "$refrain" logical sweep.refrain | sed 1,3d | head -13 | diff - sweep.program; }
notes() { "$refrain" logical --sites --sizes sweep.refrain | grep -c 'send .* # sweep (.*), 320 bytes$' | grep -qx 8; }
check "sweep: as one program, with directions" program
check "sweep: where its statements are, and what they send" notes
cat >epochs.program <<END
for i0 = 1 to 10
  MPI_Win_fence win0
  put_all
MPI_Win_fence win0
for i0 = 1 to 10
  post x-1 win0   if x > 0
  post x+1 win0   if x < 2
  post y^1 win0
  start x-1 win0   if x > 0
  start x+1 win0   if x < 2
  start y^1 win0
  put_all
  local MPI_Win_complete win0
  local MPI_Win_wait win0
for i0 = 1 to 10   if x < 2
  lock x+1 win0
  accumulate x+1 win0
  flush x+1 win0
  unlock x+1 win0
END
cat >epochs.partitioned <<END
  x -> x+1 partitioned7, receives first
  for i1 = 1 to 4
    ready x+1 partitioned7 partition(-1+i1)
  for i1 = 1 to 4
    arrived x-1 partitioned7 partition(-1+i1)
recv x-1 partitioned?8, x-1 partitioned?8
END
# Accesses and locks of a rank, by its calls. Ranks of the window are those of the run.
accesses() {
    "$refrain" text --json --rank "$1" epochs.refrain | jq -r '
        { MPI_Put: "put", MPI_Accumulate: "accumulate", MPI_Win_lock: "lock", MPI_Win_flush: "flush", MPI_Win_unlock: "unlock" } as $verbs |
        select($verbs[.function]) | .rank as $rank | $verbs[.function] as $verb | .parameters |
        (if .target_rank == null then .rank else .target_rank end) as $target | select($target != "MPI_PROC_NULL") |
        "\($rank) \($verb) \($target) win0"'
}
same_accesses() {
    for rank in 0 1 2 3 4 5; do
        accesses $rank >calls
        [ -s calls ] && "$refrain" model --expand $rank epochs.refrain | grep -E ' (put|accumulate|lock|flush|unlock) ' | diff - calls &&
            "$refrain" model --expand $rank epochs.refrain >all && "$refrain" loops --rank $rank --expand epochs.refrain | cmp - all || return 1
    done
}
partitioned() { # with MPI 4
    "$refrain" text epochs.refrain | grep -q MPI_Psend_init || return 0
    "$refrain" model epochs.refrain | grep partitioned -A1 | grep -Fxf epochs.partitioned | cmp - epochs.partitioned
}
# Groups by their processes: combined ones, an empty one; with "reuse" a number has two meanings on
# ranks 1 and 2.
cat >partners.c <<'END'
#include <mpi.h>
static void epoch(MPI_Group partners, MPI_Win win)
{
    MPI_Win_post(partners, 0, win);
    MPI_Win_start(partners, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    int rank, size, n = 0, ranks[2];
    double *memory;
    MPI_Win win;
    MPI_Group all, own, near, others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &rank, &own);
    if (rank > 0)
        ranks[n++] = rank - 1;
    if (rank + 1 < size)
        ranks[n++] = rank + 1;
    for (int i = 0; i < 3; i++) {
        const int other = rank ^ 1, reuse = argc > 1 && i == 0;
        MPI_Group_incl(all, reuse ? 1 : n, reuse ? &other : ranks, &near);
        epoch(near, win);
        MPI_Group_free(&near);
    }
    MPI_Group_difference(all, own, &others);
    epoch(others, win);
    epoch(MPI_GROUP_EMPTY, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
END
cat >partners.program <<END
MPI_Win_allocate MPI_COMM_WORLD
for i0 = 1 to 3
  post rank-1 win0   if rank > 0
  post rank+1 win0   if rank < 3
  start rank-1 win0   if rank > 0
  start rank+1 win0   if rank < 3
  epoch
END
near() { "$refrain" logical partners.refrain | sed '/^#/d; /^$/d' | head -7 | diff - partners.program; }
others() {
    for rank in 0 1 2 3; do
        for verb in post start; do
            for other in 0 1 2 3; do
                [ $other = $rank ] || echo "$rank $verb $other win0"
            done
        done
        echo "$rank local MPI_Win_complete win0"
        echo "$rank local MPI_Win_wait win0"
        echo "$rank local MPI_Win_complete win0"
        echo "$rank local MPI_Win_wait win0"
    done | diff - <("$refrain" loops --expand partners.refrain | awk '/ epoch|sync/ { next } { n[$1]++; line[$1, n[$1]] = $0 }
        END { for (r = 0; r < 4; r++) for (i = n[r] - 9; i <= n[r]; i++) print line[r, i] }')
}
reused() {
    "$refrain" loops --expand partners.refrain | grep 'MPI_Win_start' | sort | uniq -c | diff - <(printf '      3 %s local MPI_Win_start win0\n' 1 2)
}
check "partners: are recorded" record 4 partners.c partners
check "partners: in one line for each side" near
check "partners: those of groups made of others" others
check "partners: a number is reused" record 4 partners.c partners reuse
check "partners: are not known then" reused
check "epochs: is recorded" record 6 "$srcdir/tests/mpi/epochs.c" epochs
check "epochs: accesses and locks by coordinates" eval '"$refrain" model --topology 3x2 epochs.refrain | grep -Fxf epochs.program | head -n "$(wc -l <epochs.program)" | diff - epochs.program'
check "epochs: expands to what was called" same_accesses
check "epochs: partitioned messages meet" partitioned
# A receive that is cancelled, and one whose buffer is too short: models join only messages that
# met.
cat >apart.c <<'END'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, cancel = strcmp(argv[argc - 1], "cancel") == 0, values[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 1 && cancel) {
        MPI_Request request;
        MPI_Irecv(values, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            MPI_Send(values, i == 0 && !cancel ? 2 : 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        else
            MPI_Recv(values, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
END
apart() { record 2 apart.c apart cancel && "$refrain" model apart.refrain >model && grep -q MPI_Cancel model && ! grep -e '->' model; }
check "messages to who cancels stay apart" apart
# Two threads a rank: both go around a ring, on communicators of their own or on the same one.
cat >lanes.c <<'END'
#include <mpi.h>
#include <pthread.h>
#include <string.h>
static MPI_Comm world, side;
static int rank, size, shared;
static void around(MPI_Comm comm)
{
    int out = rank, in;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 3, comm, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 3, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static void *run(void *unused)
{
    int one = 1, sum;
    for (int i = 0; i < 20; i++) {
        around(shared ? world : side);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, side);
    }
    return unused;
}
int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    world = MPI_COMM_WORLD;
    shared = strcmp(argv[argc - 1], "shared") == 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Comm_dup(world, &side);
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, run, NULL) != 0)
        MPI_Abort(world, 2);
    for (int i = 0; i < 50; i++) {
        around(world);
        MPI_Barrier(world);
    }
    pthread_join(thread, NULL);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
END
cat >lanes.program <<END
# thread 0
MPI_Comm_dup MPI_COMM_WORLD
for i0 = 1 to 50
  x -> x+1 tag3, receives first
  MPI_Barrier MPI_COMM_WORLD
MPI_Comm_free comm0

# thread 1
for i0 = 1 to 20
  x -> x+1 tag3 comm0, receives first
  MPI_Allreduce comm0
END
threads() {
    record 3 lanes.c lanes && "$refrain" model lanes.refrain | sed -n '/^# thread 0/,$p' | diff - lanes.program && same_as_loops lanes 3
}
shared() { record 3 lanes.c lanes shared && "$refrain" model lanes.refrain >model && grep -q tag3 model && ! grep -e '->' model && same_as_loops lanes 3; }
same_as_loops() { # NAME RANKS
    for rank in $(seq 0 $(($2 - 1))); do
        "$refrain" loops --rank $rank --expand "$1.refrain" >told
        [ -s told ] && "$refrain" model --expand $rank "$1.refrain" | cmp - told || return 1
    done
}
check "threads with communicators of their own take nothing apart" threads
both_ways() { record 2 lanes.c lanes && "$refrain" model lanes.refrain >model && [ "$(grep -c ' <-> ' model)" -eq 2 ] || { cat model; return 1; }; }
check "two ranks exchange: so do their other threads" both_ways
check "messages that two threads may have sent stay apart" shared
too_long() {
    record 2 apart.c apart && "$refrain" model --expand 1 apart.refrain >expanded || return 1
    [ "$MPI_NAME" != openmpi ] || [ "$(grep -c '^1 recv 0 tag5$' expanded)" -eq 3 ] || { cat expanded; return 1; }
}
check "a message that is too long was received" too_long
finish
