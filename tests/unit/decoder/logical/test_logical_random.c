/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "logical_program.h"
#include "tests/unit/support/random_program.h"

/* After all merging, folding and extracting, the program gives for each process what it did. */
Test(logical, random_programs)
{
    size_t merged = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct random_program r;
        struct logical_program l;
        random_program_make(&r, seed, seed % 3 != 0);
        logical_start(&l, &r.p, r.processes);
        logical_check(&l, &r.p);
        for (size_t i = 0; i < l.logical.sections.n; i++)
            for (size_t k = 0; k < l.logical.sections.items[i].body.n; k++)
                merged += l.logical.sections.items[i].body.items[k]->n_processes > 1;
        logical_end(&l);
        program_end(&r.p);
    }
    cr_assert_gt(merged, 400, "%zu", merged);
}
