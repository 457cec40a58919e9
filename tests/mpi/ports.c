/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Processes that do not know each other meet through spawning, names and ports, and sockets. Ranks
 * 0 and 1 of one world are server and client; the spawned processes run this program again, not
 * traced. Debian's MPICH supports none of this with its network layer: its calls return errors. */
#include "expect.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The numbers of communicators. */
enum { SPAWNED, SPAWNED_MULTIPLE, CONNECTED, JOINED };

/* Returns the communicator that a call made, unless it failed. */
static const char *made(int code, int number)
{
    return code == MPI_SUCCESS ? format_text("comm%d", number) : "?";
}

/* Frees the communicator that a call made, together with the other side. */
static void leave(int code, int number, MPI_Comm *comm)
{
    if (code != MPI_SUCCESS)
        return;
    MPI_Comm_disconnect(comm);
    OK("MPI_Comm_disconnect(comm=comm%d)", number);
}

/* ---- new processes --------------------------------------------------------------------------- */

/* The spawned program runs without the tracer, which was preloaded into this one. */
static char env[] = "/usr/bin/env";
static char *child_argv[] = {"-u", "LD_PRELOAD", NULL /* this program */, "child", NULL};

static int child(void)
{
    MPI_Comm parent;
    PMPI_Init(NULL, NULL);
    PMPI_Comm_get_parent(&parent);
    PMPI_Comm_disconnect(&parent);
    return PMPI_Finalize();
}

/* Returns an argument that only the root reads, as the trace has it. */
static const char *at_root(const char *text)
{
    return rank == 0 ? text : "unused";
}

static void spawn(void)
{
    MPI_Comm children;
    int codes[3];
    const char *arguments = quoted_list(4, child_argv);
    int code = MPI_Comm_spawn(env, child_argv, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    EXPECT("MPI_Comm_spawn(command=%s, argv=%s, maxprocs=1, info=MPI_INFO_NULL, root=0, " WORLD
           ", intercomm=%s, array_of_errcodes=%s) = %s",
           at_root(quoted(env)), at_root(arguments), made(code, SPAWNED),
           code == MPI_SUCCESS ? "[MPI_SUCCESS]" : "?", result_text(code));
    leave(code, SPAWNED, &children);

    char *flat[8]; /* as arrays of arrays print */
    for (int i = 0; i < 8; i++)
        flat[i] = child_argv[i % 4];
    char *commands[2] = {env, env}, **argvs[2] = {child_argv, child_argv};
    const int most[2] = {1, 2};
    const MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    code = MPI_Comm_spawn_multiple(2, commands, argvs, most, infos, 0, MPI_COMM_WORLD, &children, codes);
    EXPECT("MPI_Comm_spawn_multiple(count=2, array_of_commands=%s, array_of_argv=%s, array_of_maxprocs=%s, "
           "array_of_info=%s, root=0, " WORLD ", intercomm=%s, array_of_errcodes=%s) = %s",
           at_root(quoted_list(2, commands)), at_root(quoted_list(8, flat)), at_root(int_list(2, most)),
           at_root(same_list(2, "MPI_INFO_NULL")), made(code, SPAWNED_MULTIPLE),
           code == MPI_SUCCESS ? same_list(3, "MPI_SUCCESS") : "?", result_text(code));
    leave(code, SPAWNED_MULTIPLE, &children);
}

/* ---- names and ports ------------------------------------------------------------------------- */

/* The server publishes the port's name; the client looks it up. */
static void serve(const char *service)
{
    char port[MPI_MAX_PORT_NAME] = "nowhere";
    MPI_Comm client;
    int code = MPI_Open_port(MPI_INFO_NULL, port);
    EXPECT("MPI_Open_port(info=MPI_INFO_NULL, port_name=%s) = %s", code == MPI_SUCCESS ? quoted(port) : "?",
           result_text(code));
    MPI_Publish_name(service, MPI_INFO_NULL, port);
    OK("MPI_Publish_name(service_name=%s, info=MPI_INFO_NULL, port_name=%s)", quoted(service), quoted(port));
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    code = MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &client);
    EXPECT("MPI_Comm_accept(port_name=%s, info=MPI_INFO_NULL, root=0, comm=MPI_COMM_SELF, newcomm=%s) = %s",
           quoted(port), made(code, CONNECTED), result_text(code));
    leave(code, CONNECTED, &client);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    MPI_Unpublish_name(service, MPI_INFO_NULL, port);
    OK("MPI_Unpublish_name(service_name=%s, info=MPI_INFO_NULL, port_name=%s)", quoted(service),
       quoted(port));
    code = MPI_Close_port(port);
    EXPECT("MPI_Close_port(port_name=%s) = %s", quoted(port), result_text(code));
}

static void visit(const char *service)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm server;
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    MPI_Lookup_name(service, MPI_INFO_NULL, port);
    OK("MPI_Lookup_name(service_name=%s, info=MPI_INFO_NULL, port_name=%s)", quoted(service), quoted(port));
    int code = MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &server);
    EXPECT("MPI_Comm_connect(port_name=%s, info=MPI_INFO_NULL, root=0, comm=MPI_COMM_SELF, newcomm=%s) = %s",
           quoted(port), made(code, CONNECTED), result_text(code));
    leave(code, CONNECTED, &server);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
}

/* ---- sockets --------------------------------------------------------------------------------- */

/* Returns a connected socket, using the file `path`. Only MPI calls are in the trace. */
static int meet(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), listening = fd;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (rank == 0 && (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 1)))
        perror(path);
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && connect(fd, (struct sockaddr *)&address, sizeof address))
        perror(path);
    if (rank == 0) {
        fd = accept(listening, NULL, NULL);
        close(listening);
        unlink(path);
    }
    return fd;
}

static void join(const char *path)
{
    MPI_Comm other;
    int fd = meet(path), code = MPI_Comm_join(fd, &other);
    EXPECT("MPI_Comm_join(fd=%d, intercomm=%s) = %s", fd, made(code, JOINED), result_text(code));
    leave(code, JOINED, &other);
    close(fd);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    if (argc > 1 && strcmp(argv[1], child_argv[3]) == 0)
        return child();
    expect_start(&argc, &argv);
    child_argv[2] = argv[0];
    MPI_Comm_get_parent(&parent);
    OK("MPI_Comm_get_parent(parent=MPI_COMM_NULL)");
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    spawn();
    if (rank == 0)
        serve("refrain's meeting");
    else
        visit("refrain's meeting");
    join(format_text("%s.socket", argv[1]));
    return expect_end();
}
