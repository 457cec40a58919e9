/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* Two halves of a world meet through a port, and two processes through a socket: the communicators
 * have the same names on both sides, although the sides call different procedures. */
#include "expect.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 2 };

static MPI_Comm half;
static char port[MPI_MAX_PORT_NAME];

static MPI_Comm meet(int server)
{
    MPI_Comm inter;
    int own_rank;
    PMPI_Comm_rank(half, &own_rank);
    if (server)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter);
    OK("MPI_Comm_%s(port_name=%s, info=MPI_INFO_NULL, root=0, comm=comm%d, newcomm=comm1)",
       server ? "accept" : "connect", own_rank == 0 ? quoted(port) : "unused", server ? 0 : 4);
    return inter;
}

static void halves(void)
{
    const int server = rank < size / 2, members = server ? size / 2 : size - size / 2;
    MPI_Comm all;
    MPI_Comm_split(MPI_COMM_WORLD, !server, 0, &half);
    OK("MPI_Comm_split(" WORLD ", color=%d, key=0, newcomm=comm%d)", !server, server ? 0 : 4);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        OK("MPI_Open_port(info=MPI_INFO_NULL, port_name=%s)", quoted(port));
    }
    PMPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        int others;
        MPI_Comm inter = meet(server);
        MPI_Comm_remote_size(inter, &others);
        OK("MPI_Comm_remote_size(comm=comm1, size=%d)", size - members);
        MPI_Intercomm_merge(inter, 0, &all);
        OK("MPI_Intercomm_merge(intercomm=comm1, high=0, newintracomm=comm2)");
        MPI_Barrier(all);
        OK("MPI_Barrier(comm=comm2)");
        MPI_Comm_free(&all);
        OK("MPI_Comm_free(comm=comm2)");
        MPI_Comm_disconnect(&inter);
        OK("MPI_Comm_disconnect(comm=comm1)");
    }
    if (rank == 0) {
        MPI_Close_port(port);
        OK("MPI_Close_port(port_name=%s)", quoted(port));
    }
    MPI_Comm_free(&half);
    OK("MPI_Comm_free(comm=comm%d)", server ? 0 : 4);
}

static void die(const char *what)
{
    perror(what);
    PMPI_Abort(MPI_COMM_WORLD, 3);
}

/* A connection between ranks 0 and 1. */
static int connection(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        die("socket");
    if (rank == 1) {
        PMPI_Recv(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
        if (connect(fd, (struct sockaddr *)&address, length) != 0)
            die("connect");
        return fd;
    }
    if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        die("bind");
    PMPI_Send(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    int with = accept(fd, NULL, NULL);
    if (with < 0)
        die("accept");
    close(fd);
    return with;
}

static void join(void)
{
    MPI_Comm inter;
    int fd = connection();
    MPI_Comm_join(fd, &inter);
    OK("MPI_Comm_join(fd=%d, intercomm=comm3)", fd);
    MPI_Barrier(inter);
    OK("MPI_Barrier(comm=comm3)");
    MPI_Comm_disconnect(&inter);
    OK("MPI_Comm_disconnect(comm=comm3)");
    close(fd);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    halves();
    if (rank < 2)
        join();
    return expect_end();
}
