/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_tree.h"

#include "merge.h"

#include <assert.h>

void merge_tree_free(struct merge_tree *m)
{
    for (size_t i = 0; i < m->held.n; i++)
        trace_free(&m->held.items[i]);
    array_free(&m->held);
    m->taken = 0;
}

/* Merge the last two traces into one. */
static enum refrain_status join(struct merge_tree *m)
{
    struct trace *last = &m->held.items[--m->held.n];
    return merge_traces(last - 1, last);
}

enum refrain_status merge_tree_add(struct merge_tree *m, struct trace *t)
{
    if (!array_push(&m->held, *t)) {
        trace_free(t);
        return REFRAIN_ERR_MEMORY;
    }
    *t = (struct trace){0};
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t full = m->taken++; full & 1 && status == REFRAIN_OK; full >>= 1)
        status = join(m);
    return status;
}

enum refrain_status merge_tree_finish(struct merge_tree *m, struct trace *out)
{
    assert(m->taken > 0);
    enum refrain_status status = REFRAIN_OK;
    while (m->held.n > 1 && status == REFRAIN_OK)
        status = join(m);
    if (status == REFRAIN_OK) {
        *out = m->held.items[0];
        m->held.n = 0;
    }
    merge_tree_free(m);
    return status;
}
