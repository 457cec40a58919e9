/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 4; large: 3 */
/* Non-blocking point-to-point: every way to start, and every way to complete. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 };

static int right, left;
static int out[N][N], in[N][N];

/* Four send modes, four receives; each call site is a separate pool, so the numbers are
 * consecutive. */
static void waitall(void)
{
    MPI_Request requests[2 * N];
    for (int i = 0; i < N; i++) {
        MPI_Irecv(in[i], N, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
        OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=req%d)", left,
           i, i);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the receive that Irsend needs is posted */
    OK("MPI_Barrier(" WORLD ")");

    count_t bytes = 1000;
    void *buffer = malloc((size_t)bytes), *detached;
    MPI_Buffer_attach(buffer, bytes);
    OK("MPI_Buffer_attach(buffer=ptr, size=1000)");
    MPI_Isend(out[0], N, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[4]);
    OK("MPI_Isend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=0, " WORLD ", request=req4)", right);
    MPI_Ibsend(out[1], 3, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[5]);
    OK("MPI_Ibsend(buf=ptr, count=3, datatype=MPI_INT, dest=%d, tag=1, " WORLD ", request=req5)", right);
    MPI_Issend(out[2], 2, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[6]);
    OK("MPI_Issend(buf=ptr, count=2, datatype=MPI_INT, dest=%d, tag=2, " WORLD ", request=req6)", right);
    MPI_Irsend(out[3], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[7]);
    OK("MPI_Irsend(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=3, " WORLD ", request=req7)", right);

    MPI_Status statuses[2 * N];
    MPI_Waitall(8, requests, statuses);
    OK("MPI_Waitall(count=8, array_of_requests=[req0, req1, req2, req3, req4, req5, req6, req7], "
       "array_of_statuses=[%s, %s, %s, %s, " SENT ", " SENT ", " SENT ", " SENT "])",
       status_is(left, 0, 16), status_is(left, 1, 12), status_is(left, 2, 8), status_is(left, 3, 4));
    MPI_Buffer_detach(&detached, &bytes);
    OK("MPI_Buffer_detach(buffer_addr=ptr, size=%d)", (int)bytes);
    free(buffer);
}

/* Requests that several completions share: names[i] is the request in place i, MPI_REQUEST_NULL
 * after it is done. */
enum { HALF = 2, ALL = 2 * HALF };

struct batch {
    MPI_Request requests[ALL];
    char names[ALL][24];
    char statuses[ALL][80]; /* the expected status of each */
};

static const char *batch_list(const struct batch *b)
{
    return format_text("[%s, %s, %s, %s]", b->names[0], b->names[1], b->names[2], b->names[3]);
}

/* Two receives and the matching sends at the neighbour. `first` is the first number of these two
 * call sites: at every call, the receives' pool and the sends' pool each give the same two
 * numbers. */
static void batch_start(struct batch *b, int first)
{
    for (int i = 0; i < HALF; i++) {
        MPI_Irecv(in[i], N, MPI_INT, left, i, MPI_COMM_WORLD, &b->requests[i]);
        snprintf(b->names[i], sizeof b->names[i], "req%d", first + i);
        snprintf(b->statuses[i], sizeof b->statuses[i], "%s", status_is(left, i, 4 * (i + 1)));
        OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=%s)", left, i,
           b->names[i]);
    }
    for (int i = 0; i < HALF; i++) {
        MPI_Isend(out[i], i + 1, MPI_INT, right, i, MPI_COMM_WORLD, &b->requests[HALF + i]);
        snprintf(b->names[HALF + i], sizeof b->names[HALF + i], "req%d", first + HALF + i);
        snprintf(b->statuses[HALF + i], sizeof b->statuses[HALF + i], "%s", SENT);
        OK("MPI_Isend(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=%s)", i + 1,
           right, i, b->names[HALF + i]);
    }
}

static void batch_done(struct batch *b, int i)
{
    snprintf(b->names[i], sizeof b->names[i], "MPI_REQUEST_NULL");
}

/* Returns "[0, 2]" and "[{…}, {…}]" for the requests that Waitsome or Testsome completed. */
static const char *some_statuses(struct batch *b, int n, const int *indices, const char *ignored)
{
    const char *text = "";
    for (int i = 0; i < n; i++)
        text = format_text("%s%s%s%s", text, i > 0 ? ", " : "", ignored, b->statuses[indices[i]]);
    return format_text("[%s]", text);
}

static void waitany(struct batch *b)
{
    MPI_Status status;
    int index;
    for (int i = 0; i < ALL; i++) {
        const char *before = batch_list(b);
        MPI_Waitany(ALL, b->requests, &index, &status);
        OK("MPI_Waitany(count=4, array_of_requests=%s, index=%d, status=%s)", before, index,
           b->statuses[index]);
        batch_done(b, index);
    }
    MPI_Waitany(ALL, b->requests, &index, &status);
    OK("MPI_Waitany(count=4, array_of_requests=%s, index=MPI_UNDEFINED, status=" EMPTY ")", batch_list(b));
}

static void testany(struct batch *b)
{
    int index, flag, left_over = ALL;
    while (left_over > 0) {
        const char *before = batch_list(b);
        MPI_Testany(ALL, b->requests, &index, &flag, MPI_STATUS_IGNORE);
        OK("MPI_Testany(count=4, array_of_requests=%s, index=%s, flag=%d, status=ignored%s)", before,
           flag ? index_text(index) : "MPI_UNDEFINED", flag, flag ? b->statuses[index] : SENT);
        if (flag) {
            batch_done(b, index);
            left_over--;
        }
    }
}

static void waitsome(struct batch *b)
{
    MPI_Status statuses[ALL];
    int n, indices[ALL], left_over = ALL;
    while (left_over > 0) {
        const char *before = batch_list(b);
        MPI_Waitsome(ALL, b->requests, &n, indices, statuses);
        OK("MPI_Waitsome(incount=4, array_of_requests=%s, outcount=%d, array_of_indices=%s, "
           "array_of_statuses=%s)",
           before, n, int_list(n, indices), some_statuses(b, n, indices, ""));
        for (int i = 0; i < n; i++)
            batch_done(b, indices[i]);
        left_over -= n;
    }
    MPI_Waitsome(ALL, b->requests, &n, indices, statuses);
    OK("MPI_Waitsome(incount=4, array_of_requests=%s, outcount=MPI_UNDEFINED, array_of_indices=[], "
       "array_of_statuses=[])",
       batch_list(b));
}

static void testsome(struct batch *b)
{
    int n, indices[ALL], left_over = ALL;
    while (left_over > 0) {
        const char *before = batch_list(b);
        MPI_Testsome(ALL, b->requests, &n, indices, MPI_STATUSES_IGNORE);
        OK("MPI_Testsome(incount=4, array_of_requests=%s, outcount=%d, array_of_indices=%s, "
           "array_of_statuses=%s)",
           before, n, int_list(n, indices), some_statuses(b, n, indices, "ignored"));
        for (int i = 0; i < n; i++)
            batch_done(b, indices[i]);
        left_over -= n;
    }
}

static void testall(struct batch *b)
{
    const char *before = batch_list(b);
    int flag;
    do {
        MPI_Testall(ALL, b->requests, &flag, MPI_STATUSES_IGNORE);
        OK("MPI_Testall(count=4, array_of_requests=%s, flag=%d, array_of_statuses=%s)", before, flag,
           flag ? some_statuses(b, ALL, (int[]){0, 1, 2, 3}, "ignored") : "unused");
    } while (!flag);
}

/* One at a time; the receives' statuses are first queried without completing them. */
static void test_each(struct batch *b)
{
    MPI_Status status;
    int flag;
    for (int i = 0; i < ALL; i++) {
        do {
            MPI_Request_get_status(b->requests[i], &flag, &status);
            OK("MPI_Request_get_status(request=%s, flag=%d, status=%s)", b->names[i], flag,
               flag ? b->statuses[i] : SENT);
        } while (!flag);
        do {
            MPI_Test(&b->requests[i], &flag, &status);
            OK("MPI_Test(request=%s, flag=%d, status=%s)", b->names[i], flag, flag ? b->statuses[i] : SENT);
        } while (!flag);
    }
}

/* Null requests are complete at once. */
static void null_requests(void)
{
    MPI_Request request = MPI_REQUEST_NULL, two[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status, statuses[2];
    int flag;
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=MPI_REQUEST_NULL, status=" EMPTY ")");
    MPI_Test(&request, &flag, &status);
    OK("MPI_Test(request=MPI_REQUEST_NULL, flag=1, status=" EMPTY ")");
    MPI_Request_get_status(request, &flag, &status);
    OK("MPI_Request_get_status(request=MPI_REQUEST_NULL, flag=1, status=" EMPTY ")");
    MPI_Waitall(2, two, statuses);
    OK("MPI_Waitall(count=2, array_of_requests=[MPI_REQUEST_NULL, MPI_REQUEST_NULL], "
       "array_of_statuses=[" EMPTY ", " EMPTY "])");
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    OK("MPI_Waitall(count=0, array_of_requests=NULL, array_of_statuses=[])");

    /* Messages to MPI_PROC_NULL; Open MPI gives all of them the same request. */
    MPI_Isend(out, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &two[0]);
    OK("MPI_Isend(buf=ptr, count=4, datatype=MPI_INT, dest=MPI_PROC_NULL, tag=1, " WORLD ", request=req12)");
    MPI_Irecv(in, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &two[1]);
    OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=MPI_PROC_NULL, tag=1, " WORLD
       ", request=req13)");
    /* as the program gets it: MPICH 4.0 does not set MPI_PROC_NULL */
    MPI_Waitall(2, two, statuses);
    OK("MPI_Waitall(count=2, array_of_requests=[req12, req13], array_of_statuses=[" SENT ", %s])",
       status_text(&statuses[1]));
}

/* A receive without a matching send is cancelled; a send is freed before it completes. */
static void cancel_and_free(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag;
    MPI_Irecv(in, N, MPI_INT, left, 99, MPI_COMM_WORLD, &request);
    OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=99, " WORLD ", request=req14)", left);
    MPI_Cancel(&request);
    OK("MPI_Cancel(request=req14)");
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=req14, status=%s)", status_text(&status));
    MPI_Test_cancelled(&status, &flag);
    OK("MPI_Test_cancelled(status=%s, flag=1)", status_text(&status));

    MPI_Irecv(in, N, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=5, " WORLD ", request=req15)", left);
    MPI_Request send;
    MPI_Isend(out, N, MPI_INT, right, 5, MPI_COMM_WORLD, &send);
    OK("MPI_Isend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=5, " WORLD ", request=req16)", right);
    MPI_Request_free(&send);
    OK("MPI_Request_free(request=req16)");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req15, status=ignored%s)", status_is(left, 5, 16));
}

int main(int argc, char **argv)
{
    static void (*const complete[])(struct batch *) = {waitany,  testany, waitsome,
                                                       testsome, testall, test_each};
    struct batch batch;
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    memset(out, 0, sizeof out);
    waitall();
    for (size_t i = 0; i < sizeof complete / sizeof *complete; i++) {
        batch_start(&batch, 8); /* 0 … 7 belong to the call sites above */
        complete[i](&batch);
        MPI_Barrier(MPI_COMM_WORLD);
        OK("MPI_Barrier(" WORLD ")");
    }
    null_requests();
    cancel_and_free();
    return expect_end();
}
