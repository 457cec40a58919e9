/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_record_counts.h"

#include "src/core/base/bisect.h"

#include <stdlib.h>

void rma_records_free(struct rank_rma_records *records, uint32_t n_ranks)
{
    for (uint32_t i = 0; records && i < n_ranks; i++)
        array_free(&records[i].items);
    free(records);
}

size_t rma_records_of_thread(const struct rank_rma_records *records, uint32_t thread)
{
    return BISECT(i, records->items.n, records->items.items[i].thread < thread);
}
