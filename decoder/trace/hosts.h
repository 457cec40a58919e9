/* SPDX-License-Identifier: BSD-3-Clause */
/* On which host each rank ran, from the records `@process` in the definitions lanes. */
#ifndef REFRAIN_HOSTS_H
#define REFRAIN_HOSTS_H

#include "reader.h"
#include "src/core/base/array.h"

struct hosts {
    ARRAY(char *) names; /* each once, in the order of the ranks; one that is not known is "unknown" */
    uint32_t *of_rank;   /* index into names, by rank less the trace's first one */
};

enum refrain_status hosts_read(struct hosts *h, const struct reader *r);
void hosts_free(struct hosts *h);

#endif
