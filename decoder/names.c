#include "names.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static uint64_t key_of(const char *set, int64_t value)
{
    return XXH3_64bits_withSeed(set, strlen(set), (uint64_t)value);
}

/* The constant of that name and value; MAP_NONE if there is none. */
static uint32_t find(const struct names *n, const char *set, int64_t value)
{
    const uint64_t key = key_of(set, value);
    size_t at;
    uint32_t i = map_first(&n->by_value, key, &at);
    while (i != MAP_NONE && (n->table->constants.items[i].value != value ||
                             strcmp(n->table->constants.items[i].set, set) != 0))
        i = map_next(&n->by_value, key, &at);
    return i;
}

enum refrain_status names_create(struct names *n, const struct functable *table)
{
    *n = (struct names){.table = table};
    for (size_t i = 0; i < table->constants.n; i++) {
        const struct constant *c = &table->constants.items[i];
        if (find(n, c->set, c->value) != MAP_NONE) /* the first entry wins */
            continue;
        if (!map_add(&n->by_value, key_of(c->set, c->value), (uint32_t)i)) {
            names_free(n);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

void names_free(struct names *n)
{
    map_free(&n->by_value);
    *n = (struct names){0};
}

const char *names_find(const struct names *n, const char *set, int64_t value)
{
    if (set[0] == '\0')
        return NULL;
    const uint32_t i = find(n, set, value);
    return i == MAP_NONE ? NULL : n->table->constants.items[i].name;
}
