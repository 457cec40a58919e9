/* SPDX-License-Identifier: BSD-3-Clause */
/* For callsites.c and its library: who calls whom, by the program's own account.
 *
 *     CALL(f())                  in any function: calls it
 *     MPI("MPI_Barrier", call)   makes an MPI call, and says which and from where, innermost caller first:
 *                                MPI_Barrier helper (callsites.c:11) < main (callsites.c:45)
 *
 * Each has to stand in one line. */
#ifndef CALLSITES_H
#define CALLSITES_H

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 16

struct caller {
    const char *function, *file;
    int line;
};

extern struct caller callers[DEPTH_MAX];
extern int depth;

#define FILE_NAME       (strrchr("/" __FILE__, '/') + 1)
#define CALL(call)      (callers[depth++] = (struct caller){__func__, FILE_NAME, __LINE__}, (call), depth--)
#define MPI(name, call) CALL(((call), say(name)))

void say(const char *name);
void library_barrier(void);

#endif
