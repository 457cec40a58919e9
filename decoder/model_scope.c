/* Sequences that are to become one system, and sets of them. */
#include "model_impl.h"

#include "log.h"

#include <stdlib.h>

void scope_free(struct scope *s)
{
    for (size_t q = 0; q < s->n; q++)
        array_free(&s->sequences[q].items);
    free(s->sequences);
    array_free(&s->channels);
    *s = (struct scope){0};
}

uint32_t scope_find_sequence(const struct scope *s, uint32_t process)
{
    uint32_t low = 0, high = (uint32_t)s->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->sequences[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum refrain_status sequence_set_create(struct sequence_set *s, size_t sequences)
{
    *s = (struct sequence_set){.has = calloc(sequences + 1, sizeof *s->has)};
    if (!s->has)
        log_error("out of memory: %zu sequences", sequences);
    return s->has ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void sequence_set_free(struct sequence_set *s)
{
    free(s->has);
    array_free(&s->list);
}

void sequence_set_clear(struct sequence_set *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        s->has[s->list.items[i]] = false;
    s->list.n = 0;
}

bool sequence_set_add(struct sequence_set *s, uint32_t q)
{
    if (s->has[q])
        return true;
    s->has[q] = true;
    return array_push(&s->list, q);
}
