/* A program that changes what surrounds it before it calls MPI: its environment and its working directory.
 * The trace is where the user asked for it all the same. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    expect_start(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    return expect_end();
}
