/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits that prevent writing files: the number of open files, and the size of a file. The program
 * may have lowered them; while the tracer writes, they are raised to their maximum. Safe in signal
 * handlers. */
#ifndef REFRAIN_FILE_LIMITS_H
#define REFRAIN_FILE_LIMITS_H

#include <sys/resource.h>

#define LIMITS 2
struct file_limits {
    struct rlimit were[LIMITS];
};

void file_limits_lift(struct file_limits *l);
void file_limits_restore(const struct file_limits *l);

#endif
