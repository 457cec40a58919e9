/* SPDX-License-Identifier: BSD-3-Clause */
#include "status_field.h"

#include "src/core/base/placement.h"

#include <string.h>

HOT_DATA bool status_fields_known;

bool status_field_ask_bytes(const MPI_Status *status, int64_t *bytes)
{
    MPI_Count n; /* MPI_Get_count counts in ints; MPI_Count works for any length */
    if (PMPI_Get_elements_x(status, MPI_BYTE, &n) != MPI_SUCCESS)
        return false;
    *bytes = n;
    return true;
}

bool status_field_ask_cancelled(const MPI_Status *status, bool *cancelled)
{
    int flag;
    if (PMPI_Test_cancelled(status, &flag) != MPI_SUCCESS)
        return false;
    *cancelled = flag != 0;
    return true;
}

/* Make a status whose bytes are all `filling` except for these fields, and check how it is read. */
static bool is_as_expected(int filling, MPI_Count bytes, int cancelled)
{
    MPI_Status status;
    int64_t asked_bytes;
    bool asked_cancelled;
    memset(&status, filling, sizeof status);
    return PMPI_Status_set_elements_x(&status, MPI_BYTE, bytes) == MPI_SUCCESS &&
           PMPI_Status_set_cancelled(&status, cancelled) == MPI_SUCCESS &&
           status_field_ask_bytes(&status, &asked_bytes) && asked_bytes == status_field_bytes(&status) &&
           status_field_ask_cancelled(&status, &asked_cancelled) &&
           asked_cancelled == status_field_cancelled(&status);
}

void status_field_start(void)
{
    static const MPI_Count bytes[] = {0, 1, 0x7fffffff, 0x80000001, 0x123456789abc};
    bool known = true;
#ifdef STATUS_FIELD_UNKNOWN
    known = false;
#endif
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0] && known; i++)
        known = is_as_expected(0, bytes[i], 0) && is_as_expected(0, bytes[i], 1) &&
                is_as_expected(0xff, bytes[i], 0) && is_as_expected(0xff, bytes[i], 1);
    status_fields_known = known;
}
