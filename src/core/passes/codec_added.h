/* SPDX-License-Identifier: BSD-3-Clause */
/* Added lists: those that are the sum or difference of two others over the same ranks.
 *
 * Where a program packs what it sends into one buffer, each piece begins where the one before ends:
 *
 *     sizes      west  40 32 40     east  32 32 40     south  24 24 16
 *     offsets    east  40 32 40    south  72 64 80               72 = 40 + 32 and so on; north = south + 24 …
 *
 * A list's fingerprint is a sum of its values, each times a number of its rank's, so that of a sum is the sum
 * of fingerprints: one look-up tells whether there is a second list for a first one. A size that is found
 * nowhere else is the difference of two offsets. */
#ifndef REFRAIN_CODEC_ADDED_H
#define REFRAIN_CODEC_ADDED_H

#include "codec_classes.h"

#define ADDED_COST 3 /* bytes of an added list, about */

/* list = a + factor b */
struct added_list {
    uint32_t list, a, b; /* numbers in class_lists */
    int64_t factor;      /* 1 or -1 */
};

/* a and b are none of those that come later. */
struct added_lists {
    struct added_list *items;
    size_t n, cap;
};

/* Find such lists. What is `done` may be added, but is none itself. The array is the caller's to free,
 * also after an error. */
enum refrain_status added_find(const struct class_lists *c, struct added_lists *out);

#endif
