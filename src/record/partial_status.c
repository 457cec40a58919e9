/* SPDX-License-Identifier: BSD-3-Clause */
#include "partial_status.h"

#include <assert.h>
#include <string.h>

static const struct partial_status *find(const struct partial_statuses *p, const MPI_Status *status)
{
    for (size_t i = 0; i < PARTIAL_STATUSES; i++) {
        const struct partial_status *item = &p->items[i];
        if (item->meaning != HANDLE_STATUS_WHOLE && memcmp(&item->status, status, sizeof *status) == 0)
            return item;
    }
    return NULL;
}

void partial_status_note(struct partial_statuses *p, const MPI_Status *status, enum handle_status meaning)
{
    assert(meaning != HANDLE_STATUS_WHOLE);
    partial_status_forget(p, status);
    p->items[p->n++ % PARTIAL_STATUSES] = (struct partial_status){*status, meaning};
}

enum handle_status partial_status_find(const struct partial_statuses *p, const MPI_Status *status)
{
    const struct partial_status *item = find(p, status);
    return item ? item->meaning : HANDLE_STATUS_WHOLE;
}

void partial_status_forget(struct partial_statuses *p, const MPI_Status *status)
{
    const struct partial_status *item = find(p, status);
    if (item)
        p->items[item - p->items].meaning = HANDLE_STATUS_WHOLE;
}
