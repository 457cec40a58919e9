/* SPDX-License-Identifier: BSD-3-Clause */
/* Worlds that spawn worlds: the first one spawns `child` and `pair`, the child spawns
 * `grandchild`. The lines of each world go to separate files; the text after the last dash of
 * PREFIX names the world. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

static char *self;
static const char *prefix;

static char *prefix_of(const char *world)
{
    return (char *)format_text("%s-%s", prefix, world);
}

static const char *only_at_root(const char *text, int root)
{
    return rank == root ? text : "unused";
}

/* Rank 0 spawns for the whole world. */
static MPI_Comm spawn_child(void)
{
    MPI_Comm inter;
    int codes[2];
    char *arguments[] = {prefix_of("child"), NULL};
    MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, codes);
    OK("MPI_Comm_spawn(command=%s, argv=%s, maxprocs=2, info=MPI_INFO_NULL, root=0, " WORLD
       ", intercomm=comm0, array_of_errcodes=[MPI_SUCCESS, MPI_SUCCESS])",
       only_at_root(quoted(self), 0), only_at_root(quoted_list(1, arguments), 0));
    return inter;
}

static void spawn_pair(void)
{
    MPI_Comm inter;
    int codes[2], maxprocs[] = {1, 1};
    char *commands[] = {self, self}, *arguments[] = {prefix_of("pair"), NULL},
         **lists[] = {arguments, arguments};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, commands, lists, maxprocs, infos, size - 1, MPI_COMM_WORLD, &inter, codes);
    const char *all = format_text("[%s, %s]", quoted(arguments[0]), quoted(arguments[0]));
    if (rank == size - 1)
        OK("MPI_Comm_spawn_multiple(count=2, array_of_commands=%s, array_of_argv=%s, array_of_maxprocs=[1, "
           "1], "
           "array_of_info=[MPI_INFO_NULL, MPI_INFO_NULL], root=%d, " WORLD
           ", intercomm=comm2, array_of_errcodes=[MPI_SUCCESS, MPI_SUCCESS])",
           quoted_list(2, commands), all, size - 1);
    else
        OK("MPI_Comm_spawn_multiple(count=2, array_of_commands=unused, array_of_argv=unused, "
           "array_of_maxprocs=unused, array_of_info=unused, root=%d, " WORLD
           ", intercomm=comm2, array_of_errcodes=[MPI_SUCCESS, MPI_SUCCESS])",
           size - 1);
    MPI_Comm_disconnect(&inter);
    OK("MPI_Comm_disconnect(comm=comm2)");
}

static void spawn_grandchild(void)
{
    MPI_Comm inter;
    char *arguments[] = {prefix_of("grandchild"), NULL};
    MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE);
    OK("MPI_Comm_spawn(command=%s, argv=%s, maxprocs=1, info=MPI_INFO_NULL, root=0, comm=MPI_COMM_SELF, "
       "intercomm=comm2, array_of_errcodes=MPI_ERRCODES_IGNORE)",
       quoted(self), quoted_list(1, arguments));
    MPI_Comm_disconnect(&inter);
    OK("MPI_Comm_disconnect(comm=comm2)");
}

/* Merges both sides into one communicator. */
static void merge(MPI_Comm inter, int high)
{
    MPI_Comm all;
    int sum = 1;
    MPI_Intercomm_merge(inter, high, &all);
    OK("MPI_Intercomm_merge(intercomm=comm0, high=%d, newintracomm=comm1)", high);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, all);
    OK("MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, comm=comm1)");
    MPI_Comm_free(&all);
    OK("MPI_Comm_free(comm=comm1)");
}

static void be_first(void)
{
    int x = 0;
    MPI_Comm inter = spawn_child();
    merge(inter, 0);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 3, inter);
        OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=1, tag=3, comm=comm0)");
    }
    MPI_Comm_disconnect(&inter);
    OK("MPI_Comm_disconnect(comm=comm0)");
    spawn_pair();
}

static void be_child(MPI_Comm parent)
{
    int x;
    MPI_Status status;
    merge(parent, 1);
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 3, parent, &status);
        OK("MPI_Recv(buf=ptr, count=1, datatype=MPI_INT, source=0, tag=3, comm=comm0, status=%s)",
           status_is(0, 3, sizeof x));
    } else {
        spawn_grandchild();
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    self = argv[0];
    prefix = argc == 2 ? argv[1] : "";
    expect_start(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        OK("MPI_Comm_get_parent(parent=MPI_COMM_NULL)");
        be_first();
        return expect_end();
    }
    OK("MPI_Comm_get_parent(parent=comm0)");
    if (strcmp(strrchr(prefix, '-'), "-child") == 0)
        be_child(parent);
    MPI_Comm_disconnect(&parent);
    OK("MPI_Comm_disconnect(comm=comm0)");
    return expect_end();
}
