/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_record_counts.h"

#include <stdlib.h>

void rma_records_free(struct rank_rma_records *records, uint32_t n_ranks)
{
    for (uint32_t i = 0; records && i < n_ranks; i++)
        array_free(&records[i].items);
    free(records);
}

size_t rma_records_of_thread(const struct rank_rma_records *records, uint32_t thread)
{
    size_t low = 0, high = records->items.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (records->items.items[middle].thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
