/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Error handlers that do not return to the library but jump out of the call (in C++ they would
 * throw). The trace has that call as one that did not return, and later calls as usual. The outer
 * call is not affected either, if the failed call was made in a callback that continues after
 * it. */
#include "expect.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf failed;

static void jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(failed, 1);
}

static void fail(void)
{
    if (setjmp(failed) == 0) {
        MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD); /* there is no such rank */
        EXPECT("not reached");
    }
    EXPECT("MPI_Send(buf=NULL, count=0, datatype=MPI_INT, dest=%d, tag=0, " WORLD ") = ?", size);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    fail();
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void fail_in_callback(void)
{
    MPI_Op op;
    int one = 1, sum = 1;
    MPI_Op_create(add, 1, &op);
    OK("MPI_Op_create(user_fn=ptr, commute=1, op=op0)");
    MPI_Reduce_local(&one, &sum, 1, MPI_INT, op);
    OK("MPI_Reduce_local(inbuf=ptr, inoutbuf=ptr, count=1, datatype=MPI_INT, op=op0)");
    MPI_Op_free(&op);
    OK("MPI_Op_free(op=op0)");
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    expect_start(&argc, &argv);
    MPI_Comm_create_errhandler(jump, &handler);
    OK("MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=errhandler0)");
    fail();
    /* more arguments */
    MPI_Allreduce(MPI_IN_PLACE, &(int){rank}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    OK("MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD ")");
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    fail_in_callback();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
    return expect_end();
}
