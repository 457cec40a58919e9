/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* A program that forks: a child that only ends, one that continues in place of its parent, as a
 * daemon does, and one while MPI is active, whose calls do not matter. Only the process that calls
 * MPI_Init has a trace, including the calls before the fork. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t forked(void)
{
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(3);
    }
    return child;
}

/* Returns the exit status of a child. */
static int status_of(pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        exit(3);
    return WEXITSTATUS(status);
}

static void let_child_end(void)
{
    pid_t child = forked();
    if (child == 0)
        exit(7);
    if (status_of(child) != 7)
        EXPECT("the child should have ended with its own status");
}

int main(int argc, char **argv)
{
    int flag;
    expect_open(argc, argv);
    MPI_Initialized(&flag);
    OK("MPI_Initialized(flag=0)");
    let_child_end();
    pid_t child = forked();
    if (child > 0)
        _exit(status_of(child));
    MPI_Init(&argc, &argv);
    OK("MPI_Init(argc=%d, argv=%s)", argc, quoted_list(argc, argv));
    expect_world();
    let_child_end();
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    return expect_end();
}
