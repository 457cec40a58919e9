/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays by place: the calls of a site or the computing before them, summed over all lanes that are late
 * there. */
#ifndef REFRAIN_DELAY_PLACES_H
#define REFRAIN_DELAY_PLACES_H

#include "critical_path.h"

struct profile_entries {
    struct profile_entry *items;
    size_t n, cap;
};

/* Sums of struct delay. */
struct delay_place {
    uint64_t direct, further, taken, usual, meanwhile, times, parts;
    struct profile_entries lanes; /* the lanes that are late there, by key */
    struct profile_entries waits; /* waiting by the site of the waiting call; the key is the site */
    size_t worst;                 /* index in `waits` of the site with most waiting */
};

struct delay_places {
    struct delay_place *items;
    size_t n, cap;
};

/* Finds the places that cost most, the largest first, for waiting at one site (or DELAYS_ANYWHERE) of these
 * kinds (EVENTS of wait_event.h, or DELAYS_ANY_KIND). */
#define DELAYS_ANYWHERE UINT32_MAX
#define DELAYS_ANY_KIND UINT64_MAX
enum refrain_status delay_places_find(struct delay_places *out, const struct delays *d, uint32_t site,
                                      uint64_t kinds);
void delay_places_free(struct delay_places *p); /* also of a zeroed struct */

#endif
