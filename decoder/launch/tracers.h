/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracers that are installed: one for each MPI library that Refrain was built with.
 *
 *     lib/refrain/openmpi/librefrain.so       needs libmpi.so.40: Open MPI
 *     lib/refrain/mpich/librefrain.so         needs libmpich.so.12: MPICH */
#ifndef REFRAIN_TRACERS_H
#define REFRAIN_TRACERS_H

#include "libraries.h"
#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

struct tracer {
    char *path;      /* without links, owned */
    const char *mpi; /* whose interface it uses, as struct mpi_library has it; NULL if that is not known */
};

struct tracers {
    ARRAY(struct tracer) items; /* in the order of their paths */
};

/* The tracer that REFRAIN_LIBRARY names, otherwise those next to this command, in the build tree or
 * installed. At least one; none is an error. */
enum refrain_status tracers_find(struct tracers *t);
void tracers_free(struct tracers *t);

/* Returns the tracer for an MPI library; NULL if there is none. */
const struct tracer *tracers_for(const struct tracers *t, const char *mpi);
/* "Open MPI, MPICH" */
void tracers_put_names(const struct tracers *t, struct bytes *out);

#endif
