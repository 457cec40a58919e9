/* SPDX-License-Identifier: BSD-3-Clause */
/* The host of each rank, how many processors it has, and how long the rank had none, from the `@process` and `@processor`
 * records in the definitions lanes. */
#ifndef REFRAIN_HOSTS_H
#define REFRAIN_HOSTS_H

#include "reader.h"
#include "src/core/base/array.h"

struct hosts {
    ARRAY(char *) names; /* each name once, in the order of the ranks; "unknown" for an unknown host */
    uint32_t *of_rank;   /* index into names, by rank minus the trace's first rank */
    int64_t *processors; /* of that rank's host, likewise; 0: not known */
    int64_t *ready; /* likewise: per cent of the rank's time (@processor in docs/FORMAT.md); 0: less than 1,
                            or not known */
    bool crowded;   /* more ranks ran on a host than it has processors */
    uint32_t worst; /* that rank, likewise, is on the most crowded host … */
    uint64_t crowd; /* … with so many recorded ranks */
};

enum refrain_status hosts_read(struct hosts *h, const struct reader *r);
void hosts_free(struct hosts *h);
/* A line with the most crowded host; nothing if none is crowded. */
void hosts_put_crowded(const struct hosts *h, struct bytes *out);

#endif
