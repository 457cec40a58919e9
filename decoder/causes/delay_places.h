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
    double usual_parts;
    struct profile_entries lanes; /* the lanes that are late there, by key */
    struct profile_entries waits; /* waiting by the site of the waiting call; the key is the site */
    size_t worst;                 /* index in `waits` of the site with most waiting */
};

struct delay_places {
    struct delay_place *items;
    size_t n, cap;
};

#define DELAYS_ANYWHERE UINT32_MAX
#define DELAYS_ANY_KIND UINT64_MAX

struct delays_wanted {
    uint32_t site;  /* of the waiting; or DELAYS_ANYWHERE */
    uint64_t kinds; /* of waiting: EVENTS of wait_event.h, or DELAYS_ANY_KIND */
    enum {
        DELAYS_ALL,
        DELAYS_OF_LANES, /* computing of these lanes */
        DELAYS_OF_OTHERS /* all but that */
    } which;
    const bool *lanes; /* by lane; NULL if all are wanted */
};

/* Is the delay wanted? */
bool delays_are_wanted(const struct delays_wanted *w, const struct delay *d);
/* Finds the places that cost most, the largest first. */
enum refrain_status delay_places_find(struct delay_places *out, const struct delays *d,
                                      const struct delays_wanted *wanted);
void delay_places_free(struct delay_places *p); /* also of a zeroed struct */

#endif
