/* SPDX-License-Identifier: BSD-3-Clause */
#include "assemble.h"

#include "src/core/merge/merge_tree.h"

#include <assert.h>

enum refrain_status assemble_trace(const struct part_source *s, struct trace *out)
{
    assert(s->n > 0);
    struct merge_tree tree = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && !status; i++) {
        struct part_file part = {0};
        status = s->open(s->context, i, &part);
        if (!status)
            status = merge_tree_add(&tree, &part.trace);
        part_file_close(&part);
        if (s->merged)
            s->merged(s->context);
    }
    if (!status)
        status = merge_tree_finish(&tree, out);
    merge_tree_free(&tree);
    return status;
}

/* The pieces of a part lie in the order of its index, without gaps (annex.h). */
enum refrain_status assemble_annex(const struct part_source *s, struct replacement *to)
{
    assert(s->n > 0);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && !status; i++) {
        struct part_file part = {0};
        status = s->open(s->context, i, &part);
        if (!status)
            status = part_file_check_annex(&part);
        if (!status)
            status = replace_add(to, part.annex, part.trace.annex.length);
        part_file_close(&part);
    }
    return status;
}
