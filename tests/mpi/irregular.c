/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 4 */
/* Rank 0 gives work to whoever asks: each run differs, and the program reports what happened. */
#include "expect.h"

enum { TASKS = 40, ASK = 1, WORK = 2, STOP = 3 };

/* Rank 0: the statuses give the order of sources, the tags and the sizes. */
static void hand_out(void)
{
    int given = 0, stopped = 0, request[TASKS], task[TASKS] = {0};
    while (stopped < size - 1) {
        MPI_Status status;
        MPI_Recv(request, TASKS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=40, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, " WORLD
           ", status=%s)",
           status_text(&status));
        int n;
        MPI_Get_count(&status, MPI_INT, &n);
        OK("MPI_Get_count(status=%s, datatype=MPI_INT, count=%d)", status_text(&status), n);
        int worker = status.MPI_SOURCE, tag = given < TASKS ? WORK : STOP;
        MPI_Send(task, n % 5, MPI_INT, worker, tag, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ")", n % 5, worker, tag);
        if (tag == WORK)
            given++;
        else
            stopped++;
    }
}

static void work(void)
{
    int done = 0, task[TASKS] = {0};
    for (;;) {
        MPI_Status status;
        MPI_Send(task, done % TASKS, MPI_INT, 0, ASK + done, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=%d, datatype=MPI_INT, dest=0, tag=%d, " WORLD ")", done % TASKS,
           ASK + done);
        MPI_Recv(task, TASKS, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=40, datatype=MPI_INT, source=0, tag=MPI_ANY_TAG, " WORLD ", status=%s)",
           status_text(&status));
        if (status.MPI_TAG == STOP)
            break;
        done++;
    }
}

/* One line keeps three receives from any source posted: a pool of the numbers 0, 1, 2. Those that
 * Waitsome completed are posted again, and each gets the smallest free number, which may differ
 * from the previous one at its place. */
enum { PLACES = 3, EACH = 12, CHAT = 500 };

static MPI_Request requests[PLACES];
static int number[PLACES]; /* of the request in each place; -1: none */
static int in[PLACES];

static void post(int place)
{
    int free_number = 0;
    /* at most PLACES are taken, so that this many passes find a free one */
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < PLACES; k++)
            free_number += number[k] == free_number;
    number[place] = free_number;
    MPI_Irecv(&in[place], 1, MPI_INT, MPI_ANY_SOURCE, CHAT, MPI_COMM_WORLD, &requests[place]);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=%d, " WORLD
       ", request=req%d)",
       CHAT, free_number);
}

static const char *names(void)
{
    const char *text[PLACES];
    for (int i = 0; i < PLACES; i++)
        text[i] = number[i] < 0 ? "MPI_REQUEST_NULL" : format_text("req%d", number[i]);
    return format_text("[%s, %s, %s]", text[0], text[1], text[2]);
}

/* Rank 0 receives EACH messages of every other process. */
static void listen(void)
{
    int to_post = EACH * (size - 1), left_over = to_post;
    for (int i = 0; i < PLACES; i++)
        number[i] = -1;
    for (int i = 0; i < PLACES; i++, to_post--)
        post(i);
    while (left_over > 0) {
        MPI_Status statuses[PLACES];
        int n, indices[PLACES];
        const char *before = names(), *list = "";
        MPI_Waitsome(PLACES, requests, &n, indices, statuses);
        for (int i = 0; i < n; i++) {
            list = format_text("%s%s%s", list, i > 0 ? ", " : "", status_text(&statuses[i]));
            number[indices[i]] = -1;
        }
        OK("MPI_Waitsome(incount=3, array_of_requests=%s, outcount=%d, array_of_indices=%s, "
           "array_of_statuses=[%s])",
           before, n, int_list(n, indices), list);
        left_over -= n;
        for (int i = 0; i < n && to_post > 0; i++, to_post--)
            post(indices[n - 1 - i]); /* in reverse order, so that numbers move between places */
    }
}

static void talk(void)
{
    for (int i = 0; i < EACH; i++) {
        MPI_Send(&i, 1, MPI_INT, 0, CHAT, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=0, tag=%d, " WORLD ")", CHAT);
    }
}

/* Irregular tags, sometimes received with MPI_ANY_TAG. */
static void chat_in_pairs(void)
{
    unsigned x = 12345;
    int other = rank ^ 1, word = 0;
    if (other >= size)
        return;
    for (int i = 0; i < 300; i++) {
        x = x * 1103515245u + 12345u;
        int tag = (int)(x >> 8) % 10000, any = i > 0 && x >> 28 < 4;
        const char *wanted = any ? "MPI_ANY_TAG" : format_text("%d", tag);
        MPI_Sendrecv(&word, 1, MPI_INT, other, tag, in, 1, MPI_INT, other, any ? MPI_ANY_TAG : tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, dest=%d, sendtag=%d, recvbuf=ptr, "
           "recvcount=1, recvtype=MPI_INT, source=%d, recvtag=%s, " WORLD ", status=ignored%s)",
           other, tag, other, wanted, status_is(other, tag, 4));
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    if (rank == 0)
        hand_out();
    else
        work();
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    if (rank == 0)
        listen();
    else
        talk();
    chat_in_pairs();
    return expect_end();
}
