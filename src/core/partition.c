#include "partition.h"

#include "log.h"
#include "map.h"
#include "mix.h"

#include <stdlib.h>
#include <string.h>

static enum refrain_status no_memory(uint32_t n)
{
    log_error("out of memory: classes of %u ranks", n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status partition_create(uint32_t n, struct partition *out)
{
    uint32_t *classes = calloc(n, sizeof *classes);
    if (!classes)
        return no_memory(n);
    *out = (struct partition){.classes = classes, .n = n, .n_classes = 1};
    return REFRAIN_OK;
}

void partition_free(struct partition *p)
{
    free(p->classes);
    *p = (struct partition){0};
}

enum refrain_status partition_copy(const struct partition *p, struct partition *out)
{
    uint32_t *classes = malloc(p->n * sizeof *classes);
    if (!classes)
        return no_memory(p->n);
    memcpy(classes, p->classes, p->n * sizeof *classes);
    *out = (struct partition){.classes = classes, .n = p->n, .n_classes = p->n_classes};
    return REFRAIN_OK;
}

/* The finer classes, each entered under a hash of its old class and its value; first[c] is the first member
 * of class c, which tells them apart for certain. */
static bool refine(const struct partition *p, const int64_t *values, struct map *index, uint32_t *first,
                   uint32_t *classes, uint32_t *n_classes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t key = mix(mix(0, p->classes[i]), (uint64_t)values[i]);
        size_t at;
        uint32_t c = map_first(index, key, &at);
        while (c != MAP_NONE && (p->classes[first[c]] != p->classes[i] || values[first[c]] != values[i]))
            c = map_next(index, key, &at);
        if (c == MAP_NONE) {
            if (!map_add(index, key, n))
                return false;
            c = n++;
            first[c] = i;
        }
        classes[i] = c;
    }
    *n_classes = n;
    return true;
}

enum refrain_status partition_refine(const struct partition *p, const int64_t *values, struct partition *out)
{
    struct map index = {0};
    uint32_t *classes = malloc(p->n * sizeof *classes), *first = malloc(p->n * sizeof *first), n_classes;
    enum refrain_status status = REFRAIN_OK;
    if (!classes || !first)
        status = no_memory(p->n);
    else if (!refine(p, values, &index, first, classes, &n_classes))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        *out = (struct partition){.classes = classes, .n = p->n, .n_classes = n_classes};
    else
        free(classes);
    free(first);
    map_free(&index);
    return status;
}

bool partition_respects(const struct partition *p, const int64_t *values, int64_t *of_class)
{
    uint32_t n = 0; /* classes met so far; new ones come in the order of their numbers */
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->classes[i] == n)
            of_class[n++] = values[i];
        else if (of_class[p->classes[i]] != values[i])
            return false;
    }
    return true;
}
