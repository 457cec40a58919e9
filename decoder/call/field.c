/* SPDX-License-Identifier: BSD-3-Clause */
#include "field.h"

#include <assert.h>
#include <string.h>

/* The kind of the parameter determines the field, because it says what the slots mean. */
static const struct {
    const char *kind;
    enum value_type type;
    enum role_field field;
} kinds[] = {
    {"COMMUNICATOR", VALUE_HANDLE, FIELD_COMM}, {"REQUEST", VALUE_HANDLE, FIELD_REQUESTS},
    {"STATUS", VALUE_STATUS, FIELD_STATUSES},   {"MESSAGE", VALUE_HANDLE, FIELD_MESSAGE},
    {"WINDOW", VALUE_HANDLE, FIELD_WINDOW},     {"FILE", VALUE_HANDLE, FIELD_FILE},
    {"GROUP", VALUE_HANDLE, FIELD_GROUP},       {"OPERATION", VALUE_HANDLE, FIELD_OPERATOR},
};

/* Other fields have a name and must be integers: other parameters with these names mean something
 * else. */
static const struct {
    const char *name;
    enum role_field field;
} names[] = {
    {"dest", FIELD_DEST},
    {"source", FIELD_SOURCE},
    {"tag", FIELD_TAG},
    {"sendtag", FIELD_SEND_TAG},
    {"recvtag", FIELD_RECEIVE_TAG},
    {"flag", FIELD_FLAG},
    {"index", FIELD_INDICES},
    {"array_of_indices", FIELD_INDICES},
    {"target_rank", FIELD_TARGET},
    {"rank", FIELD_TARGET},
    {"assert", FIELD_ASSERT},
    {"lock_type", FIELD_LOCK_TYPE},
    {"partitions", FIELD_PARTITIONS},
    {"partition", FIELD_PARTITION},
    {"array_of_partitions", FIELD_PARTITION},
    {"partition_low", FIELD_PARTITION},
    {"partition_high", FIELD_LAST_PARTITION},
    {"root", FIELD_ROOT},
};

#define N(table) (sizeof table / sizeof table[0])

field_set fields_of(const struct functable *t, const struct param *p)
{
    assert(p->kind < t->kinds.n);
    const struct kind *kind = &t->kinds.items[p->kind];
    for (size_t i = 0; i < N(kinds); i++) {
        if (kinds[i].type == kind->type && strcmp(kinds[i].kind, kind->name) == 0)
            return 1U << kinds[i].field;
    }
    for (size_t i = 0; (kind->type == VALUE_INT || kind->type == VALUE_FLAGS) && i < N(names); i++) {
        if (strcmp(names[i].name, p->name) == 0)
            return 1U << names[i].field;
    }
    return 0;
}
