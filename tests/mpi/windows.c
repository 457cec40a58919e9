/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3; large: 2 */
/* Windows: the kinds of memory for them, requests, settings and queries, attributes and error
 * handlers. */
#include "expect.h"

#include <stddef.h>

enum { N = 4 };

static int right, left;
static int handled, deleted; /* calls of the functions below */

/* Memory that all processes share. */
static void shared(void)
{
    MPI_Win win;
    MPI_Aint bytes;
    place_t unit;
    int *own, *of_right;
    MPI_Win_allocate_shared(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    OK("MPI_Win_allocate_shared(size=16, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", baseptr=ptr, win=win0)");
    MPI_Win_shared_query(win, right, &bytes, &unit, &of_right);
    OK("MPI_Win_shared_query(win=win0, rank=%d, size=16, disp_unit=4, baseptr=ptr)", right);
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win0)");
}

/* Memory that is attached later. */
static void dynamic(void)
{
    static int memory[N];
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    OK("MPI_Win_create_dynamic(info=MPI_INFO_NULL, " WORLD ", win=win1)");
    MPI_Win_attach(win, memory, sizeof memory);
    OK("MPI_Win_attach(win=win1, base=ptr, size=16)");
    MPI_Win_detach(win, memory);
    OK("MPI_Win_detach(win=win1, base=ptr)");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win1)");
}

static void requests(void)
{
    MPI_Win win;
    MPI_Request r[2];
    int *base, local = 1, before;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    OK("MPI_Win_allocate(size=16, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", baseptr=ptr, win=win2)");
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    OK("MPI_Win_lock(lock_type=MPI_LOCK_SHARED, rank=%d, assert=0, win=win2)", right);
    MPI_Raccumulate(&local, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, win, &r[0]);
    OK("MPI_Raccumulate(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, "
       "target_disp=2, target_count=1, target_datatype=MPI_INT, op=MPI_SUM, win=win2, request=req0)",
       right);
    MPI_Rget_accumulate(&local, 1, MPI_INT, &before, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_REPLACE, win,
                        &r[1]);
    OK("MPI_Rget_accumulate(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, result_addr=ptr, "
       "result_count=1, result_datatype=MPI_INT, target_rank=%d, target_disp=3, target_count=1, "
       "target_datatype=MPI_INT, op=MPI_REPLACE, win=win2, request=req1)",
       right);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    OK("MPI_Waitall(count=2, array_of_requests=[req0, req1], array_of_statuses=%s)",
       same_list(2, "ignored" SENT));
    MPI_Win_flush_local(right, win);
    OK("MPI_Win_flush_local(rank=%d, win=win2)", right);
    MPI_Win_unlock(right, win);
    OK("MPI_Win_unlock(rank=%d, win=win2)", right);
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win2)");
}

/* The exposure to the left ends with a successful test. */
static void test(MPI_Win win, MPI_Group all)
{
    MPI_Group to, from;
    int flag;
    MPI_Group_incl(all, 1, &right, &to);
    OK("MPI_Group_incl(group=group0, n=1, ranks=[%d], newgroup=group1)", right);
    MPI_Group_incl(all, 1, &left, &from);
    OK("MPI_Group_incl(group=group0, n=1, ranks=[%d], newgroup=group2)", left);
    MPI_Win_post(from, 0, win);
    OK("MPI_Win_post(group=group2, assert=0, win=win3)");
    MPI_Win_start(to, 0, win);
    OK("MPI_Win_start(group=group1, assert=0, win=win3)");
    MPI_Win_complete(win);
    OK("MPI_Win_complete(win=win3)");
    do {
        MPI_Win_test(win, &flag);
        OK("MPI_Win_test(win=win3, flag=%d)", flag);
    } while (!flag);
    MPI_Group_free(&from);
    OK("MPI_Group_free(group=group2)");
    MPI_Group_free(&to);
    OK("MPI_Group_free(group=group1)");
}

static void names(MPI_Win win)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Info info, used;
    MPI_Win_set_name(win, "halo");
    OK("MPI_Win_set_name(win=win3, win_name=\"halo\")");
    MPI_Win_get_name(win, name, &length);
    OK("MPI_Win_get_name(win=win3, win_name=\"halo\", resultlen=4)");
    MPI_Info_create(&info);
    OK("MPI_Info_create(info=info0)");
    MPI_Info_set(info, "no_locks", "true");
    OK("MPI_Info_set(info=info0, key=\"no_locks\", value=\"true\")");
    MPI_Win_set_info(win, info);
    OK("MPI_Win_set_info(win=win3, info=info0)");
    MPI_Win_get_info(win, &used);
    OK("MPI_Win_get_info(win=win3, info_used=info1)");
    MPI_Info_free(&used);
    OK("MPI_Info_free(info=info1)");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info0)");
}

static int forget(MPI_Win win, int key, void *value, void *state)
{
    (void)win, (void)key, (void)value, (void)state;
    deleted++;
    return MPI_SUCCESS;
}

static void attributes(MPI_Win win)
{
    int key, flag, value, *got;
    MPI_Win_copy_attr_function *const none = MPI_WIN_NULL_COPY_FN; /* NULL on MPICH */
    MPI_Win_create_keyval(none, forget, &key, NULL);
    const int number = key; /* MPI_Win_free_keyval sets the variable */
    OK("MPI_Win_create_keyval(win_copy_attr_fn=%s, win_delete_attr_fn=ptr, win_keyval=%d, extra_state=NULL)",
       none ? "MPI_WIN_NULL_COPY_FN" : "NULL", number);
    MPI_Win_set_attr(win, key, &value);
    OK("MPI_Win_set_attr(win=win3, win_keyval=%d, attribute_val=ptr)", number);
    MPI_Win_get_attr(win, key, &got, &flag);
    OK("MPI_Win_get_attr(win=win3, win_keyval=%d, attribute_val=ptr, flag=1)", number);
    MPI_Win_delete_attr(win, key);
    OK("MPI_Win_delete_attr(win=win3, win_keyval=%d)", number);
    MPI_Win_get_attr(win, key, &got, &flag);
    OK("MPI_Win_get_attr(win=win3, win_keyval=%d, attribute_val=NULL, flag=0)", number);
    MPI_Win_free_keyval(&key);
    OK("MPI_Win_free_keyval(win_keyval=%d->MPI_KEYVAL_INVALID)", number);
    if (deleted != 1)
        EXPECT("the attribute should have been deleted once");
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &got, &flag);
    OK("MPI_Win_get_attr(win=win3, win_keyval=MPI_WIN_SIZE, attribute_val=ptr, flag=1)");
}

static void count_errors(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    handled++;
}

static void handlers(MPI_Win win)
{
    MPI_Errhandler handler, got;
    MPI_Win_get_errhandler(win, &got);
    OK("MPI_Win_get_errhandler(win=win3, errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&got);
    OK("MPI_Errhandler_free(errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Win_create_errhandler(count_errors, &handler);
    OK("MPI_Win_create_errhandler(win_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Win_set_errhandler(win, handler);
    OK("MPI_Win_set_errhandler(win=win3, errhandler=errhandler0)");
    int code = MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    EXPECT("MPI_Win_call_errhandler(win=win3, errorcode=MPI_ERR_OTHER) = %s", error_text(code));
    if (handled != 1)
        EXPECT("the error handler should have been called");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
}

int main(int argc, char **argv)
{
    static int memory[N];
    MPI_Win win;
    MPI_Group group;
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    shared();
    dynamic();
    requests();
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    OK("MPI_Win_create(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", win=win3)");
    MPI_Win_get_group(win, &group);
    OK("MPI_Win_get_group(win=win3, group=group0)");
    test(win, group);
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=group0)");
    names(win);
    attributes(win);
    handlers(win);
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win3)");
    return expect_end();
}
