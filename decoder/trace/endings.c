/* SPDX-License-Identifier: BSD-3-Clause */
#include "endings.h"

#include "cursor.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

bool endings_has(const struct trace *t)
{
    return trace_meta(t, "parts") != NULL;
}

/* Reads the call as an ending if it is `@end`; otherwise leaves *e unchanged. */
static enum refrain_status take_end(const struct reader *r, const struct call *call, struct ending *e)
{
    const struct functable *t = &r->trace.functions;
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    if (strcmp(t->functions.items[call->function].name, "@end") != 0)
        return REFRAIN_OK;
    e->kind = ENDING_TOLD;
    layout_start(&layout, t, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (!item.param || item.n_slots == 0)
            continue;
        if (strcmp(item.param->name, "how") == 0 && item.kind->type == VALUE_STRING)
            text_of_slots(item.slots, e->how, sizeof e->how);
        else if (strcmp(item.param->name, "detail") == 0 && item.kind->type == VALUE_INT)
            e->detail = item.slots[0];
    }
    if (!e->how[0]) /* the process continued */
        e->kind = ENDING_CHECKPOINT;
    return status;
}

/* The ending is the last definition of its rank. */
static enum refrain_status read_rank(const struct reader *r, uint32_t rank, struct ending *e)
{
    struct lane_ref lane;
    struct cursor cursor;
    struct call call;
    size_t at = 0;
    *e = (struct ending){.kind = ENDING_MISSING};
    if (!reader_next_lane(r, rank, LANE_DEFINITIONS, &at, &lane))
        return REFRAIN_OK;
    e->kind = ENDING_CHECKPOINT;
    enum refrain_status status = cursor_start(&cursor, r, &lane);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t n = cursor_calls(&cursor);
    if (n > 0 && (status = cursor_seek(&cursor, n - 1)) == REFRAIN_OK && cursor_next(&cursor, &call, &status))
        status = take_end(r, &call, e);
    cursor_stop(&cursor);
    return status;
}

static enum refrain_status add(struct endings *all, const struct ending *new, uint32_t rank)
{
    size_t i = 0;
    while (i < all->items.n &&
           (all->items.items[i].kind != new->kind || all->items.items[i].detail != new->detail ||
            strcmp(all->items.items[i].how, new->how) != 0))
        i++;
    if (i == all->items.n && !array_push(&all->items, *new))
        return REFRAIN_ERR_MEMORY;
    return array_push(&all->items.items[i].ranks, rank) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status endings_read(struct endings *e, const struct reader *r)
{
    const struct trace *t = &r->trace;
    enum refrain_status status = REFRAIN_OK;
    *e = (struct endings){0};
    for (uint32_t i = 0; endings_has(t) && i < t->n_ranks && status == REFRAIN_OK; i++) {
        struct ending one;
        status = read_rank(r, t->first_rank + i, &one);
        if (status == REFRAIN_OK)
            status = add(e, &one, t->first_rank + i);
    }
    if (status != REFRAIN_OK)
        endings_free(e);
    return status;
}

void endings_free(struct endings *e)
{
    for (size_t i = 0; i < e->items.n; i++)
        array_free(&e->items.items[i].ranks);
    array_free(&e->items);
}

enum ending_kind endings_of(const struct endings *e, uint32_t rank)
{
    for (size_t i = 0; i < e->items.n; i++) {
        const struct ending *one = &e->items.items[i];
        if (bsearch(&rank, one->ranks.items, one->ranks.n, sizeof rank, order_u32))
            return one->kind;
    }
    return ENDING_TOLD;
}

bool endings_are_cut_off(const struct endings *e)
{
    bool any = false;
    for (size_t i = 0; i < e->items.n; i++) {
        const struct ending *one = &e->items.items[i];
        any = any || one->kind != ENDING_TOLD ||
              (strcmp(one->how, "MPI_Finalize") != 0 && strcmp(one->how, "MPI_Session_finalize") != 0);
    }
    return any;
}

/* ---- in words -------------------------------------------------------------------------------- */

/* What Open MPI's processes get from their launcher if it is gone (PMIX_ERR_LOST_CONNECTION). */
#define CODE_LOST_LAUNCHER (-61)

/* Returns the name of a signal or of a code; NULL: it has none. */
static const char *name_of(const struct ending *e)
{
    if (strcmp(e->how, "MPI error") == 0 && e->detail == CODE_LOST_LAUNCHER)
        return "connection to mpirun lost";
    return strcmp(e->how, "signal") == 0 ? sigabbrev_np((int)e->detail) : NULL;
}

void ending_put(const struct ending *e, struct bytes *out)
{
    const struct {
        const char *how, *words;
        bool has_detail;
    } told[] = {
        {"MPI_Abort", "MPI_Abort with error code", true},
        {"MPI error", e->detail < 0 ? "an internal MPI error," : "a fatal MPI error of class", true},
        {"signal", "signal", true},
        {"exit", "exit without MPI_Finalize", false},
        {"MPI_Session_finalize", "MPI_Session_finalize, as it should", false},
        {"MPI_Finalize", "MPI_Finalize, which could not write the trace", false},
    };
    if (e->kind != ENDING_TOLD) {
        text_put(out, e->kind == ENDING_CHECKPOINT ? "unknown, recorded up to a checkpoint" : "left no part");
        return;
    }
    size_t i = 0;
    while (i < sizeof told / sizeof told[0] && strcmp(told[i].how, e->how) != 0)
        i++;
    const bool known = i < sizeof told / sizeof told[0];
    text_put_name(out, known ? told[i].words : e->how);
    if (!known || told[i].has_detail)
        text_printf(out, " %" PRId64, e->detail);
    const char *name = name_of(e);
    if (name)
        text_printf(out, " (%s%s)", strcmp(e->how, "signal") == 0 ? "SIG" : "", name);
}

void ending_put_ranks(const struct ending *e, struct bytes *out)
{
    const uint32_t *ranks = e->ranks.items;
    for (size_t i = 0, last; i < e->ranks.n; i = last + 1) {
        for (last = i; last + 1 < e->ranks.n && ranks[last + 1] == ranks[last] + 1; last++)
            ;
        text_printf(out, "%s%" PRIu32, i > 0 ? "," : "", ranks[i]);
        if (last > i)
            text_printf(out, "-%" PRIu32, ranks[last]);
    }
}

static void put_one(const struct ending *e, struct bytes *out)
{
    text_put(out, e->ranks.n == 1 ? "rank " : "ranks ");
    ending_put_ranks(e, out);
    switch (e->kind) {
    case ENDING_MISSING:
        text_put(out, " left no part");
        break;
    case ENDING_CHECKPOINT:
        text_put(out, e->ranks.n == 1 ? " is there up to a checkpoint; it is not known how it ended"
                                      : " are there up to a checkpoint; it is not known how they ended");
        break;
    case ENDING_TOLD:
        text_put(out, " ended by ");
        ending_put(e, out);
        break;
    }
}

void endings_put(const struct endings *e, struct bytes *out)
{
    for (size_t i = 0; i < e->items.n; i++) {
        text_put(out, i == 0 ? "The trace was put together from parts: " : "; ");
        put_one(&e->items.items[i], out);
    }
    text_put(out, e->items.n > 0 ? ".\n" : "");
}

void endings_put_cut_off(const struct endings *e, struct bytes *out)
{
    text_put(out, "The run was cut off: all of this is of the part that was recorded. ");
    endings_put(e, out);
}
