/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that exist only as calls, and that do something another number of times each round: polls, loops
 * with bounds that change. What a lane makes of them has loops, fillers and orders (trace.h). */
#ifndef REFRAIN_TEST_POLLING_H
#define REFRAIN_TEST_POLLING_H

#include "src/core/base/array.h"
#include "src/core/trace/trace.h"

enum { POLLING_SITES = 8, POLLING_PROGRAMS = 7 };

struct polling_calls {
    ARRAY(uint32_t) sites, rows; /* one of each a call */
};

struct polling_program {
    void (*turn)(struct polling_calls *c, uint64_t *state);
    uint32_t turns; /* enough of them that all loops are found */
    size_t items;   /* symbols of the skeleton and all streams together, at most */
    bool steady;    /* a turn does not depend on those before it */
};

extern const struct polling_program polling_programs[POLLING_PROGRAMS];

void polling_call(struct polling_calls *c, uint32_t site, uint32_t row);
void polling_free(struct polling_calls *c);
/* Append so many turns of a program, as the rank makes them. */
void polling_run(struct polling_calls *c, size_t program, uint32_t rank, uint32_t turns);
/* The trace of the rank, sound. Calls are of one function of two parameters, from a site each, with the row
 * as the first argument. Ends the program if something fails. */
struct trace polling_record(const struct polling_calls *c, uint32_t rank);

#endif
