/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Calls that the program makes in its callbacks: each has a line before that of the call in which
 * the library runs the callback, because that call ends later. */
#include "expect.h"

#include <stdlib.h>

/* ---- attributes ------------------------------------------------------------------------------ */

static int copy(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    int members;
    (void)key, (void)state;
    MPI_Comm_size(comm, &members);
    OK("MPI_Comm_size(" WORLD ", size=%d)", members);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void *value, void *state)
{
    int result;
    (void)key, (void)value, (void)state;
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
    if (comm == MPI_COMM_WORLD)
        OK("MPI_Comm_compare(comm1=MPI_COMM_WORLD, comm2=MPI_COMM_WORLD, result=MPI_IDENT)");
    else
        OK("MPI_Comm_compare(comm1=comm0, comm2=MPI_COMM_WORLD, result=MPI_CONGRUENT)");
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key, value;
    MPI_Comm dup;
    MPI_Comm_create_keyval(copy, forget, &key, NULL);
    int number = key;
    OK("MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, comm_keyval=%d, "
       "extra_state=NULL)",
       number);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    OK("MPI_Comm_set_attr(" WORLD ", comm_keyval=%d, attribute_val=ptr)", number);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm0)");
    MPI_Comm_free(&dup);
    OK("MPI_Comm_free(comm=comm0)");
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    OK("MPI_Comm_delete_attr(" WORLD ", comm_keyval=%d)", number);
    MPI_Comm_free_keyval(&key);
    OK("MPI_Comm_free_keyval(comm_keyval=%d->MPI_KEYVAL_INVALID)", number);
}

/* ---- a callback within a callback: an operator that creates and frees a communicator with an attribute  */

static int outer_key;

static int forget_outer(MPI_Comm comm, int key, void *value, void *state)
{
    int own_rank;
    (void)key, (void)value, (void)state;
    MPI_Comm_rank(comm, &own_rank);
    OK("MPI_Comm_rank(comm=comm%d, rank=0)", 1 + rank);
    return MPI_SUCCESS;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int bytes;
    MPI_Comm own;
    MPI_Type_size(*type, &bytes);
    OK("MPI_Type_size(datatype=MPI_INT, size=%d)", bytes);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    OK("MPI_Comm_dup(comm=MPI_COMM_SELF, newcomm=comm%d)", 1 + rank);
    MPI_Comm_set_attr(own, outer_key, &bytes);
    OK("MPI_Comm_set_attr(comm=comm%d, comm_keyval=%d, attribute_val=ptr)", 1 + rank, outer_key);
    MPI_Comm_free(&own); /* runs forget_outer */
    OK("MPI_Comm_free(comm=comm%d)", 1 + rank);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operators(void)
{
    int in[2] = {1, 2}, inout[2] = {3, 4};
    MPI_Op op;
    MPI_Comm_create_keyval(copy, forget_outer, &outer_key, NULL);
    int number = outer_key;
    OK("MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, "
       "comm_keyval=%d, "
       "extra_state=NULL)",
       number);
    MPI_Op_create(add, 1, &op);
    OK("MPI_Op_create(user_fn=ptr, commute=1, op=op0)");
    MPI_Reduce_local(in, inout, 2, MPI_INT, op);
    OK("MPI_Reduce_local(inbuf=ptr, inoutbuf=ptr, count=2, datatype=MPI_INT, op=op0)");
    if (inout[0] != 4 || inout[1] != 6)
        EXPECT("the operator should have been applied");
    MPI_Op_free(&op);
    OK("MPI_Op_free(op=op0)");
    MPI_Comm_free_keyval(&outer_key);
    OK("MPI_Comm_free_keyval(comm_keyval=%d->MPI_KEYVAL_INVALID)", number);
}

/* ---- an error handler that returns ----------------------------------------------------------- */

static void look(MPI_Comm *comm, int *error, ...)
{
    int class, members;
    MPI_Error_class(*error, &class);
    OK("MPI_Error_class(errorcode=%s, errorclass=MPI_ERR_RANK)", error_text(*error));
    MPI_Comm_size(*comm, &members);
    OK("MPI_Comm_size(" WORLD ", size=%d)", members);
}

static void handlers(void)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(look, &handler);
    OK("MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=errhandler0)");
    int error = MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD);
    EXPECT("MPI_Send(buf=NULL, count=0, datatype=MPI_INT, dest=%d, tag=0, " WORLD ") = %s", size,
           result_text(error));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    OK("MPI_Comm_set_errhandler(" WORLD ", errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
}

/* ---- a generalized request, all of whose functions call MPI ---------------------------------- */

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 3);
    OK("MPI_Status_set_elements(status={error=MPI_SUCCESS}, datatype=MPI_INT, count=3)");
    MPI_Status_set_cancelled(status, 0);
    OK("MPI_Status_set_cancelled(status={error=MPI_SUCCESS}, flag=0)");
    status->MPI_SOURCE = 11;
    status->MPI_TAG = 12;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    MPI_Wtime();
    EXPECT("MPI_Wtime()");
    *(int *)state = 1;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    int flag;
    (void)state, (void)complete;
    MPI_Initialized(&flag);
    OK("MPI_Initialized(flag=1)");
    return MPI_SUCCESS;
}

static void requests(void)
{
    MPI_Request request;
    MPI_Status status;
    int released = 0;
    MPI_Grequest_start(query, release, cancel, &released, &request);
    OK("MPI_Grequest_start(query_fn=ptr, free_fn=ptr, cancel_fn=ptr, extra_state=ptr, request=req0)");
    MPI_Cancel(&request);
    OK("MPI_Cancel(request=req0)");
    MPI_Grequest_complete(request);
    OK("MPI_Grequest_complete(request=req0)");
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=req0, status={source=11, tag=12, error=MPI_SUCCESS, bytes=12})");
    if (!released)
        EXPECT("the free function should have been called");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    attributes();
    operators();
    handlers();
    requests();
    return expect_end();
}
