/* SPDX-License-Identifier: BSD-3-Clause */
#include "rare_calls.h"

#include "decoder/render/call_argument.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const struct rare_calls *w, const char *function)
{
    for (size_t i = 0; w->functions[i]; i++) {
        if (strcmp(w->functions[i], function) == 0)
            return true;
    }
    return false;
}

static enum refrain_status take_call(void *rare_calls, const struct reader *r, const struct call *call)
{
    const struct rare_calls *w = rare_calls;
    return is_wanted(w, reader_function(r, call->site)) ? w->take(w->context, r, call) : REFRAIN_OK;
}

static enum refrain_status take_row(const struct rare_calls *w, const struct reader *r,
                                    const struct lane_ref *lane, const struct entry *entry,
                                    const struct row *row, uint64_t ordinal)
{
    int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
    if (!slots) {
        log_error("out of memory: a row of %u slots", row->n_slots);
        return REFRAIN_ERR_MEMORY;
    }
    row_at(row, ordinal, lane->rank, slots);
    const struct call call = {.rank = lane->rank,
                              .thread = lane->shape->number,
                              .site = entry->site,
                              .function = r->trace.sites.items[entry->site].function,
                              .slots = slots,
                              .n_slots = row->n_slots};
    const enum refrain_status status = w->take(w->context, r, &call);
    free(slots);
    return status;
}

/* Returns the next entry of the lane's shape, from *at on, with this function, and the rank's
 * group; NULL after the last one and after an error. */
static const struct entry *next_entry(const struct reader *r, const struct lane_ref *lane,
                                      const char *function, size_t *at, const struct group **group,
                                      uint64_t *ordinal, enum refrain_status *status)
{
    const struct shape *shape = lane->shape;
    while (*at < shape->entries.n) {
        const struct entry *entry = &shape->entries.items[(*at)++];
        if (strcmp(reader_function(r, entry->site), function) != 0)
            continue;
        *status = entry_group(entry, lane->rank, group, ordinal);
        return *status == REFRAIN_OK ? entry : NULL;
    }
    return NULL;
}

/* Do the rows alone contain all that is wanted of a function? */
static enum refrain_status rows_tell(const struct rare_calls *w, const struct reader *r,
                                     const struct lane_ref *lane, const char *function, bool *tell)
{
    const struct group *group;
    enum refrain_status status = REFRAIN_OK;
    uint64_t ordinal;
    size_t rows = 0;
    *tell = true;
    for (size_t at = 0; next_entry(r, lane, function, &at, &group, &ordinal, &status);) {
        rows += group->rows.n;
        *tell = *tell && group->columns.n == 0 && (!w->ordered || rows <= 1);
    }
    return status;
}

static enum refrain_status take_rows(const struct rare_calls *w, const struct reader *r,
                                     const struct lane_ref *lane, const char *function)
{
    const struct group *group;
    const struct entry *entry;
    enum refrain_status status = REFRAIN_OK;
    uint64_t ordinal;
    for (size_t at = 0; (entry = next_entry(r, lane, function, &at, &group, &ordinal, &status));) {
        for (size_t k = 0; status == REFRAIN_OK && k < group->rows.n; k++)
            status = take_row(w, r, lane, entry, &group->rows.items[k], ordinal);
        if (status != REFRAIN_OK)
            break;
    }
    return status;
}

static enum refrain_status find_in_lane(const struct rare_calls *w, const struct reader *r,
                                        const struct lane_ref *lane)
{
    enum refrain_status status = REFRAIN_OK;
    bool tell = true;
    for (size_t i = 0; status == REFRAIN_OK && tell && w->functions[i]; i++)
        status = rows_tell(w, r, lane, w->functions[i], &tell);
    if (status == REFRAIN_OK && !tell)
        return cursor_walk(r, lane, take_call, (void *)w);
    for (size_t i = 0; status == REFRAIN_OK && w->functions[i]; i++)
        status = take_rows(w, r, lane, w->functions[i]);
    return status;
}

static bool is_anywhere(const struct rare_calls *w, const struct reader *r)
{
    for (size_t i = 0; i < r->trace.functions.functions.n; i++) {
        if (is_wanted(w, r->trace.functions.functions.items[i].name))
            return true;
    }
    return false;
}

enum refrain_status rare_calls_find(const struct rare_calls *w, const struct reader *r)
{
    struct lane_ref lane;
    enum refrain_status status = REFRAIN_OK;
    if (!is_anywhere(w, r))
        return REFRAIN_OK;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            status = find_in_lane(w, r, &lane);
    }
    return status;
}

bool rare_calls_text(const struct reader *r, const struct call *call, const char *argument, struct bytes *out)
{
    struct layout_item item;
    if (!call_argument(r, call, argument, &item) || item.kind->type != VALUE_STRING || item.slots[0] < 0)
        return false;
    for (uint64_t i = 0; i < (uint64_t)item.slots[0]; i++)
        text_putc(out, (char)((uint64_t)item.slots[1 + i / 8] >> 8 * (i % 8)));
    return true;
}
