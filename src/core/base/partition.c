/* SPDX-License-Identifier: BSD-3-Clause */
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

/* The finer classes by a hash of their old class and their value, at most half full; first[c] is the first
 * member of class c, which tells them apart for certain. */
struct index {
    uint32_t *classes, *first;
    size_t cap; /* a power of two */
};

#define FREE UINT32_MAX

/* Where the class of member i is, or is to be entered. */
static size_t find_class(const struct index *index, const struct partition *p, const int64_t *values,
                         uint32_t i)
{
    size_t at = map_home(mix_lightly(p->classes[i], (uint64_t)values[i]), index->cap);
    for (; index->classes[at] != FREE; at = (at + 1) & (index->cap - 1)) {
        const uint32_t first = index->first[index->classes[at]];
        if (p->classes[first] == p->classes[i] && values[first] == values[i])
            break;
    }
    return at;
}

static uint32_t refine(const struct partition *p, const int64_t *values, const struct index *index,
                       uint32_t *classes)
{
    uint32_t n = 0;
    memset(index->classes, 0xff, index->cap * sizeof *index->classes);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t *class = &index->classes[find_class(index, p, values, i)];
        if (*class == FREE) {
            index->first[n] = i;
            *class = n++;
        }
        classes[i] = *class;
    }
    return n;
}

enum refrain_status partition_refine(const struct partition *p, const int64_t *values, struct partition *out)
{
    struct index index = {.cap = 4};
    while (index.cap < 2 * (size_t)p->n)
        index.cap *= 2;
    index.classes = malloc(index.cap * sizeof *index.classes);
    index.first = malloc(p->n * sizeof *index.first);
    uint32_t *classes = malloc(p->n * sizeof *classes);
    const bool room = index.classes && index.first && classes;
    if (room)
        *out = (struct partition){
            .classes = classes, .n = p->n, .n_classes = refine(p, values, &index, classes)};
    else
        free(classes);
    free(index.classes);
    free(index.first);
    return room ? REFRAIN_OK : no_memory(p->n);
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
