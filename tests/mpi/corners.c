/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* Corner cases of requests, windows and error handlers. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- requests that are inactive, null or ignored among others -------------------------------- */

static void inactive(void)
{
    int x = 0, y, n, index, flag, indices[3];
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Recv_init(&y, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[0]);
    OK("MPI_Recv_init(buf=ptr, count=1, datatype=MPI_INT, source=0, tag=5, comm=MPI_COMM_SELF, "
       "request=req0)");
    MPI_Send_init(&x, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[2]);
    OK("MPI_Send_init(buf=ptr, count=1, datatype=MPI_INT, dest=0, tag=5, comm=MPI_COMM_SELF, request=req1)");
#define THREE "array_of_requests=[req0, MPI_REQUEST_NULL, req1]"
    MPI_Testsome(3, requests, &n, indices, MPI_STATUSES_IGNORE);
    OK("MPI_Testsome(incount=3, " THREE
       ", outcount=MPI_UNDEFINED, array_of_indices=[], array_of_statuses=[])");
    MPI_Waitsome(3, requests, &n, indices, MPI_STATUSES_IGNORE);
    OK("MPI_Waitsome(incount=3, " THREE
       ", outcount=MPI_UNDEFINED, array_of_indices=[], array_of_statuses=[])");
    MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    OK("MPI_Testany(count=3, " THREE ", index=MPI_UNDEFINED, flag=1, status=ignored" EMPTY ")");
    MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    OK("MPI_Testall(count=3, " THREE ", flag=1, array_of_statuses=[ignored" EMPTY ", ignored" EMPTY
       ", ignored" EMPTY "])");
    MPI_Start(&requests[0]);
    OK("MPI_Start(request=req0)");
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=0, tag=5, comm=MPI_COMM_SELF)");
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    OK("MPI_Waitany(count=3, " THREE ", index=0, status=ignored%s)", status_is(0, 5, sizeof y));
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    OK("MPI_Request_get_status(request=req0, flag=1, status=ignored" EMPTY ")");
    for (int i = 0; i < 3; i += 2) {
        MPI_Request_free(&requests[i]);
        OK("MPI_Request_free(request=req%d)", i / 2);
    }
}

/* No call waits for it: the library frees it when it is done. Its number is free at once. */
static void freed_while_active(void)
{
    int x = 7, y = 0;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Status status;
    for (int i = 0; i < 2; i++) {
        MPI_Request send;
        MPI_Isend(&x, 1, MPI_INT, right, i, MPI_COMM_WORLD, &send);
        OK("MPI_Isend(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req2)", right,
           i);
        MPI_Request_free(&send);
        OK("MPI_Request_free(request=req2)");
        MPI_Recv(&y, 1, MPI_INT, left, i, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", status=%s)", left, i,
           status_is(left, i, sizeof y));
    }
}

/* A receive that is cancelled, and queries about it. */
static void cancelled(void)
{
    int x, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&x, 1, MPI_INT, 0, 99, MPI_COMM_SELF, &request);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=0, tag=99, comm=MPI_COMM_SELF, request=req3)");
    MPI_Cancel(&request);
    OK("MPI_Cancel(request=req3)");
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    const char *text = format_text("{source=%s, tag=%s, error=MPI_SUCCESS, bytes=0, cancelled=1}",
                                   rank_text(status.MPI_SOURCE), tag_text(status.MPI_TAG));
    OK("MPI_Wait(request=req3, status=%s)", text);
    OK("MPI_Test_cancelled(status=%s, flag=1)", text);
}

/* ---- generalized requests -------------------------------------------------------------------- */

static int cancelled_with = -1;

static int query(void *state, MPI_Status *status)
{
    (void)state;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, cancelled_with >= 0);
    status->MPI_SOURCE = 11;
    status->MPI_TAG = 12;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    PMPI_Grequest_complete(*(MPI_Request *)state);
    cancelled_with = complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    int flag;
    MPI_Request request;
    MPI_Grequest_start(query, release, cancel, &request, &request);
    OK("MPI_Grequest_start(query_fn=ptr, free_fn=ptr, cancel_fn=ptr, extra_state=ptr, request=req4)");
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    OK("MPI_Test(request=req4, flag=0, status=ignored" SENT ")");
    MPI_Cancel(&request);
    OK("MPI_Cancel(request=req4)");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req4, status=ignored{source=11, tag=12, error=MPI_SUCCESS, "
       "bytes=0, "
       "cancelled=1})");
    if (cancelled_with != 0)
        EXPECT("the cancel function should have been told that the request was not complete");
}

/* ---- a window's attributes and error handler ------------------------------------------------- */

static void look_at_window(MPI_Win *win, int *error, ...)
{
    int class;
    (void)win;
    MPI_Error_class(*error, &class);
    OK("MPI_Error_class(errorcode=%s, errorclass=MPI_ERR_RANK)", error_text(*error));
}

static int copy(MPI_Win win, int key, void *state, void *in, void *out, int *flag)
{
    (void)win, (void)key, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

static int forget(MPI_Win win, int key, void *value, void *state)
{
    (void)win, (void)key, (void)value, (void)state;
    return MPI_SUCCESS;
}

static void window(void)
{
    static const struct {
        int key;
        const char *name;
    } attributes[] = {{MPI_WIN_BASE, "MPI_WIN_BASE"},
                      {MPI_WIN_SIZE, "MPI_WIN_SIZE"},
                      {MPI_WIN_DISP_UNIT, "MPI_WIN_DISP_UNIT"},
                      {MPI_WIN_CREATE_FLAVOR, "MPI_WIN_CREATE_FLAVOR"},
                      {MPI_WIN_MODEL, "MPI_WIN_MODEL"}};
    int flag, key, *memory, x = 0;
    void *value;
    MPI_Win win;
    MPI_Errhandler handler;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    OK("MPI_Win_allocate(size=64, disp_unit=4, info=MPI_INFO_NULL, " WORLD ", baseptr=ptr, win=win0)");
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        MPI_Win_get_attr(win, attributes[i].key, &value, &flag);
        OK("MPI_Win_get_attr(win=win0, win_keyval=%s, attribute_val=ptr, flag=1)", attributes[i].name);
    }
    MPI_Win_create_keyval(copy, forget, &key, NULL);
    const int number = key;
    OK("MPI_Win_create_keyval(win_copy_attr_fn=ptr, win_delete_attr_fn=ptr, win_keyval=%d, extra_state=NULL)",
       number);
    MPI_Win_set_attr(win, key, &x);
    OK("MPI_Win_set_attr(win=win0, win_keyval=%d, attribute_val=ptr)", number);
    MPI_Win_delete_attr(win, key);
    OK("MPI_Win_delete_attr(win=win0, win_keyval=%d)", number);
    MPI_Win_get_attr(win, key, &value, &flag);
    OK("MPI_Win_get_attr(win=win0, win_keyval=%d, attribute_val=NULL, flag=0)", number);
    MPI_Win_free_keyval(&key);
    OK("MPI_Win_free_keyval(win_keyval=%d->MPI_KEYVAL_INVALID)", number);

    MPI_Win_create_errhandler(look_at_window, &handler);
    OK("MPI_Win_create_errhandler(win_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Win_set_errhandler(win, handler);
    OK("MPI_Win_set_errhandler(win=win0, errhandler=errhandler0)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
    MPI_Win_fence(0, win);
    OK("MPI_Win_fence(assert=0, win=win0)");
    int error = MPI_Put(&x, 1, MPI_INT, size, 0, 1, MPI_INT, win);
    EXPECT("MPI_Put(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INT, target_rank=%d, target_disp=0, "
           "target_count=1, target_datatype=MPI_INT, win=win0) = %s",
           size, result_text(error));
    MPI_Win_fence(0, win);
    OK("MPI_Win_fence(assert=0, win=win0)");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win0)");
}

/* ---- the error handler of files that cannot be opened ---------------------------------------- */

static void look_at_file(MPI_File *file, int *error, ...)
{
    int class;
    (void)file;
    MPI_Error_class(*error, &class);
    OK("MPI_Error_class(errorcode=%s, errorclass=MPI_ERR_NO_SUCH_FILE)", error_text(*error));
}

static void files(void)
{
    MPI_File file;
    MPI_Errhandler handler;
    MPI_File_create_errhandler(look_at_file, &handler);
    OK("MPI_File_create_errhandler(file_errhandler_fn=ptr, errhandler=errhandler1)");
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    OK("MPI_File_set_errhandler(file=MPI_FILE_NULL, errhandler=errhandler1)");
    int error = MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    EXPECT("MPI_File_open(comm=MPI_COMM_SELF, filename=\"/nowhere/at/all\", amode=MPI_MODE_RDONLY, "
           "info=MPI_INFO_NULL, "
           "fh=?) = %s",
           result_text(error));
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    OK("MPI_File_set_errhandler(file=MPI_FILE_NULL, errhandler=MPI_ERRORS_RETURN)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler1)");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    OK("MPI_Comm_set_errhandler(comm=MPI_COMM_SELF, errhandler=MPI_ERRORS_RETURN)");
    inactive();
    freed_while_active();
    cancelled();
    generalized();
    window();
    files();
    return expect_end();
}
