/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory for one test, in which one file may be left: TestSuite(name, .init = scratch_start, .fini = scratch_stop). */
#ifndef TESTS_SCRATCH_FILE_H
#define TESTS_SCRATCH_FILE_H

enum { SCRATCH_SIZE = 32 };

/* Their paths. The file is not there at first. */
extern char scratch_directory[SCRATCH_SIZE], scratch_path[SCRATCH_SIZE];

void scratch_start(void);
/* Makes the file, with this text. */
void scratch_write(const char *text);
/* Removes both, and fails if the directory has another file in it. */
void scratch_stop(void);

#endif
