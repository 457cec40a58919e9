/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path as an overlay of a timeline. */
#ifndef REFRAIN_PATH_OVERLAY_H
#define REFRAIN_PATH_OVERLAY_H

#include "decoder/causes/critical_path.h"
#include "decoder/timeline/timeline_overlay.h"
#include "decoder/waits/search/wait_lanes.h"

/* Adds the path, whose route was wanted, in at most `most` stays. */
enum refrain_status path_overlay_find(const struct critical_path *path, const struct wait_lanes *lanes,
                                      size_t most, struct timeline_overlay *x);

#endif
