/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the size and extent of datatypes in the definitions lane; a reader needs them to count bytes. */
#ifndef REFRAIN_DATATYPE_H
#define REFRAIN_DATATYPE_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/placement.h"
#include "src/memory/guard.h"

/* Each type is passed as HANDLE_VALUE and as slot. A failure stops the tracer. */
void datatype_define(uint64_t type, int64_t slot); /* a new number */

#define DATATYPE_PREDEFINED_MAX 512 /* more than any MPI has; further ones would be defined at every use */

extern GUARD_HIDDEN atomic_bool datatype_defined[DATATYPE_PREDEFINED_MAX]; /* indexed by constant */
COLD void datatype_define_predefined(uint64_t type, int64_t slot);

/* Is a predefined type defined already? It is defined when it is first used. */
static inline bool datatype_is_defined(int64_t slot)
{
    const uint64_t index = (uint64_t)slot >> 1;
    return index < DATATYPE_PREDEFINED_MAX &&
           atomic_load_explicit(&datatype_defined[index], memory_order_relaxed);
}

static inline void datatype_used(uint64_t type, int64_t slot)
{
    if (!datatype_is_defined(slot))
        datatype_define_predefined(type, slot);
}

/* The number of elements of each kind that MPI_Type_get_contents fills in; ARRAY_UNUSED if MPI does not
 * say. */
struct datatype_contents {
    int64_t integers, addresses, large_counts, datatypes;
};
struct datatype_contents datatype_contents(MPI_Datatype type);
/* The same for large counts; `get_envelope` is MPI_Type_get_envelope_c, which not every MPI library has. */
struct datatype_contents datatype_contents_large(int (*get_envelope)(MPI_Datatype, MPI_Count *, MPI_Count *,
                                                                     MPI_Count *, MPI_Count *, int *),
                                                 MPI_Datatype type);

#endif
