/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric, or all waiting, as a table: a line for each function, site, path, region, phase, rank, direction
 * or role. */
#ifndef REFRAIN_WAITS_BY_H
#define REFRAIN_WAITS_BY_H

#include "waits_text.h"

enum waits_by {
    WAITS_BY_NOTHING,
    WAITS_BY_FUNCTION,
    WAITS_BY_SITE,
    WAITS_BY_PATH,   /* of calls, as a tree: a line has what is below it, too */
    WAITS_BY_REGION, /* the innermost one; the search has to have its places (program_places.h), … */
    WAITS_BY_PHASE,  /* … and those of phases */
    WAITS_BY_RANK,
    WAITS_BY_DIRECTION, /* in which the one lies that was waited for */
    WAITS_BY_ROLE,      /* of ranks, in the grid */
    WAITS_BY_KINDS
};
extern const char *const waits_by_words[WAITS_BY_KINDS];

/* Do the lines have a fixed order, not by value? Then all lines are printed unless --top is given. */
bool waits_by_is_ordered(enum waits_by by);
/* `regions`: names of regions (region_places_create). */
enum refrain_status waits_put_table(const struct waits *w, const struct waits_view *v, enum waits_by by,
                                    const struct text_table *regions, bool as_json, struct output *out);

#endif
