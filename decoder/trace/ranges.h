/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of numbers as they are given on the command line: "0,4-7". */
#ifndef REFRAIN_RANGES_H
#define REFRAIN_RANGES_H

#include "reader.h"
#include "src/core/base/array.h"

struct range {
    uint64_t first, last;
};

struct ranges {
    ARRAY(struct range) items; /* none: everything */
};

/* "3" and "A-B" between commas. NULL text is everything. What is no such list is logged. */
enum refrain_status ranges_parse(struct ranges *r, const char *text);
/* "A..B", "A..", "..B", "A"; both ends belong to it. NULL text is everything. */
enum refrain_status range_parse(struct range *r, const char *text);
void ranges_free(struct ranges *r);
bool ranges_has(const struct ranges *r, uint64_t v);
/* Are all of them ranks of the run? The first that is not is logged. */
enum refrain_status ranges_check(const struct ranges *r, const struct trace *t);
/* Does each of these ranges have a thread of one of these ranks? The first that has none is logged. */
enum refrain_status ranges_check_threads(const struct ranges *threads, const struct ranges *ranks,
                                         const struct reader *r);

#endif
