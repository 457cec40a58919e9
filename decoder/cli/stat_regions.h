/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of `refrain stat --by region`. */
#ifndef REFRAIN_STAT_REGIONS_H
#define REFRAIN_STAT_REGIONS_H

#include "decoder/trace/ranges.h"

enum refrain_status stat_regions_print(const struct reader *r, const struct ranges *ranks, bool as_json);

#endif
