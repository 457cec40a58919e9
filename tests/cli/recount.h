/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of recount.c. Each is given `n` files and returns an exit status. */
#ifndef TESTS_CLI_RECOUNT_H
#define TESTS_CLI_RECOUNT_H

int recount_accesses(int n, char **paths);
int recount_events(int n, char **paths);
int recount_messages(int n, char **paths);
int recount_parts(int n, char **paths);
int recount_range(int n, char **paths);
int recount_rows(int n, char **paths);

#endif
