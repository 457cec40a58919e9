#include "otf2_call.h"

#include "text.h"

#include <string.h>

bool otf2_call_argument(const struct reader *r, const struct call *call, const char *name,
                        struct layout_item *out)
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
    const char *name = functable_constant(&r->trace.functions, item->kind->set, item->slots[0]);
    return name ? name : "";
}

enum otf2_root otf2_call_root(const struct reader *r, const struct call *call, int64_t *root)
{
    struct layout_item item;
    if (!otf2_call_argument(r, call, "root", &item))
        return OTF2_ROOT_NONE;
    const char *name = constant_of(r, &item);
    *root = item.slots[0];
    return strcmp(name, "MPI_ROOT") == 0        ? OTF2_ROOT_SELF
           : strcmp(name, "MPI_PROC_NULL") == 0 ? OTF2_ROOT_THIS_GROUP
                                                : OTF2_ROOT_RANK;
}

bool otf2_call_has(const struct reader *r, const struct call *call, const char *name, const char *constant)
{
    struct layout_item item;
    if (!otf2_call_argument(r, call, name, &item))
        return false;
    if (item.kind->type != VALUE_FLAGS)
        return strcmp(constant_of(r, &item), constant) == 0;
    for (size_t i = 0; i < r->trace.functions.constants.n; i++) {
        const struct constant *c = &r->trace.functions.constants.items[i];
        if (strcmp(c->set, item.kind->set) == 0 && strcmp(c->name, constant) == 0)
            return c->value != 0 && (item.slots[0] & c->value) == c->value;
    }
    return false;
}

void otf2_call_text(const struct reader *r, const struct call *call, const char *name, char *to, size_t size)
{
    struct layout_item item;
    to[0] = '\0';
    if (otf2_call_argument(r, call, name, &item) && item.kind->type == VALUE_STRING)
        text_of_slots(item.slots, to, size);
}
