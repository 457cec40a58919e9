/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2; large: 1 */
/* Generalized requests, whose status the program itself fills in, and the procedures that do so. */
#include "expect.h"

#include <stddef.h>
#include <string.h>

static int freed; /* calls of the function below */

static int query(void *state, MPI_Status *status)
{
    PMPI_Status_set_elements(status, MPI_INT, *(int *)state);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}

static int forget(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void requests(void)
{
    MPI_Request request;
    MPI_Status status;
    int elements = 5, flag;
    for (int i = 0; i < 2; i++) {
        MPI_Grequest_start(query, forget, cancel, &elements, &request);
        OK("MPI_Grequest_start(query_fn=ptr, free_fn=ptr, cancel_fn=ptr, extra_state=ptr, request=req0)");
        MPI_Test(&request, &flag, &status);
        OK("MPI_Test(request=req0, flag=0, status=" SENT ")");
        MPI_Grequest_complete(request);
        OK("MPI_Grequest_complete(request=req0)");
        MPI_Wait(&request, &status);
        OK("MPI_Wait(request=req0, status=%s)", status_is(3, 4, 20));
    }
    if (freed != 2)
        EXPECT("the state should have been freed twice");
}

/* MPI_Get_count and similar procedures return what the status was given. */
static void statuses(void)
{
    MPI_Status status;
    count_t n;
    MPI_Count elements;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 1;
    status.MPI_TAG = 2;
    MPI_Status_set_elements(&status, MPI_INT, 6);
    OK("MPI_Status_set_elements(status=" SENT ", datatype=MPI_INT, count=6)");
    MPI_Get_elements(&status, MPI_INT, &n);
    OK("MPI_Get_elements(status=%s, datatype=MPI_INT, count=6)", status_is(1, 2, 24));
    MPI_Status_set_elements_x(&status, MPI_INT, (MPI_Count)1 << 20);
    OK("MPI_Status_set_elements_x(status=" SENT ", datatype=MPI_INT, count=1048576)");
    MPI_Get_elements_x(&status, MPI_INT, &elements);
    OK("MPI_Get_elements_x(status=%s, datatype=MPI_INT, count=1048576)", status_is(1, 2, 4 << 20));
    for (int flag = 1; flag >= 0; flag--) {
        int cancelled;
        MPI_Status_set_cancelled(&status, flag);
        OK("MPI_Status_set_cancelled(status=%s, flag=%d)",
           flag ? SENT "->{error=MPI_SUCCESS, cancelled=1}" : SENT, flag);
        MPI_Test_cancelled(&status, &cancelled);
        OK("MPI_Test_cancelled(status=%s, flag=%d)", status_text(&status), flag);
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    requests();
    statuses();
    return expect_end();
}
