/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits that keep files from being written: how many may be open, and how long one may be. The program may have
 * lowered its own; while the tracer writes they are as high as they may be. Also in signal handlers. */
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
