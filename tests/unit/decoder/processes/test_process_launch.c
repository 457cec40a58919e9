/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "decoder/processes/processes.h"

static struct process_launch launched_with(const char *const *environment)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
        "SLURM_STEP_NUM_TASKS"};
    struct process_launch launch;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    for (size_t i = 0; environment[i]; i += 2)
        setenv(environment[i], environment[i + 1], 1);
    process_launch_find(&launch);
    return launch;
}
#define LAUNCHED(...) launched_with((const char *const[]){__VA_ARGS__, NULL})

Test(process_launch, each_launcher)
{
    struct process_launch l =
        LAUNCHED("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "3", "PMIX_RANK", "2");
    cr_expect(l.number == 2 && l.n == 3);
    cr_expect_str_eq(l.libraries[0], "openmpi");
    cr_expect_null(l.libraries[1], "no other library understands Open MPI's launcher");
    l = LAUNCHED("PMI_RANK", "0", "PMI_SIZE", "4");
    cr_expect(l.number == 0 && l.n == 4);
    cr_expect_str_eq(l.libraries[0], "mpich");
    l = LAUNCHED("PMIX_RANK", "1", "SLURM_STEP_NUM_TASKS", "2");
    cr_expect(l.number == 1 && l.n == 2);
    cr_expect_str_eq(l.libraries[0], "openmpi");
}

Test(process_launch, one_process)
{
    static const char *const none[] = {NULL};
    cr_expect_eq(launched_with(none).n, 1);
    cr_expect_eq(LAUNCHED("PMI_RANK", "0", "PMI_SIZE", "1").n, 1);
    cr_expect_eq(LAUNCHED("SLURM_STEP_NUM_TASKS", "8").n, 1, "a batch script has no number");
}

Test(process_launch, no_numbers)
{
    cr_expect_eq(LAUNCHED("PMI_RANK", "0", "PMI_SIZE", "many").n, 1);
    cr_expect_eq(LAUNCHED("PMI_RANK", "-1", "PMI_SIZE", "4").n, 1);
    cr_expect_eq(LAUNCHED("PMI_RANK", "4", "PMI_SIZE", "4").n, 1);
    cr_expect_eq(LAUNCHED("PMI_RANK", "", "PMI_SIZE", "4").n, 1);
    cr_expect_eq(LAUNCHED("PMI_RANK", "0", "PMI_SIZE", "99999999999").n, 1);
}
