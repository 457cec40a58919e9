/* What the reader has to know of datatypes to count bytes: size and extent, in the definitions lane. */
#ifndef REFRAIN_DATATYPE_H
#define REFRAIN_DATATYPE_H

#include <mpi.h>
#include <stdint.h>

/* Types as HANDLE_VALUE and as slot. A failure stops the tracer. */
void datatype_define(uint64_t type, int64_t slot); /* a new number */
void datatype_used(uint64_t type, int64_t slot);   /* a predefined type: defined when it is used first */
/* How many elements MPI_Type_get_contents fills in; ARRAY_UNUSED where MPI does not tell. */
struct datatype_contents {
    int64_t integers, addresses, large_counts, datatypes;
};
struct datatype_contents datatype_contents(MPI_Datatype type);
/* The same for large counts; `get_envelope` is MPI_Type_get_envelope_c, which not every MPI library has. */
struct datatype_contents datatype_contents_large(int (*get_envelope)(MPI_Datatype, MPI_Count *, MPI_Count *,
                                                                     MPI_Count *, MPI_Count *, int *),
                                                 MPI_Datatype type);

#endif
