/* SPDX-License-Identifier: BSD-3-Clause */
#include "processes.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* Launchers by the variables that they set, and the MPI libraries whose programs they start. srun's count is
 * that of a step: in a batch script, which is not a step, it is not set. */
static const struct launcher {
    const char *number, *n;
    const char *libraries[4];
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {"openmpi"}},
    {"PMI_RANK", "PMI_SIZE", {"mpich", "other", "openmpi"}},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", {"openmpi", "mpich", "other"}},
};

static bool read_number(const char *name, unsigned *out)
{
    const char *text = getenv(name);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    const unsigned long number = strtoul(text, &end, 10);
    *out = (unsigned)number;
    return !*end && number <= INT_MAX;
}

void process_launch_find(struct process_launch *out)
{
    *out = (struct process_launch){.n = 1};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && out->n == 1; i++) {
        const struct launcher *l = &launchers[i];
        unsigned number, n;
        if (!read_number(l->number, &number) || !read_number(l->n, &n) || n < 2 || number >= n)
            continue;
        *out = (struct process_launch){number, n, {l->libraries[0], l->libraries[1], l->libraries[2]}};
    }
}
