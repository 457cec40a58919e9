/* SPDX-License-Identifier: BSD-3-Clause */
#include "launched_rank.h"

#include <stddef.h>
#include <stdlib.h>

int64_t launched_rank(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = getenv(names[i]);
        char *end;
        if (!text || !*text)
            continue;
        const long long rank = strtoll(text, &end, 10);
        if (!*end && rank >= 0)
            return rank;
    }
    return -1;
}
