/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <string.h>

#include "src/record/partial_status.h"

/* A status as a program has it, with garbage in all fields without a name. */
static MPI_Status status_of(int source, int tag)
{
    MPI_Status s;
    memset(&s, 0xa5, sizeof s);
    s.MPI_SOURCE = source;
    s.MPI_TAG = tag;
    return s;
}

Test(partial_status, is_found_by_its_bytes)
{
    struct partial_statuses p = {0};
    const MPI_Status file = status_of(7013, 0), probe = status_of(1, 2), other = status_of(1, 3);
    cr_expect_eq(partial_status_find(&p, &file), HANDLE_STATUS_WHOLE);
    partial_status_note(&p, &file, HANDLE_STATUS_BYTES);
    partial_status_note(&p, &probe, HANDLE_STATUS_PROBED);
    const MPI_Status copy = file;
    cr_expect_eq(partial_status_find(&p, &copy), HANDLE_STATUS_BYTES);
    cr_expect_eq(partial_status_find(&p, &probe), HANDLE_STATUS_PROBED);
    cr_expect_eq(partial_status_find(&p, &other), HANDLE_STATUS_WHOLE);
}

Test(partial_status, is_forgotten)
{
    struct partial_statuses p = {0};
    const MPI_Status file = status_of(7013, 0), probe = status_of(1, 2);
    partial_status_note(&p, &file, HANDLE_STATUS_BYTES);
    partial_status_note(&p, &probe, HANDLE_STATUS_PROBED);
    partial_status_forget(&p, &file);
    cr_expect_eq(partial_status_find(&p, &file), HANDLE_STATUS_WHOLE);
    cr_expect_eq(partial_status_find(&p, &probe), HANDLE_STATUS_PROBED);
}

Test(partial_status, the_last_ones_are_known)
{
    struct partial_statuses p = {0};
    for (int i = 0; i <= PARTIAL_STATUSES; i++) {
        const MPI_Status s = status_of(i, 0);
        partial_status_note(&p, &s, HANDLE_STATUS_BYTES);
        /* again: this replaces the note before */
        partial_status_note(&p, &s, HANDLE_STATUS_PROBED);
    }
    const MPI_Status last = status_of(PARTIAL_STATUSES, 0), first = status_of(0, 0);
    cr_expect_eq(partial_status_find(&p, &last), HANDLE_STATUS_PROBED);
    cr_expect_eq(partial_status_find(&p, &first), HANDLE_STATUS_WHOLE);
}
