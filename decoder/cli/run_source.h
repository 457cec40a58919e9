/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs to compare: `A B C` (one run per group) or `A1 A2 vs B1 B2` (several per group). With `--mean` all
 * runs are one group. */
#ifndef REFRAIN_RUN_SOURCE_H
#define REFRAIN_RUN_SOURCE_H

#include "decoder/report/run_difference.h"
#include "options.h"

struct run_source {
    ARRAY(struct run_profile) runs;
    ARRAY(size_t) groups; /* as those of run_difference.h */
    struct run_difference difference;
};

enum refrain_status run_source_read(struct run_source *s, const struct options *o);
void run_source_free(struct run_source *s); /* also of a zeroed struct */

#endif
