/* SPDX-License-Identifier: BSD-3-Clause */
/* Divide a row into values by the function table; functable.h describes rows. */
#include "functable.h"

#include "src/core/base/log.h"

#include <string.h>

static uint32_t string_slots(const int64_t *slots, uint32_t n)
{
    if (n == 0 || slots[0] < 0)
        return 1;
    uint64_t need = 1 + ((uint64_t)slots[0] + 7) / 8;
    return need > n ? UINT32_MAX : (uint32_t)need;
}

static uint32_t strings_slots(const int64_t *slots, uint32_t n)
{
    uint32_t at = 1;
    if (n == 0)
        return at;
    for (int64_t left = slots[0]; left > 0; left--) {
        if (at >= n)
            return UINT32_MAX;
        uint32_t one = string_slots(slots + at, n - at);
        if (one > n - at)
            return UINT32_MAX;
        at += one;
    }
    return at;
}

static const uint8_t address_slots[ADDRESS_FORMS] = {
    [ADDRESS_CONSTANT] = 2, [ADDRESS_UNKNOWN] = 1, [ADDRESS_STACK] = 2,
    [ADDRESS_STATIC] = 3,   [ADDRESS_HEAP] = 3,    [ADDRESS_MAP] = 3,
    [ADDRESS_MPI] = 3,      [ADDRESS_WINDOW] = 3,  [ADDRESS_DEVICE] = 4,
};

uint32_t layout_value_slots(enum value_type type, const int64_t *slots, uint32_t n)
{
    switch (type) {
    case VALUE_ADDRESS:
        return n > 0 && slots[0] > 0 && slots[0] < ADDRESS_FORMS ? address_slots[slots[0]] : 1;
    case VALUE_STRING:
        return string_slots(slots, n);
    case VALUE_STRINGS:
        return strings_slots(slots, n);
    case VALUE_STATUS:
        return STATUS_SLOTS;
    default:
        return 1;
    }
}

void layout_start(struct layout *l, const struct functable *t, uint32_t function, const int64_t *slots,
                  uint32_t n)
{
    *l = (struct layout){.table = t,
                         .function = function < t->functions.n ? &t->functions.items[function] : NULL,
                         .slots = slots,
                         .n = n,
                         .phase = LAYOUT_BEFORE};
}

/* Find the next item: set l->phase and l->param. False if there is none: a call that did not return
 * has neither a result nor parameters after it. */
static inline bool next_place(struct layout *l, const struct param **param)
{
    const struct function *f = l->function;
    *param = NULL;
    if (l->phase == LAYOUT_BEFORE) {
        while (l->param < f->n_params && !(f->params[l->param].flags & PARAM_IN))
            l->param++;
        if (l->param < f->n_params) {
            *param = &f->params[l->param++];
            return true;
        }
        l->phase = LAYOUT_RESULT;
        if (f->result > 0 && l->at < l->n)
            return true;
    }
    if (l->phase == LAYOUT_RESULT) {
        l->phase = LAYOUT_AFTER;
        /* if no slots are left, the call failed or has no output */
        l->param = l->at == l->n ? f->n_params : 0;
    }
    while (l->param < f->n_params && !(f->params[l->param].flags & PARAM_OUT))
        l->param++;
    if (l->param == f->n_params)
        return false;
    *param = &f->params[l->param++];
    return true;
}

static const struct kind *kind_of(const struct layout *l, const struct param *param)
{
    return &l->table->kinds.items[param ? param->kind : l->function->result - 1];
}

/* Step over a value; false when it is cut off. */
static bool skip_value(struct layout *l, enum value_type type, struct layout_item *item)
{
    uint32_t left = l->n - l->at;
    uint32_t n = layout_value_slots(type, l->slots + l->at, left);
    if (n > left)
        return false;
    l->at += n;
    item->n_slots += n;
    return true;
}

/* Read the item at l->at, whose phase, param and kind are known. False when it is cut off. */
static bool read_item(struct layout *l, struct layout_item *item)
{
    unsigned flags = item->param ? item->param->flags : 0;
    bool counted = flags & (PARAM_ARRAY | PARAM_NULLABLE);
    item->count = 1;
    item->n_slots = 0;
    if (counted) {
        if (l->at == l->n)
            return false;
        item->count = l->slots[l->at++];
        if (!(flags & PARAM_ARRAY) && item->count != 1 && item->count != ARRAY_NULL)
            return false;
    }
    item->slots = l->slots + l->at;
    for (int64_t i = 0; i < item->count; i++) {
        if (!skip_value(l, item->kind->type, item))
            return false;
    }
    return true;
}

bool layout_next(struct layout *l, struct layout_item *item, enum refrain_status *status)
{
    *status = REFRAIN_ERR_FORMAT;
    if (!l->function) {
        log_error("a row belongs to a function that the function table does not have");
        return false;
    }
    const struct param *param;
    if (!next_place(l, &param)) {
        if (l->at == l->n)
            *status = REFRAIN_OK;
        else
            log_error("%s: a row of %u slots is longer than the parameters", l->function->name, l->n);
        return false;
    }
    struct layout_item next = {.phase = l->phase, .param = param, .kind = kind_of(l, param)};
    if (!read_item(l, &next)) {
        log_error("%s: a row of %u slots is cut off in %s", l->function->name, l->n,
                  param ? param->name : "the result");
        return false;
    }
    *item = next;
    *status = REFRAIN_OK;
    return true;
}

/* Slots before the first undecided one are known, so the search finds every slot that decides the
 * layout. */
bool layout_is_undecided(const struct layout *l, const bool *varies)
{
    struct layout ahead = *l;
    const struct param *param;
    int64_t count = 1;
    uint32_t at = l->at;
    if (!l->function || !next_place(&ahead, &param))
        return false;
    const enum value_type type = kind_of(l, param)->type;
    if (param && param->flags & (PARAM_ARRAY | PARAM_NULLABLE) && at < l->n) {
        if (varies[at])
            return true;
        count = l->slots[at++];
    }
    if (type != VALUE_ADDRESS && type != VALUE_STRING && type != VALUE_STRINGS)
        return false;
    for (; count > 0 && at < l->n; count--) {
        const uint32_t left = l->n - at, n = layout_value_slots(type, l->slots + at, left);
        const uint32_t extent = n < left ? n : left;
        if (memchr(varies + at, true, type == VALUE_STRINGS ? extent : 1))
            return true;
        at += extent;
    }
    return false;
}

enum refrain_status layout_ranks(const struct functable *t, uint32_t function, const int64_t *slots,
                                 uint32_t n, bool *is_rank)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    if (n > 0)
        memset(is_rank, 0, n * sizeof *is_rank);
    layout_start(&l, t, function, slots, n);
    while (layout_next(&l, &item, &status)) {
        uint32_t first, step;
        if (item.kind->type == VALUE_STATUS) {
            first = STATUS_SOURCE;
            step = STATUS_SLOTS;
        } else if (item.kind->type == VALUE_INT &&
                   (strcmp(item.kind->name, "RANK") == 0 || strcmp(item.kind->name, "RANK_NNI") == 0)) {
            first = 0;
            step = 1;
        } else {
            continue;
        }
        const size_t at = (size_t)(item.slots - slots);
        for (uint32_t i = first; i < item.n_slots; i += step)
            is_rank[at + i] = true;
    }
    return status;
}
