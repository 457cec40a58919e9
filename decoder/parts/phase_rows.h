/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of a run as rows of a table, with their efficiencies, in sections:
 *
 *     warm-up       what comes before the main loop
 *     main loop     the loop of all processes at the top level of the model that takes longest
 *     after it
 *
 * The main loop takes at least PHASE_ROWS_LOOP of the run. Phases of the top level outside of it are one row
 * as far as all processes do not meet between them: smaller loops do not divide them. */
#ifndef REFRAIN_PHASE_ROWS_H
#define REFRAIN_PHASE_ROWS_H

#include "decoder/causes/part_times.h"
#include "run_phases.h"

#define PHASE_ROWS_LOOP 0.1

/* Without a main loop, all is one section. */
enum phase_section { PHASE_WARM_UP, PHASE_MAIN_LOOP, PHASE_AFTER, PHASE_WHOLE, PHASE_SECTIONS };

struct phase_row {
    enum phase_section section;
    uint32_t first, last; /* phases */
    struct part_sum sum;
};

struct phase_rows {
    const struct run_phases *phases;
    struct part_sum run, outside;              /* all parts; part 0 */
    struct phase_row sections[PHASE_SECTIONS]; /* `first` > `last`: there is none */
    ARRAY(struct phase_row) items;             /* in the order of the model */
};

/* The parts are those of phase_places.h. The caller frees *r, also after an error. */
enum refrain_status phase_rows_create(struct phase_rows *r, const struct run_phases *p,
                                      const struct part_times *t);
void phase_rows_free(struct phase_rows *r); /* also of a zeroed struct */

static inline bool phase_row_is_there(const struct phase_row *r)
{
    return r->first <= r->last;
}

#endif
