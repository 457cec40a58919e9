/* SPDX-License-Identifier: BSD-3-Clause */
/* The host of each rank, from the `@process` records in the definitions lanes. */
#ifndef REFRAIN_HOSTS_H
#define REFRAIN_HOSTS_H

#include "reader.h"
#include "src/core/base/array.h"

struct hosts {
    ARRAY(char *) names; /* each name once, in the order of the ranks; "unknown" for an unknown host */
    uint32_t *of_rank;   /* index into names, by rank minus the trace's first rank */
};

enum refrain_status hosts_read(struct hosts *h, const struct reader *r);
void hosts_free(struct hosts *h);

#endif
