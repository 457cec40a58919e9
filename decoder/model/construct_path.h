/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a construct of a model: numbers from 1, divided by dots. `3.1.2` is construct 2 in the body of
 * construct 1 in the body of construct 3 of the top level, in the order of the model. `3.4-7` is a range:
 * constructs 4 to 7 in the body of construct 3.
 *
 *     1      for i0 = 1 to 75   [0-1]
 *     1.1-2    0 -> 1, 1 -> 0 tag5          two constructs on one line, 1.1 and 1.2
 *     1.3      for i1 = 1 to i0   [1]
 *     1.3.1      1 local work
 *     1.3      done
 *     1      done
 *     2      0 local end */
#ifndef REFRAIN_CONSTRUCT_PATH_H
#define REFRAIN_CONSTRUCT_PATH_H

#include "src/core/base/bytes.h"
#include "system.h"

struct construct_path {
    uint32_t n; /* levels; the construct has n - 1 loops around */
    struct construct_level {
        uint64_t number;                   /* from 1 */
        const struct construct *construct; /* the last one is named by the path, the others contain it */
    } levels[SYSTEM_DEPTH_MAX + 1];
};

/* Constructs in a row, of one body. */
struct construct_range {
    struct construct_path first;
    const struct system *body; /* the system that contains them: a loop's body or the top level */
    size_t n;                  /* at least 1 */
};

/* Finds the range that `text` names in a model's top level; one construct is a range of one. An error is
 * logged (REFRAIN_ERR_USAGE). */
enum refrain_status construct_range_find(const struct system *top, const char *text,
                                         struct construct_range *out);
/* Returns the path of construct i of the range, from 0. */
struct construct_path construct_range_at(const struct construct_range *range, size_t i);
/* Does any construct of the range have events of the process? */
bool construct_range_has(const struct construct_range *range, uint32_t process);

/* Appends the numbers, such as "3.1.2". */
void construct_path_put(const struct construct_path *path, struct bytes *out);

static inline const struct construct *construct_path_last(const struct construct_path *path)
{
    return path->levels[path->n - 1].construct;
}

/* ---- walking a model ------------------------------------------------------------------------- */

/* Makes construct number `at` (from 0) of a system the end of the path. The system is the top level, or the
 * body of the construct that the path names one level above. */
void construct_path_set(struct construct_path *path, const struct system *s, size_t at);

#endif
