/* SPDX-License-Identifier: BSD-3-Clause */
#include "predefined.h"

#include <stdlib.h>
#include <string.h>

#include "generated/functions.h"
#include "handle.h"
#include "src/core/base/log.h"

static const char *const handle_sets[] = {
#define HANDLE_NAME(kind) [HANDLE_##kind] = #kind,
    HANDLE_EACH_KIND(HANDLE_NAME)
#undef HANDLE_NAME
};

static const char *const address_sets[] = {
    [PREDEFINED_ADDRESS] = "ADDRESS",
    [PREDEFINED_VALUE] = "VALUE",
    [PREDEFINED_FUNCTION] = "FUNCTION",
    [PREDEFINED_ARRAY] = "ARRAY",
};

/* Every call looks its buffers up here, so the constants of a set stand together. constants.def has far
 * fewer constants than this limit; one beyond the limit would be treated as an ordinary address. */
#define SET_MAX 32

static struct set {
    struct {
        const char *kind; /* kind of the parameter; owned by the table */
        uint64_t value;
        int64_t index;
    } items[SET_MAX];
    size_t n;
} sets[PREDEFINED_SETS];

static enum refrain_status register_handle(const struct gen_object *object, uint64_t value)
{
    for (int kind = 0; kind < HANDLE_KINDS; kind++) {
        if (strcmp(object->set, handle_sets[kind]) == 0)
            return handle_add_constant((enum handle_kind)kind, value, object->index);
    }
    return REFRAIN_OK; /* this kind is not recorded */
}

static enum refrain_status register_address(const struct gen_object *object, uint64_t value)
{
    for (int i = 0; i < PREDEFINED_SETS; i++) {
        struct set *set = &sets[i];
        if (strcmp(object->set, address_sets[i]) != 0 || set->n == SET_MAX)
            continue;
        set->items[set->n].kind = object->kind;
        set->items[set->n].value = value;
        set->items[set->n++].index = object->index;
    }
    return REFRAIN_OK;
}

static enum refrain_status register_all(const struct gen_object *objects, size_t n,
                                        void (*get_values)(uint64_t *),
                                        enum refrain_status (*enter)(const struct gen_object *, uint64_t))
{
    uint64_t *values = malloc((n + 1) * sizeof *values);
    if (!values) {
        log_error("no memory for the predefined constants");
        return REFRAIN_ERR_MEMORY;
    }
    get_values(values);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = enter(&objects[i], values[i]);
    free(values);
    return status;
}

enum refrain_status predefined_register(void)
{
    enum refrain_status status = register_all(gen_handles, gen_n_handles, gen_handle_values, register_handle);
    return status ? status
                  : register_all(gen_addresses, gen_n_addresses, gen_address_values, register_address);
}

bool predefined_address(enum predefined_set set, uint64_t address, int64_t *constant)
{
    for (size_t i = 0; i < sets[set].n; i++) {
        if (sets[set].items[i].value == address) {
            *constant = sets[set].items[i].index;
            return true;
        }
    }
    return false;
}

bool predefined_sentinel(const char *kind, const void *array, int64_t *constant)
{
    const struct set *set = &sets[PREDEFINED_ARRAY];
    for (size_t i = 0; i < set->n; i++) {
        if (set->items[i].value == (uint64_t)(intptr_t)array && strcmp(set->items[i].kind, kind) == 0) {
            *constant = set->items[i].index;
            return true;
        }
    }
    return false;
}
