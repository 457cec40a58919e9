/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the longest gap before a call in a trace, in milliseconds, for recording.sh. */
#include "decoder/trace/reader.h"

#include <stdio.h>

static uint64_t of_group(const struct group *g)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < g->timings.n; i++) {
        const struct timing *t = &g->timings.items[i];
        if (t->count > 0 && t->gap.max > longest)
            longest = t->gap.max;
    }
    return longest;
}

int main(int argc, char **argv)
{
    struct reader r;
    uint64_t longest = 0;
    if (argc != 2 || reader_open(&r, argv[1]) != REFRAIN_OK)
        return 2;
    for (size_t s = 0; s < r.trace.shapes.n; s++) {
        const struct shape *shape = &r.trace.shapes.items[s];
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++) {
                const uint64_t gap = of_group(&entry->groups.items[g]);
                longest = gap > longest ? gap : longest;
            }
        }
    }
    reader_close(&r);
    printf("%llu\n", (unsigned long long)(longest / 1000000));
    return 0;
}
