/* Error handlers that do not return to the library, but jump out of the call (in C++ they would throw): that
 * call is not in the trace, since it never ended, and all that follow are. */
#include "expect.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf failed;

static void jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(failed, 1);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    setenv("REFRAIN_LOG", "error", 1); /* of a jump the tracer warns */
    expect_start(&argc, &argv);
    MPI_Comm_create_errhandler(jump, &handler);
    OK("MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=errhandler0)");
    if (setjmp(failed) == 0) {
        MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD); /* there is no such rank */
        EXPECT("not reached");
    }
    MPI_Allreduce(MPI_IN_PLACE, &(int){rank}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* more arguments */
    OK("MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD ")");
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
    return expect_end();
}
