/* SPDX-License-Identifier: BSD-3-Clause */
#include "failure.h"

static const char *const underway[FAILURES_UNDERWAY] = {
    "MPI_ERR_OTHER",        "MPI_ERR_UNKNOWN",     "MPI_ERR_INTERN",      "MPI_ERR_IO",
    "MPI_ERR_NO_SPACE",     "MPI_ERR_QUOTA",       "MPI_ERR_READ_ONLY",   "MPI_ERR_ACCESS",
    "MPI_ERR_NO_SUCH_FILE", "MPI_ERR_FILE_EXISTS", "MPI_ERR_FILE_IN_USE", "MPI_ERR_CONVERSION",
    "MPI_ERR_NO_MEM",       "MPI_ERR_RMA_ATTACH",  "MPI_ERR_RMA_SHARED",
};

void failures_find(struct failures *f, const struct functable *t)
{
    f->truncate = functable_value(t, NULL, "MPI_ERR_TRUNCATE");
    for (size_t i = 0; i < FAILURES_UNDERWAY; i++)
        f->underway[i] = functable_value(t, NULL, underway[i]);
}

bool failure_is_underway(const struct failures *f, int64_t error)
{
    for (size_t i = 0; i < FAILURES_UNDERWAY; i++) {
        if (f->underway[i] == error)
            return true;
    }
    return error == f->truncate;
}
