/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to begin and end an access to a window, and every way to complete one within it;
 * groups made in every way; windows on MPI_COMM_WORLD and on other communicators. */
#include "tell.h"

#include <mpi.h>
#include <unistd.h>

enum { N = 8 };

static int rank, size, right, left;
static int local[N];

static void put(MPI_Win win, int target)
{
    MPI_Put(local, 1, MPI_INT, target, 0, 1, MPI_INT, win);
    TELL(RMA_PUT, 1);
}

static void get(MPI_Win win, int target)
{
    MPI_Get(local + 1, 1, MPI_INT, target, 1, 1, MPI_INT, win);
    TELL(RMA_GET, 1);
}

static void accumulate(MPI_Win win, int target)
{
    MPI_Accumulate(local, 1, MPI_INT, target, 2, 1, MPI_INT, MPI_SUM, win);
    TELL(RMA_ATOMIC, 1);
}

/* All records of a put, a get and an accumulate that are complete everywhere. */
static void complete(int puts, int gets, int accumulates)
{
    TELL(RMA_OP_COMPLETE_NON_BLOCKING, puts + gets + accumulates);
    TELL(RMA_OP_COMPLETE_REMOTE, puts + gets + accumulates);
}

static void fences(MPI_Win win)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int i = 0; i < 3; i++) {
        put(win, right);
        get(win, left);
        MPI_Put(local, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
        MPI_Win_fence(i == 2 ? MPI_MODE_NOSUCCEED : 0, win);
        complete(1, 1, 0);
    }
}

/* Exposes to `from`, accesses `to`. */
static void between(MPI_Win win, MPI_Group from, MPI_Group to, int target, int testing)
{
    int flag = 0;
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    put(win, target);
    get(win, target);
    TELL(RMA_OP_COMPLETE_NON_BLOCKING, 2); /* the put is complete at the origin */
    TELL(RMA_OP_COMPLETE_REMOTE, 1);
    MPI_Win_complete(win);
    if (testing) {
        for (MPI_Win_test(win, &flag); !flag; MPI_Win_test(win, &flag)) {
            TELL(RMA_GROUP_SYNC, 1);
            usleep(1000);
        }
    } else {
        MPI_Win_wait(win);
    }
    TELL(RMA_GROUP_SYNC, 4);
}

/* On a window of all processes of MPI_COMM_WORLD. */
static void partners(MPI_Win win, MPI_Group all)
{
    MPI_Group to, from, others, both, none, some, world;
    int ends[1][3] = {{0, size - 1, 1}};
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    between(win, from, to, right, 0);
    between(win, from, to, right, 1);
    MPI_Group_excl(all, 1, &rank, &others);
    between(win, others, others, right, 1);
    MPI_Group_union(from, to, &both);
    between(win, both, both, left, 0);
    MPI_Group_intersection(both, from, &some);
    between(win, to, some, left, 0); /* the other way round */
    MPI_Group_free(&some);
    MPI_Group_difference(both, both, &none);
    MPI_Group_union(none, to, &some);
    between(win, from, some, right, 0);
    MPI_Group_free(&some);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, ends, &some);
    between(win, some, some, right, 0);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    if (none != MPI_GROUP_EMPTY)
        MPI_Group_free(&none);
    MPI_Group_free(&both);
    MPI_Group_free(&others);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
}

static void locks(MPI_Win win)
{
    MPI_Request r[3];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    put(win, right);
    accumulate(win, right);
    MPI_Win_flush_local(right, win); /* complete at the origin, … */
    MPI_Win_flush(right, win);       /* … and at the target */
    put(win, right);
    MPI_Win_unlock(right, win);
    complete(2, 0, 1);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    if (right != left)
        MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
    MPI_Rput(local, 1, MPI_INT, right, 0, 1, MPI_INT, win, &r[0]);
    MPI_Rget(local + 1, 1, MPI_INT, right, 1, 1, MPI_INT, win, &r[1]);
    MPI_Raccumulate(local, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, win, &r[2]);
    TELL(RMA_PUT, 1);
    TELL(RMA_GET, 1);
    TELL(RMA_ATOMIC, 1);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Win_unlock(right, win);
    complete(1, 1, 1);
    if (right != left)
        MPI_Win_unlock(left, win);
    TELL(RMA_REQUEST_LOCK, right != left ? 3 : 2);
    TELL(RMA_RELEASE_LOCK, right != left ? 3 : 2);
}

static void locks_of_all(MPI_Win win)
{
    MPI_Win_lock_all(0, win);
    put(win, right);
    get(win, left);
    MPI_Win_flush_local_all(win);
    put(win, left);
    MPI_Win_flush(left, win);
    put(win, right);
    MPI_Win_flush_all(win);
    accumulate(win, right);
    MPI_Win_unlock_all(win);
    complete(3, 1, 1);
    TELL(RMA_REQUEST_LOCK, 1);
    TELL(RMA_RELEASE_LOCK, 1);
}

/* Two of the processes, in reverse order. */
static void of_two(void)
{
    MPI_Comm comm;
    MPI_Win win;
    MPI_Group all, to;
    int *base, me;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, -rank, &comm);
    if (rank >= 2)
        return;
    MPI_Comm_rank(comm, &me);
    const int peer = 1 - me;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &to);
    between(win, to, to, peer, 0);
    MPI_Group_free(&to);
    MPI_Group_free(&all);
    MPI_Win_lock_all(0, win);
    put(win, peer);
    MPI_Win_unlock_all(win);
    complete(1, 0, 0);
    TELL(RMA_REQUEST_LOCK, 1);
    TELL(RMA_RELEASE_LOCK, 1);
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    static int memory[N];
    MPI_Win win;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &group);
    fences(win);
    partners(win, group);
    MPI_Barrier(MPI_COMM_WORLD);
    locks(win);
    MPI_Barrier(MPI_COMM_WORLD);
    locks_of_all(win);
    MPI_Group_free(&group);
    MPI_Win_free(&win);
    of_two();
    MPI_Finalize();
    tell_all();
    return 0;
}
