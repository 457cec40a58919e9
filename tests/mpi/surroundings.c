/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* A program that changes its surroundings before it calls MPI: its environment, its working
 * directory, and the number of files that it may open. The trace is still where the user asked for
 * it, and errno is the program's. */
#include "expect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The tracer cannot open files in its first calls, and MPI_Initialized does not change errno. */
static void without_files(void)
{
    struct rlimit limit, none;
    const int next = open("/dev/null", O_RDONLY);
    if (next < 0 || close(next) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        abort();
    none = (struct rlimit){.rlim_cur = (rlim_t)next, .rlim_max = limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    for (int i = 0; i < 10; i++) {
        int flag;
        errno = 0;
        MPI_Initialized(&flag);
        if (errno != 0) {
            perror("errno after MPI_Initialized");
            exit(1);
        }
        OK("MPI_Initialized(flag=0)");
    }
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"REFRAIN_OUTPUT", "REFRAIN_VERIFY"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *value = getenv(names[i]);
        if (value) /* a program that shows a title in ps writes over its environment */
            memset(value, '#', strlen(value));
        unsetenv(names[i]);
    }
    if (chdir("/") != 0) {
        perror("chdir");
        return 1;
    }
    expect_open(argc, argv);
    without_files();
    expect_start(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    return expect_end();
}
