/* SPDX-License-Identifier: BSD-3-Clause */
#include "scratch_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char scratch_directory[SCRATCH_SIZE] = "/tmp/refrain-test.XXXXXX", scratch_path[SCRATCH_SIZE];

void scratch_start(void)
{
    cr_assert(mkdtemp(scratch_directory));
    snprintf(scratch_path, sizeof scratch_path, "%.24s/file", scratch_directory);
}

void scratch_write(const char *text)
{
    FILE *f = fopen(scratch_path, "w");
    cr_assert(f && fputs(text, f) >= 0);
    cr_assert_eq(fclose(f), 0);
}

void scratch_stop(void)
{
    unlink(scratch_path);
    cr_expect_eq(rmdir(scratch_directory), 0, "%s is not empty", scratch_directory);
}
