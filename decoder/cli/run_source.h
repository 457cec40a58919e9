/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs to compare: `A B C` (one run per group) or `A1 A2 vs B1 B2` (several per group). With `--mean` all
 * runs are one group. */
#ifndef REFRAIN_RUN_SOURCE_H
#define REFRAIN_RUN_SOURCE_H

#include "decoder/cube/cube_data.h"
#include "decoder/report/run_difference.h"
#include "options.h"

struct run_source {
    ARRAY(struct run_profile) runs;
    ARRAY(size_t) groups; /* as those of run_difference.h */
    bool wants_models;    /* of the first run and the last one */
    bool keeps_profiles;  /* these are wanted, of each run: */
    ARRAY(struct cube_data *) profiles;
    struct run_difference difference;
};

/* `wants_models` and `keeps_profiles` must be set by the caller, all else zeroed. */
enum refrain_status run_source_read(struct run_source *s, const struct options *o);
/* Writes the difference of the last group's mean and the first one's, or the mean of one group, for CUBE. */
enum refrain_status run_source_write_cube(const struct run_source *s, const char *path);
void run_source_free(struct run_source *s); /* also of a zeroed struct */

#endif
