/* SPDX-License-Identifier: BSD-3-Clause */
#include "libraries.h"

#include "src/core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct mpi_library mpi_libraries[] = {
    {"libmpi.so.40", "Open MPI"},   {"libmpi.so.20", "Open MPI"},   {"libmpich.so.12", "MPICH"},
    {"libmpi.so.12", "MPICH"}, /* Intel MPI and MVAPICH have MPICH's interface */
    {"libmpi_abi.so.0", "MPI ABI"}, {"libmpi_abi.so.1", "MPI ABI"},
};

const struct mpi_library *mpi_library_among(char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof mpi_libraries / sizeof mpi_libraries[0]; k++) {
            if (strcmp(names[i], mpi_libraries[k].soname) == 0)
                return &mpi_libraries[k];
        }
    }
    return NULL;
}

/* "	libm.so.6 => /lib/…/libm.so.6 (0x…)": takes the first word, without directories,
 * and the last word that is a path. */
static enum refrain_status add_line(struct libraries *l, const char *line)
{
    line += strspn(line, " \t");
    const size_t n = strcspn(line, " \t\n");
    const char *slash = memrchr(line, '/', n), *arrow = strstr(line, " => ");
    const char *name = slash ? slash + 1 : line, *path = arrow ? arrow + strlen(" => ") : slash ? line : "";
    if (n == 0)
        return REFRAIN_OK;
    char *copy = strndup(name, (size_t)(line + n - name));
    char *found = strndup(path, strcspn(path, " \t\n"));
    if (copy && found && array_reserve(&l->names, 1) && array_reserve(&l->paths, 1)) {
        array_push(&l->names, copy);
        if (strchr(found, '/'))
            array_push(&l->paths, found);
        else
            free(found);
        return REFRAIN_OK;
    }
    log_error("out of memory: the name of a library");
    free(copy);
    free(found);
    return REFRAIN_ERR_MEMORY;
}

/* Starts the loader with its output connected to a pipe. Returns the reading end, or -1. */
static int start(const char *loader, const char *program, pid_t *child)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    char *const argv[] = {(char *)loader, (char *)"--list", (char *)program, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    const bool started =
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn(child, loader, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!started)
        close(ends[0]);
    return started ? ends[0] : -1;
}

enum refrain_status libraries_list(struct libraries *l, const char *loader, const char *program)
{
    struct libraries list = {0};
    enum refrain_status status = REFRAIN_OK;
    char *line = NULL;
    size_t room = 0;
    pid_t child;
    *l = list;
    int fd = start(loader, program, &child);
    if (fd < 0)
        return REFRAIN_OK;
    FILE *answer = fdopen(fd, "r");
    if (!answer)
        close(fd);
    while (answer && status == REFRAIN_OK && getline(&line, &room, answer) >= 0)
        status = add_line(&list, line);
    if (answer)
        fclose(answer);
    free(line);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (status == REFRAIN_OK)
        *l = list;
    else
        libraries_free(&list);
    return status;
}

void libraries_free(struct libraries *l)
{
    for (size_t i = 0; i < l->names.n; i++)
        free(l->names.items[i]);
    for (size_t i = 0; i < l->paths.n; i++)
        free(l->paths.items[i]);
    array_free(&l->names);
    array_free(&l->paths);
}
