/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "logical_program.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/random_program.h"

/* After all merging, folding and extracting, the program gives for each process what it did. */
/* Ranks with random partners: what is too much is not compared, and is exact all the same. Ranks alike are not too
 * much. */
static void check_partners(uint32_t n_ranks, bool random, bool is_cut)
{
    enum { PARTNERS = 8 };
    struct program p = {0};
    struct logical_program l;
    uint64_t state = 5;
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        for (uint32_t i = 0; i < PARTNERS; i++) {
            const uint32_t to = random ? (uint32_t)random_below(&state, n_ranks) : (rank + i + 1) % n_ranks;
            program_say(&p, "%u send %u tag%u", rank, to, i);
            program_say(&p, "%u sync MPI_Barrier comm0", rank);
        }
    program_model(&p);
    logical_start(&l, &p, n_ranks);
    cr_assert_eq(l.logical.is_cut, is_cut, "%u ranks", n_ranks);
    logical_check(&l, &p);
    logical_end(&l);
    program_end(&p);
}

Test(logical, comparisons_are_limited)
{
    check_partners(effort(1500, 900), true, true);
    check_partners(effort(1500, 900), false, false);
    check_partners(60, true, false);
}

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
