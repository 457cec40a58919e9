/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the shared libraries that a program would load, directly or indirectly, and the MPI library among
 * them. */
#ifndef REFRAIN_LIBRARIES_H
#define REFRAIN_LIBRARIES_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

struct libraries {
    ARRAY(char *) names; /* of files, without directory, owned */
    ARRAY(char *) paths; /* of those that the loader has found, owned */
};

/* Asks the program's own dynamic loader, which alone knows the search path, with `LOADER --list PROGRAM`:
 * glibc's and musl's print a line for each library and run nothing. No answer is not an error: the list is
 * empty then. */
enum refrain_status libraries_list(struct libraries *l, const char *loader, const char *program);
void libraries_free(struct libraries *l);

struct mpi_library {
    const char *soname; /* "libmpi.so.40", as the file is called */
    const char *mpi; /* "Open MPI": whose interface it has; libraries of one name can stand for each other */
};

/* Returns the first MPI library among file names; NULL if there is none. */
const struct mpi_library *mpi_library_among(char *const *names, size_t n);

#endif
