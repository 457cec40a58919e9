/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation.h"

#include "operation_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is the same for all ranks ---------------------------------------------------------- */

static int64_t constant(const struct functable *t, const char *set, const char *name)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (strcmp(c->name, name) == 0 && (!set || strcmp(c->set, set) == 0))
            return c->value;
    }
    return INT64_MIN;
}

static bool has_function(const struct functable *t, const char *name)
{
    for (size_t i = 0; i < t->functions.n; i++) {
        if (strcmp(t->functions.items[i].name, name) == 0)
            return true;
    }
    return false;
}

enum refrain_status operation_source_create(struct operation_source *s, const struct reader *r,
                                            const struct definitions *d)
{
    const struct functable *t = &r->trace.functions;
    *s = (struct operation_source){.reader = r,
                                   .definitions = d,
                                   .any_source = constant(t, "RANK", "MPI_ANY_SOURCE"),
                                   .any_tag = constant(t, "TAG", "MPI_ANY_TAG"),
                                   .proc_null = constant(t, "RANK", "MPI_PROC_NULL"),
                                   .root = constant(t, "RANK", "MPI_ROOT"),
                                   .pending = constant(t, NULL, "MPI_ERR_PENDING"),
                                   .no_succeed = constant(t, NULL, "MPI_MODE_NOSUCCEED"),
                                   .cancels = has_function(t, "MPI_Cancel"),
                                   .partners =
                                       has_function(t, "MPI_Win_start") || has_function(t, "MPI_Win_post")};
    failures_find(&s->failures, t);
    enum refrain_status status = roles_find(t, &s->roles);
    if (status == REFRAIN_OK)
        status = groups_create(&s->groups, r, d);
    if (status != REFRAIN_OK)
        operation_source_free(s);
    return status;
}

void operation_source_free(struct operation_source *s)
{
    groups_free(&s->groups);
    free(s->roles);
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
    const uint64_t length = call.leave - call.enter, each = length > 3 * (uint64_t)n ? 2 : 1;
    return length > n ? (struct timestamp){call.enter + 1 + i, call.leave - each * (n - i)} : call;
}
