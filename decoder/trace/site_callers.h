/* SPDX-License-Identifier: BSD-3-Clause */
/* Which callers tell call sites apart whose function and innermost location are the same. With wrappers that is common:
 *
 *     MPI_Send at send (wrap.c:9) < left (halo.c:31) < main (main.c:7)      left (halo.c:31)
 *     MPI_Send at send (wrap.c:9) < right (halo.c:40) < main (main.c:7)     right (halo.c:40), main (main.c:7)
 *     MPI_Send at send (wrap.c:9) < right (halo.c:40) < main (main.c:8)     right (halo.c:40), main (main.c:8)
 *
 * Found once, for all sites of a trace: O(n log n) comparisons of sites. */
#ifndef REFRAIN_SITE_CALLERS_H
#define REFRAIN_SITE_CALLERS_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdint.h>

struct symbols;

/* If locations do not tell sites apart, the offset of a frame does: its number and this. */
#define SITE_OFFSET (UINT32_C(1) << 31)

struct site_callers {
    struct site_shown {
        size_t first; /* in `numbers` */
        size_t n;
    } * of_site;             /* NULL: not known */
    ARRAY(uint32_t) numbers; /* of a site's locations, innermost first: 1 is the first caller */
};

/* `s`: with all frames looked up. Only sites that have calls count. */
enum refrain_status site_callers_find(struct site_callers *c, const struct symbols *s);
void site_callers_free(struct site_callers *c); /* also of a zeroed struct */

#endif
