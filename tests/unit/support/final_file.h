/* SPDX-License-Identifier: BSD-3-Clause */
/* Final files of simulated runs, and the tables in them. */
#ifndef TESTS_UNIT_SUPPORT_FINAL_FILE_H
#define TESTS_UNIT_SUPPORT_FINAL_FILE_H

#include "src/core/passes/permuted_table.h"
#include "synthetic.h"

/* Returns the file of the run, which the caller frees. */
struct bytes final_file_of(const struct synthetic_run *run);
/* Checks that the file reads back as the run. */
void final_file_check(const struct synthetic_run *run, const struct bytes *image);
/* Returns the table of permuted lists, which the caller frees; `in` is section SERI, and is after the table
 * then. */
struct permuted_table final_file_permuted(struct bytes_reader *in);

#endif
