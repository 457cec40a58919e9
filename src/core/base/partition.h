/* SPDX-License-Identifier: BSD-3-Clause */
/* A partition of 0 … n - 1 into classes, made ever finer by lists of values: i and k stay in one class as
 * long as all lists say the same of both.
 *
 *     n = 6                      classes  0 0 0 0 0 0
 *     refined by  7 7 9 7 9 9             0 0 1 0 1 1
 *     refined by  1 2 2 1 2 2             0 1 2 0 2 2
 *
 * Classes are numbered by their first member. */
#ifndef REFRAIN_PARTITION_H
#define REFRAIN_PARTITION_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

struct partition {
    uint32_t *classes; /* n of them; owned */
    uint32_t n, n_classes;
};

/* One class that has everything; n > 0. */
enum refrain_status partition_create(uint32_t n, struct partition *out);
void partition_free(struct partition *p);
enum refrain_status partition_copy(const struct partition *p, struct partition *out);
/* The classes of p cut up by n values. */
enum refrain_status partition_refine(const struct partition *p, const int64_t *values, struct partition *out);
/* Has each class one value? Then of_class, with room for n_classes, gets them. */
bool partition_respects(const struct partition *p, const int64_t *values, int64_t *of_class);

#endif
