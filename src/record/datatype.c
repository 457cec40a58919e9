/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype.h"

#include "definition_records.h"
#include "handle.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/core/trace/functable.h"
#include "tracer.h"

#include <assert.h>

HOT_DATA atomic_bool datatype_defined[DATATYPE_PREDEFINED_MAX];

void datatype_define(uint64_t type, int64_t slot)
{
    const MPI_Datatype t = (MPI_Datatype)(intptr_t)type;
    MPI_Count size, lb, extent;
    if (!tracer.up)
        return; /* MPI may not be asked */
    if (PMPI_Type_size_x(t, &size) != MPI_SUCCESS || PMPI_Type_get_extent_x(t, &lb, &extent) != MPI_SUCCESS) {
        log_error("asking for the size of a datatype failed");
        tracer_stop();
        return;
    }
    definition_records_datatype(slot, size, lb, extent);
}

void datatype_define_predefined(uint64_t type, int64_t slot)
{
    assert(slot & 1);
    const uint64_t index = (uint64_t)slot >> 1;
    if (!tracer.up || type == HANDLE_VALUE(MPI_DATATYPE_NULL) || index >= DATATYPE_PREDEFINED_MAX)
        return;
    if (!atomic_exchange(&datatype_defined[index], true))
        datatype_define(type, slot);
}

static const struct datatype_contents unknown = {ARRAY_UNUSED, ARRAY_UNUSED, ARRAY_UNUSED, ARRAY_UNUSED};

struct datatype_contents datatype_contents(MPI_Datatype type)
{
    int integers, addresses, datatypes, combiner;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner) != MPI_SUCCESS)
        return unknown;
    return (struct datatype_contents){integers, addresses, 0, datatypes};
}

struct datatype_contents datatype_contents_large(int (*get_envelope)(MPI_Datatype, MPI_Count *, MPI_Count *,
                                                                     MPI_Count *, MPI_Count *, int *),
                                                 MPI_Datatype type)
{
    MPI_Count integers, addresses, large_counts, datatypes;
    int combiner;
    if (get_envelope(type, &integers, &addresses, &large_counts, &datatypes, &combiner) != MPI_SUCCESS)
        return unknown;
    return (struct datatype_contents){integers, addresses, large_counts, datatypes};
}
