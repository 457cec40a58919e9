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
        const struct construct *construct; /* the last one's is what the path names, the others are around */
    } levels[SYSTEM_DEPTH_MAX + 1];
};

/* Constructs in a row, of one body. */
struct construct_range {
    struct construct_path first;
    const struct system *body; /* or the top level: of all of them */
    size_t n;                  /* at least 1 */
};

/* What `text` names in a system that is a model's top level: a construct, which is a range of one, or a
 * range. What is wrong is logged (REFRAIN_ERR_USAGE). */
enum refrain_status construct_range_find(const struct system *top, const char *text,
                                         struct construct_range *out);
/* The path of number i of them, from 0. */
struct construct_path construct_range_at(const struct construct_range *range, size_t i);
/* Has any of them events of the process? */
bool construct_range_has(const struct construct_range *range, uint32_t process);

/* "3.1.2": the numbers. */
void construct_path_put(const struct construct_path *path, struct bytes *out);

static inline const struct construct *construct_path_last(const struct construct_path *path)
{
    return path->levels[path->n - 1].construct;
}

/* ---- while a model is walked ----------------------------------------------------------------- */

/* Go on to construct number `at` (from 0) of a system; the path ends in it. The system is the top level, or
 * the body of what the path names on the level above. */
void construct_path_set(struct construct_path *path, const struct system *s, size_t at);

#endif
