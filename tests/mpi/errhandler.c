/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Error handlers, and calls that fail. A failed call shows its arguments, and "?" for its
 * results. */
#include "expect.h"

#include <stddef.h>

static int handled; /* number of calls of the handler below */

static void count_errors(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void returning(void)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    OK("MPI_Comm_get_errhandler(" WORLD ", errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=MPI_ERRORS_RETURN)");
}

static void failing(void)
{
    int x = 0, code;
    MPI_Request request;
    code = MPI_Send(&x, 1, MPI_INT, size, 1, MPI_COMM_WORLD);
    EXPECT("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=1, " WORLD ") = %s", size,
           result_text(code));
    code = MPI_Send(&x, -1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    EXPECT("MPI_Send(buf=ptr, count=-1, datatype=MPI_INT, dest=%d, tag=1, " WORLD ") = %s", rank,
           result_text(code));
    code = MPI_Recv(&x, 1, MPI_INT, size + 7, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("MPI_Recv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=1, " WORLD ", status=?) = %s",
           size + 7, result_text(code));
    code = MPI_Irecv(&x, 1, MPI_DATATYPE_NULL, rank, 1, MPI_COMM_WORLD, &request);
    EXPECT("MPI_Irecv(buf=ptr, count=1, datatype=MPI_DATATYPE_NULL, source=%d, tag=1, " WORLD
           ", request=?) = %s",
           rank, result_text(code));
    code = MPI_Bcast(&x, 1, MPI_INT, size + 1, MPI_COMM_WORLD);
    EXPECT("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=%d, " WORLD ") = %s", size + 1,
           result_text(code));
    MPI_Comm_rank(MPI_COMM_WORLD, &x);
    OK("MPI_Comm_rank(" WORLD ", rank=%d)", rank);

    /* The class of the error, from MPI. */
    int class, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(code, &class);
    OK("MPI_Error_class(errorcode=%s, errorclass=%s)", error_text(code), error_text(class));
    MPI_Error_string(class, text, &length);
    OK("MPI_Error_string(errorcode=%s, string=%s, resultlen=%d)", error_text(class), quoted(text), length);
}

/* Messages that are longer than the receive allows: of one call, and of one of several requests. */
static void truncated(void)
{
    int out[4] = {0}, in[4], code;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Irecv(in, 4, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
    OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=1, " WORLD ", request=req0)", rank);
    MPI_Irecv(in, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=2, " WORLD ", request=req1)", rank);
    for (int tag = 1; tag <= 2; tag++) {
        MPI_Send(out, 4, MPI_INT, rank, tag, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ")", rank, tag);
    }
    code = MPI_Waitall(2, requests, statuses);
    /* Open MPI reports success here if both had already arrived; then no status contains an
     * error. */
    const char *(*text)(const MPI_Status *) = code == MPI_ERR_IN_STATUS ? status_with_error : status_text;
    EXPECT("MPI_Waitall(count=2, array_of_requests=[req0, req1], array_of_statuses=[%s, %s]) = %s",
           text(&statuses[0]), text(&statuses[1]), result_text(code));

    MPI_Isend(out, 4, MPI_INT, rank, 3, MPI_COMM_WORLD, &requests[2]);
    OK("MPI_Isend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=3, " WORLD ", request=req2)", rank);
    code = MPI_Recv(in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &statuses[2]);
    EXPECT("MPI_Recv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=3, " WORLD ", status=%s) = %s", rank,
           status_after(&statuses[2], code), result_text(code));
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req2, status=ignored" SENT ")");
}

/* For each kind of receive that is too short, the message is gone: the next one with its tag is
 * another message. */
static void truncated_in(int way)
{
    int out[4] = {0}, in[4], code, tag = 10 + way;
    MPI_Request send, receive;
    MPI_Message message;
    MPI_Status status;
    MPI_Isend(out, 4, MPI_INT, rank, tag, MPI_COMM_WORLD, &send);
    OK("MPI_Isend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req3)", rank, tag);
    if (way == 0) {
        code = MPI_Recv(in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &status);
        EXPECT("MPI_Recv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", status=%s) = %s",
               rank, tag, status_after(&status, code), result_text(code));
    } else if (way == 1) {
        MPI_Irecv(in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &receive);
        OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=req4)", rank,
           tag);
        code = MPI_Wait(&receive, &status);
        EXPECT("MPI_Wait(request=req4, status=%s) = %s", status_after(&status, code), result_text(code));
    } else {
        MPI_Mprobe(rank, tag, MPI_COMM_WORLD, &message, &status);
        OK("MPI_Mprobe(source=%d, tag=%d, " WORLD ", message=message0, status=%s)", rank, tag,
           status_is(rank, tag, 16));
        if (way == 2) {
            code = MPI_Mrecv(in, 1, MPI_INT, &message, &status);
            EXPECT("MPI_Mrecv(buf=ptr, count=1, datatype=MPI_INT, message=message0, status=%s) = %s",
                   status_after(&status, code), result_text(code));
        } else {
            MPI_Imrecv(in, 1, MPI_INT, &message, &receive);
            OK("MPI_Imrecv(buf=ptr, count=1, datatype=MPI_INT, message=message0, request=req5)");
            code = MPI_Wait(&receive, &status);
            EXPECT("MPI_Wait(request=req5, status=%s) = %s", status_after(&status, code), result_text(code));
        }
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req3, status=ignored" SENT ")");
    MPI_Sendrecv(out, 2, MPI_INT, rank, tag, in, 2, MPI_INT, rank, tag, MPI_COMM_WORLD, &status);
    OK("MPI_Sendrecv(sendbuf=ptr, sendcount=2, sendtype=MPI_INT, dest=%d, sendtag=%d, recvbuf=ptr, "
       "recvcount=2, recvtype=MPI_INT, source=%d, recvtag=%d, " WORLD ", status=%s)",
       rank, tag, rank, tag, status_is(rank, tag, 8));
}

/* A user's handler, attached to a communicator and queried while it lives. */
static void own_handler(void)
{
    MPI_Errhandler handler, again;
    MPI_Comm comm;
    MPI_Comm_create_errhandler(count_errors, &handler);
    OK("MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm0)");
    MPI_Comm_set_errhandler(comm, handler);
    OK("MPI_Comm_set_errhandler(comm=comm0, errhandler=errhandler0)");
    MPI_Comm_get_errhandler(comm, &again);
    OK("MPI_Comm_get_errhandler(comm=comm0, errhandler=%s)",
       again == handler ? "errhandler0" : "errhandler1");
    MPI_Errhandler_free(&again);
    OK("MPI_Errhandler_free(errhandler=%s)", again == handler ? "errhandler1" : "errhandler0");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");

    int x = 0, code = MPI_Send(&x, 1, MPI_INT, -77, 1, comm);
    EXPECT("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=-77, tag=1, comm=comm0) = %s",
           result_text(code));
    code = MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    EXPECT("MPI_Comm_call_errhandler(comm=comm0, errorcode=MPI_ERR_OTHER) = %s", result_text(code));
    if (handled != 2)
        EXPECT("the error handler should have been called twice");
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm0)");
}

static void own_codes(void)
{
    int class, code, got, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class);
    OK("MPI_Add_error_class(errorclass=%d)", class);
    MPI_Add_error_code(class, &code);
    OK("MPI_Add_error_code(errorclass=%d, errorcode=%d)", class, code);
    MPI_Add_error_string(code, "out of coffee");
    OK("MPI_Add_error_string(errorcode=%d, string=\"out of coffee\")", code);
    MPI_Error_class(code, &got);
    OK("MPI_Error_class(errorcode=%d, errorclass=%d)", code, class);
    MPI_Error_string(code, text, &length);
    OK("MPI_Error_string(errorcode=%d, string=\"out of coffee\", resultlen=13)", code);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    returning();
    failing();
    truncated();
    for (int way = 0; way < 4; way++)
        truncated_in(way);
    own_handler();
    own_codes();
    return expect_end();
}
