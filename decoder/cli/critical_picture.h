/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain critical -o: the critical path, drawn over the timeline. */
#ifndef REFRAIN_CRITICAL_PICTURE_H
#define REFRAIN_CRITICAL_PICTURE_H

#include "decoder/causes/critical_search.h"
#include "decoder/trace/symbols.h"
#include "decoder/waits/report/waits.h"

/* Is this a name that critical_picture_write takes? If not, this is logged. NULL is allowed: there is no picture. */
enum refrain_status critical_picture_check(const char *path);
/* Writes a page. The search is over, and its route was wanted. */
enum refrain_status critical_picture_write(const char *path, const struct critical_search *s,
                                           const struct waits *w, const struct reader *r,
                                           const struct definitions *d, struct symbols *symbols);

#endif
