/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the program, as places of waiting (wait_places.h): regions that the program names (decoder/region), and phases. */
#ifndef REFRAIN_PROGRAM_PLACES_H
#define REFRAIN_PROGRAM_PLACES_H

#include "decoder/trace/reader.h"
#include "decoder/util/text_table.h"
#include "decoder/waits/values/wait_places.h"

/* Place 0 is outside of all regions; the others are the innermost region's name, number place - 1 of the names. A region has the
 * calls inside that begin and end it. */
enum refrain_status region_places_create(struct wait_places *p, struct text_table *names,
                                         const struct reader *r);
/* Place 0 is before the first collective operation of all ranks; the others are after one of call site place - 1, which the
 * search finds. */
enum refrain_status phase_places_create(struct wait_places *p, const struct reader *r);

#endif
