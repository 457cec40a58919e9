/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation.h"

#include "operation_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the source of operations ---------------------------------------------------------------- */

enum refrain_status operation_source_create(struct operation_source *s, const struct reader *r,
                                            const struct definitions *d)
{
    const struct functable *t = &r->trace.functions;
    *s = (struct operation_source){.reader = r,
                                   .definitions = d,
                                   .any_source = functable_value(t, "RANK", "MPI_ANY_SOURCE"),
                                   .any_tag = functable_value(t, "TAG", "MPI_ANY_TAG"),
                                   .proc_null = functable_value(t, "RANK", "MPI_PROC_NULL"),
                                   .root = functable_value(t, "RANK", "MPI_ROOT"),
                                   .pending = functable_value(t, NULL, "MPI_ERR_PENDING"),
                                   .no_succeed = functable_value(t, NULL, "MPI_MODE_NOSUCCEED"),
                                   .exclusive = functable_value(t, "LOCK", "MPI_LOCK_EXCLUSIVE")};
    failures_find(&s->failures, t);
    volume_source_start(&s->volumes, r, d, &s->roles);
    enum refrain_status status = roles_find(&s->roles, t);
    for (size_t i = 0; i < s->roles.n; i++) {
        const struct role *role = &s->roles.items[i];
        s->cancels = s->cancels || role->actions & ROLE_CANCEL;
        s->partners = s->partners || (role->actions & ROLE_OPEN &&
                                      (role->epoch == ROLE_ACCESS || role->epoch == ROLE_EXPOSURE));
    }
    if (status == REFRAIN_OK)
        status = groups_create(&s->groups, r, d);
    if (status != REFRAIN_OK)
        operation_source_free(s);
    return status;
}

void operation_source_free(struct operation_source *s)
{
    groups_free(&s->groups);
    roles_free(&s->roles);
    *s = (struct operation_source){0};
}

/* ---- a rank ---------------------------------------------------------------------------------- */

void operations_start(struct operations *o, const struct operation_source *source, uint32_t rank)
{
    *o = (struct operations){.source = source, .rank = rank};
    requests_start(&o->requests);
}

void operations_stop(struct operations *o)
{
    requests_stop(&o->requests);
    windows_files_free(&o->windows_files);
    process_groups_free(&o->groups);
    map_free(&o->by_what);
    array_free(&o->counters);
    array_free(&o->queue);
}

struct timestamp operation_timestamp(struct timestamp call, size_t i, size_t n)
{
    assert(i < n && call.enter <= call.leave);
    const uint64_t length = call.leave - call.enter, each = length > 3 * (uint64_t)n ? 2 : 1;
    return length > n ? (struct timestamp){call.enter + 1 + i, call.leave - each * (n - i)} : call;
}
