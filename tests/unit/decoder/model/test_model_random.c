/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "tests/unit/support/random_program.h"

Test(model, random_programs)
{
    uint64_t messages = 0, events = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct random_program r;
        random_program_make(&r, seed, seed % 3 != 0);
        program_check(&r.p);
        const struct program_run run = program_run(&r.p, r.causal);
        messages += run.messages;
        events += run.events;
        program_end(&r.p);
    }
    cr_assert_gt(5 * messages, events, "%u of %u", (unsigned)messages, (unsigned)events);
}
