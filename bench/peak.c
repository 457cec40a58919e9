/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the peak memory of a process: `peak FILE COMMAND…` runs the command, ends with its
 * status, and appends a line with the kilobytes to the file. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    if (argc < 3)
        return 2;
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 2;
    FILE *f = fopen(argv[1], "a");
    if (!f || fprintf(f, "%ld\n", usage.ru_maxrss) < 0 || fclose(f) != 0)
        return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
