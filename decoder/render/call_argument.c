/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_argument.h"

#include "decoder/util/text.h"

#include <string.h>

bool call_argument(const struct reader *r, const struct call *call, const char *name, struct layout_item *out)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, &r->trace.functions, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (item.param && strcmp(item.param->name, name) == 0) {
            *out = item;
            return item.n_slots > 0;
        }
    }
    return false;
}

static const char *constant_of(const struct reader *r, const struct layout_item *item)
{
    const bool handle = item->kind->type == VALUE_HANDLE;
    const int64_t value = item->slots[0];
    const char *name =
        handle && (value < 0 || !(value & 1))
            ? NULL
            : functable_constant(&r->trace.functions, item->kind->set, handle ? value >> 1 : value);
    return name ? name : "";
}

bool call_argument_is(const struct reader *r, const struct call *call, const char *name, const char *constant)
{
    struct layout_item item;
    if (!call_argument(r, call, name, &item))
        return false;
    if (item.kind->type != VALUE_FLAGS)
        return strcmp(constant_of(r, &item), constant) == 0;
    const int64_t flags = functable_value(&r->trace.functions, item.kind->set, constant);
    return flags != FUNCTABLE_UNUSED && flags != 0 && (item.slots[0] & flags) == flags;
}

void call_argument_text(const struct reader *r, const struct call *call, const char *name, char *to,
                        size_t size)
{
    struct layout_item item;
    to[0] = '\0';
    if (call_argument(r, call, name, &item) && item.kind->type == VALUE_STRING)
        text_of_slots(item.slots, to, size);
}

bool call_succeeded(const struct reader *r, const struct call *call)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, &r->trace.functions, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (!item.param)
            return item.slots[0] == 0;
    }
    return false;
}
