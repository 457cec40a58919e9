/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3; large: 3 (Open MPI 4.1 makes no window on one process) */
/* Windows: every way to create one, the three ways to synchronise, and all operations, around a
 * ring. */
#include "expect.h"

enum { N = 4 };

static int right, left;
static int local[N], memory[N], result[N];

/* Fences. One line creates the window, which is freed, twice: one number. */
static void fences(void)
{
    for (int i = 0; i < 2; i++) {
        MPI_Win win;
        MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        OK("MPI_Win_create(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", win=win0)");
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        OK("MPI_Win_fence(assert=MPI_MODE_NOPRECEDE, win=win0)");
        MPI_Put(local, 2, MPI_INT, right, 0, 2, MPI_INT, win);
        OK("MPI_Put(origin_addr=ptr, origin_count=2, origin_datatype=MPI_INT, target_rank=%d, target_disp=0, "
           "target_count=2, target_datatype=MPI_INT, win=win0)",
           right);
        MPI_Get(result, 1, MPI_INT, left, 3, 1, MPI_INT, win);
        OK("MPI_Get(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, target_disp=3, "
           "target_count=1, target_datatype=MPI_INT, win=win0)",
           left);
        MPI_Win_fence(0, win);
        OK("MPI_Win_fence(assert=0, win=win0)");
        MPI_Accumulate(local, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, win);
        OK("MPI_Accumulate(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, "
           "target_disp=2, "
           "target_count=1, target_datatype=MPI_INT, op=MPI_SUM, win=win0)",
           right);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        OK("MPI_Win_fence(assert=MPI_MODE_NOSUCCEED, win=win0)");
        MPI_Win_free(&win);
        OK("MPI_Win_free(win=win0)");
    }
}

/* Locks, flushes, atomic operations and requests, in memory from MPI. */
static void locks(void)
{
    int *base;
    MPI_Win win;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    OK("MPI_Win_allocate(size=16, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", baseptr=ptr, win=win1)");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    OK("MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=%d, assert=0, win=win1)", right);
    MPI_Fetch_and_op(local, result, MPI_INT, right, 0, MPI_REPLACE, win);
    OK("MPI_Fetch_and_op(origin_addr=ptr, result_addr=ptr, datatype=MPI_INT, target_rank=%d, target_disp=0, "
       "op=MPI_REPLACE, win=win1)",
       right);
    MPI_Win_flush(right, win);
    OK("MPI_Win_flush(rank=%d, win=win1)", right);
    MPI_Compare_and_swap(local, local + 1, result, MPI_INT, right, 1, win);
    OK("MPI_Compare_and_swap(origin_addr=ptr, compare_addr=ptr, result_addr=ptr, datatype=MPI_INT, "
       "target_rank=%d, "
       "target_disp=1, win=win1)",
       right);
    MPI_Win_unlock(right, win);
    OK("MPI_Win_unlock(rank=%d, win=win1)", right);

    MPI_Request requests[2];
    MPI_Win_lock_all(0, win);
    OK("MPI_Win_lock_all(assert=0, win=win1)");
    MPI_Rput(local, 1, MPI_INT, right, 2, 1, MPI_INT, win, &requests[0]);
    OK("MPI_Rput(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, target_disp=2, "
       "target_count=1, target_datatype=MPI_INT, win=win1, request=req0)",
       right);
    MPI_Rget(result, 1, MPI_INT, left, 3, 1, MPI_INT, win, &requests[1]);
    OK("MPI_Rget(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, target_disp=3, "
       "target_count=1, target_datatype=MPI_INT, win=win1, request=req1)",
       left);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    OK("MPI_Waitall(count=2, array_of_requests=[req0, req1], array_of_statuses=%s)",
       same_list(2, "ignored" SENT));
    MPI_Get_accumulate(local, 1, MPI_INT, result, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_NO_OP, win);
    OK("MPI_Get_accumulate(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, result_addr=ptr, "
       "result_count=1, result_datatype=MPI_INT, target_rank=%d, target_disp=0, target_count=1, "
       "target_datatype=MPI_INT, op=MPI_NO_OP, win=win1)",
       right);
    MPI_Win_flush_local_all(win);
    OK("MPI_Win_flush_local_all(win=win1)");
    MPI_Win_flush_all(win);
    OK("MPI_Win_flush_all(win=win1)");
    MPI_Win_sync(win);
    OK("MPI_Win_sync(win=win1)");
    MPI_Win_unlock_all(win);
    OK("MPI_Win_unlock_all(win=win1)");
    MPI_Win_set_name(win, "ring");
    OK("MPI_Win_set_name(win=win1, win_name=\"ring\")");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win1)");
}

/* Post and start, complete and wait: exposed to the left, accessing the right. */
static void epochs(void)
{
    MPI_Group all, to, from;
    MPI_Win win;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    OK("MPI_Comm_group(" WORLD ", group=group0)");
    MPI_Group_incl(all, 1, &right, &to);
    OK("MPI_Group_incl(group=group0, n=1, ranks=[%d], newgroup=group1)", right);
    MPI_Group_incl(all, 1, &left, &from);
    OK("MPI_Group_incl(group=group0, n=1, ranks=[%d], newgroup=group2)", left);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    OK("MPI_Win_create(base=ptr, size=16, disp_unit=1, info=MPI_INFO_NULL, " WORLD ", win=win2)");
    for (int i = 0; i < 3; i++) {
        MPI_Win_post(from, 0, win);
        OK("MPI_Win_post(group=group2, assert=0, win=win2)");
        MPI_Win_start(to, 0, win);
        OK("MPI_Win_start(group=group1, assert=0, win=win2)");
        MPI_Put(local, 1, MPI_INT, right, 4 * i, 1, MPI_INT, win);
        OK("MPI_Put(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, "
           "target_disp=%d, "
           "target_count=1, target_datatype=MPI_INT, win=win2)",
           right, 4 * i);
        MPI_Win_complete(win);
        OK("MPI_Win_complete(win=win2)");
        MPI_Win_wait(win);
        OK("MPI_Win_wait(win=win2)");
    }
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win2)");
    MPI_Group_free(&from);
    OK("MPI_Group_free(group=group2)");
    MPI_Group_free(&to);
    OK("MPI_Group_free(group=group1)");
    MPI_Group_free(&all);
    OK("MPI_Group_free(group=group0)");
}

/* Ranks in the window's group differ from those in the world. One number stands for the windows on
 * both. */
static void turned(void)
{
    MPI_Comm back;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &back);
    OK("MPI_Comm_split(" WORLD ", color=0, key=%d, newcomm=comm0)", size - rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, back, &win);
    OK("MPI_Win_create(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=comm0, win=win3)");
    MPI_Win_fence(0, win);
    OK("MPI_Win_fence(assert=0, win=win3)");
    MPI_Put(local, 3, MPI_INT, 0, 0, 3, MPI_INT, win);
    OK("MPI_Put(origin_addr=ptr, origin_count=3, origin_datatype=MPI_INT, target_rank=0, target_disp=0, "
       "target_count=3, target_datatype=MPI_INT, win=win3)");
    MPI_Put(local, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, win);
    OK("MPI_Put(origin_addr=ptr, origin_count=2, origin_datatype=MPI_INT, target_rank=MPI_PROC_NULL, "
       "target_disp=0, target_count=2, target_datatype=MPI_INT, win=win3)");
    MPI_Win_fence(0, win);
    OK("MPI_Win_fence(assert=0, win=win3)");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win3)");
    for (int i = 0; i < 4; i++) {
        const int turn = i % 2;
        MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, turn ? back : MPI_COMM_WORLD, &win);
        OK("MPI_Win_create(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=%s, win=win4)",
           turn ? "comm0" : "MPI_COMM_WORLD");
        MPI_Win_fence(0, win);
        OK("MPI_Win_fence(assert=0, win=win4)");
        MPI_Get(result, 1 + i, MPI_INT, 0, 0, 1 + i, MPI_INT, win);
        OK("MPI_Get(origin_addr=ptr, origin_count=%d, origin_datatype=MPI_INT, target_rank=0, target_disp=0, "
           "target_count=%d, target_datatype=MPI_INT, win=win4)",
           1 + i, 1 + i);
        MPI_Win_fence(0, win);
        OK("MPI_Win_fence(assert=0, win=win4)");
        MPI_Win_free(&win);
        OK("MPI_Win_free(win=win4)");
    }
    MPI_Comm_free(&back);
    OK("MPI_Comm_free(comm=comm0)");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    fences();
    locks();
    epochs();
    turned();
    return expect_end();
}
