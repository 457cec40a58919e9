/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of numbers as given on the command line: "0,4-7". */
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

/* Parses a comma-separated list of "3" and "A-B". NULL text means everything. Logs an error if the text is no
 * such list. */
enum refrain_status ranges_parse(struct ranges *r, const char *text);
/* "A..B", "A..", "..B", "A"; both ends are included. NULL text means everything. */
enum refrain_status range_parse(struct range *r, const char *text);
void ranges_free(struct ranges *r);
bool ranges_has(const struct ranges *r, uint64_t v);
/* Checks that all numbers are ranks of the run; logs the first one that is not. */
enum refrain_status ranges_check(const struct ranges *r, const struct trace *t);
/* Checks that each range contains a thread of one of these ranks; logs the first range that does not. */
enum refrain_status ranges_check_threads(const struct ranges *threads, const struct ranges *ranks,
                                         const struct reader *r);

#endif
