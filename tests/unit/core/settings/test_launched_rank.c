/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "src/core/settings/launched_rank.h"

static void forget(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

Test(launched_rank, no_launcher)
{
    forget();
    cr_expect_eq(launched_rank(), -1);
}

Test(launched_rank, each_launcher)
{
    forget();
    setenv("SLURM_PROCID", "12", 1);
    cr_expect_eq(launched_rank(), 12);
    setenv("PMI_RANK", "0", 1);
    cr_expect_eq(launched_rank(), 0, "what is next to MPI counts");
}

Test(launched_rank, no_number)
{
    forget();
    setenv("PMI_RANK", "", 1);
    cr_expect_eq(launched_rank(), -1);
    setenv("PMI_RANK", "-1", 1);
    cr_expect_eq(launched_rank(), -1);
    setenv("PMI_RANK", "3x", 1);
    cr_expect_eq(launched_rank(), -1);
}
